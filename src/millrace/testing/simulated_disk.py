"""A disk in memory that behaves as badly as a real one may, from a seed.

It completes late and, between files, out of order; it can be slow to read, fill up, fail, and lose in a crash what was
not synced: unflushed writes in any part, torn at any byte or sector, and names that were new, renamed or removed.

    disk = SimulatedDisk(random.Random(1))
    ...
    disk.step()          # complete one operation, of a lane that chance picks; or disk.settle()
    disk = disk.crash()  # the disk as it is found after a power cut; kill() is after kill -9: nothing is lost
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from millrace.base.errors import DiskFull, MillraceError, StorageFault
from millrace.base.ports import Buffer, File, Ticket
from millrace.testing.simulated_inodes import FileInode, FolderInode, Inode

T = TypeVar("T")
Lane = tuple[str, object]

DELAY_US = (30, 8_000)


class SimulatedFile:
    """A handle to a file of a :class:`SimulatedDisk`."""

    __slots__ = ("_disk", "inode", "path")

    def __init__(self, disk: SimulatedDisk, path: str, inode: FileInode) -> None:
        self._disk = disk
        self.path = path
        self.inode = inode

    @property
    def size(self) -> int:
        return len(self.inode.content)

    def append(self, buffers: Sequence[Buffer]) -> int:
        position = self.size
        self._write(position, b"".join(buffers))
        return position

    def write_at(self, position: int, buffer: Buffer) -> None:
        self._write(position, bytes(buffer))

    def _write(self, position: int, content: bytes) -> None:
        disk = self._disk
        disk.check_writable("append", self.path)
        disk.take_room(self.path, position + len(content) - self.size)
        self.inode.write(position, content)
        self.inode.modified_ms = disk.now_ms

    def truncate(self, size: int) -> None:
        self._disk.check_writable("truncate", self.path)
        self.inode.truncate(size)

    def read(self, position: int, size: int) -> bytes | Ticket[bytes]:
        disk = self._disk
        if disk.random.random() >= disk.cold_chance:
            return self.read_now(position, size)
        return disk.later(("read", self.inode), lambda: self.read_now(position, size))

    def read_now(self, position: int, size: int) -> bytes:
        self._disk.check("read", self.path)
        return bytes(self.inode.content[position : position + max(size, 0)])

    def flush(self) -> Ticket[None]:
        disk, count = self._disk, len(self.inode.unsynced)
        if disk.fault is not None:
            return _failed(disk.fault)
        flushed = disk.flushing.setdefault(self.inode, [])
        flushed.append(count)

        def work() -> None:
            covered = flushed.pop(0)
            disk.check_flush(self.path)
            self.inode.sync(covered)
            flushed[:] = [max(each - covered, 0) for each in flushed]

        return disk.later(("flush", self.inode), work)

    def close(self) -> None:
        """Nothing to give back."""


class SimulatedDisk:
    """See the module. ``after(delay_us, action)`` calls completions later; without it they wait for :meth:`step`."""

    def __init__(
        self,
        random: Random,
        *,
        after: Callable[[int, Callable[[], None]], None] | None = None,
        capacity_bytes: int | None = None,
        cold_chance: float = 0.0,
    ) -> None:
        self.random = random
        self.after = after
        self.capacity_bytes = capacity_bytes
        self.cold_chance = cold_chance  # how often a read is not answered at once
        self.now_ms = 0
        self.fault: StorageFault | None = None
        self.on_fault: Callable[[StorageFault], None] | None = None
        self.is_dead = False
        self.flushing: dict[FileInode, list[int]] = {}
        self._root = FolderInode(0)
        self._lanes: dict[Lane, deque[tuple[Callable[[], Any], Ticket[Any]]]] = {}
        self._replacing: list[tuple[str, bytes]] = []
        self._failures: list[tuple[str, str, MillraceError | None]] = []

    # -- what the simulator does -------------------------------------------------------------------------------------

    @property
    def pending(self) -> int:
        """Operations that are not complete."""
        return sum(map(len, self._lanes.values()))

    def step(self) -> bool:
        """Complete one operation, the oldest of a lane that chance picks; false when there is none."""
        if self.is_dead or not self._lanes:
            return False
        self._complete(self.random.choice(list(self._lanes)))
        return True

    def settle(self) -> None:
        """Complete everything, and what that leads to."""
        while self.step():
            pass

    def fail_next(self, kind: str, path_part: str = "", error: MillraceError | None = None) -> None:
        """The next operation of that kind on a path that contains ``path_part`` fails.

        Kinds: append, truncate, read, flush, create, make_folder, rename, remove, replace, sync_folder.
        """
        self._failures.append((kind, path_part, error))

    def crash(self, *, power: bool = True) -> SimulatedDisk:
        """The disk after a power cut, or only the end of the process without ``power``; this one is dead."""
        if not power:
            return self.kill()
        left = self._next()
        left._root = self._root.after_crash(self.random)
        for path, content in self._replacing:
            folder = left._find(os.path.dirname(path))
            if isinstance(folder, FolderInode) and self.random.random() < 0.5:
                name = os.path.basename(path) + ("" if self.random.random() < 0.5 else ".tmp")
                folder.names[name] = folder.durable[name] = FileInode(self.now_ms, content)
        return left

    def kill(self) -> SimulatedDisk:
        """The disk after the process was killed: what it wrote is there, but no safer than before."""
        left = self._next()
        left._root = self._root
        for path, content in self._replacing:
            if self.random.random() < 0.5 and self._find(os.path.dirname(path)) is not None:
                left._replace(path, content)
        return left

    def _next(self) -> SimulatedDisk:
        self.is_dead = True
        left = SimulatedDisk(
            self.random, after=self.after, capacity_bytes=self.capacity_bytes, cold_chance=self.cold_chance
        )
        left.now_ms = self.now_ms
        return left

    # -- looking -----------------------------------------------------------------------------------------------------

    def folders(self, folder: str = "") -> list[str]:
        return [name for name in self.list(folder) if self.is_folder(f"{folder}/{name}" if folder else name)]

    def list(self, folder: str = "") -> list[str]:
        found = self._find(folder)
        return sorted(found.names) if isinstance(found, FolderInode) else []

    def exists(self, path: str) -> bool:
        return self._find(path) is not None

    def is_folder(self, path: str) -> bool:
        return isinstance(self._find(path), FolderInode)

    def modified_ms(self, path: str) -> int:
        return self._inode(path).modified_ms

    def free_bytes(self) -> int:
        return (1 << 40 if self.capacity_bytes is None else self.capacity_bytes) - self.used_bytes()

    def total_bytes(self) -> int:
        return 1 << 40 if self.capacity_bytes is None else self.capacity_bytes

    def full_path(self, path: str) -> str:
        return f"/simulated/{path}" if path else "/simulated"

    def used_bytes(self) -> int:
        return sum(len(inode.content) for inode in self._root.files())

    def read_whole(self, path: str) -> bytes:
        self.check("read", path)
        return bytes(self._file(path).content)

    def _find(self, path: str) -> Inode | None:
        inode: Inode | None = self._root
        for name in path.split("/") if path else ():
            inode = inode.names.get(name) if isinstance(inode, FolderInode) else None
        return inode

    def _inode(self, path: str) -> Inode:
        inode = self._find(path)
        if inode is None:
            raise StorageFault(path, "no such file or folder")
        return inode

    def _file(self, path: str) -> FileInode:
        inode = self._inode(path)
        if isinstance(inode, FolderInode):
            raise StorageFault(path, "is a folder")
        return inode

    def _folder_of(self, path: str) -> FolderInode:
        """The folder that a path is in."""
        inode = self._find(os.path.dirname(path))
        if not isinstance(inode, FolderInode):
            raise StorageFault(path, "there is no such folder")
        return inode

    # -- files and names ---------------------------------------------------------------------------------------------

    def open(self, path: str, *, create: bool = False) -> SimulatedFile:
        if create and not self.exists(path):
            self.check_writable("create", path)
            self.take_room(path, 0)
            self._folder_of(path).change("", os.path.basename(path), FileInode(self.now_ms))
        return SimulatedFile(self, path, self._file(path))

    def make_folder(self, path: str) -> Ticket[None]:
        self.check_writable("make_folder", path)
        if not self.exists(path):
            self._folder_of(path).change("", os.path.basename(path), FolderInode(self.now_ms))
        return _done()

    def rename(self, old: str, new: str, files: Sequence[File] = ()) -> Ticket[None]:
        self.check_writable("rename", old)
        self._inode(old)
        assert os.path.dirname(old) == os.path.dirname(new), f"{old} is not renamed to another folder"
        self._folder_of(old).change(os.path.basename(old), os.path.basename(new))
        for file in files:
            file.path = new + file.path[len(old) :]
        return _done()

    def remove(self, path: str) -> Ticket[None]:
        return self._later_if_sound(("names", ""), lambda: self.remove_now(path))

    def remove_now(self, path: str) -> None:
        """What :meth:`remove` does later."""
        self.check_writable("remove", path)
        inode = self._find(path)
        if isinstance(inode, FolderInode):
            for name in sorted(inode.names):
                inode.change(name, "")
        if inode is not None:
            self._folder_of(path).change(os.path.basename(path), "")

    def sync_folder(self, path: str = "") -> Ticket[None]:
        folder = self._find(path)
        covered = list(folder.unsynced) if isinstance(folder, FolderInode) else []

        def work() -> None:
            self.check_flush(path, "sync_folder")
            if isinstance(folder, FolderInode):
                folder.sync(covered)

        return self._later_if_sound(("sync", path), work)

    def replace(self, path: str, content: Buffer) -> Ticket[None]:
        if self.fault is not None:
            return _failed(self.fault)
        self._replacing.append((path, bytes(content)))
        folder = self._find(os.path.dirname(path))
        covered = list(folder.unsynced) if isinstance(folder, FolderInode) else []  # it ends with a sync of its folder

        def work() -> None:
            path_and_content = next(each for each in self._replacing if each[0] == path)
            self._replacing.remove(path_and_content)
            self.check_writable("replace", path)
            self.take_room(path, len(path_and_content[1]))
            self._replace(*path_and_content)
            if isinstance(folder, FolderInode):
                folder.sync(covered)

        return self.later(("replace", path), work)

    def _replace(self, path: str, content: bytes) -> None:
        folder = self._folder_of(path)
        folder.change("", os.path.basename(path), FileInode(self.now_ms, content))
        folder.sync(folder.unsynced[-1:])

    def finish(self, ticket: Ticket[T]) -> T:
        while not ticket.done:
            assert self.step(), "nothing is going on that could complete the ticket"
        return ticket.result()

    # -- completing --------------------------------------------------------------------------------------------------

    def later(self, lane: Lane, work: Callable[[], T]) -> Ticket[T]:
        """Do ``work`` later, after what is in that lane already."""
        ticket: Ticket[T] = Ticket()
        self._lanes.setdefault(lane, deque()).append((work, ticket))
        if self.after is not None:
            self.after(self.random.randint(*DELAY_US), lambda: self._complete(lane))
        return ticket

    def _later_if_sound(self, lane: Lane, work: Callable[[], None]) -> Ticket[None]:
        return self.later(lane, work) if self.fault is None else _failed(self.fault)

    def _complete(self, lane: Lane) -> None:
        if self.is_dead or lane not in self._lanes:
            return
        operations = self._lanes[lane]
        work, ticket = operations.popleft()
        if not operations:
            del self._lanes[lane]
        try:
            value = work()
        except MillraceError as error:
            ticket.fail(error)
            return
        ticket.complete(value)

    # -- faults ------------------------------------------------------------------------------------------------------

    def check(self, kind: str, path: str) -> None:
        """Raises what :meth:`fail_next` ordered."""
        if self.is_dead:
            raise StorageFault(path, "the machine is off")
        for failure in self._failures:
            if failure[0] == kind and failure[1] in path:
                self._failures.remove(failure)
                raise failure[2] or StorageFault(path, f"{kind} failed")

    def check_writable(self, kind: str, path: str) -> None:
        if self.fault is not None:
            raise self.fault
        self.check(kind, path)

    def check_flush(self, path: str, kind: str = "flush") -> None:
        """A flush that fails takes the disk offline for good."""
        if self.fault is not None:
            raise self.fault
        try:
            self.check(kind, path)
        except StorageFault as fault:
            self.fault = fault
            if self.on_fault is not None:
                self.on_fault(fault)
            raise

    def take_room(self, path: str, size: int) -> None:
        if self.capacity_bytes is not None and self.used_bytes() + max(size, 1) > self.capacity_bytes:
            raise DiskFull(path, "no space left on device")


def _done() -> Ticket[None]:
    ticket: Ticket[None] = Ticket()
    ticket.complete()
    return ticket


def _failed(error: MillraceError) -> Ticket[Any]:
    ticket: Ticket[Any] = Ticket()
    ticket.fail(error)
    return ticket
