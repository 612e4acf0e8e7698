"""One log: appending, reading, rolling, making safe, running out of room. What crashes do is in ``test_log_model``."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from millrace.base.errors import DiskFull, Refused, StorageFault
from millrace.base.limits import RECOVERY_BYTES_MAX
from millrace.kafka.codes import OFFSET_OUT_OF_RANGE
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk
from tests.storage.making import FOLDER, NOW_MS, batch, disk_in_memory, offsets_in, open_log, read


def test_an_append_gives_offset_and_epoch_and_says_where_it_begins() -> None:
    log = open_log(disk_in_memory())
    first = log.append(batch(3), 7, NOW_MS)
    second = log.append(batch(1), 7, NOW_MS)
    assert (first.offset, first.segment_base, first.position) == (0, 0, 0)
    assert (second.offset, second.position) == (3, log.active.size - batch(1).size)
    assert log.log_end_offset == log.end.offset == 4
    assert first < second < log.end
    assert log.epochs.entries() == [(7, 0)]
    assert offsets_in(read(log, 0)) == [0, 3]


def test_a_replica_keeps_offsets_and_gaps() -> None:
    log = open_log(disk_in_memory())
    one = batch(2)
    one.assign(10, 3)
    log.append_replica(one, NOW_MS)
    assert log.log_end_offset == 12
    assert offsets_in(read(log, 5)) == [10]
    with pytest.raises(AssertionError):
        log.append_replica(one, NOW_MS)


def test_reads_begin_at_the_batch_that_holds_the_offset_and_stop_at_the_limit() -> None:
    log = open_log(disk_in_memory(), index_interval_bytes=150)
    positions = [log.append(batch(3), 0, NOW_MS) for _ in range(20)]
    for offset in range(60):
        assert offsets_in(read(log, offset))[0] == offset - offset % 3
    limit = positions[7]
    found = log.read(4, 1 << 20, limit, False)
    assert isinstance(found, FileSlice)
    assert offsets_in(found.read_now()) == [3, 6, 9, 12, 15, 18]
    assert log.read(21, 1 << 20, limit, True) is None
    assert log.read(30, 1 << 20, limit, True) is None
    assert log.read(60, 1 << 20, log.end, True) is None


@pytest.mark.parametrize("offset", [-1, 4, 61])
def test_offsets_that_are_not_there_are_refused(offset: int) -> None:
    log = open_log(disk_in_memory())
    for _ in range(20):
        log.append(batch(3), 0, NOW_MS)
    log.delete_records_before(5)
    for ask in (lambda: log.read(offset, 100, log.end, True), lambda: log.position_of(offset)):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code == OFFSET_OUT_OF_RANGE


def test_the_size_of_a_read_is_bounded_but_for_the_first_batch() -> None:
    log = open_log(disk_in_memory())
    sizes = [batch(1, size=size).size for size in (100, 100, 5000)]
    for size in (100, 100, 5000):
        log.append(batch(1, size=size), 0, NOW_MS)
    assert len(read(log, 0, sizes[0] + 10) or b"") == sizes[0] + 10, "the second batch is cut off, as in Kafka"
    assert len(read(log, 0, 10) or b"") == sizes[0]
    assert read(log, 0, 10, at_least_one=False) is None
    assert len(read(log, 2, 100) or b"") == sizes[2]


def test_a_read_stays_in_one_segment() -> None:
    log = open_log(disk_in_memory())
    log.append(batch(2), 0, NOW_MS)
    log.roll(NOW_MS)
    log.append(batch(2), 0, NOW_MS)
    assert offsets_in(read(log, 0)) == [0]
    assert offsets_in(read(log, 2)) == [2]


def test_a_reader_at_the_end_needs_no_look_up() -> None:
    disk = disk_in_memory()
    log = open_log(disk, index_interval_bytes=100)
    for index in range(50):
        assert read(log, log.log_end_offset) is None
        log.append(batch(1), 0, NOW_MS)
        disk.cold_chance = 1.0  # a look-up would have to wait for the disk now
        found = log.read(index, 1 << 20, log.end, True)
        disk.cold_chance = 0.0
        assert isinstance(found, FileSlice)
        assert offsets_in(found.read_now()) == [index]


class CountingDisk(SimulatedDisk):
    """Counts what is read."""

    reads = 0

    def check(self, kind: str, path: str) -> None:
        self.reads += kind == "read"
        super().check(kind, path)


@pytest.mark.parametrize("by", ["offset", "time"])
def test_a_seek_reads_as_little_from_a_long_log_as_from_a_short_one(by: str) -> None:
    most = []
    for count in (50, 500, 5000):
        disk = CountingDisk(Random(0))
        log = open_log(disk, segment_bytes=40_000, index_interval_bytes=1000)
        for index in range(count):
            log.append(batch(1, timestamp_ms=NOW_MS + index), 0, NOW_MS)
        disk.finish(log.close(NOW_MS))
        log = open_log(disk)
        log.offset_for_time(NOW_MS + count)  # the largest timestamp of each segment is read once
        largest = 0
        for wanted in range(0, count, max(count // 50, 1)):
            disk.reads = 0
            if by == "offset":
                assert offsets_in(read(log, wanted))[0] == wanted
            else:
                found = disk.finish(log.offset_for_time(NOW_MS + wanted))
                assert found is not None
                assert found[0] == wanted
            largest = max(largest, disk.reads)
        most.append(largest)
    assert max(most) <= 6
    assert most[1] == most[2]


def test_segments_are_closed_by_size_by_time_and_by_their_indexes() -> None:
    log = open_log(disk_in_memory(), segment_bytes=300)
    for _ in range(10):
        log.append(batch(1), 0, NOW_MS)
    assert all(segment.size <= 300 for segment in log.segments)
    assert len(log.segments) == 4

    log = open_log(disk_in_memory(), segment_ms=1000)
    for timestamp in (0, 500, 1000, 1001, 1500, 2001, 2002):
        log.append(batch(1, timestamp_ms=NOW_MS + timestamp), 0, NOW_MS)
    assert [segment.base_offset for segment in log.segments] == [0, 3, 6], "by timestamps, where batches have them"

    log = open_log(disk_in_memory(), index_interval_bytes=0, segment_index_bytes=64)
    for index in range(30):
        log.append(batch(1, timestamp_ms=NOW_MS + index), 0, NOW_MS)
    assert all(segment.offsets.count <= 8 and segment.times.count <= 5 for segment in log.segments[:-1])


def test_an_idle_segment_is_closed_by_the_clock() -> None:
    log = open_log(disk_in_memory(), segment_ms=1000)
    assert not log.maybe_roll(NOW_MS + 5000), "an empty one stays"
    log.append(batch(1), 0, NOW_MS)
    assert not log.maybe_roll(NOW_MS + 1000)
    assert log.maybe_roll(NOW_MS + 1001)
    assert log.roll(NOW_MS) is log.active
    assert len(log.segments) == 2


def test_jitter_spreads_logs_and_stays_the_same() -> None:
    ages = set()
    for number in range(20):
        log = Log.open(
            disk_in_memory(),
            f"t-{number}",
            PlainLogConfig(segment_ms=1000, segment_jitter_ms=900),
            now_ms=NOW_MS,
            clean=True,
        )
        log.append(batch(1), 0, NOW_MS)
        ages.add(next(age for age in range(0, 2000, 50) if log.maybe_roll(NOW_MS + age)))
    assert len(ages) > 5
    assert max(ages) <= 1000 + 50


def test_a_flush_says_up_to_where_and_covers_only_what_was_before_it() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(2), 0, NOW_MS)
    first = log.flush()
    log.append(batch(3), 0, NOW_MS)
    assert disk.finish(first) == 2
    assert log.recovery_point == 2
    assert disk.finish(log.flush()) == 5
    assert log.recovery_point == 5
    again = log.flush()
    assert again.done
    assert again.result() == 5


def test_what_a_flush_covers_survives_a_power_cut() -> None:
    for seed in range(20):
        disk = disk_in_memory(seed)
        log = open_log(disk, segment_bytes=200)
        for _ in range(7):
            log.append(batch(1), 0, NOW_MS)
        assert disk.finish(log.flush()) == 7
        log = open_log(disk.crash(), clean=False)
        assert log.log_end_offset == 7


def test_a_full_disk_refuses_and_takes_again_when_there_is_room() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(1), 0, NOW_MS)
    disk.capacity_bytes = 400
    before = (log.log_end_offset, log.size_bytes, log.end, len(log.producers))
    with pytest.raises(DiskFull):
        log.append(batch(1, size=1000, producer_id=1, producer_epoch=0, base_sequence=0), 5, NOW_MS)
    assert (log.log_end_offset, log.size_bytes, log.end, len(log.producers)) == before
    assert log.epochs.latest == 0
    assert offsets_in(read(log, 0)) == [0]
    disk.capacity_bytes = None
    log.append(batch(1, size=1000), 5, NOW_MS)
    assert offsets_in(read(log, 0)) == [0, 1]


def test_a_full_disk_does_not_roll() -> None:
    disk = disk_in_memory()
    log = open_log(disk, segment_bytes=100)
    log.append(batch(1), 0, NOW_MS)
    disk.capacity_bytes = 1
    with pytest.raises(DiskFull):
        log.append(batch(1), 0, NOW_MS)
    assert len(log.segments) == 1
    disk.capacity_bytes = None
    log.append(batch(1), 0, NOW_MS)
    assert [segment.base_offset for segment in log.segments] == [0, 1]


def test_after_a_failed_flush_nothing_is_taken() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(1), 0, NOW_MS)
    disk.fail_next("flush", ".log")
    with pytest.raises(StorageFault):
        disk.finish(log.flush())
    with pytest.raises(StorageFault):
        log.append(batch(1), 0, NOW_MS)
    with pytest.raises(StorageFault):
        disk.finish(log.flush())
    assert log.recovery_point == 0
    assert offsets_in(read(log, 0)) == [0], "reads go on"


def test_a_read_that_fails_is_that_request_s_own() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(1), 0, NOW_MS)
    disk.fail_next("read", ".log")
    with pytest.raises(StorageFault):
        read(log, 0)
    assert offsets_in(read(log, 0)) == [0]
    log.append(batch(1), 0, NOW_MS)


def test_the_checkpoint_moves_by_itself_every_few_megabytes() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    one = batch(1, size=1 << 20)
    while not disk.pending:
        log.append(one, 0, NOW_MS)
    assert log.size_bytes >= RECOVERY_BYTES_MAX
    assert log.size_bytes < RECOVERY_BYTES_MAX + one.size
    disk.settle()
    assert log.checkpointed_offset == log.log_end_offset
    assert disk.exists(f"{FOLDER}/{log.log_end_offset:020}.snapshot")


def test_a_checkpoint_that_has_no_room_is_tried_again_later() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(1), 3, NOW_MS)
    disk.capacity_bytes = 1
    with pytest.raises(DiskFull):
        disk.finish(log.advance_checkpoint())
    assert log.checkpointed_offset == 0
    disk.capacity_bytes = None
    disk.finish(log.advance_checkpoint())
    assert log.checkpointed_offset == 1
    assert disk.read_whole(f"{FOLDER}/leader-epoch-checkpoint") == b"0\n1\n3 0\n"


def test_who_reads_what_is_cut_off_is_told() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    for _ in range(4):
        log.append(batch(1), 0, NOW_MS)
    told: list[Any] = []
    keep = log.read(0, log.active.size // 2, log.end, True)
    lose = log.read(2, 1 << 20, log.end, True)
    for slice_ in (keep, lose):
        assert isinstance(slice_, FileSlice)
        slice_.on_cut = told.append
    disk.finish(log.truncate_to(2))
    assert told == [lose]
    assert isinstance(lose, FileSlice)
    with pytest.raises(StorageFault):
        lose.next_piece(10)


def test_truncation_goes_back_to_the_start_of_a_batch() -> None:
    disk = disk_in_memory()
    log = open_log(disk, segment_bytes=200, index_interval_bytes=0)
    for index in range(12):
        log.append(batch(2, producer_id=1, producer_epoch=0, base_sequence=2 * index), index // 5, NOW_MS + index)
    disk.finish(log.truncate_to(13))
    assert log.log_end_offset == 13
    assert offsets_in(read(log, 10)) == [10]
    producer = log.producers.get(1)
    assert producer is not None
    assert producer.last_sequence == 11
    assert log.epochs.entries() == [(0, 0), (1, 10)]
    log.append(batch(1), 4, NOW_MS)
    assert offsets_in(read(log, 13)) == [13]
    disk.finish(log.truncate_to(100))
    assert log.log_end_offset == 14


def test_a_log_can_begin_anew_somewhere_else() -> None:
    disk = disk_in_memory()
    log = open_log(disk, segment_bytes=200)
    for index in range(10):
        log.append(batch(1, producer_id=1, producer_epoch=0, base_sequence=index), 0, NOW_MS)
    disk.finish(log.truncate_fully_and_start_at(500))
    assert (log.log_start_offset, log.log_end_offset, len(log.producers)) == (500, 500, 0)
    log.append(batch(1), 1, NOW_MS)
    assert offsets_in(read(log, 500)) == [500]
    assert log.epochs.entries() == [(1, 500)]


def test_a_deleted_log_writes_nothing_more() -> None:
    disk = disk_in_memory()
    log = open_log(disk)
    log.append(batch(1), 0, NOW_MS)
    disk.finish(log.delete())
    assert disk.list() == []
    with pytest.raises(StorageFault):
        disk.finish(log.advance_checkpoint())
    assert disk.fault is None
