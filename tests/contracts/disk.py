"""What every disk must hold: the same suite on the real and on the simulated one, so that one stands for the other.

``Checks`` gets a maker of disks; ``late`` says that completions come only when they are waited for. Each check is one
method, run by ``test_disk.py`` on both.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from millrace.base.errors import StorageFault
from millrace.base.ports import Disk, Ticket

MakeDisk = Callable[[], Disk]


class DiskChecks:
    """Inherit it, and give a fixture ``disk``; ``fail_flush(disk, path)`` makes the next flush of a file fail."""

    def fail_flush(self, disk: Disk, path: str) -> None:
        raise NotImplementedError

    # -- files -------------------------------------------------------------------------------------------------------

    def test_a_file_is_what_was_appended(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        assert file.append([b"abc"]) == 0
        assert file.append([b"de", bytearray(b"f"), memoryview(b"xghx")[1:3]]) == 3
        assert file.size == 8
        assert file.read_now(0, 100) == b"abcdefgh"
        assert file.read_now(2, 3) == b"cde"
        assert file.read_now(8, 1) == b""
        assert file.read_now(100, 1) == b""

    def test_a_read_is_an_answer_or_a_ticket(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        file.append([bytes(range(256)) * 40])
        for position, size in ((0, 10), (5000, 5240), (10_239, 5), (10_240, 5), (0, 1 << 20)):
            found = file.read(position, size)
            content = disk.finish(found) if isinstance(found, Ticket) else found
            assert content == (bytes(range(256)) * 40)[position : position + size]

    def test_a_file_can_be_overwritten_and_cut(self, disk: Disk) -> None:
        file = disk.open("index", create=True)
        file.append([b"0123456789"])
        file.write_at(4, b"xx")
        assert file.read_now(0, 10) == b"0123xx6789"
        file.write_at(9, b"yyy")
        assert file.size == 12
        file.truncate(5)
        assert file.size == 5
        assert file.append([b"z"]) == 5
        assert file.read_now(0, 10) == b"0123xz"

    def test_two_handles_see_one_file(self, disk: Disk) -> None:
        first = disk.open("log", create=True)
        first.append([b"abc"])
        second = disk.open("log")
        assert second.size == 3
        assert second.read_now(0, 3) == b"abc"
        assert disk.open("log", create=True).size == 3, "create must not empty what is there"

    def test_a_closed_handle_opens_itself_again(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        file.append([b"abc"])
        file.close()
        file.close()
        assert file.read_now(0, 3) == b"abc"
        file.close()
        assert file.append([b"d"]) == 3
        file.close()
        disk.finish(file.flush())
        assert file.size == 4

    def test_what_is_not_there_is_a_fault(self, disk: Disk) -> None:
        with pytest.raises(StorageFault):
            disk.open("nothing")
        with pytest.raises(StorageFault):
            disk.read_whole("nothing")
        with pytest.raises(StorageFault):
            disk.open("no folder/log", create=True)
        with pytest.raises(StorageFault):
            disk.rename("nothing", "something")
        with pytest.raises(StorageFault):
            disk.modified_ms("nothing")
        assert disk.fault is None, "the caller's mistakes do not take a disk offline"

    def test_flushes_complete_in_order(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        done: list[int] = []
        tickets = []
        for index in range(5):
            file.append([b"x"])
            ticket = file.flush()
            ticket.then(lambda _, index=index: done.append(index))  # type: ignore[misc]
            tickets.append(ticket)
        for ticket in tickets:
            disk.finish(ticket)
        assert done == [0, 1, 2, 3, 4]

    # -- names -------------------------------------------------------------------------------------------------------

    def test_folders_and_files_are_listed_in_order(self, disk: Disk) -> None:
        for folder in ("b", "a", "a/inner"):
            disk.finish(disk.make_folder(folder))
        disk.make_folder("a")  # again is no error
        disk.open("a/2", create=True)
        disk.open("a/10", create=True)
        assert disk.list() == ["a", "b"]
        assert disk.list("a") == ["10", "2", "inner"]
        assert disk.list("nothing") == []
        assert disk.folders() == ["a", "b"]
        assert disk.folders("a") == ["inner"]
        assert disk.folders("nothing") == []
        assert disk.is_folder("a")
        assert not disk.is_folder("a/2")
        assert disk.exists("a/2")
        assert not disk.exists("a/3")
        assert disk.free_bytes() > 0

    def test_a_name_changes_at_once_and_handles_follow(self, disk: Disk) -> None:
        disk.make_folder("t")
        file = disk.open("t/log", create=True)
        file.append([b"abc"])
        disk.open("t/old", create=True).append([b"to be replaced"])
        disk.rename("t/log", "t/old", [file])
        assert disk.list("t") == ["old"]
        assert file.path == "t/old"
        file.close()
        file.append([b"d"])
        disk.rename("t", "t-delete", [file])
        file.close()
        assert file.path == "t-delete/old"
        assert file.read_now(0, 9) == b"abcd"
        assert disk.read_whole("t-delete/old") == b"abcd"
        disk.make_folder("t")
        assert disk.list("t") == [], "the old name is free when rename returns"

    def test_remove_takes_a_file_or_a_folder(self, disk: Disk) -> None:
        disk.make_folder("t")
        disk.open("t/log", create=True)
        disk.open("single", create=True)
        for path in ("t", "single", "nothing"):
            disk.finish(disk.remove(path))
        assert disk.list() == []

    def test_who_reads_goes_on_when_a_file_is_removed(self, disk: Disk) -> None:
        file = disk.open("log", create=True)
        file.append([b"abc"])
        disk.finish(disk.remove("log"))
        assert file.read_now(0, 3) == b"abc"

    def test_a_small_file_is_replaced_as_a_whole(self, disk: Disk) -> None:
        tickets = [disk.replace("checkpoint", b"%d" % index) for index in range(5)]
        for ticket in tickets:
            disk.finish(ticket)
        assert disk.read_whole("checkpoint") == b"4"
        assert disk.list() == ["checkpoint"]
        disk.finish(disk.replace("checkpoint", b""))
        assert disk.read_whole("checkpoint") == b""

    def test_folders_can_be_synced_also_when_they_are_gone(self, disk: Disk) -> None:
        disk.make_folder("t")
        tickets = [disk.sync_folder("t"), disk.sync_folder(), disk.sync_folder("t")]
        disk.rename("t", "u")
        for ticket in tickets:
            disk.finish(ticket)
        disk.finish(disk.sync_folder("t"))
        assert disk.fault is None

    # -- faults ------------------------------------------------------------------------------------------------------

    def test_after_a_failed_flush_nothing_is_written_any_more(self, disk: Disk) -> None:
        faults: list[StorageFault] = []
        disk.on_fault = faults.append
        file = disk.open("log", create=True)
        file.append([b"abc"])
        self.fail_flush(disk, "log")
        tickets = [file.flush(), file.flush()]
        for ticket in tickets:
            with pytest.raises(StorageFault):
                disk.finish(ticket)
        assert disk.fault is not None
        assert len(faults) == 1
        with pytest.raises(StorageFault):
            file.append([b"d"])
        with pytest.raises(StorageFault):
            disk.open("other", create=True)
        for later in (file.flush(), disk.replace("c", b""), disk.sync_folder(), disk.remove("log")):
            with pytest.raises(StorageFault):
                disk.finish(later)
        assert file.read_now(0, 3) == b"abc", "reads go on"
