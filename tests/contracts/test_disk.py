"""The contract of a disk, on the real one (with and without a loop) and on the simulated one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from millrace.base.errors import DiskFull, StorageFault
from millrace.base.ports import Disk, Ticket
from millrace.runtime.disk import RealDisk
from millrace.runtime.disk_file import RealFile
from millrace.testing.simulated_disk import SimulatedDisk
from tests.contracts.disk import DiskChecks


class RealDiskChecks(DiskChecks):
    """What both ways to use the real disk share."""

    def fail_flush(self, disk: Disk, path: str) -> None:
        """A descriptor that cannot be synced: the write end of a pipe in the place of the file's own."""
        assert isinstance(disk, RealDisk)
        reading, writing = os.pipe()
        os.close(reading)
        for file in disk._opened:
            if file.path == path:
                os.dup2(writing, file.descriptor())
        os.close(writing)


class TestRealDiskAlone(RealDiskChecks):
    """Without a loop everything is done when the call returns."""

    @pytest.fixture
    def disk(self, tmp_path: Path) -> Iterator[Disk]:
        opened = RealDisk(tmp_path)
        yield opened
        opened.close()

    def test_after_a_failed_flush_nothing_is_written_any_more(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        file.append([b"abc"])
        self.fail_flush(disk, "log")
        with pytest.raises(StorageFault):
            file.flush().result()
        assert disk.fault is not None


class TestRealDiskWithALoop(RealDiskChecks):
    """With a pool of threads, and a loop that is a queue."""

    @pytest.fixture
    def disk(self, tmp_path: Path) -> Iterator[Disk]:
        queue: deque[Callable[[], None]] = deque()
        opened = RealDisk(tmp_path, post=queue.append, descriptors_max=16)
        yield opened
        opened.close()

    def test_after_a_failed_flush_nothing_is_written_any_more(self, disk: Disk) -> None:
        faults: list[StorageFault] = []
        disk.on_fault = faults.append
        file = disk.open("log", create=True)
        file.append([b"abc"])
        self.fail_flush(disk, "log")
        for ticket in (file.flush(), file.flush()):
            with pytest.raises(StorageFault):
                disk.finish(ticket)
        assert len(faults) == 1
        with pytest.raises(StorageFault):
            file.append([b"d"])
        for later in (file.flush(), disk.replace("c", b""), disk.sync_folder(), disk.remove("log")):
            with pytest.raises(StorageFault):
                disk.finish(later)

    def test_more_files_than_descriptors(self, disk: Disk) -> None:
        assert isinstance(disk, RealDisk)
        files = [disk.open(f"log{index}", create=True) for index in range(100)]
        tickets: list[Ticket[None]] = []
        for _ in range(3):
            for index, file in enumerate(files):
                file.append([b"%d," % index])
                tickets.append(file.flush())
        for ticket in tickets:
            disk.finish(ticket)
        for index, file in enumerate(files):
            assert file.read_now(0, 100) == b"%d," % index * 3
        for index in range(100, 150):
            disk.open(f"log{index}", create=True)
        assert len(disk._opened) <= 16

    def test_a_removed_file_does_not_count_as_unflushed_for_ever(self, disk: Disk) -> None:
        assert isinstance(disk, RealDisk)
        file = disk.open("log", create=True)
        file.append([bytes(1000)])
        file.close()
        disk.finish(disk.remove("log"))
        with pytest.raises(StorageFault):
            disk.finish(file.flush())
        assert disk.unflushed_bytes == 0
        assert disk.fault is None

    def test_a_descriptor_is_kept_while_the_pool_uses_it(self, disk: Disk) -> None:
        assert isinstance(disk, RealDisk)
        file = disk.open("log", create=True)
        file.append([b"abc"])
        ticket = file.flush()
        file.close()
        assert file in disk._opened
        disk.finish(ticket)
        assert file not in disk._opened
        ticket = file.flush()
        file.close()
        assert file.read_now(0, 3) == b"abc"  # used again meanwhile
        disk.finish(ticket)
        assert file in disk._opened

    def test_a_cold_read_is_a_ticket(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        content = bytes(range(256)) * 4096
        file.append([content])
        disk.finish(file.flush())
        assert isinstance(file, RealFile)
        os.posix_fadvise(file.descriptor(), 0, 0, os.POSIX_FADV_DONTNEED)
        found = file.read(1000, 500_000)
        if isinstance(found, Ticket):  # not where the file system keeps everything in memory
            found = disk.finish(found)
        assert found == content[1000:501_000]


class TestSimulatedDisk(DiskChecks):
    """Completions wait until somebody waits for them."""

    @pytest.fixture
    def disk(self) -> Disk:
        return SimulatedDisk(Random(1), cold_chance=0.5)

    def fail_flush(self, disk: Disk, path: str) -> None:
        assert isinstance(disk, SimulatedDisk)
        disk.fail_next("flush", path)


def test_the_real_disk_cuts_back_what_did_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = RealDisk(tmp_path)
    file = disk.open("log", create=True)
    file.append([b"abc"])
    real = os.pwritev

    def half(descriptor: int, buffers: list[bytes], position: int) -> int:
        return real(descriptor, [buffers[0][:2]], position)

    def full(descriptor: int, buffer: bytes, position: int) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwritev", half)
        patch.setattr(os, "pwrite", full)
        with pytest.raises(DiskFull):
            file.append([b"defgh"])
    assert file.size == 3
    assert (tmp_path / "log").read_bytes() == b"abc"
    assert file.append([b"d"]) == 3
    disk.close()


def test_the_simulated_disk_fills_up() -> None:
    disk = SimulatedDisk(Random(1), capacity_bytes=1000)
    file = disk.open("log", create=True)
    file.append([bytes(900)])
    with pytest.raises(DiskFull):
        file.append([bytes(200)])
    assert file.size == 900
    assert disk.fault is None
    file.append([bytes(50)])
    disk.capacity_bytes = 2000
    file.append([bytes(200)])


def test_a_power_cut_leaves_what_was_flushed_and_any_part_of_the_rest() -> None:
    found: set[bytes] = set()
    for seed in range(300):
        disk = SimulatedDisk(Random(seed))
        file = disk.open("log", create=True)
        file.append([b"safe"])
        disk.finish(file.flush())
        disk.finish(disk.sync_folder())
        file.append([b"ab"])
        file.append([b"cd"])
        left = disk.crash().read_whole("log")
        assert left.startswith(b"safe")
        found.add(left[4:])
        with pytest.raises(StorageFault):
            file.append([b"x"])
    assert {b"", b"ab", b"abcd", b"\x00\x00cd", b"a", b"abc"} <= found


def test_a_power_cut_may_take_names_that_were_not_synced() -> None:
    found: set[tuple[str, ...]] = set()
    for seed in range(200):
        disk = SimulatedDisk(Random(seed))
        disk.make_folder("t")
        disk.open("t/a", create=True)
        disk.finish(disk.sync_folder())
        disk.finish(disk.sync_folder("t"))
        disk.rename("t/a", "t/b")
        disk.open("t/c", create=True)
        found.add(tuple(disk.crash().list("t")))
    assert found == {("a",), ("b",), ("b", "c"), ("a", "c")}


def test_a_killed_process_loses_nothing_it_wrote() -> None:
    disk = SimulatedDisk(Random(1))
    file = disk.open("log", create=True)
    file.append([b"abc"])
    left = disk.crash(power=False)
    assert left.read_whole("log") == b"abc"
    again = left.crash()
    assert again.list() in ([], ["log"]), "it was no safer than before"
