"""One file of the real disk: a logical handle whose descriptor comes and goes."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from millrace.base.errors import MillraceError, StorageFault
from millrace.base.ports import Buffer, Ticket

if TYPE_CHECKING:
    from millrace.runtime.disk import RealDisk

NO_DESCRIPTOR = -1
PROBE_BYTES = 256 * 1024


class NotThere(StorageFault):
    """A file or folder that is not there (any more): its owner's business, no reason to give the disk up."""


class RealFile:
    """See the module. Made by ``RealDisk.open`` only."""

    __slots__ = (
        "_descriptor",
        "_disk",
        "_flush_waiting",
        "_in_pool",
        "_is_closing",
        "_is_flushing",
        "path",
        "size",
        "unflushed_bytes",
    )

    def __init__(self, disk: RealDisk, path: str, *, create: bool) -> None:
        self._disk = disk
        self.path = path
        self.unflushed_bytes = 0
        self._in_pool = 0  # jobs of the pool that use the descriptor now
        self._is_closing = False  # it was closed while the pool used it
        self._is_flushing = False
        self._flush_waiting: list[Ticket[None]] | None = None
        flags = os.O_RDWR | os.O_CLOEXEC
        try:
            try:
                self._descriptor = os.open(disk.full_path(path), flags)
            except FileNotFoundError:
                if not create:
                    raise
                self._descriptor = os.open(disk.full_path(path), flags | os.O_CREAT, 0o644)
                disk.note("create", path)
            self.size = os.fstat(self._descriptor).st_size
        except OSError as error:
            raise disk.as_fault(path, error) from error
        disk.on_descriptor(self)

    def __repr__(self) -> str:
        return f"<file {self.path} of {self.size} bytes>"

    @property
    def is_busy(self) -> bool:
        return self._in_pool > 0

    def descriptor(self) -> int:
        """The descriptor, opened anew if it was given back."""
        self._is_closing = False
        if self._descriptor != NO_DESCRIPTOR:
            self._disk.on_used(self)
            return self._descriptor
        disk = self._disk
        try:
            self._descriptor = os.open(disk.full_path(self.path), os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise disk.as_fault(self.path, error) from error
        disk.on_descriptor(self)
        return self._descriptor

    def close(self) -> None:
        """Give the descriptor back: when the pool is through with it, for its number may mean another file then."""
        if self._in_pool:
            self._is_closing = True
        else:
            self.close_now()

    def close_now(self) -> None:
        self._is_closing = False
        descriptor, self._descriptor = self._descriptor, NO_DESCRIPTOR
        if descriptor != NO_DESCRIPTOR:
            os.close(descriptor)
            self._disk.on_closed(self)

    def _on_pool_done(self) -> None:
        self._in_pool -= 1
        if self._is_closing and not self._in_pool:
            self.close_now()

    # -- writing -----------------------------------------------------------------------------------------------------

    def append(self, buffers: Sequence[Buffer]) -> int:
        disk = self._disk
        if disk.fault is not None:
            raise disk.fault
        descriptor, position = self.descriptor(), self.size
        wanted = len(buffers[0]) if len(buffers) == 1 else sum(map(len, buffers))
        try:
            written = os.pwritev(descriptor, buffers, position)
            while written < wanted:  # the disk is nearly full, or a signal came in between
                rest = memoryview(b"".join(buffers))[written:]
                written += os.pwrite(descriptor, rest, position + written)
        except OSError as error:
            self._cut_back(descriptor, position)
            raise disk.as_fault(self.path, error) from error
        self.size = position + wanted
        self.unflushed_bytes += wanted
        if disk.trace is not None:
            disk.note("write", self.path, position=position, content=b"".join(buffers))
        disk.on_written(self, wanted)
        return position

    def _cut_back(self, descriptor: int, size: int) -> None:
        """After a write that failed half-way. A disk that cannot even do this is given up."""
        try:
            os.ftruncate(descriptor, size)
        except OSError as error:
            fault = StorageFault(self.path, f"cannot be cut back to {size} bytes: {error.strerror}")
            self._disk.fail(fault)
            raise fault from error

    def write_at(self, position: int, buffer: Buffer) -> None:
        disk = self._disk
        if disk.fault is not None:
            raise disk.fault
        size = len(buffer)
        try:
            written = os.pwrite(self.descriptor(), buffer, position)
            while written < size:
                written += os.pwrite(self.descriptor(), memoryview(buffer)[written:], position + written)
        except OSError as error:
            raise disk.as_fault(self.path, error) from error
        self.size = max(self.size, position + size)
        self.unflushed_bytes += size
        if disk.trace is not None:
            disk.note("write", self.path, position=position, content=bytes(buffer))
        disk.on_written(self, size)

    def truncate(self, size: int) -> None:
        disk = self._disk
        if disk.fault is not None:
            raise disk.fault
        try:
            os.ftruncate(self.descriptor(), size)
        except OSError as error:
            raise disk.as_fault(self.path, error) from error
        self.size = size
        disk.note("truncate", self.path, position=size)

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, position: int, size: int) -> bytes | Ticket[bytes]:
        """See the port. A file system that cannot tell what is in memory (tmpfs, FUSE) is read at once: who gets a
        ticket asks again when it is done, and must find it in memory then."""
        size = min(size, self.size - position)
        if size <= 0:
            return b""
        disk = self._disk
        descriptor = self.descriptor()
        if disk.post is None:
            return self.read_now(position, size)
        if len(disk.scratch) < size:
            disk.scratch = bytearray(size)
        view = memoryview(disk.scratch)[:size]
        try:
            if os.preadv(descriptor, (view,), position, os.RWF_NOWAIT) == size:
                return bytes(view)
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno == errno.EOPNOTSUPP:
                return self.read_now(position, size)
            raise disk.as_fault(self.path, error) from error
        return self._read_in_pool(descriptor, position, size)

    def send_to(self, socket_descriptor: int, position: int, size: int) -> int:
        """Bytes that went from the page cache to a socket without coming here; 0 if they are not in memory.

        Raises BlockingIOError when the socket takes no more. Whether the pages are there is asked of some of them:
        a page in between that is not costs one wait for the disk.
        """
        size = min(size, self.size - position)
        descriptor, probe = self.descriptor(), self._disk.scratch_byte
        try:
            for place in (*range(position, position + size, PROBE_BYTES), position + size - 1):
                os.preadv(descriptor, probe, place, os.RWF_NOWAIT)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno == errno.EOPNOTSUPP:
                return 0
            raise self._disk.as_fault(self.path, error) from error
        return os.sendfile(socket_descriptor, descriptor, position, size)

    def _read_in_pool(self, descriptor: int, position: int, size: int) -> Ticket[bytes]:
        ticket: Ticket[bytes] = Ticket()
        self._in_pool += 1

        def finish(content: Any, error: MillraceError | None) -> None:
            self._on_pool_done()
            if error is None:
                ticket.complete(content)
            else:
                ticket.fail(error)

        self._disk.submit(self.path, lambda: _read_all(descriptor, position, size), finish)
        return ticket

    def read_now(self, position: int, size: int) -> bytes:
        size = min(size, self.size - position)
        if size <= 0:
            return b""
        try:
            return _read_all(self.descriptor(), position, size)
        except OSError as error:
            raise self._disk.as_fault(self.path, error) from error

    # -- flushing ----------------------------------------------------------------------------------------------------

    def flush(self) -> Ticket[None]:
        ticket: Ticket[None] = Ticket()
        disk = self._disk
        if disk.fault is not None:
            ticket.fail(disk.fault)
            return ticket
        if self._is_flushing:
            if self._flush_waiting is None:
                self._flush_waiting = []
            self._flush_waiting.append(ticket)
            return ticket
        self._start_flush([ticket])
        return ticket

    def flush_early(self) -> None:
        """Begin to flush although nobody waits for it."""
        if not self._is_flushing and self._disk.fault is None and self._disk.post is not None:
            self._start_flush([])

    def _start_flush(self, tickets: list[Ticket[None]]) -> None:
        disk = self._disk
        try:
            descriptor = self.descriptor()
        except StorageFault as fault:
            if isinstance(fault, NotThere):  # removed meanwhile: there is nothing left to flush
                flushed_bytes, self.unflushed_bytes = self.unflushed_bytes, 0
                disk.on_flushed(self, flushed_bytes)
            else:
                disk.fail(fault)
            _settle(tickets, fault)
            return
        self._is_flushing = True
        self._in_pool += 1
        flushed_bytes, self.unflushed_bytes = self.unflushed_bytes, 0
        disk.on_flushed(self, flushed_bytes)
        begun = disk.note("flush_begin", self.path)

        def work() -> None:
            os.fdatasync(descriptor)
            disk.note("flush_end", self.path, begun=begun)

        def finish(_: Any, error: MillraceError | None) -> None:
            self._on_pool_done()
            self._is_flushing = False
            if error is not None:  # also when there is no room: what was written before may be lost
                error = StorageFault(self.path, f"cannot be flushed: {error}")
                disk.fail(error)
            waiting, self._flush_waiting = self._flush_waiting, None
            if waiting and disk.fault is not None:
                _settle(waiting, disk.fault)
            elif waiting:
                self._start_flush(waiting)
            _settle(tickets, error)

        disk.group.sync(self.path, work, lambda: disk.note_done("flush_end", self.path, begun), finish)


def _settle(tickets: list[Ticket[None]], error: MillraceError | None) -> None:
    for ticket in tickets:
        if error is None:
            ticket.complete()
        else:
            ticket.fail(error)


def _read_all(descriptor: int, position: int, size: int) -> bytes:
    """``size`` bytes, which are there; fewer if the file was cut meanwhile."""
    content = os.pread(descriptor, size, position)
    while 0 < len(content) < size:
        more = os.pread(descriptor, size - len(content), position + len(content))
        if not more:
            break
        content += more
    return content
