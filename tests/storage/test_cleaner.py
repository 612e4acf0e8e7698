"""The cleaner on logs of our own: what a reader sees afterwards, against a plain dictionary of last values."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from millrace.base.errors import StorageFault
from millrace.base.limits import EAGER_SEGMENT_BYTES
from millrace.base.ports import Disk
from millrace.kafka.batch import HEADER_BYTES, Batch, batches_in
from millrace.kafka.record import NewRecord, Record, build_batch, iter_records
from millrace.runtime.disk import RealDisk
from millrace.storage import names
from millrace.storage.cleaner import CleanedGroup, Cleaning, CleanJob, SealedSegment, group_segments, read_batches
from millrace.storage.cleaner_choice import Candidate, choose, cleanable, job_for
from millrace.storage.cleaner_map import KeyTable
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log, LogPosition
from millrace.testing.simulated_disk import SimulatedDisk

FOLDER = "orders-0"
NOW_MS = 1_700_000_000_000
LIMIT_BYTES = 1 << 24


@dataclass(frozen=True)
class Config:
    """A compacted topic's configuration."""

    cleanup_policy: frozenset[str] = frozenset({"compact"})
    file_delete_delay_ms: int = 0
    index_interval_bytes: int = 300
    retention_bytes: int = -1
    retention_ms: int = -1
    segment_bytes: int = 3000
    segment_index_bytes: int = 10 << 20
    segment_jitter_ms: int = 0
    segment_ms: int = 604_800_000
    delete_retention_ms: int = 5000
    max_compaction_lag_ms: int = (1 << 63) - 1
    min_cleanable_dirty_ratio: float = 0.5
    min_compaction_lag_ms: int = 0


@pytest.fixture
def disk() -> SimulatedDisk:
    return SimulatedDisk(random.Random(0))


def close(log: Log, now_ms: int, *, is_clean: bool = True) -> None:
    log.disk.finish(log.close(now_ms, clean=is_clean))


def settle(log: Log) -> None:
    """Everything written is on stable storage, and the log knows it."""
    log.disk.finish(log.advance_checkpoint())
    while log.checkpointed_offset < log.log_end_offset:
        log.disk.finish(log.advance_checkpoint())


def open_log(disk: Disk, config: Config) -> Log:
    return Log.open(disk, FOLDER, config, now_ms=NOW_MS)


def append(log: Log, records: list[NewRecord], **options: int) -> int:
    """Append one batch; the offset of its first record."""
    offset = log.log_end_offset
    log.append(Batch(build_batch(records, timestamp_ms=NOW_MS, **options)), 0, NOW_MS)  # type: ignore[arg-type]
    return offset


def read_all(log: Log) -> list[Record]:
    return [record for batch in batches_of(log) for record in iter_records(batch, LIMIT_BYTES)]


def batches_of(log: Log) -> list[Batch]:
    found: list[Batch] = []
    for segment in log.segments:
        found += batches_in(segment.file.read_now(0, segment.size))
    return found


def candidate(log: Log, clean_offset: int | None = None, *, is_eager: bool = False) -> Candidate:
    return Candidate(log, log.config, clean_offset, log.log_end_offset, EAGER_SEGMENT_BYTES if is_eager else None)  # type: ignore[arg-type]


def clean(
    log: Log, clean_offset: int | None, now_ms: int = NOW_MS, *, table_bytes: int = 1 << 16
) -> tuple[int | None, Cleaning | None]:
    """One cleaning, swapped in; the new checkpoint."""
    log.roll(now_ms)
    settle(log)
    found = cleanable(candidate(log, clean_offset), now_ms)
    if found is None:
        return clean_offset, None
    cleaning = Cleaning(log.disk, job_for(found, now_ms, table_bytes_max=table_bytes))
    for group in cleaning.groups():
        log.disk.finish(log.swap_cleaned(list(group.old_bases), group.new_base))
    return cleaning.end_offset, cleaning


@dataclass
class Model:
    """All that was ever appended, in a list, and the plainest idea of what compaction leaves of it."""

    records: list[tuple[int, bytes, bytes | None]] = field(default_factory=list)

    def latest(self) -> dict[bytes, tuple[int, bytes | None]]:
        return {key: (offset, value) for offset, key, value in self.records}


