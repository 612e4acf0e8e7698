"""Logs of ours opened by Kafka's own log, and the other way round; DumpLogSegments on our files; producers checked."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jpype
import pytest

from millrace.base.errors import Refused
from millrace.base.ports import Ticket
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch, iter_records
from millrace.runtime.disk import RealDisk
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig
from tests.kafka.java_records import java_class
from tests.storage.java_log import JavaLog

pytestmark = pytest.mark.oracle

FOLDER = "orders-0"
NOW_MS = int(time.time() * 1000)  # Kafka forgets producers that are older than a day when it opens a log
CONFIG = PlainLogConfig(segment_bytes=20_000, index_interval_bytes=1000)
JAVA_CONFIG = {"segment.bytes": "1048576", "index.interval.bytes": "1000", "message.timestamp.after.max.ms": "10000000"}
LIMIT_BYTES = 1 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[RealDisk]:
    opened = RealDisk(tmp_path)
    yield opened
    opened.close()


class Feed:
    """Random batches: all codecs, some with producers, timestamps that go up and down."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.sequences: dict[int, int] = {}
        self.now_ms = NOW_MS

    def batch(self) -> bytearray:
        rng = self.random
        self.now_ms += rng.randrange(50)
        records = [
            NewRecord(b"k", rng.randbytes(rng.choice([1, 40, 300])), (), self.now_ms - rng.randrange(200))
            for _ in range(rng.randint(1, 6))
        ]
        if rng.random() < 0.5:
            producer_id = rng.randrange(4)
            sequence = self.sequences.get(producer_id, 0)
            self.sequences[producer_id] = sequence + len(records)
            return build_batch(
                records,
                codec=rng.randrange(5),
                producer_id=producer_id,
                producer_epoch=0,
                base_sequence=sequence,
            )
        return build_batch(records, codec=rng.randrange(5))


def fill(log: Log, feed: Feed, count: int) -> None:
    for index in range(count):
        log.append(Batch(feed.batch()), 1 + index // 40, feed.now_ms)


def java_offset_for_time(java: JavaLog, timestamp: int) -> tuple[int, int, int] | None:
    optional = java_class("java.util.Optional")
    found = java.log.fetchOffsetByTimestamp(jpype.JLong(timestamp), optional.empty()).timestampAndOffsetOpt()
    if not found.isPresent():
        return None
    entry = found.get()
    return int(entry.offset), int(entry.timestamp), int(entry.leaderEpoch.orElse(-1))


def java_read(java: JavaLog, offset: int) -> tuple[int, int]:
    """Base and last offset of the first batch that Kafka reads from ``offset`` on."""
    isolation = java_class("org.apache.kafka.server.storage.log.FetchIsolation").LOG_END
    records = java.log.read(jpype.JLong(offset), 100_000, isolation, True).records
    batch = records.batches().iterator().next()
    return int(batch.baseOffset()), int(batch.lastOffset())


def our_read(log: Log, offset: int) -> tuple[int, int]:
    found = log.read(offset, 100_000, log.end, True)
    assert isinstance(found, FileSlice)
    batch = Batch(found.read_now())
    return batch.base_offset, batch.last_offset


def java_epochs(java: JavaLog) -> list[tuple[int, int]]:
    return [(int(entry.epoch()), int(entry.startOffset())) for entry in java.log.leaderEpochCache().epochEntries()]


def java_producers(java: JavaLog) -> dict[int, tuple[int, int]]:
    """Epoch and last sequence of each producer."""
    return {
        int(state.producerId()): (int(state.producerEpoch()), int(state.lastSequence()))
        for state in java.log.activeProducers()
    }


def check_same(log: Log, java: JavaLog, rng: random.Random) -> None:
    assert int(java.log.logEndOffset()) == log.log_end_offset
    assert int(java.log.logStartOffset()) == log.log_start_offset
    assert java_epochs(java) == log.epochs.entries()
    ours = {key: (producer.epoch, producer.last_sequence) for key, producer in log.producers.items()}
    assert java_producers(java) == ours
    for _ in range(60):
        offset = rng.randrange(log.log_start_offset, log.log_end_offset)
        assert java_read(java, offset) == our_read(log, offset)
    for _ in range(60):
        timestamp = NOW_MS + rng.randrange(-300, 50 * 150)
        assert java_offset_for_time(java, timestamp) == log.offset_for_time(timestamp).result()
    latest = log.max_timestamp().result()
    assert java_offset_for_time(java, -3) == latest  # ListOffsets' MAX_TIMESTAMP


@pytest.mark.parametrize("seed", range(3))
def test_kafka_opens_our_log_after_a_clean_end(disk: RealDisk, tmp_path: Path, seed: int) -> None:
    feed = Feed(seed)
    log = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS)
    fill(log, feed, 150)
    log.close(NOW_MS).result()
    java = JavaLog(tmp_path / FOLDER, JAVA_CONFIG, recovery_point=log.checkpointed_offset)
    ours = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS, clean=True)
    check_same(ours, java, random.Random(seed))
    java.append(feed.batch(), leader_epoch=9)
    java.close()
    ours = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS, clean=True)
    assert ours.recovered is None
    assert ours.epochs.latest == 9


