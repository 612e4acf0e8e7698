"""A log folder: clean and unclean starts, checkpoints, logs made and dropped, folders that fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from millrace.base.errors import Refused, StorageFault
from millrace.storage import names
from millrace.storage.checkpoint import parse_offsets
from millrace.storage.file_slice import FileSlice
from millrace.storage.folder import PARTED_DELAY_MS, LogFolder
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk
from tests.storage.making import NOW_MS, batch, disk_in_memory, offsets_in, read

CONFIG = PlainLogConfig(segment_bytes=1000)
TOPIC_ID = bytes(range(16))


def load(disk: SimulatedDisk) -> tuple[LogFolder, dict[tuple[str, int], Log]]:
    folder = LogFolder(disk)
    return folder, folder.load(lambda topic, partition, topic_id: CONFIG, NOW_MS)


def create(folder: LogFolder, topic: str = "orders", partition: int = 0, topic_id: bytes = TOPIC_ID) -> Log:
    log, ticket = folder.create_log(topic, partition, topic_id, CONFIG, NOW_MS)
    folder.disk.finish(ticket)
    return log


def fill(log: Log, count: int, epoch: int = 0) -> None:
    for _ in range(count):
        log.append(batch(2), epoch, NOW_MS)


def test_a_folder_belongs_to_one_node() -> None:
    disk = disk_in_memory()
    folder = LogFolder(disk)
    assert folder.cluster_id is None
    disk.finish(folder.identify(3, "cluster", TOPIC_ID))
    again = LogFolder(disk.crash())
    assert (again.node_id, again.cluster_id, again.directory_id) == (3, "cluster", TOPIC_ID)
    again.disk.finish(again.identify(3, "cluster", bytes(16)))
    assert again.directory_id == TOPIC_ID, "an id that it has stays"
    for node_id, cluster_id in ((4, "cluster"), (3, "other")):
        with pytest.raises(Refused):
            again.identify(node_id, cluster_id, TOPIC_ID)


def test_a_clean_end_is_followed_by_a_start_without_a_scan() -> None:
    disk = disk_in_memory()
    folder, logs = load(disk)
    assert logs == {}
    for partition in range(3):
        fill(create(folder, partition=partition), 5 * partition, epoch=partition)
    disk.finish(folder.close(NOW_MS))
    assert json.loads(disk.read_whole(names.CLEAN_SHUTDOWN))["version"] == 0
    disk = disk.crash()
    folder, logs = load(disk)
    assert folder.was_clean
    assert [(key, log.log_end_offset, log.recovered) for key, log in logs.items()] == [
        (("orders", partition), 10 * partition, None) for partition in range(3)
    ]
    assert all(log.topic_id == TOPIC_ID for log in logs.values())
    assert [log.epochs.latest for log in logs.values()] == [-1, 1, 2]
    assert not disk.exists(names.CLEAN_SHUTDOWN)
    folder, logs = load(disk.crash())
    assert not folder.was_clean, "the mark is taken away for good before anything else"
    assert [log.log_end_offset for log in logs.values()] == [0, 10, 20]


def test_a_crash_is_followed_by_a_scan_behind_the_checkpoint() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    log = create(folder)
    fill(log, 20)
    disk.finish(log.advance_checkpoint())
    fill(log, 3)
    disk.finish(log.flush())
    _, logs = load(disk.crash())
    found = logs["orders", 0]
    assert found.recovered is not None
    assert found.recovered.from_offset == 40
    assert found.log_end_offset == 46
    assert offsets_in(read(found, 44)) == [44]


@pytest.mark.parametrize("name", [names.RECOVERY_POINTS, names.LOG_START_OFFSETS])
def test_a_damaged_checkpoint_costs_a_longer_scan(name: str) -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    log = create(folder)
    fill(log, 20)
    disk.finish(log.advance_checkpoint())
    disk.finish(disk.replace(name, b"0\n7\ngarbage"))
    _, logs = load(disk.crash())
    assert logs["orders", 0].log_end_offset == 40


def test_start_offsets_survive() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    log = create(folder)
    fill(log, 20)
    disk.finish(log.flush())
    disk.finish(log.delete_records_before(7))
    assert parse_offsets("f", disk.read_whole(names.LOG_START_OFFSETS)) == {("orders", 0): 7}
    _, logs = load(disk.crash())
    assert logs["orders", 0].log_start_offset == 7


def test_rounds_keep_short_what_a_restart_would_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millrace.storage.folder.RECOVERY_BYTES_MIN", 500)
    monkeypatch.setattr("millrace.storage.folder.RECOVERY_FOLDER_BYTES_MAX", 1500)
    disk = disk_in_memory()
    folder, _ = load(disk)
    logs = [create(folder, partition=partition) for partition in range(4)]
    fill(logs[0], 10)
    fill(logs[1], 1)
    disk.settle()
    fill(logs[0], 6)
    disk.finish(folder.checkpoint(NOW_MS))
    assert [log.checkpointed_offset for log in logs] == [32, 0, 0, 0]
    kept = parse_offsets("f", disk.read_whole(names.RECOVERY_POINTS))
    assert kept["orders", 0] == 32
    assert parse_offsets("f", disk.read_whole(names.HIGH_WATERMARKS))["orders", 0] == 32


def test_a_log_s_name_can_be_used_again_at_once() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    log = create(folder)
    fill(log, 30)
    disk.finish(log.delete_records_before(9))
    disk.finish(log.advance_checkpoint())
    folder.delete_log(log)
    assert log.is_closed
    log = create(folder, topic_id=b"x" * 16)
    assert (log.log_start_offset, log.log_end_offset) == (0, 0)
    fill(log, 2)
    disk.finish(log.flush())
    _, logs = load(disk.crash())
    found = logs["orders", 0]
    assert found.topic_id == b"x" * 16
    assert (found.log_start_offset, found.log_end_offset) == (0, 4), "what was kept of the old one is gone"
    assert offsets_in(read(found, 0)) == [0, 2]


def test_a_deleted_log_s_files_go_a_minute_later_or_at_the_next_start() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    disk.finish(folder.delete_log(create(folder)))
    parted = f"orders-0.{TOPIC_ID.hex()}-delete"
    disk.finish(folder.checkpoint(NOW_MS))
    assert parted in disk.folders()
    folder.checkpoint(NOW_MS + PARTED_DELAY_MS)
    disk.settle()
    assert disk.folders() == []
    disk.finish(folder.delete_log(create(folder)))
    disk = disk.kill()
    load(disk)
    assert disk.folders() == []


def test_a_deleted_log_that_somebody_reads_stays_until_it_is_released() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    log = create(folder)
    fill(log, 2)
    found = log.read(0, 1 << 20, log.end, True)
    assert isinstance(found, FileSlice)
    disk.finish(folder.delete_log(log))
    assert found.is_cut, "its connection is told"
    folder.checkpoint(NOW_MS)
    folder.checkpoint(NOW_MS + PARTED_DELAY_MS)
    disk.settle()
    assert len(disk.folders()) == 1
    found.release()
    folder.checkpoint(NOW_MS + PARTED_DELAY_MS)
    disk.settle()
    assert disk.folders() == []


def test_a_deleted_log_takes_nothing_with_it() -> None:
    """Flushes and checkpoints that are under way when a log is deleted end, and the folder stays online."""
    for seed in range(30):
        disk = SimulatedDisk(Random(seed))
        folder, _ = load(disk)
        log = create(folder)
        fill(log, 30)
        log.flush()
        log.advance_checkpoint()
        log.delete_records_before(20)
        for _ in range(seed):
            disk.step()
        folder.delete_log(log)
        other = create(folder, topic_id=b"y" * 16)
        fill(other, 3)
        disk.settle()
        assert folder.failed is None
        disk.finish(folder.close(NOW_MS))
        _, logs = load(disk.crash())
        assert logs["orders", 0].log_end_offset == 6
        assert logs["orders", 0].checkpointed_offset == 6


def test_one_log_that_cannot_be_opened_does_not_stop_the_others() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    for partition in range(3):
        fill(create(folder, partition=partition), 3)
    disk.finish(folder.close(NOW_MS))
    disk.finish(disk.replace(f"orders-1/{names.PARTITION_METADATA}", b"version: 9\n"))
    disk = disk.kill()
    folder, logs = load(disk)
    assert sorted(logs) == [("orders", 0), ("orders", 2)]
    assert "version" in str(folder.broken["orders", 1])
    with pytest.raises(StorageFault):
        create(folder, partition=1)
    disk.finish(folder.close(NOW_MS))
    assert not disk.exists(names.CLEAN_SHUTDOWN), "it must be looked at again"


def test_folders_of_nobody_are_left_alone() -> None:
    disk = disk_in_memory()
    disk.make_folder("lost+found")
    disk.make_folder("notes")
    folder, logs = load(disk)
    assert logs == {}
    assert folder.broken == {}
    assert disk.folders() == ["lost+found", "notes"]


def test_after_a_failed_flush_the_folder_is_offline_and_everyone_is_told() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    logs = [create(folder, partition=partition) for partition in range(2)]
    told: list[tuple[int, StorageFault]] = []
    for index, log in enumerate(logs):
        watcher: Callable[[StorageFault], None] = lambda fault, index=index: told.append((index, fault))  # noqa: E731
        folder.watch_faults(log, watcher)
        fill(log, 1)
    disk.fail_next("flush")
    with pytest.raises(StorageFault):
        disk.finish(logs[0].flush())
    assert [index for index, _ in told] == [0, 1]
    assert folder.failed is told[0][1]
    for log in logs:
        with pytest.raises(StorageFault):
            log.append(batch(), 0, NOW_MS)
        with pytest.raises(StorageFault):
            disk.finish(log.flush())
    with pytest.raises(StorageFault):
        disk.finish(folder.close(NOW_MS))
    with pytest.raises(StorageFault):
        folder.create_log("other", 0, TOPIC_ID, CONFIG, NOW_MS)


def test_many_logs_are_closed_with_few_files_open() -> None:
    disk = disk_in_memory()
    folder, _ = load(disk)
    for partition in range(250):
        log, _ = folder.create_log("orders", partition, TOPIC_ID, CONFIG, NOW_MS)
        fill(log, 1)
    disk.settle()
    ticket = folder.close(NOW_MS)
    assert len(disk.flushing) < 700
    disk.finish(ticket)
    _, logs = load(disk.crash())
    assert sum(log.log_end_offset for log in logs.values()) == 500
