"""The cleaner's child process: compaction holds the GIL for long, so it runs beside the broker, on names of files.

One child a node, started when it is first needed and ended when it had nothing to do for a while. The two sides speak
frames of a 4-byte length and JSON over the child's standard input and output: a job goes in, each group that was
written comes out at once, then how it ended. The child ends as soon as its input does, so it never outlives its broker,
however that ended. Its memory is bounded by the table of keys, one piece of a file and one batch.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from struct import Struct
from typing import IO, Any, Final

from millrace.base.errors import DiskFull, MillraceError, StorageFault
from millrace.base.ports import Disk
from millrace.broker.compaction import CleanEnd
from millrace.runtime.disk import RealDisk
from millrace.storage.cleaner import CleanedGroup, Cleaning, CleanJob, CleanStats, LastBatch, SealedSegment

log = logging.getLogger("millrace.cleaning")

IDLE_S: Final = 60.0
_LENGTH = Struct(">I")
_FRAME_BYTES_MAX: Final = 256 << 20
_NICENESS: Final = 5

OnGroup = Callable[[CleanedGroup], None]
OnEnd = Callable[[CleanEnd], None]


class CleanerProcess:
    """The broker's side: a thread that owns the child and waits for it, so that the loop does not."""

    def __init__(self, post: Callable[[Callable[[], None]], object], *, idle_s: float = IDLE_S) -> None:
        """``post`` runs a callable on the loop's thread."""
        self._post = post
        self._idle_s = idle_s
        self._jobs: queue.SimpleQueue[tuple[str, CleanJob, OnGroup, OnEnd] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    @property
    def pid(self) -> int | None:
        """The child's process id, for the metrics; None while there is none."""
        child = self._child
        return child.pid if child is not None else None

    def start(self, disk: Disk, job: CleanJob, on_group: OnGroup, on_end: OnEnd) -> None:
        assert isinstance(disk, RealDisk), "another process can only clean what is on a real disk"
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="cleaner", daemon=True)
            self._thread.start()
        self._jobs.put((disk.root, job, on_group, on_end))

    def stop(self) -> None:
        """End the child at once: what it has not finished is worth nothing, a restart removes it."""
        self._is_stopped = True
        child = self._child
        if child is not None:
            child.kill()
        self._jobs.put(None)

    # -- the thread --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._is_stopped:
            try:
                task = self._jobs.get(timeout=self._idle_s if self._child is not None else None)
            except queue.Empty:
                self._end_child()
                continue
            if task is not None and not self._is_stopped:
                self._run(*task)
        self._end_child()

    def _run(self, root: str, job: CleanJob, on_group: OnGroup, on_end: OnEnd) -> None:
        try:
            child = self._child or self._start_child()
            if self._is_stopped:
                return
            assert child.stdin is not None
            assert child.stdout is not None
            _send(child.stdin, {"root": root, "job": asdict(job)})
            while True:
                answer = _receive(child.stdout)
                if answer is None:
                    raise StorageFault(job.folder, "the cleaner's process has ended")
                if "group" in answer:
                    self._tell(on_group, _group_from(answer["group"]))
                    continue
                self._tell(on_end, _end_from(answer))
                return
        except (OSError, StorageFault) as error:
            self._end_child()
            fault = error if isinstance(error, StorageFault) else StorageFault(job.folder, str(error))
            self._tell(on_end, CleanEnd(-1, CleanStats(), fault))

    def _tell(self, callback: Callable[[Any], None], value: object) -> None:
        if not self._is_stopped:
            self._post(lambda: callback(value))

    def _start_child(self) -> subprocess.Popen[bytes]:
        child = self._child = subprocess.Popen(  # the interpreter that runs us, with fixed arguments
            [sys.executable, "-m", "millrace.runtime.cleaning"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal is for the broker
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        log.debug("the cleaner's process has the pid %d", child.pid)
        return child

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        child.kill()
        child.wait()


def _send(stream: IO[bytes], message: dict[str, Any]) -> None:
    body = json.dumps(message, separators=(",", ":")).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def _receive(stream: IO[bytes]) -> dict[str, Any] | None:
    """The next frame; None at the end of the stream."""
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(prefix)
    if size > _FRAME_BYTES_MAX:
        return None
    body = stream.read(size)
    if len(body) < size:
        return None
    message: dict[str, Any] = json.loads(body)
    return message


def _group_from(fields: dict[str, Any]) -> CleanedGroup:
    return CleanedGroup(**{**fields, "old_bases": tuple(fields["old_bases"])})


def _end_from(answer: dict[str, Any]) -> CleanEnd:
    error = None
    if answer["error"] is not None:
        path, reason = answer["error"]
        error = DiskFull(path, reason) if answer["is_full"] else StorageFault(path, reason)
    return CleanEnd(answer["end_offset"], CleanStats(**answer["stats"]), error)


def _job_from(fields: dict[str, Any]) -> CleanJob:
    return CleanJob(
        **{
            **fields,
            "segments": tuple(SealedSegment(**each) for each in fields["segments"]),
            "last_batches": tuple(LastBatch(**each) for each in fields["last_batches"]),
            "transaction_indexes": tuple(fields["transaction_indexes"]),
        }
    )


# -- the child ---------------------------------------------------------------------------------------------------------


def main() -> None:
    """Clean what comes in until the input ends."""
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()
    disks: dict[str, RealDisk] = {}
    while True:
        task = tasks.get()
        root = task["root"]
        if root not in disks:
            disks[root] = RealDisk(root, threads=1)
        _clean(disks[root], _job_from(task["job"]), sys.stdout.buffer)


def _listen(stream: IO[bytes], tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Take jobs in; when the broker is gone, go too, in the middle of whatever is going on."""
    while (task := _receive(stream)) is not None:
        tasks.put(task)
    os._exit(0)


def _clean(disk: RealDisk, job: CleanJob, answers: IO[bytes]) -> None:
    cleaning = Cleaning(disk, job)
    error: tuple[str, str] | None = None
    is_full = False
    try:
        for group in cleaning.groups():
            _send(answers, {"group": asdict(group)})
    except StorageFault as fault:
        error = (fault.path, str(fault).removeprefix(f"{fault.path}: "))
        is_full = isinstance(fault, DiskFull)
    except (MillraceError, MemoryError) as failure:
        error = (job.folder, str(failure) or "there is not enough memory to clean it")
    end = {"end_offset": cleaning.end_offset, "stats": asdict(cleaning.stats), "error": error, "is_full": is_full}
    _send(answers, end)


if __name__ == "__main__":
    main()