def random_batch(chance: random.Random) -> list[NewRecord]:
    return [
        NewRecord(
            b"key-%d" % int(chance.paretovariate(0.7) % 60),
            None if chance.random() < 0.15 else chance.randbytes(chance.choice((0, 10, 200))),
        )
        for _ in range(chance.randrange(1, 12))
    ]


@pytest.mark.parametrize("seed", range(25))
def test_against_a_dictionary_of_last_values(seed: int, disk: SimulatedDisk) -> None:
    chance = random.Random(seed)
    log = open_log(disk, Config())
    model = Model()
    clean_offset: int | None = None
    now_ms = NOW_MS
    for _ in range(chance.randrange(4, 9)):
        for _ in range(chance.randrange(0, 40)):
            batch = random_batch(chance)
            offset = append(log, batch, codec=chance.choice((0, 0, 1, 2, 3, 4)))
            model.records += [(offset + index, each.key or b"", each.value) for index, each in enumerate(batch)]
        now_ms += chance.choice((0, 2000, 20_000))
        clean_offset, _ = clean(log, clean_offset, now_ms, table_bytes=chance.choice((24 * 9, 1 << 16)))
        if chance.random() < 0.3:
            close(log, now_ms, is_clean=chance.random() < 0.5)
            log = Log.open(disk, FOLDER, Config(), now_ms=now_ms, recovery_point=0)
        check_against(model, log, clean_offset)
    close(log, now_ms)


def check_against(model: Model, log: Log, clean_offset: int | None) -> None:
    """Nothing is invented, moved or lost; below the checkpoint only what is latest is left."""
    appended = {offset: (key, value) for offset, key, value in model.records}
    latest = model.latest()
    seen = read_all(log)
    assert [record.offset for record in seen] == sorted({record.offset for record in seen})
    for record in seen:
        assert appended[record.offset] == (record.key, record.value)
    left = {record.offset for record in seen}
    for offset, value in latest.values():
        assert offset in left or value is None, f"the latest value of a key, at {offset}, was lost"
    for record in seen:
        if record.offset < (clean_offset or 0):
            later = [offset for offset, key, _ in model.records if key == record.key and offset > record.offset]
            assert not later or min(later) >= (clean_offset or 0), f"{record.offset} should have been cleaned away"
    assert log.log_end_offset == (model.records[-1][0] + 1 if model.records else 0)


def test_a_reader_who_seeks_finds_the_next_record_that_is_left(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config())
    for number in range(300):
        append(log, [NewRecord(b"key-%d" % (number % 7), b"x" * 50)])
    clean(log, None)
    left = [batch.base_offset for batch in batches_of(log)]
    assert len(left) < 20
    for offset in range(300):
        piece = log.read(offset, 1 << 20, log.end, True)
        if piece is not None:
            first = Batch(piece.file.read_now(piece.position, HEADER_BYTES + 200)[: HEADER_BYTES + 200])  # type: ignore[union-attr]
            assert first.last_offset == min(batch for batch in left if batch >= offset)
    close(log, NOW_MS)


def test_a_reader_passes_over_segments_of_which_nothing_is_left(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config())
    for number in range(300):
        append(log, [NewRecord(b"key-%d" % (number % 7), b"x" * 50)])
    clean(log, None)
    append(log, [NewRecord(b"last", b"x")])
    assert [segment.size for segment in log.segments].count(0) >= 2
    left = [batch.base_offset for batch in batches_of(log)]
    for offset in range(log.log_end_offset):
        piece = log.read(offset, 1 << 20, log.end, True)
        assert isinstance(piece, FileSlice)
        assert Batch(piece.read_now()).last_offset == min(each for each in left if each >= offset)
        place = log.position_of(offset)
        assert isinstance(place, LogPosition)
        assert place.offset == min(each for each in left if each >= offset)
    assert disk.finish(log.offset_for_time(NOW_MS)) is not None
    close(log, NOW_MS)


