"""Kafka's cleaner and ours clean the same logs to the same bytes."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch, end_transaction_marker, iter_records
from millrace.runtime.disk import RealDisk
from millrace.storage import names
from millrace.storage.cleaner import Cleaning, CleanJob, LastBatch, SealedSegment
from tests.storage.java_log import JavaLog

pytestmark = pytest.mark.oracle

FOLDER = "orders-0"
NOW_MS = 1_700_000_000_000
DELETE_RETENTION_MS = 5000
SEGMENT_BYTES = 1 << 20
LIMIT_BYTES = 1 << 24


class History:
    """Random appends by plain, idempotent and transactional producers, some of whom abort."""

    def __init__(self, log: JavaLog, chance: random.Random, codec: int) -> None:
        self.log, self.chance, self.codec = log, chance, codec
        self.sequences: dict[int, int] = {}
        self.open: set[int] = set()

    def records(self) -> list[NewRecord]:
        chance = self.chance
        return [
            NewRecord(
                b"key-%d" % chance.randrange(30),
                None if chance.random() < 0.2 else chance.randbytes(chance.choice((3, 40, 900))),
                [("h", b"x")] if chance.random() < 0.1 else (),
                NOW_MS + chance.randrange(1000),
            )
            for _ in range(chance.randrange(1, 8))
        ]

    def step(self) -> None:
        chance = self.chance
        kind = chance.random()
        if kind < 0.4:
            self.log.append(build_batch(self.records(), codec=self.codec))
        elif kind < 0.55:
            self.produce(chance.choice((100, 101)), transactional=False)
        elif kind < 0.8:
            producer = chance.choice((200, 201, 202))
            self.open.add(producer)
            self.produce(producer, transactional=True)
        elif kind < 0.95 and self.open:
            self.end(chance.choice(sorted(self.open)))
        elif kind >= 0.95:
            self.log.roll()

    def produce(self, producer: int, *, transactional: bool) -> None:
        records = self.records()
        sequence = self.sequences.get(producer, 0)
        self.sequences[producer] = sequence + len(records)
        self.log.append(
            build_batch(
                records, codec=self.codec, producer_id=producer, producer_epoch=3, base_sequence=sequence,
                transactional=transactional,
            )
        )  # fmt: skip

    def end(self, producer: int) -> None:
        self.open.discard(producer)
        marker = end_transaction_marker(commit=self.chance.random() < 0.5, coordinator_epoch=1)
        self.log.append(
            build_batch(
                [marker], timestamp_ms=NOW_MS, producer_id=producer, producer_epoch=3, transactional=True, control=True
            ),
            marker=True,
        )


def job_for(folder: Path, log: JavaLog, first_dirty_offset: int, now_ms: int) -> CleanJob:
    bases = log.segment_bases()
    end_offset = bases[-1]
    return CleanJob(
        folder=FOLDER,
        segments=tuple(
            SealedSegment(base, (folder / (names.stem(base) + names.LOG)).stat().st_size) for base in bases[:-1]
        ),
        first_dirty_offset=first_dirty_offset,
        end_offset=end_offset,
        now_ms=now_ms,
        delete_retention_ms=DELETE_RETENTION_MS,
        segment_bytes=SEGMENT_BYTES,
        segment_index_bytes=10 << 20,
        index_interval_bytes=4096,
        table_bytes_max=1 << 16,
        read_bytes=500,
        transaction_indexes=tuple(
            base for base in bases if (folder / (names.stem(base) + names.TRANSACTION_INDEX)).exists()
        ),
        last_batches=tuple(LastBatch(*each) for each in log.last_batches()),
    )


def cleaned_by_us(folder: Path, cleaning: Cleaning) -> dict[str, bytes]:
    """The contents of the new files, under the names they will have."""
    found = {}
    for group in cleaning.groups():
        for ending in names.SEGMENT_FILES:
            path = folder / (names.stem(group.new_base) + ending + names.CLEANED)
            if path.exists():
                found[names.stem(group.new_base) + ending] = path.read_bytes()
    return found


def check_alike(ours: dict[str, bytes], theirs: Path, codec: int) -> None:
    for name, content in ours.items():
        if name.endswith(names.LOG) and codec:
            # Compressors differ in the bytes they make; all else must be the same.
            both = [list(batches_in(each)) for each in (content, (theirs / name).read_bytes())]
            for one, other in zip(*both, strict=True):
                for field in Batch.__slots__:
                    if field not in ("buffer", "crc", "length"):
                        assert getattr(one, field) == getattr(other, field), field
                assert list(iter_records(one, LIMIT_BYTES)) == list(iter_records(other, LIMIT_BYTES))
        elif not codec or name.endswith(names.TRANSACTION_INDEX):
            assert content == (theirs / name).read_bytes(), name


@pytest.fixture
def log(tmp_path: Path) -> Iterator[JavaLog]:
    opened = JavaLog(
        tmp_path / "theirs" / FOLDER,
        {
            "cleanup.policy": "compact",
            "segment.bytes": str(SEGMENT_BYTES),
            "delete.retention.ms": str(DELETE_RETENTION_MS),
        },
    )
    yield opened
    opened.close()


def clean_both(
    log: JavaLog, tmp_path: Path, checkpoint: int, now_ms: int, codec: int = 0
) -> tuple[int, dict[str, bytes]]:
    """Kafka cleans its log, we a copy of it: the new checkpoint and our files."""
    log.flush()
    shutil.rmtree(tmp_path / "ours", ignore_errors=True)
    shutil.copytree(log.folder, tmp_path / "ours" / FOLDER)
    job = job_for(log.folder, log, checkpoint, now_ms)
    cleaning = Cleaning(RealDisk(tmp_path / "ours"), job)
    ours = cleaned_by_us(tmp_path / "ours" / FOLDER, cleaning)
    checkpoint = log.clean(checkpoint, job.end_offset, now_ms)
    assert cleaning.end_offset == checkpoint
    check_alike(ours, log.folder, codec)
    return checkpoint, ours


@pytest.mark.parametrize("seed", range(30))
def test_kafka_cleans_to_the_same_bytes(seed: int, log: JavaLog, tmp_path: Path) -> None:
    chance = random.Random(seed)
    codec = chance.choice((0, 0, 0, 1, 2, 3, 4))
    history = History(log, chance, codec)
    checkpoint, now_ms = 0, NOW_MS
    for _ in range(6):
        if chance.random() < 0.3:
            checkpoint = 0  # clean all of it once more, perhaps with nothing new in it
        for _ in range(chance.choice((0, 1, 20, 60))):
            history.step()
        for producer in sorted(history.open):
            history.end(producer)
        log.roll()
        now_ms += chance.randrange(2 * DELETE_RETENTION_MS)
        if len(log.segment_bases()) > 1:
            checkpoint, ours = clean_both(log, tmp_path, checkpoint, now_ms, codec)
            if ours:
                assert set(log.segment_bases()[:-1]) == {names.offset_of(name) for name in ours}


def test_the_last_batch_of_a_round_keeps_its_header(log: JavaLog, tmp_path: Path) -> None:
    log.append(build_batch([NewRecord(b"key", b"value")], timestamp_ms=NOW_MS))
    log.append(build_batch([NewRecord(b"key", None)], timestamp_ms=NOW_MS))
    log.roll()
    _, ours = clean_both(log, tmp_path, 0, NOW_MS)
    (content,) = [content for name, content in ours.items() if name.endswith(names.LOG)]
    assert [(batch.base_offset, batch.record_count) for batch in batches_in(content)] == [(1, 1)]
    _, ours = clean_both(log, tmp_path, 0, NOW_MS + DELETE_RETENTION_MS)
    (content,) = [content for name, content in ours.items() if name.endswith(names.LOG)]
    assert [(batch.base_offset, batch.record_count) for batch in batches_in(content)] == [(1, 0)]
