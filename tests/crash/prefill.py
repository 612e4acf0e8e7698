"""Fills a partition of a stopped broker as fast as the disk takes it: large batches first, one-record batches last.

It writes through the product's own log, so that indexes, snapshots and checkpoints are what a broker would have left.
"""

from __future__ import annotations

import time
from pathlib import Path

from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.runtime.disk import RealDisk
from millrace.storage.folder import LogFolder
from millrace.storage.settings import PlainLogConfig

LARGE_RECORD_BYTES = 8_000
LARGE_BATCH_RECORDS = 128
SINGLE_VALUE_BYTES = 100


def fill(log_dir: Path, topic: str, *, large_bytes: int, single_bytes: int, segment_bytes: int) -> int:
    """``large_bytes`` of closed segments, then an active segment of ``single_bytes``; the offset of the log's end."""
    now_ms = time.time_ns() // 1_000_000
    folder = LogFolder(RealDisk(log_dir))
    logs = folder.load(lambda name, index, topic_id: PlainLogConfig(segment_bytes=segment_bytes), now_ms)
    log = logs[topic, 0]
    large = _batch(LARGE_BATCH_RECORDS, LARGE_RECORD_BYTES, now_ms)
    for _ in range(large_bytes // large.size):
        log.append(large, 1, now_ms)
    log.roll(now_ms)
    single = _batch(1, SINGLE_VALUE_BYTES, now_ms)
    for _ in range(single_bytes // single.size):
        log.append(single, 1, now_ms)
    end_offset = log.log_end_offset
    folder.disk.finish(folder.close(now_ms))
    return end_offset


def _batch(record_count: int, value_bytes: int, now_ms: int) -> Batch:
    records = [NewRecord(None, b"%d " % index + b"." * value_bytes) for index in range(record_count)]
    return Batch(memoryview(build_batch(records, timestamp_ms=now_ms)))