@pytest.mark.parametrize("limits", [{"retention_ms": 1000}, {"retention_bytes": 500}])
def test_retention_goes_on_behind_segments_of_which_nothing_is_left(
    disk: SimulatedDisk, limits: dict[str, int]
) -> None:
    log = open_log(disk, Config())
    for number in range(300):
        append(log, [NewRecord(b"key-%d" % (number % 7), b"x" * 50)])
    clean(log, None)
    append(log, [NewRecord(b"last", b"x" * 600)])
    assert not log.segments[0].size
    log.config = Config(cleanup_policy=frozenset({"compact", "delete"}), **limits)  # type: ignore[arg-type]
    log.retain(NOW_MS + 2000)
    assert log.log_start_offset == log.segments[0].base_offset >= 300
    close(log, NOW_MS)


def test_tombstones_stay_for_delete_retention_and_then_go(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config(delete_retention_ms=5000))
    append(log, [NewRecord(b"a", b"1"), NewRecord(b"b", b"1")])
    append(log, [NewRecord(b"a", None)])
    append(log, [NewRecord(b"c", b"1")])
    clean(log, None, NOW_MS)
    assert [(record.key, record.value) for record in read_all(log)] == [(b"b", b"1"), (b"a", None), (b"c", b"1")]
    append(log, [NewRecord(b"d", b"1")])
    clean(log, 4, NOW_MS + 4999)
    assert (b"a", None) in [(record.key, record.value) for record in read_all(log)]
    append(log, [NewRecord(b"e", b"1")])
    clean(log, 5, NOW_MS + 5000)
    assert [record.key for record in read_all(log)] == [b"b", b"c", b"d", b"e"]
    close(log, NOW_MS)


def test_the_last_batch_of_an_active_producer_keeps_its_header(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config())
    append(log, [NewRecord(b"a", b"1")], producer_id=7, producer_epoch=0, base_sequence=0)
    append(log, [NewRecord(b"a", b"2")])
    clean(log, None)
    assert [(batch.producer_id, batch.record_count) for batch in batches_of(log)] == [(7, 0), (-1, 1)]
    close(log, NOW_MS, is_clean=False)
    again = Log.open(log.disk, FOLDER, Config(), now_ms=NOW_MS)
    known = again.producers.get(7)
    assert known is not None
    assert known.last_sequence == 0
    close(again, NOW_MS)


def test_records_without_a_key_are_dropped(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config())
    append(log, [NewRecord(None, b"1"), NewRecord(b"a", b"2")])
    append(log, [NewRecord(b"b", b"2")])
    _, cleaning = clean(log, None)
    assert [record.key for record in read_all(log)] == [b"a", b"b"]
    assert cleaning is not None
    assert cleaning.stats.keyless_records == 1
    close(log, NOW_MS)


def test_small_segments_become_one(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config(segment_bytes=1000))
    for number in range(100):
        append(log, [NewRecord(b"key-%d" % (number % 3), b"x" * 100)])
    assert len(log.segments) > 10
    clean_offset, _ = clean(log, None)
    append(log, [NewRecord(b"last", b"x")])
    clean(log, clean_offset)  # what fits together is known by the sizes after the first
    assert len(log.segments) == 2
    close(log, NOW_MS)


@pytest.mark.parametrize("position", [3, 8, 17, 30, 61, 70])
def test_a_broken_batch_stops_the_cleaning_and_changes_nothing(position: int, tmp_path: Path) -> None:
    disk = RealDisk(tmp_path)
    log = open_log(disk, Config())
    append(log, [NewRecord(b"a", b"x" * 50)])
    append(log, [NewRecord(b"a", b"x" * 50)])
    log.roll(NOW_MS)
    settle(log)
    path = Path(disk.root) / FOLDER / (names.stem(0) + names.LOG)
    content = bytearray(path.read_bytes())
    if position in (3, 8):
        content[position] ^= 0x7F  # base offset or length: not covered by the checksum
    else:
        content[position] ^= 0xFF
    path.write_bytes(content)
    found = cleanable(candidate(log), NOW_MS)
    assert found is not None
    cleaning = Cleaning(disk, job_for(found, NOW_MS, table_bytes_max=1 << 16))
    if position != 3:
        with pytest.raises(StorageFault):
            list(cleaning.groups())
    assert path.read_bytes() == content
    close(log, NOW_MS, is_clean=False)
    disk.close()


