"""Small things that the tests of storage share: batches, logs on either disk."""

from __future__ import annotations

from random import Random

from millrace.base.ports import Disk, Ticket
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk

FOLDER = "orders-0"
NOW_MS = 1_000_000


def batch(count: int = 1, *, timestamp_ms: int = NOW_MS, size: int = 20, **options: int) -> Batch:
    """``options``: ``producer_id``, ``producer_epoch``, ``base_sequence``."""
    records = [NewRecord(None, bytes(size)) for _ in range(count)]
    return Batch(build_batch(records, timestamp_ms=timestamp_ms, **options))


def disk_in_memory(seed: int = 0, **options: float) -> SimulatedDisk:
    return SimulatedDisk(Random(seed), **options)  # type: ignore[arg-type]


def open_log(disk: Disk, *, clean: bool = True, recovery_point: int = 0, **settings: object) -> Log:
    config = PlainLogConfig(**settings)  # type: ignore[arg-type]
    return Log.open(disk, FOLDER, config, now_ms=NOW_MS, clean=clean, recovery_point=recovery_point)


def read(log: Log, offset: int, max_bytes: int = 1 << 20, *, at_least_one: bool = True) -> bytes | None:
    found = log.read(offset, max_bytes, log.end, at_least_one)
    if isinstance(found, Ticket):
        found = log.disk.finish(found)
    if found is None:
        return None
    assert isinstance(found, FileSlice)
    content = found.read_now()
    found.release()
    return content


def offsets_in(content: bytes | None) -> list[int]:
    """Base offsets of the batches in what was read; the last may be cut off."""
    found = []
    position = 0
    while content is not None and position + 61 <= len(content):
        one = Batch(content, position)
        found.append(one.base_offset)
        position += one.size
    return found
