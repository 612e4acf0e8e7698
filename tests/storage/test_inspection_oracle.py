"""What Kafka wrote is found to be sound, and what was mended is opened and read by Kafka."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.runtime.disk import RealDisk
from millrace.storage import mending, names
from millrace.storage.inspection import segment_bases, verify_partition, walk
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from tests.kafka.java_records import read_by_java
from tests.storage.java_log import JavaLog
from tests.storage.test_cleaner_oracle import DELETE_RETENTION_MS, FOLDER, NOW_MS, History, clean_both

pytestmark = pytest.mark.oracle

CONFIG = {
    "cleanup.policy": "compact",
    "segment.bytes": str(1 << 20),
    "index.interval.bytes": "4096",
    "delete.retention.ms": str(DELETE_RETENTION_MS),
}


@pytest.mark.parametrize("codec", range(5))
@pytest.mark.parametrize("is_closed", [True, False])
def test_logs_of_kafka_are_sound(codec: int, is_closed: bool, tmp_path: Path) -> None:
    log = JavaLog(tmp_path / "theirs" / FOLDER, CONFIG)
    history = History(log, random.Random(codec), codec)
    for number in range(200):
        history.step()
        if number % 60 == 59:
            log.roll()
    clean_both(log, tmp_path, 0, NOW_MS, codec)
    for _ in range(20):
        history.step()
    if is_closed:
        log.close()
    else:
        log.flush()  # the active segment's indexes have room in advance
    report = verify_partition(RealDisk(tmp_path / "theirs"), FOLDER)
    assert [f"{problem.path}: {problem.reason}" for problem in report.problems] == []
    assert report.batches > 20
    if not is_closed:
        log.close()


def test_a_skipped_batch_is_no_obstacle_for_kafka(tmp_path: Path) -> None:
    disk = RealDisk(tmp_path)
    log = Log.open(disk, FOLDER, PlainLogConfig(index_interval_bytes=200), now_ms=NOW_MS)
    for number in range(30):
        records = [NewRecord(b"key", b"value %d" % index) for index in range(5)]
        batch = build_batch(records, timestamp_ms=NOW_MS, producer_id=9, producer_epoch=0, base_sequence=number * 5)
        log.append(Batch(batch), 0, NOW_MS)
    log.close(NOW_MS).result()
    (base,) = segment_bases(disk, FOLDER)
    path = tmp_path / FOLDER / (names.stem(base) + names.LOG)
    content = bytearray(path.read_bytes())
    third = list(walk(disk.open(f"{FOLDER}/{path.name}")))[2].position
    content[third + 70] ^= 0xFF
    path.write_bytes(content)
    mending.skip(disk, FOLDER, base, mending.find_broken(disk, FOLDER, base))
    offsets = [record[0] for record in read_by_java(path.read_bytes())]
    assert offsets == [offset for offset in range(150) if not 10 <= offset < 15]
    opened = JavaLog(tmp_path / FOLDER, {})
    assert int(opened.log.logEndOffset()) == 150
    opened.close()