def test_reading_in_pieces_finds_every_batch_whatever_the_size(disk: SimulatedDisk) -> None:
    log = open_log(disk, Config(segment_bytes=1 << 20))
    for size in (1, 100, 3000, 50, 7):
        append(log, [NewRecord(b"k", b"x" * size)])
    segment = log.active
    for read_bytes in (1, 61, 62, 100, 1000, 1 << 20):
        found = list(read_batches(segment.file, segment.size, read_bytes))
        assert [batch.base_offset for batch in found] == [0, 1, 2, 3, 4]
    with pytest.raises(StorageFault, match="ends at"):
        list(read_batches(segment.file, segment.size + 10, 1 << 20))
    close(log, NOW_MS)


# -- crashes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_crash_at_any_step_loses_nothing(seed: int) -> None:
    chance = random.Random(seed)
    disk = SimulatedDisk(chance)
    log = open_log(disk, Config())
    model = Model()
    clean_offset: int | None = None
    for _ in range(2):
        for _ in range(30):
            batch = random_batch(chance)
            offset = append(log, batch)
            model.records += [(offset + index, each.key or b"", each.value) for index, each in enumerate(batch)]
        log.roll(NOW_MS)
        settle(log)
        disk.settle()
        found = cleanable(candidate(log, clean_offset), NOW_MS)
        assert found is not None
        cleaning = Cleaning(disk, job_for(found, NOW_MS, table_bytes_max=1 << 16))
        for group in cleaning.groups():
            check_after_crash(disk, log, model)
            swap = log.swap_cleaned(list(group.old_bases), group.new_base)
            while not swap.done:
                check_after_crash(disk, log, model)
                disk.step()
            swap.result()
            log.retain(NOW_MS)  # removes the old segments' files
            while disk.step():
                check_after_crash(disk, log, model)
        clean_offset = cleaning.end_offset
    check_against(model, log, clean_offset)


def check_after_crash(disk: SimulatedDisk, log: Log, model: Model) -> None:
    """Open what a power cut would leave now, and look at it; the disk goes on as if nothing had been."""
    left = disk.crash()
    disk.is_dead = False
    again = Log.open(left, FOLDER, Config(), now_ms=NOW_MS, recovery_point=log.checkpointed_offset)
    left.settle()
    check_against(model, again, None)
    assert not [name for name in left.list(FOLDER) if name.endswith((names.CLEANED, names.SWAP, names.DELETED))]


# -- the table ---------------------------------------------------------------------------------------------------------


def test_the_table_keeps_the_latest_offset_of_each_key_it_has_room_for() -> None:
    chance = random.Random(11)
    table = KeyTable(10_000, 24 * 500, 0.9)
    known: dict[bytes, int] = {}
    for offset in range(5000):
        key = b"%d" % chance.randrange(2000)
        if table.put(key, offset):
            known[key] = offset
        else:
            assert key not in known
            assert len(known) == 450
    for number in range(2000):
        key = b"%d" % number
        assert table.get(key) == known.get(key, -1)


def test_a_table_is_no_larger_than_its_keys_need() -> None:
    assert KeyTable(10, 1 << 30, 0.9).entries_max < 30
    assert KeyTable(0, 1 << 30, 0.9).put(b"k", 1)


# -- what is chosen ----------------------------------------------------------------------------------------------------


def filled(disk: SimulatedDisk, config: Config, batches: int = 40, at_ms: int = NOW_MS) -> Log:
    log = open_log(disk, config)
    for number in range(batches):
        batch = Batch(build_batch([NewRecord(b"key-%d" % number, b"x" * 100)], timestamp_ms=at_ms + number))
        log.append(batch, 0, at_ms)
    settle(log)
    return log


def test_the_active_segment_is_never_cleaned(disk: SimulatedDisk) -> None:
    log = filled(disk, Config())
    found = cleanable(candidate(log), NOW_MS)
    assert found is not None
    assert found.end_offset == log.active.base_offset
    assert log.active not in found.segments
    close(log, NOW_MS)


def test_nothing_past_the_last_stable_offset_is_cleaned(disk: SimulatedDisk) -> None:
    log = filled(disk, Config())
    second = log.segments[1].base_offset
    found = cleanable(Candidate(log, Config(), None, second + 1), NOW_MS)
    assert found is not None
    assert found.end_offset == second
    assert cleanable(Candidate(log, Config(), None, second - 1), NOW_MS) is None
    close(log, NOW_MS)


