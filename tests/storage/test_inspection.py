"""What is wrong with a log is found and named; a broken batch is taken out, a partition is copied, crash or not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from millrace.base.errors import StorageFault
from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch
from millrace.storage import mending, names
from millrace.storage.checkpoint import encode_offsets, parse_offsets
from millrace.storage.inspection import Report, segment_bases, verify_partition, walk
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk

FOLDER = "orders-0"
NOW_MS = 1_700_000_000_000
CONFIG = PlainLogConfig(segment_bytes=2000, index_interval_bytes=200)


@pytest.fixture
def disk() -> SimulatedDisk:
    """A closed log of three segments, ten batches of five records each."""
    made = SimulatedDisk(random.Random(0))
    log = Log.open(made, FOLDER, CONFIG, now_ms=NOW_MS)
    for number in range(30):
        records = [NewRecord(b"key", b"value %d" % (number * 5 + index)) for index in range(5)]
        batch = build_batch(
            records, timestamp_ms=NOW_MS + number, codec=number % 5, producer_id=9, producer_epoch=0,
            base_sequence=number * 5,
        )  # fmt: skip
        log.append(Batch(batch), 3, NOW_MS)
    made.finish(log.close(NOW_MS))
    made.settle()
    return made


def change(disk: SimulatedDisk, path: str, position: int, content: bytes) -> None:
    disk.open(path).write_at(position, content)


def log_path(disk: SimulatedDisk, number: int = 0) -> str:
    return f"{FOLDER}/{names.stem(segment_bases(disk, FOLDER)[number])}{names.LOG}"


def reasons(report: Report) -> list[str]:
    return [f"{problem.path}: {problem.reason}" for problem in report.problems]


def positions(disk: SimulatedDisk, path: str) -> list[int]:
    return [seen.position for seen in walk(disk.open(path))]


def test_a_sound_partition_has_no_problems(disk: SimulatedDisk) -> None:
    told: list[int] = []
    report = verify_partition(disk, FOLDER, told.append)
    assert reasons(report) == []
    assert (report.batches, report.records, report.start_offset, report.end_offset) == (30, 150, 0, 150)
    assert report.segments == len(segment_bases(disk, FOLDER)) > 2
    assert sum(told) == report.size_bytes


@pytest.mark.parametrize(
    ("position", "content", "reason"),
    [
        (70, b"\xff\xff", "checksum"),
        (17, b"\x00\x00\x00\x00", "checksum"),
        (16, b"\x01", "magic"),
        (8, b"\x7f", "announces"),
        (8, b"\x00\x00\x00\x05", "announces"),
        (0, b"\xff", "begins at offset"),
    ],
)
def test_a_broken_batch_is_named_and_the_walk_goes_on_behind_it(
    disk: SimulatedDisk, position: int, content: bytes, reason: str
) -> None:
    path = log_path(disk)
    second, third = positions(disk, path)[1:3]
    change(disk, path, second + position, content)
    seen = list(walk(disk.open(path)))
    assert [each.position for each in seen[:3]] == [0, second, third]
    assert seen[0].problem is None
    assert reason in (seen[1].problem or "")
    assert [each.problem for each in seen[2:]] == [None] * (len(seen) - 2)
    report = verify_partition(disk, FOLDER)
    assert f"{path}: the batch at position {second}" in reasons(report)[0]
    assert report.problems[0].position == second


@pytest.mark.parametrize("cut", [1, 30, 61, 80])
def test_a_torn_end_is_named(disk: SimulatedDisk, cut: int) -> None:
    path = log_path(disk, -1)
    file = disk.open(path)
    file.truncate(file.size - cut)
    assert any("are left" in reason for reason in reasons(verify_partition(disk, FOLDER)))


def test_records_that_do_not_fit_are_named_though_the_checksum_is_right(disk: SimulatedDisk) -> None:
    path = log_path(disk)
    first = bytearray(next(batches_in(disk.read_whole(path))).buffer)
    first[61] += 2  # the first record is longer than it says
    header = Batch(first)
    header.stamp_append_time(NOW_MS)  # a new checksum
    change(disk, path, 0, bytes(first))
    assert reasons(verify_partition(disk, FOLDER))[0].startswith(f"{path}: the batch at position 0: ")


@pytest.mark.parametrize("ending", [names.OFFSET_INDEX, names.TIME_INDEX])
def test_an_index_entry_that_points_elsewhere_is_named(disk: SimulatedDisk, ending: str) -> None:
    path = log_path(disk).replace(names.LOG, ending)
    content = disk.read_whole(path)
    assert len(content) >= 16
    change(disk, path, 7, bytes([content[7] ^ 0x01]))
    found = reasons(verify_partition(disk, FOLDER))
    assert any(path in reason and "entry" in reason for reason in found)


@pytest.mark.parametrize("ending", [names.OFFSET_INDEX, names.TIME_INDEX])
def test_entries_behind_the_end_and_missing_files_are_named(disk: SimulatedDisk, ending: str) -> None:
    path = log_path(disk, 1).replace(names.LOG, ending)
    disk.open(path).append((b"\x00\x00\x7f\xff" * 6,))
    assert any("behind the end" in reason for reason in reasons(verify_partition(disk, FOLDER)))
    disk.finish(disk.remove(path))
    assert any("is not there" in reason for reason in reasons(verify_partition(disk, FOLDER)))


def test_small_files_that_cannot_be_read_are_named(disk: SimulatedDisk) -> None:
    for name in (names.LEADER_EPOCHS, names.PARTITION_METADATA, names.stem(150) + names.SNAPSHOT):
        disk.open(f"{FOLDER}/{name}", create=True).append((b"nonsense",))
        assert any(name in reason for reason in reasons(verify_partition(disk, FOLDER)))
        disk.finish(disk.remove(f"{FOLDER}/{name}"))


# -- skip --------------------------------------------------------------------------------------------------------------


def damage_payload(disk: SimulatedDisk, path: str, begin: int) -> None:
    change(disk, path, begin + 65, b"\xff\x00\xff")


def damage_magic(disk: SimulatedDisk, path: str, begin: int) -> None:
    change(disk, path, begin, b"\x7f" * 20)


def damage_length(disk: SimulatedDisk, path: str, begin: int) -> None:
    change(disk, path, begin + 8, b"\x00\x00\x10\x00")


@pytest.mark.parametrize("damage", [damage_payload, damage_magic, damage_length])
@pytest.mark.parametrize("number", [0, 1, 4])
def test_a_skipped_batch_is_empty_and_has_the_same_offsets(
    disk: SimulatedDisk, damage: Callable[[SimulatedDisk, str, int], None], number: int
) -> None:
    path = log_path(disk, 1)
    base = segment_bases(disk, FOLDER)[1]
    damage(disk, path, positions(disk, path)[number])
    (broken,) = mending.find_broken(disk, FOLDER, base)
    first = base + number * 5
    assert (broken.first_offset, broken.last_offset) == (first, first + 4)
    mending.skip(disk, FOLDER, base, [broken])
    report = verify_partition(disk, FOLDER)
    assert reasons(report) == []
    assert (report.records, report.end_offset) == (145, 150)
    batches = list(batches_in(disk.read_whole(path)))
    assert [(each.base_offset, each.last_offset, each.record_count) for each in batches if not each.record_count] == [
        (first, first + 4, 0)
    ]
    log = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS, clean=True)
    assert log.log_end_offset == 150
    log.close(NOW_MS)


def test_the_last_batch_of_a_segment_and_neighbours_are_skipped(disk: SimulatedDisk) -> None:
    path, base = log_path(disk), segment_bases(disk, FOLDER)[0]
    begins = positions(disk, path)
    for begin in (*begins[1:3], begins[-1]):
        damage_payload(disk, path, begin)
    broken = mending.find_broken(disk, FOLDER, base)
    assert [each.position for each in broken] == [begins[1], begins[2], begins[-1]]
    mending.skip(disk, FOLDER, base, broken)
    assert reasons(verify_partition(disk, FOLDER)) == []


def test_what_is_not_skipped_is_not_written_over(disk: SimulatedDisk) -> None:
    path, base = log_path(disk), segment_bases(disk, FOLDER)[0]
    before = disk.read_whole(path)
    for begin in positions(disk, path)[1:3]:
        damage_payload(disk, path, begin)
    broken = mending.find_broken(disk, FOLDER, base)
    with pytest.raises(StorageFault, match="another broken batch"):
        mending.skip(disk, FOLDER, base, broken[:1])
    assert len(disk.read_whole(path)) == len(before)


@pytest.mark.parametrize("seed", range(15))
def test_a_crash_while_skipping_leaves_the_old_or_the_new_segment(seed: int, disk: SimulatedDisk) -> None:
    disk.random = random.Random(seed)
    path, base = log_path(disk, 1), segment_bases(disk, FOLDER)[1]
    begin = positions(disk, path)[2]
    damage_payload(disk, path, begin)
    disk.finish(disk.open(path).flush())
    stop_at = random.Random(seed).randrange(40)
    steps = 0
    left: SimulatedDisk | None = None
    step = disk.step

    def counted() -> bool:
        nonlocal steps, left
        if steps == stop_at and left is None:
            left = disk.crash()
            disk.is_dead = False
        steps += 1
        return step()

    disk.step = counted  # type: ignore[method-assign]
    mending.skip(disk, FOLDER, base, mending.find_broken(disk, FOLDER, base))
    found = left or disk.crash()
    log = Log.open(found, FOLDER, CONFIG, now_ms=NOW_MS, recovery_point=150)
    assert log.log_end_offset == 150
    log.close(NOW_MS)
    found.settle()
    seen = [
        each for each in walk(found.open(path), base) if each.problem or (each.batch and not each.batch.record_count)
    ]
    assert len(seen) == 1


# -- copy --------------------------------------------------------------------------------------------------------------


def test_a_copy_is_served_as_the_original(disk: SimulatedDisk) -> None:
    target = SimulatedDisk(random.Random(1))
    target.finish(target.replace(names.RECOVERY_POINTS, encode_offsets({("orders", 0): 99, ("other", 1): 7})))
    disk.finish(disk.replace(names.LOG_START_OFFSETS, encode_offsets({("orders", 0): 12})))
    target.open(names.CLEAN_SHUTDOWN, create=True)
    mending.copy_partition(disk, target, FOLDER)
    assert reasons(verify_partition(target, FOLDER)) == []
    assert target.list(FOLDER) == disk.list(FOLDER)
    assert parse_offsets("", target.read_whole(names.RECOVERY_POINTS)) == {("other", 1): 7}
    assert parse_offsets("", target.read_whole(names.LOG_START_OFFSETS)) == {("orders", 0): 12}
    assert not target.exists(names.CLEAN_SHUTDOWN)
    left = target.crash()
    log = Log.open(left, FOLDER, CONFIG, now_ms=NOW_MS, log_start_offset=12)
    assert (log.log_start_offset, log.log_end_offset) == (12, 150)


def test_a_copy_takes_over_the_topic_id_of_what_it_replaces(disk: SimulatedDisk) -> None:
    target = SimulatedDisk(random.Random(1))
    target.finish(target.make_folder(FOLDER))
    target.open(f"{FOLDER}/{names.PARTITION_METADATA}", create=True).append((b"theirs",))
    disk.open(f"{FOLDER}/{names.PARTITION_METADATA}", create=True).append((b"ours",))
    with pytest.raises(StorageFault, match="is there already"):
        mending.copy_partition(disk, target, FOLDER)
    away = names.deleted_folder(FOLDER, "0" * 32)
    mending.copy_partition(disk, target, FOLDER, replaced_as=away)
    assert target.read_whole(f"{FOLDER}/{names.PARTITION_METADATA}") == b"theirs"
    assert target.is_folder(away)
    assert segment_bases(target, FOLDER) == segment_bases(disk, FOLDER)
