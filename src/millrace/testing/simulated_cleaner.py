"""The cleaner in the simulator: as the child process it cleans beside the broker, but in steps that chance places."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from millrace.base.errors import MillraceError
from millrace.base.ports import Disk, Ticket, done
from millrace.broker.compaction import CleanEnd
from millrace.storage.cleaner import CleanedGroup, Cleaning, CleanJob
from millrace.testing.simulated_disk import SimulatedDisk, SimulatedFile

STEP_US = (100, 50_000)


class SimulatedCleaner:
    """See the module; one for each start of a broker, because a child ends with its broker."""

    def __init__(self, after: Callable[[int, Callable[[], None]], None], random: Random) -> None:
        self._after = after
        self._random = random
        self._is_stopped = False

    def start(
        self, disk: Disk, job: CleanJob, on_group: Callable[[CleanedGroup], None], on_end: Callable[[CleanEnd], None]
    ) -> None:
        assert isinstance(disk, SimulatedDisk)
        cleaning = Cleaning(_ChildDisk(disk), job)
        groups = cleaning.groups()

        def go_on() -> None:
            if self._is_stopped or disk.is_dead:
                return
            try:
                group = next(groups, None)
            except MillraceError as error:
                on_end(CleanEnd(-1, cleaning.stats, error))
                return
            if group is None:
                on_end(CleanEnd(cleaning.end_offset, cleaning.stats))
                return
            on_group(group)
            self._after(self._random.randint(*STEP_US), go_on)

        self._after(self._random.randint(*STEP_US), go_on)

    def stop(self) -> None:
        self._is_stopped = True


class _ChildFile(SimulatedFile):
    """A file as another process has it: its flushes are waited for there, nothing of the broker goes on meanwhile."""

    __slots__ = ()

    def flush(self) -> Ticket[None]:
        self._disk.check("flush", self.path)
        self.inode.sync(len(self.inode.unsynced))
        return done()


class _ChildDisk:
    """The broker's disk as the child sees it."""

    def __init__(self, disk: SimulatedDisk) -> None:
        self._disk = disk

    def open(self, path: str, *, create: bool = False) -> _ChildFile:
        file = self._disk.open(path, create=create)
        return _ChildFile(self._disk, path, file.inode)

    def remove(self, path: str) -> Ticket[None]:
        self._disk.remove_now(path)
        return done()

    def finish(self, ticket: Ticket[Any]) -> Any:
        return ticket.result()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._disk, name)
