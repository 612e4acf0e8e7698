"""The real disk: one log folder of a file system, behind the Disk port.

On the caller's thread (the event loop's) runs what cannot block for long: reads of what is in the page cache
(``preadv`` with ``RWF_NOWAIT``), writes into it, and new and changed names, which only go to the file system's journal.
The rest, cold reads, flushes, removals and folder syncs, runs in a small pool of threads, all of it in calls that
release the GIL; completions come back through ``post``.
Without ``post`` everything is done before the call returns: for start-up, child processes and tests.

Flushes begin early, so that little is left to do when an acknowledgement waits and the kernel never has to stop a
writer. They are never held back: above ``UNFLUSHED_BYTES_MAX`` writes go through and flushes of the oldest files begin.

Descriptors are an LRU: a file is a logical handle, and ten thousand partitions work with a thousand descriptors. A
write error that the kernel meets after such a handle was closed is reported to the next descriptor that is flushed
(Linux keeps it with the inode while it is in memory).
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from resource import RLIMIT_NOFILE, getrlimit
from typing import Any, TypeVar

from millrace.base.errors import DiskFull, MillraceError, StorageFault
from millrace.base.limits import DESCRIPTORS_MAX, DISK_THREADS, UNFLUSHED_BYTES_MAX, UNFLUSHED_FILE_BYTES_MAX
from millrace.base.ports import Buffer, File, Ticket
from millrace.base.ports import done as done_ticket
from millrace.runtime.disk_file import NotThere, RealFile
from millrace.runtime.disk_sync import GroupSync
from millrace.runtime.disk_trace import DiskTrace

log = logging.getLogger("millrace.disk")

T = TypeVar("T")
Finish = Callable[[Any, MillraceError | None], None]

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
EVICTION_LOOKS = 16  # how many of the oldest descriptors are looked at for one that is not busy


class RealDisk:
    """See the module. ``post`` runs a callable on the loop's thread, as ``loop.call_soon_threadsafe`` does."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        post: Callable[[Callable[[], None]], object] | None = None,
        threads: int = DISK_THREADS,
        descriptors_max: int | None = None,
        trace: DiskTrace | None = None,
    ) -> None:
        self.root = os.path.abspath(root)
        os.makedirs(self.root, exist_ok=True)
        self.post = post
        self.trace = trace
        self.fault: StorageFault | None = None
        self.on_fault: Callable[[StorageFault], None] | None = None
        self.unflushed_bytes = 0
        self.scratch = bytearray(1 << 20)
        self.scratch_byte = (bytearray(1),)
        self._opened: OrderedDict[RealFile, None] = OrderedDict()
        self._dirty: dict[RealFile, None] = {}
        self._descriptors_max = descriptors_max or max(16, min(DESCRIPTORS_MAX, getrlimit(RLIMIT_NOFILE)[0] // 4))
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="disk")
        self._completions: deque[tuple[Finish, Any, MillraceError | None]] = deque()
        self._arrived = threading.Event()
        self._is_closed = False
        self._is_full = False
        self.group = GroupSync(self.root, self.submit)
        self._folder_syncs: dict[str, list[Ticket[None]]] = {}  # tickets that wait for the sync that runs to end
        self._replacing: dict[str, list[tuple[bytes, Ticket[None]]]] = {}

    # -- looking -----------------------------------------------------------------------------------------------------

    def full_path(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def folders(self, folder: str = "") -> list[str]:
        try:
            with os.scandir(self.full_path(folder)) as entries:
                return sorted(entry.name for entry in entries if entry.is_dir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self.as_fault(folder, error) from error

    def list(self, folder: str = "") -> list[str]:
        try:
            return sorted(os.listdir(self.full_path(folder)))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise self.as_fault(folder, error) from error

    def exists(self, path: str) -> bool:
        return os.path.exists(self.full_path(path))

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(self.full_path(path))

    def modified_ms(self, path: str) -> int:
        try:
            return os.stat(self.full_path(path)).st_mtime_ns // 1_000_000
        except OSError as error:
            raise self.as_fault(path, error) from error

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.root).free

    def total_bytes(self) -> int:
        return shutil.disk_usage(self.root).total

    def read_whole(self, path: str) -> bytes:
        try:
            with open(self.full_path(path), "rb", buffering=0) as file:
                return file.readall()
        except OSError as error:
            raise self.as_fault(path, error) from error

    # -- files and names ---------------------------------------------------------------------------------------------

    def open(self, path: str, *, create: bool = False) -> RealFile:
        if create and self.fault is not None:
            raise self.fault
        return RealFile(self, path, create=create)

    def make_folder(self, path: str) -> Ticket[None]:
        """The folder is there when this returns; it is on stable storage after a sync of its parent."""
        self._check()
        try:
            os.mkdir(self.full_path(path))
        except FileExistsError:
            return done_ticket()
        except OSError as error:
            raise self.as_fault(path, error) from error
        self.note("make_folder", path)
        return done_ticket()

    def rename(self, old: str, new: str, files: Sequence[File] = ()) -> Ticket[None]:
        self._check()
        try:
            os.rename(self.full_path(old), self.full_path(new))
        except OSError as error:
            raise self.as_fault(old, error) from error
        self.note("rename", old, new)
        for file in files:
            file.path = new + file.path[len(old) :]
        return done_ticket()

    def remove(self, path: str) -> Ticket[None]:
        full_path = self.full_path(path)

        def work() -> None:
            with contextlib.suppress(FileNotFoundError):
                if os.path.isdir(full_path):
                    shutil.rmtree(full_path)
                else:
                    os.unlink(full_path)
                self.note("remove", path)

        return self._run(path, work)

    def sync_folder(self, path: str = "") -> Ticket[None]:
        if self.fault is not None:
            return failed(self.fault)
        ticket: Ticket[None] = Ticket()
        waiting = self._folder_syncs.get(path)
        if waiting is not None:
            waiting.append(ticket)
            return ticket
        self._start_folder_sync(path, [ticket])
        return ticket

    def _start_folder_sync(self, path: str, tickets: Sequence[Ticket[None]]) -> None:
        self._folder_syncs[path] = []
        begun = self.note("sync_folder_begin", path)

        def work() -> None:
            _sync_path(self.full_path(path))
            self.note("sync_folder_end", path, begun=begun)

        def finish(_: Any, error: MillraceError | None) -> None:
            if isinstance(error, NotThere):
                error = None  # renamed or removed meanwhile: there are no names in it that could be lost
            elif error is not None:
                error = StorageFault(self.full_path(path), f"the folder cannot be synced: {error}")
                self.fail(error)
            waiting = self._folder_syncs.pop(path)
            if waiting:
                self._start_folder_sync(path, waiting)
            settle(tickets, error)

        self.group.sync(path, work, lambda: self.note_done("sync_folder_end", path, begun), finish)

    def replace(self, path: str, content: Buffer) -> Ticket[None]:
        if self.fault is not None:
            return failed(self.fault)
        ticket: Ticket[None] = Ticket()
        waiting = self._replacing.get(path)
        if waiting is not None:
            waiting.append((bytes(content), ticket))
            return ticket
        self._start_replace(path, bytes(content), [ticket])
        return ticket

    def _start_replace(self, path: str, content: bytes, tickets: Sequence[Ticket[None]]) -> None:
        self._replacing[path] = []

        def finish(_: Any, error: MillraceError | None) -> None:
            if isinstance(error, StorageFault) and not isinstance(error, DiskFull | NotThere):
                self.fail(error)
            waiting = self._replacing.pop(path)
            if waiting:
                self._start_replace(path, waiting[-1][0], [each for _, each in waiting])
            settle(tickets, error)

        if self.group.is_crowded:
            self._replace_in_steps(path, content, finish)
        else:
            self.submit(path, lambda: self._replace_now(path, content), finish)

    def _replace_in_steps(self, path: str, content: bytes, finish: Finish) -> None:
        """The same as ``_replace_now``, with its two syncs shared with others."""
        temporary, folder = path + ".tmp", os.path.dirname(path)

        def written(_: Any, error: MillraceError | None) -> None:
            if error is not None:
                finish(None, error)
                return
            begun = self.note("flush_begin", temporary)
            alone = partial(_sync_path, self.full_path(temporary))
            self.group.sync(temporary, alone, lambda: self.note_done("flush_end", temporary, begun), flushed)

        def flushed(_: Any, error: MillraceError | None) -> None:
            if error is None:
                try:
                    self.rename(temporary, path)
                except StorageFault as fault:
                    error = fault
            if error is not None:
                finish(None, error)
                return
            begun = self.note("sync_folder_begin", folder)
            alone = partial(_sync_path, self.full_path(folder))
            self.group.sync(folder, alone, lambda: self.note_done("sync_folder_end", folder, begun), finish)

        self.submit(path, lambda: os.close(self._write_temporary(temporary, content)), written)

    def _replace_now(self, path: str, content: bytes) -> None:
        temporary, folder = path + ".tmp", os.path.dirname(path)
        descriptor = self._write_temporary(temporary, content)
        try:
            begun = self.note("flush_begin", temporary)
            os.fdatasync(descriptor)
            self.note("flush_end", temporary, begun=begun)
        finally:
            os.close(descriptor)
        os.rename(self.full_path(temporary), self.full_path(path))
        self.note("rename", temporary, path)
        begun = self.note("sync_folder_begin", folder)
        _sync_path(self.full_path(folder))
        self.note("sync_folder_end", folder, begun=begun)

    def _write_temporary(self, temporary: str, content: bytes) -> int:
        """A new file with that content, not yet on stable storage; its descriptor."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.full_path(temporary))
        descriptor = os.open(self.full_path(temporary), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self.note("create", temporary)
            position = 0
            while position < len(content):
                position += os.pwrite(descriptor, memoryview(content)[position:], position)
        except OSError:
            os.close(descriptor)
            raise
        self.note("write", temporary, position=0, content=content)
        return descriptor

    # -- the pool ----------------------------------------------------------------------------------------------------

    def submit(self, path: str, work: Callable[[], Any], finish: Finish) -> None:
        """Run ``work`` in the pool, then ``finish(value, error)`` on the loop's thread; neither after ``close``."""
        if self._is_closed:
            return
        if self.post is None:
            finish(*self._attempt(path, work))
            return
        self._pool.submit(self._work, path, work, finish)

    def _run(self, path: str, work: Callable[[], Any], finish: Finish | None = None) -> Ticket[None]:
        """``work`` in the pool as a ticket; nothing is done on a disk that has failed."""
        if self.fault is not None:
            return failed(self.fault)
        ticket: Ticket[None] = Ticket()

        def both(value: Any, error: MillraceError | None) -> None:
            if finish is not None:
                finish(value, error)
            settle((ticket,), error)

        self.submit(path, work, both)
        return ticket

    def _attempt(self, path: str, work: Callable[[], Any]) -> tuple[Any, MillraceError | None]:
        try:
            return work(), None
        except OSError as error:
            return None, self.as_fault(path, error)

    def _work(self, path: str, work: Callable[[], Any], finish: Finish) -> None:
        try:
            self._completions.append((finish, *self._attempt(path, work)))
        except BaseException as bug:
            self._completions.append((_raiser(bug), None, None))  # it ends the process, on the loop's thread
            raise
        finally:
            self._arrived.set()
            post = self.post
            if post is not None:
                with contextlib.suppress(RuntimeError):  # the loop is closed: whoever waits does so in finish()
                    post(self.deliver)

    def deliver(self) -> None:
        """Completions that have come back from the pool; on the loop's thread."""
        completions = self._completions
        while completions and not self._is_closed:
            finish, value, error = completions.popleft()
            finish(value, error)

    def finish(self, ticket: Ticket[T]) -> T:
        while not ticket.done:
            self._arrived.wait()
            self._arrived.clear()
            self.deliver()
        return ticket.result()

    def close(self) -> None:
        """Wait for what the pool still does, and give all descriptors back.

        Nobody is told any more what was done: a node that ends as ``kill -9`` does goes no step further, and this may
        run on another thread than the loop's.
        """
        self._is_closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._completions.clear()
        for file in list(self._opened):
            file.close_now()
        if self.trace is not None:
            self.trace.close()

    # -- what files ask ----------------------------------------------------------------------------------------------

    def _check(self) -> None:
        if self.fault is not None:
            raise self.fault

    def fail(self, fault: StorageFault) -> None:
        """A flush failed: the folder is offline for good."""
        if self.fault is None:
            self.fault = fault
            log.error("%s is offline until the next start: %s", self.root, fault)
            if self.on_fault is not None:
                self.on_fault(fault)

    def as_fault(self, path: str, error: OSError) -> StorageFault:
        kind = StorageFault
        if error.errno in _NO_ROOM:
            kind = DiskFull
            if not self._is_full:
                self._is_full = True
                log.warning("%s is full: what has no room is refused until there is some", self.root)
        elif error.errno == errno.ENOENT:
            kind = NotThere
        elif error.errno == errno.EIO:
            log.error("%s fails: %s: %s", self.root, path, error.strerror)
        return kind(self.full_path(path), error.strerror or str(error))

    def note(self, kind: str, path: str, to: str = "", **more: Any) -> int:
        """One event for the trace; its number."""
        return self.trace.note(kind, path, to, **more) if self.trace is not None else 0

    def note_done(self, kind: str, path: str, begun: int) -> None:
        """The end of what a group did for many."""
        self.note(kind, path, begun=begun)

    def on_descriptor(self, file: RealFile) -> None:
        """``file`` has opened a descriptor: close the one that was not used for longest if there are too many."""
        opened = self._opened
        opened[file] = None
        surplus = len(opened) - self._descriptors_max
        if surplus > 0:
            for oldest in list(islice(opened, EVICTION_LOOKS)):
                if surplus > 0 and not oldest.is_busy and oldest is not file:
                    oldest.close()
                    surplus -= 1

    def on_used(self, file: RealFile) -> None:
        self._opened.move_to_end(file)

    def on_closed(self, file: RealFile) -> None:
        self._opened.pop(file, None)

    def on_written(self, file: RealFile, size: int) -> None:
        """Count what is not flushed, and begin to flush early."""
        if self._is_full:
            self._is_full = False
            log.info("%s has room again", self.root)
        self.unflushed_bytes += size
        self._dirty[file] = None
        if file.unflushed_bytes >= UNFLUSHED_FILE_BYTES_MAX:
            file.flush_early()
        elif self.unflushed_bytes >= UNFLUSHED_BYTES_MAX:
            next(iter(self._dirty)).flush_early()

    def on_flushed(self, file: RealFile, size: int) -> None:
        self.unflushed_bytes -= size
        if self._dirty.pop(file, 0) is None and file.unflushed_bytes:
            self._dirty[file] = None


def _raiser(bug: BaseException) -> Finish:
    def finish(_: Any, __: MillraceError | None) -> None:
        raise bug

    return finish


def _sync_path(path: str) -> None:
    """A file's or a folder's own sync."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def settle(tickets: Sequence[Ticket[None]], error: MillraceError | None) -> None:
    for ticket in tickets:
        if error is None:
            ticket.complete()
        else:
            ticket.fail(error)


def failed(error: MillraceError) -> Ticket[Any]:
    ticket: Ticket[Any] = Ticket()
    ticket.fail(error)
    return ticket
