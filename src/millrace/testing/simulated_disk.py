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

T = TypeVar("T")
Lane = tuple[str, object]

SECTOR_BYTES = 512
DELAY_US = (30, 8_000)


class Inode:
    """What a name stands for: a file's bytes as the process sees them, and what of them a crash leaves; or a folder."""

    __slots__ = ("content", "durable", "is_folder", "modified_ms", "unsynced")

    def __init__(self, modified_ms: int, *, is_folder: bool = False) -> None:
        self.content = bytearray()
        self.durable = bytearray()
        self.unsynced: list[tuple[int, bytes | None]] = []  # (position, bytes), or (size, None) for a truncation
        self.modified_ms = modified_ms
        self.is_folder = is_folder

    def write(self, position: int, content: bytes) -> None:
        _apply(self.content, position, content)
        self.unsynced.append((position, content))

    def truncate(self, size: int) -> None:
        _apply(self.content, size, None)
        self.unsynced.append((size, None))

    def sync(self, count: int) -> None:
        """The first ``count`` changes are on stable storage now."""
        for position, content in self.unsynced[:count]:
            _apply(self.durable, position, content)
        del self.unsynced[:count]

    def after_crash(self, random: Random) -> Inode:
        """A file as a power cut may leave it."""
        left = Inode(self.modified_ms, is_folder=self.is_folder)
        left.content = bytearray(self.durable)
        for position, content in _some(random, self.unsynced):
            if content is not None and random.random() < 0.3:
                for piece_position, piece in _torn(random, position, content):
                    _apply(left.content, piece_position, piece)
            else:
                _apply(left.content, position, content)
        left.durable = bytearray(left.content)
        return left


def _apply(target: bytearray, position: int, content: bytes | None) -> None:
    if content is None:
        del target[position:]
        target.extend(bytes(position - len(target)))
        return
    if len(target) < position:
        target.extend(bytes(position - len(target)))
    target[position : position + len(content)] = content


def _some(random: Random, changes: Sequence[T]) -> Sequence[T]:
    """None of the changes, all, those up to one, or any of them, in order."""
    mode = random.randrange(4)
    if mode == 0:
        return ()
    if mode == 1:
        return changes
    if mode == 2:
        return changes[: random.randrange(len(changes) + 1)]
    return [change for change in changes if random.random() < 0.5]


def _torn(random: Random, position: int, content: bytes) -> list[tuple[int, bytes]]:
    """Parts of one write: up to a byte, or any of its sectors."""
    if random.random() < 0.5:
        return [(position, content[: random.randrange(len(content) + 1)])]
    pieces = []
    begin = 0
    while begin < len(content):
        end = min(begin + SECTOR_BYTES - (position + begin) % SECTOR_BYTES, len(content))
        if random.random() < 0.5:
            pieces.append((position + begin, content[begin:end]))
        begin = end
    return pieces