@pytest.mark.parametrize("seed", range(3))
def test_kafka_recovers_our_log_after_kill(disk: RealDisk, tmp_path: Path, seed: int) -> None:
    feed = Feed(seed)
    log = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS)
    fill(log, feed, 100)
    log.advance_checkpoint().result()
    fill(log, feed, 7)
    active = tmp_path / FOLDER / Path(log.active.file.path).name
    with active.open("ab") as file:
        file.write(feed.batch()[:-1])  # a write that was cut short
    copy = tmp_path / "copy" / FOLDER
    shutil.copytree(tmp_path / FOLDER, copy)
    java = JavaLog(copy, JAVA_CONFIG, recovery_point=log.checkpointed_offset, is_clean=False)
    ours = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS, recovery_point=log.checkpointed_offset)
    assert ours.recovered is not None
    assert ours.recovered.cut_bytes
    assert ours.log_end_offset == log.log_end_offset
    check_same(ours, java, random.Random(seed))
    java.close()


@pytest.mark.parametrize("is_clean", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_we_open_kafkas_log(disk: RealDisk, tmp_path: Path, seed: int, is_clean: bool) -> None:
    feed = Feed(seed)
    java = JavaLog(tmp_path / FOLDER, JAVA_CONFIG)
    for index in range(150):
        java.append(feed.batch(), leader_epoch=1 + index // 60)
        if index % 45 == 44:
            java.roll()
    if is_clean:
        java.close()
        java = JavaLog(tmp_path / FOLDER, JAVA_CONFIG)
    else:
        java.flush()
    copy = tmp_path / "copy" / FOLDER
    shutil.copytree(tmp_path / FOLDER, copy, ignore=shutil.ignore_patterns("*.tmp"))
    ours = Log.open(RealDisk(tmp_path / "copy"), FOLDER, CONFIG, now_ms=NOW_MS, clean=is_clean)
    assert (ours.recovered is None) == is_clean
    assert len(ours.segments) == 4
    check_same(ours, java, random.Random(seed))
    java.close()


class Printed:
    """What Java prints while this is open."""

    def __enter__(self) -> Printed:
        self._system = java_class("java.lang.System")
        self._before = self._system.out
        self._stream = java_class("java.io.ByteArrayOutputStream")()
        self._system.setOut(java_class("java.io.PrintStream")(self._stream, True))
        return self

    def __exit__(self, *_: Any) -> None:
        self._system.setOut(self._before)

    @property
    def text(self) -> str:
        return str(self._stream.toString())


def dump(paths: list[Path], *options: str) -> str:
    tool = java_class("org.apache.kafka.tools.DumpLogSegments")
    with Printed() as printed:
        tool.main(["--files", ",".join(map(str, paths)), *options])
        return printed.text


@pytest.mark.parametrize("seed", range(2))
def test_dump_log_segments_reads_every_file(disk: RealDisk, tmp_path: Path, seed: int) -> None:
    feed = Feed(seed)
    log = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS)
    fill(log, feed, 200)
    log.close(NOW_MS).result()
    files = sorted((tmp_path / FOLDER).iterdir())
    kinds = {path.suffix for path in files}
    assert {".log", ".index", ".timeindex", ".snapshot"} <= kinds
    for path in files:
        if path.suffix not in {".log", ".index", ".timeindex", ".snapshot"}:
            continue
        text = dump([path], "--deep-iteration")
        assert text.startswith(f"Dumping {path}"), text[:300]
        for complaint in ("mismatch", "out of order", "Found", "non-consecutive", "Exception", "corrupt"):
            assert complaint not in text, text
    for path in files:
        if path.suffix in {".index", ".timeindex"}:
            assert "passed sanity check" in dump([path], "--index-sanity-check")
    segment = log.segments[0]
    printed = dump([tmp_path / segment.file.path], "--deep-iteration")
    assert printed.count("| offset:") == log.segments[1].base_offset


def outcome_of_java(java: JavaLog, batch: bytearray) -> tuple[Any, ...]:
    errors = java_class("org.apache.kafka.common.protocol.Errors")
    try:
        java.append(bytes(batch))
    except jpype.JException as error:
        return ("refused", int(errors.forException(error).code()))
    return ("appended", int(java.log.logEndOffset()))


def outcome_of_ours(log: Log, content: bytearray) -> tuple[Any, ...]:
    batch = Batch(content)
    try:
        duplicate = log.producers.check(batch, NOW_MS)
    except Refused as refused:
        return ("refused", int(refused.code))
    if duplicate is None:
        log.append(batch, 0, NOW_MS)
    return ("appended", log.log_end_offset)


@pytest.mark.parametrize("seed", range(6))
def test_producers_are_let_in_and_refused_as_by_kafka(disk: RealDisk, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    log = Log.open(disk, "ours-0", CONFIG, now_ms=NOW_MS)
    java = JavaLog(tmp_path / "java-0", JAVA_CONFIG)
    next_sequence: dict[int, int] = {}
    epochs: dict[int, int] = {}
    refused = duplicates = 0
    for _ in range(250):
        producer_id = rng.randrange(3)
        base = next_sequence.get(producer_id, rng.choice([0, 0, 5, (1 << 31) - 4]))
        count = rng.randint(1, 3)
        sequence = base
        epoch = epochs.get(producer_id, 0)
        mode = rng.random()
        if mode < 0.12:
            sequence = max(base - rng.randint(1, 20), 0)
        elif mode < 0.2:
            sequence = (base + rng.randint(1, 5)) & 0x7FFFFFFF
        elif mode < 0.28:
            epoch += rng.choice([-1, 1, 1, 2])
            sequence = rng.choice([0, 0, 0, base])
        epoch = max(epoch, 0)
        records = [NewRecord(None, b"v", (), NOW_MS) for _ in range(count)]
        batch = build_batch(records, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
        before = log.log_end_offset
        theirs = outcome_of_java(java, bytearray(batch))
        ours = outcome_of_ours(log, bytearray(batch))
        assert ours == theirs, f"producer {producer_id}, epoch {epoch}, sequence {sequence}, {count} records"
        refused += ours[0] == "refused"
        duplicates += ours == ("appended", before)
        if log.log_end_offset > before:
            next_sequence[producer_id] = (sequence + count) & 0x7FFFFFFF
            epochs[producer_id] = epoch
    assert refused > 10
    java.close()


def test_time_look_ups_are_exact_to_the_record(disk: RealDisk) -> None:
    """The same as Kafka's, and as reading everything."""
    feed = Feed(77)
    log = Log.open(disk, FOLDER, CONFIG, now_ms=NOW_MS)
    fill(log, feed, 120)
    records = []
    offset = 0
    while offset < log.log_end_offset:
        found = log.read(offset, 1 << 20, log.end, True)
        assert not isinstance(found, Ticket)
        assert found is not None
        batch = Batch(found.read_now())
        records += list(iter_records(batch, LIMIT_BYTES))
        offset = batch.next_offset
    for timestamp in range(NOW_MS - 250, NOW_MS + 4000, 37):
        expected = next(((each.offset, each.timestamp) for each in records if each.timestamp >= timestamp), None)
        found_time = log.offset_for_time(timestamp).result()
        assert (found_time[:2] if found_time is not None else None) == expected
