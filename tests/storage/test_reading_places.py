"""Places that sequential readers left behind must not mislead: found by the simulator (seeds 1, 2 and 4)."""

from __future__ import annotations

import random

from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk


def batch(value: bytes) -> Batch:
    return Batch(build_batch([NewRecord(b"k", value)], timestamp_ms=1))


def test_a_reader_that_was_at_the_end_finds_what_begins_a_new_segment() -> None:
    disk = SimulatedDisk(random.Random(1))
    size = len(batch(b"v" * 100).buffer)
    log = Log.open(disk, "orders-0", PlainLogConfig(segment_bytes=2 * size), now_ms=1)
    for _ in range(2):
        log.append(batch(b"v" * 100), 0, 1)
    found = log.read(0, 1 << 20, log.end, True)  # leaves the place where offset 2 will be: the end of this segment
    assert isinstance(found, FileSlice)
    assert log.read(2, 1 << 20, log.end, True) is None
    log.append(batch(b"w" * 100), 0, 1)
    assert len(log.segments) == 2
    found = log.read(2, 1 << 20, log.end, True)
    assert isinstance(found, FileSlice)
    assert Batch(found.read_now()).base_offset == 2
