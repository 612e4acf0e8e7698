"""The small ports through which everything below runtime/ reaches the world: disk, root, clock, chance.

The disk is *submit and complete*: what cannot block answers at once, the rest returns a :class:`Ticket` that completes
later, in order for its file. The real disk (``runtime/disk``) and the simulated one (``testing/simulated_disk``) pass
the same contract suite, so code that is right on one is right on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from millrace.base.errors import MillraceError, StorageFault

T = TypeVar("T")
Buffer = bytes | bytearray | memoryview


class Ticket(Generic[T]):
    """One operation that was submitted; it is done already, or will be, exactly once."""

    __slots__ = ("_callbacks", "done", "error", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: T | None = None
        self.error: MillraceError | None = None
        self._callbacks: list[Callable[[Ticket[T]], None]] = []

    def then(self, callback: Callable[[Ticket[T]], None]) -> None:
        """Call ``callback(ticket)`` when it is done; at once if it is done already."""
        if self.done:
            callback(self)
            return
        self._callbacks.append(callback)

    def complete(self, value: T | None = None) -> None:
        assert not self.done, "a ticket completes once"
        self.done = True
        self.value = value
        self._fire()

    def fail(self, error: MillraceError) -> None:
        assert not self.done, "a ticket completes once"
        self.done = True
        self.error = error
        self._fire()

    def result(self) -> T:
        """The value of a ticket that is done; raises what it failed with."""
        assert self.done, "the ticket is not done"
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]

    def _fire(self) -> None:
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)


def done(value: T | None = None) -> Ticket[T]:
    """A ticket that is complete from the start."""
    ticket: Ticket[T] = Ticket()
    ticket.complete(value)
    return ticket


def all_done(tickets: Sequence[Ticket[Any]]) -> Ticket[None]:
    """A ticket that is done when all are; it fails with the first error of any."""
    gathered: Ticket[None] = Ticket()
    remaining = len(tickets)
    if not remaining:
        gathered.complete()
        return gathered
    first_error: MillraceError | None = None

    def one(ticket: Ticket[Any]) -> None:
        nonlocal remaining, first_error
        remaining -= 1
        if first_error is None:
            first_error = ticket.error
        if remaining:
            return
        if first_error is not None:
            gathered.fail(first_error)
        else:
            gathered.complete()

    for each in tickets:
        each.then(one)
    return gathered


class File(Protocol):
    """One file of a :class:`Disk`; a logical handle: the disk may close and reopen the descriptor behind it.

    Tickets of one kind (reads, flushes) complete in the order they were asked for. A flush that was asked for while
    another one runs may share the next call with others.
    """

    path: str

    @property
    def size(self) -> int: ...

    def append(self, buffers: Sequence[Buffer]) -> int:
        """Write at the end, all or nothing; the position of the first byte. Raises DiskFull or StorageFault."""

    def read(self, position: int, size: int) -> bytes | Ticket[bytes]:
        """Up to ``size`` bytes (fewer only at the end of the file): at once if in memory, else a ticket."""

    def read_now(self, position: int, size: int) -> bytes:
        """The same, always at once: for start-up, small reads and child processes, where waiting is right."""

    def write_at(self, position: int, buffer: Buffer) -> None:
        """Overwrite in place: only for index files, which can be rebuilt."""

    def truncate(self, size: int) -> None:
        """Cut the file back; at once."""

    def flush(self) -> Ticket[None]:
        """Everything written before this call is on stable storage when the ticket is done (fdatasync)."""

    def close(self) -> None:
        """Give the descriptor back. The handle may be used again: it opens another one."""


class Disk(Protocol):
    """One log folder. Paths are relative to it, with '/'.

    ``fault`` is set for good by the first flush that fails: what was written before it may be lost without a trace, so
    nothing is written or flushed any more, every such call raises it (or fails its ticket with it); reads go on.
    """

    fault: StorageFault | None
    on_fault: Callable[[StorageFault], None] | None
    """Called once, when ``fault`` is set."""

    def folders(self, folder: str = "") -> list[str]:
        """Names of the folders in a folder, sorted."""

    def list(self, folder: str = "") -> list[str]:
        """Names in a folder, sorted; empty if there is no such folder."""

    def exists(self, path: str) -> bool: ...

    def is_folder(self, path: str) -> bool: ...

    def modified_ms(self, path: str) -> int: ...

    def open(self, path: str, *, create: bool = False) -> File:
        """Open an existing file, or create an empty one; raises StorageFault when it is not there."""

    def read_whole(self, path: str) -> bytes:
        """A small file at once (checkpoints); raises StorageFault when it is not there."""

    def replace(self, path: str, content: Buffer) -> Ticket[None]:
        """Write a small file so that a crash leaves the old or the new one: temporary, flush, rename, folder sync.

        Two of the same path are done one after the other; one that waits may be skipped for a later one.
        """

    def make_folder(self, path: str) -> Ticket[None]:
        """At once; it survives a crash after a sync of its parent. Raises DiskFull or StorageFault."""

    def rename(self, old: str, new: str, files: Sequence[File] = ()) -> Ticket[None]:
        """Rename a file or a folder, at once; an existing file ``new`` is replaced. Raises StorageFault.

        ``files`` are the open handles that move with it. It survives a crash after a sync of the folder.
        """

    def remove(self, path: str) -> Ticket[None]:
        """A file, or a folder with all that is in it; nothing there is no error."""

    def sync_folder(self, path: str = "") -> Ticket[None]:
        """New, renamed and removed names in the folder are on stable storage when the ticket is done."""

    def free_bytes(self) -> int: ...

    def total_bytes(self) -> int: ...

    def full_path(self, path: str) -> str:
        """What the path is called outside: for people and for DescribeLogDirs."""

    def finish(self, ticket: Ticket[T]) -> T:
        """Wait here until the ticket is done, and give its value or raise its error: start-up and shutdown only."""


class Clock(Protocol):
    """Wall time stamps records, monotonic time measures deadlines (ms) and how long things take (us)."""

    def wall_ms(self) -> int: ...

    def mono_ms(self) -> int: ...

    def mono_us(self) -> int: ...


class Random(Protocol):
    """Chance as an argument: the standard library's ``random.Random`` fits."""

    def getrandbits(self, bits: int, /) -> int: ...

    def randbytes(self, count: int, /) -> bytes: ...

    def random(self) -> float: ...


class RootEvent(Protocol):
    """What the root tells without being asked: ``connected``, ``suspended``, ``expired`` or a path that changed."""

    @property
    def kind(self) -> str: ...

    @property
    def path(self) -> str: ...


class Root(Protocol):
    """The small root of consensus: embedded on one machine, an ensemble elsewhere. Versions start at 0."""

    def create(self, path: str, value: bytes, *, ephemeral: bool = False) -> Ticket[int]: ...

    def get(self, path: str) -> Ticket[tuple[bytes, int] | None]: ...

    def set(self, path: str, value: bytes, expected_version: int) -> Ticket[int]: ...

    def delete(self, path: str, expected_version: int) -> Ticket[None]: ...

    def children(self, path: str) -> Ticket[list[str]]: ...

    def watch(self, callback: Callable[[RootEvent], None]) -> None: ...
