"""Retention by time and size, DeleteRecords, and how dropped segments go."""

from __future__ import annotations

import pytest

from millrace.base.errors import Refused
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.testing.simulated_disk import SimulatedDisk
from tests.storage.making import FOLDER, NOW_MS, batch, disk_in_memory, offsets_in, open_log, read


def filled(disk: SimulatedDisk, **settings: object) -> Log:
    """Five segments of two batches each, a second apart."""
    log = open_log(disk, segment_bytes=2 * batch().size, **settings)
    for index in range(10):
        log.append(batch(1, timestamp_ms=NOW_MS + 1000 * index), 0, NOW_MS)
    return log


def bases(log: Log) -> list[int]:
    return [segment.base_offset for segment in log.segments]


def test_time_decides_by_the_largest_timestamp_of_a_segment() -> None:
    log = filled(disk_in_memory(), retention_ms=2500, retention_bytes=-1)
    assert log.retain(NOW_MS + 2500) == 0
    assert log.retain(NOW_MS + 1000 + 2500) == 0
    assert log.retain(NOW_MS + 1000 + 2501) == 1
    assert (bases(log), log.log_start_offset) == ([2, 4, 6, 8], 2)
    assert log.retain(NOW_MS + 9000 + 2501) == 4
    assert (bases(log), log.log_start_offset) == ([10], 10), "the active segment is closed first"
    assert log.append(batch(), 0, NOW_MS).offset == 10


def test_nothing_at_or_above_the_high_watermark_is_dropped() -> None:
    log = filled(disk_in_memory(), retention_ms=0)
    assert log.retain(NOW_MS + 100_000, high_watermark=5) == 2
    assert log.log_start_offset == 4


def test_size_keeps_at_least_what_was_asked_for() -> None:
    size = batch().size
    log = filled(disk_in_memory(), retention_ms=-1, retention_bytes=5 * size)
    assert log.retain(NOW_MS) == 2, "a third would leave less"
    assert log.size_bytes == 6 * size
    assert log.retain(NOW_MS) == 0


def test_a_compacted_log_drops_only_what_is_below_its_start() -> None:
    log = filled(disk_in_memory(), retention_ms=0, cleanup_policy=frozenset({"compact"}))
    assert log.retain(NOW_MS + 100_000) == 0


def test_batches_without_a_timestamp_are_as_old_as_their_file() -> None:
    disk = disk_in_memory()
    disk.now_ms = NOW_MS
    log = open_log(disk, retention_ms=1000)
    log.append(batch(1, timestamp_ms=-1), 0, NOW_MS)
    assert log.retain(NOW_MS + 1000) == 0
    assert log.retain(NOW_MS + 1001) == 1


def test_delete_records_hides_at_once_and_drops_whole_segments() -> None:
    disk = disk_in_memory()
    log = filled(disk)
    disk.finish(log.delete_records_before(5))
    assert (log.log_start_offset, bases(log)) == (5, [4, 6, 8])
    with pytest.raises(Refused):
        read(log, 4)
    assert offsets_in(read(log, 5)) == [5]
    disk.finish(log.delete_records_before(3))
    assert log.log_start_offset == 5
    with pytest.raises(Refused):
        log.delete_records_before(11)
    disk.finish(log.delete_records_before(10))
    assert (log.log_start_offset, bases(log)) == (10, [8])


def test_files_are_renamed_at_once_and_removed_after_the_delay() -> None:
    disk = disk_in_memory()
    log = filled(disk, retention_ms=0, file_delete_delay_ms=500)
    log.retain(NOW_MS + 1001)
    names = disk.list(FOLDER)
    assert f"{0:020}.log.deleted" in names
    assert f"{0:020}.log" not in names
    log.retain(NOW_MS + 1001 + 1)
    disk.settle()
    assert f"{0:020}.log.deleted" in disk.list(FOLDER)
    log.retain(NOW_MS + 1002 + 500)
    disk.settle()
    assert not [name for name in disk.list(FOLDER) if name.startswith(f"{0:020}.") and "snapshot" not in name]


def test_a_segment_that_somebody_reads_stays_until_it_is_released() -> None:
    disk = disk_in_memory()
    log = filled(disk, retention_ms=0, file_delete_delay_ms=0)
    found = log.read(0, 1 << 20, log.end, True)
    assert isinstance(found, FileSlice)
    log.retain(NOW_MS + 1001)
    log.retain(NOW_MS + 2000)
    disk.settle()
    assert offsets_in(found.read_now()) == [0, 1]
    assert f"{0:020}.log.deleted" in disk.list(FOLDER)
    del found  # as good as release()
    log.retain(NOW_MS + 2001)
    disk.settle()
    assert f"{0:020}.log.deleted" not in disk.list(FOLDER)


def test_retention_makes_room_on_a_full_disk() -> None:
    disk = disk_in_memory()
    log = filled(disk, retention_ms=0, file_delete_delay_ms=0)
    disk.settle()
    disk.capacity_bytes = 1
    assert log.retain(NOW_MS + 1001) == 1
    log.retain(NOW_MS + 1001)
    disk.settle()
    assert not disk.exists(f"{FOLDER}/{0:020}.log.deleted")
    assert not disk.exists(f"{FOLDER}/{0:020}.log")
