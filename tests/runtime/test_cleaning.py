"""The cleaner's child process: it cleans what it is told, survives bad logs, and dies with its broker."""

from __future__ import annotations

import os
import queue
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from millrace.base.errors import StorageFault
from millrace.broker.compaction import CleanEnd
from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch, iter_records
from millrace.runtime.cleaning import CleanerProcess
from millrace.runtime.disk import RealDisk
from millrace.storage.cleaner import CleanedGroup, CleanJob
from millrace.storage.cleaner_choice import Candidate, cleanable, job_for
from millrace.storage.log import Log
from tests.storage.test_cleaner import Config

FOLDER = "orders-0"
NOW_MS = 1_700_000_000_000
WAIT_S = 30


class Loop:
    """The loop's side of the port, for one cleaning at a time: callbacks are called by who waits for them."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.cleaner = CleanerProcess(self._calls.put)
        self.groups: list[CleanedGroup] = []
        self.ends: list[CleanEnd] = []

    def clean(self, log: Log, job: CleanJob) -> CleanEnd:
        self.start(log, job)
        return self.wait()

    def start(self, log: Log, job: CleanJob) -> None:
        self.groups, self.ends = [], []
        self.cleaner.start(log.disk, job, self.groups.append, self.ends.append)

    def wait(self) -> CleanEnd:
        while not self.ends:
            self.turn()
        return self.ends[0]

    def turn(self) -> None:
        call = self._calls.get(timeout=WAIT_S)
        assert callable(call)
        call()


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.cleaner.stop()


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    disk = RealDisk(tmp_path)
    opened = Log.open(disk, FOLDER, Config(segment_bytes=100_000), now_ms=NOW_MS)
    yield opened
    opened.close(NOW_MS, clean=False)
    disk.close()


def fill(log: Log, batches: int, keys: int) -> CleanJob:
    chance = random.Random(1)
    for _ in range(batches):
        records = [NewRecord(b"key-%d" % chance.randrange(keys), chance.randbytes(50)) for _ in range(20)]
        log.append(Batch(build_batch(records, timestamp_ms=NOW_MS)), 0, NOW_MS)
    log.roll(NOW_MS)
    log.advance_checkpoint()
    return job_of(log)


def job_of(log: Log) -> CleanJob:
    found = cleanable(Candidate(log, Config(segment_bytes=100_000), None, log.log_end_offset), NOW_MS)
    assert found is not None
    return job_for(found, NOW_MS, table_bytes_max=1 << 20)


def keys_of(log: Log) -> list[bytes | None]:
    return [
        record.key
        for segment in log.segments
        for batch in batches_in(segment.file.read_now(0, segment.size))
        for record in iter_records(batch, 1 << 20)
    ]


def test_a_log_is_cleaned_by_the_child(loop: Loop, log: Log) -> None:
    end = loop.clean(log, fill(log, 300, keys=40))
    assert end.error is None
    assert end.end_offset == log.log_end_offset
    assert len(loop.groups) > 1
    for group in loop.groups:
        log.swap_cleaned(list(group.old_bases), group.new_base).result()
    keys = keys_of(log)
    assert len(keys) == len(set(keys)) == 40
    child = loop.cleaner.pid
    assert loop.clean(log, job_of(log)).error is None
    assert loop.cleaner.pid == child


def test_a_bad_log_is_named_and_the_child_goes_on(loop: Loop, log: Log, tmp_path: Path) -> None:
    job = fill(log, 20, keys=5)
    path = tmp_path / FOLDER / "00000000000000000000.log"
    sound = path.read_bytes()
    path.write_bytes(sound[:100] + b"\xff" + sound[101:])
    end = loop.clean(log, job)
    assert isinstance(end.error, StorageFault)
    assert "checksum" in str(end.error)
    child = loop.cleaner.pid
    path.write_bytes(sound)
    assert loop.clean(log, job).error is None
    assert loop.cleaner.pid == child


def test_a_child_that_dies_is_told_and_replaced(loop: Loop, log: Log) -> None:
    job = fill(log, 300, keys=4000)
    loop.start(log, job)
    loop.turn()  # the first group was written
    child = loop.cleaner.pid
    assert child is not None
    os.kill(child, signal.SIGKILL)
    end = loop.wait()
    assert end.error is None or "has ended" in str(end.error)  # it may have been through just before
    assert loop.clean(log, job).error is None
    assert loop.cleaner.pid != child


def test_the_child_ends_when_its_input_does(loop: Loop, log: Log) -> None:
    assert loop.clean(log, fill(log, 5, keys=5)).error is None
    child = loop.cleaner._child
    assert child is not None
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(WAIT_S) == 0