class SimulatedFile:
    """A handle to a file of a :class:`SimulatedDisk`."""

    __slots__ = ("_disk", "inode", "path")

    def __init__(self, disk: SimulatedDisk, path: str, inode: Inode) -> None:
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
        self.flushing: dict[Inode, list[int]] = {}
        self._names: dict[str, Inode] = {}
        self._durable_names: dict[str, Inode] = {}
        self._unsynced_names: list[tuple[str, str, str, Inode | None]] = []  # folder, old, new, what was made
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
        names = dict(self._durable_names)
        for _, old, new, made in _some(self.random, self._unsynced_names):
            _change_names(names, old, new, made)
        for path, content in self._replacing:
            if self.random.random() < 0.5:
                inode = Inode(self.now_ms)
                inode.write(0, content)
                inode.sync(1)
                names[path if self.random.random() < 0.5 else path + ".tmp"] = inode
        inodes: dict[Inode, Inode] = {}
        for path, inode in sorted(names.items()):
            folder = os.path.dirname(path)
            if not folder or folder in left._names:
                if inode not in inodes:
                    inodes[inode] = inode.after_crash(self.random)
                left._names[path] = inodes[inode]
        left._durable_names = dict(left._names)
        return left

    def kill(self) -> SimulatedDisk:
        """The disk after the process was killed: what it wrote is there, but no safer than before."""
        left = self._next()
        left._names = self._names
        left._durable_names = self._durable_names
        left._unsynced_names = self._unsynced_names
        for path, content in self._replacing:
            if self.random.random() < 0.5:
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
        return sorted(os.path.basename(path) for path in self._names if os.path.dirname(path) == folder)

    def exists(self, path: str) -> bool:
        return path in self._names

    def is_folder(self, path: str) -> bool:
        return path == "" or (path in self._names and self._names[path].is_folder)

    def modified_ms(self, path: str) -> int:
        return self._inode(path).modified_ms

    def free_bytes(self) -> int:
        return (1 << 40 if self.capacity_bytes is None else self.capacity_bytes) - self.used_bytes()

    def total_bytes(self) -> int:
        return 1 << 40 if self.capacity_bytes is None else self.capacity_bytes

    def full_path(self, path: str) -> str:
        return f"/simulated/{path}" if path else "/simulated"

    def used_bytes(self) -> int:
        return sum(len(inode.content) for inode in self._names.values())

    def read_whole(self, path: str) -> bytes:
        self.check("read", path)
        return bytes(self._inode(path).content)

    def _inode(self, path: str) -> Inode:
        if path not in self._names:
            raise StorageFault(path, "no such file or folder")
        return self._names[path]

    # -- files and names ---------------------------------------------------------------------------------------------

    def open(self, path: str, *, create: bool = False) -> SimulatedFile:
        if path not in self._names and create:
            self.check_writable("create", path)
            self.take_room(path, 0)
            if not self.is_folder(os.path.dirname(path)):
                raise StorageFault(path, "there is no such folder to create it in")
            self._change("", path, Inode(self.now_ms))
        inode = self._inode(path)
        if inode.is_folder:
            raise StorageFault(path, "is a folder")
        return SimulatedFile(self, path, inode)

    def make_folder(self, path: str) -> Ticket[None]:
        self.check_writable("make_folder", path)
        if path not in self._names:
            self._change("", path, Inode(self.now_ms, is_folder=True))
        return _done()

    def rename(self, old: str, new: str, files: Sequence[File] = ()) -> Ticket[None]:
        self.check_writable("rename", old)
        self._inode(old)
        self._change(old, new, None)
        for file in files:
            file.path = new + file.path[len(old) :]
        return _done()

    def remove(self, path: str) -> Ticket[None]:
        def work() -> None:
            self.check_writable("remove", path)
            for each in sorted(self._names, reverse=True):
                if each == path or each.startswith(path + "/"):
                    self._change(each, "", None)

        return self._later_if_sound(("names", ""), work)

    def sync_folder(self, path: str = "") -> Ticket[None]:
        covered = self._changes_in(path)

        def work() -> None:
            self.check_flush(path, "sync_folder")
            self._make_durable(covered)

        return self._later_if_sound(("sync", path), work)

    def _changes_in(self, folder: str) -> Sequence[tuple[str, str, str, Inode | None]]:
        return [change for change in self._unsynced_names if change[0] == folder]

    def _make_durable(self, covered: Sequence[tuple[str, str, str, Inode | None]]) -> None:
        remaining = []
        for change in self._unsynced_names:
            if any(change is each for each in covered):
                _change_names(self._durable_names, *change[1:])
            else:
                remaining.append(change)
        self._unsynced_names = remaining

    def replace(self, path: str, content: Buffer) -> Ticket[None]:
        self._replacing.append((path, bytes(content)))
        covered = self._changes_in(os.path.dirname(path))  # a replacement ends with a sync of its folder

        def work() -> None:
            path_and_content = next(each for each in self._replacing if each[0] == path)
            self._replacing.remove(path_and_content)
            self.check_writable("replace", path)
            self.take_room(path, len(path_and_content[1]))
            self._replace(*path_and_content)
            self._make_durable(covered)

        return self._later_if_sound(("replace", path), work)

    def _replace(self, path: str, content: bytes) -> None:
        inode = Inode(self.now_ms)
        inode.write(0, content)
        inode.sync(1)
        self._names[path] = self._durable_names[path] = inode
        self._unsynced_names = [change for change in self._unsynced_names if path not in change[1:3]]

    def _change(self, old: str, new: str, made: Inode | None) -> None:
        """Change names, now; on stable storage when their folder is synced."""
        _change_names(self._names, old, new, made)
        self._unsynced_names.append((os.path.dirname(new or old), old, new, made))

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


def _change_names(names: dict[str, Inode], old: str, new: str, made: Inode | None) -> None:
    """Make ``new``, remove ``old``, or rename ``old`` to ``new`` with everything below it."""
    if made is not None:
        names[new] = made
        return
    for path in [path for path in names if path == old or path.startswith(old + "/")]:
        inode = names.pop(path)
        if new:
            names[new + path[len(old) :]] = inode


def _done() -> Ticket[None]:
    ticket: Ticket[None] = Ticket()
    ticket.complete()
    return ticket


def _failed(error: MillraceError) -> Ticket[Any]:
    ticket: Ticket[Any] = Ticket()
    ticket.fail(error)
    return ticket