def test_records_younger_than_the_lag_are_left_alone(disk: SimulatedDisk) -> None:
    log = filled(disk, Config(min_compaction_lag_ms=1000))
    assert cleanable(candidate(log), NOW_MS + 1000) is None
    first_end = log.segments[1].base_offset
    found = cleanable(candidate(log), NOW_MS + 1000 + first_end)
    assert found is not None
    assert found.end_offset == first_end
    close(log, NOW_MS)


def test_a_log_is_worth_it_by_ratio_or_by_age(disk: SimulatedDisk) -> None:
    log = filled(disk, Config(), batches=120)
    clean_offset = log.segments[-2].base_offset
    assert choose([candidate(log, clean_offset)], NOW_MS) is None  # one dirty segment of many
    assert choose([candidate(log, log.segments[1].base_offset)], NOW_MS) is not None
    log.config = Config(max_compaction_lag_ms=500)
    assert choose([candidate(log, clean_offset)], NOW_MS + 500) is None
    overdue = choose([candidate(log, clean_offset)], NOW_MS + 700)
    assert overdue is not None
    assert overdue.is_overdue
    assert choose([candidate(log, log.active.base_offset)], NOW_MS + 700) is None  # nothing is dirty
    close(log, NOW_MS)


def test_the_dirtiest_is_first(disk: SimulatedDisk) -> None:
    log = filled(disk, Config(), batches=120)
    half = candidate(log, log.segments[len(log.segments) // 2 - 1].base_offset)
    whole = candidate(log, None)
    for order in ([half, whole], [whole, half]):
        found = choose(order, NOW_MS)
        assert found is not None
        assert found.candidate is whole
    close(log, NOW_MS)


@pytest.mark.parametrize("clean_offset", [-5, 10**6])
def test_a_checkpoint_outside_of_the_log_starts_over(clean_offset: int, disk: SimulatedDisk) -> None:
    log = filled(disk, Config())
    found = cleanable(candidate(log, clean_offset), NOW_MS)
    assert found is not None
    assert found.first_dirty_offset == 0
    close(log, NOW_MS)


def test_eager_logs_are_cleaned_by_size(disk: SimulatedDisk) -> None:
    log = filled(disk, Config(segment_bytes=20_000, min_cleanable_dirty_ratio=0.99), batches=20)
    assert choose([candidate(log, is_eager=True)], NOW_MS) is None
    for _ in range(EAGER_SEGMENT_BYTES // 1000 + 30):
        append(log, [NewRecord(b"k", b"x" * 1000)])
    settle(log)
    assert choose([candidate(log, is_eager=True)], NOW_MS) is not None
    close(log, NOW_MS)


def test_groups_fit_one_segment() -> None:
    segments = [SealedSegment(base, 400, 80, 120) for base in range(0, 100, 10)]

    def bases(**limits: int) -> list[list[int]]:
        job = CleanJob(
            folder="f", segments=tuple(segments), first_dirty_offset=0, end_offset=limits.pop("end_offset", 100),
            now_ms=0, delete_retention_ms=0, index_interval_bytes=1, table_bytes_max=100,
            **{"segment_bytes": 1000, "segment_index_bytes": 1000, **limits},
        )  # fmt: skip
        return [[each.base_offset for each in group] for group in group_segments(segments, job)]

    assert bases() == [[0, 10], [20, 30], [40, 50], [60, 70], [80, 90]]
    assert bases(segment_bytes=100) == [[base] for base in range(0, 100, 10)]
    assert bases(segment_bytes=10_000, segment_index_bytes=400) == [[0, 10, 20], [30, 40, 50], [60, 70, 80], [90]]
    assert bases(segment_bytes=10_000, segment_index_bytes=5000, end_offset=2**31 + 5)[-1] == [90]


def test_what_an_unfinished_cleaning_left_is_no_obstacle(disk: SimulatedDisk) -> None:
    log = filled(disk, Config())
    found = cleanable(candidate(log), NOW_MS)
    assert found is not None
    job = job_for(found, NOW_MS, table_bytes_max=1 << 16)
    first: CleanedGroup = next(Cleaning(disk, job).groups())
    again: CleanedGroup = next(Cleaning(disk, job).groups())
    assert first == again
    close(log, NOW_MS)
