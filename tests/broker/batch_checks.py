"""What Apache Kafka 4.3.1 answers to record batches that break a rule: one table, checked on it and on ours.

Each case is bytes and the code that a Produce of them is answered with. ``OURS`` has the cases where we differ on
purpose, with the reason: batches are opaque here (design D2), so what only a look at the records could tell is not seen
unless ``millrace.validate.records`` asks for it.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from millrace.base.checksum import crc32c
from millrace.kafka import codes, compression, messages
from millrace.kafka.record import NewRecord, build_batch
from tests.broker.admin_checks import create, new_topic

VERSION = 9
Change = Callable[[bytearray], "bytes | bytearray | None"]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def good(count: int = 3, **more: Any) -> bytearray:
    more.setdefault("timestamp_ms", now_ms())
    return build_batch([NewRecord(b"key-%d" % index, b"value" * 10) for index in range(count)], **more)


def sealed(batch: bytearray) -> bytearray:
    """With the checksum that belongs to its bytes."""
    batch[17:21] = struct.pack(">I", crc32c(memoryview(batch)[21:]))
    return batch


def put(form: str, position: int, value: int, *, seal: bool = True) -> Change:
    """Overwrite one field of the header."""

    def change(batch: bytearray) -> bytearray:
        struct.pack_into(form, batch, position, value)
        return sealed(batch) if seal else batch

    return change


def attributes(value: int) -> Change:
    return put(">h", 21, value)


def counts(last_offset_delta: int, record_count: int) -> Change:
    def change(batch: bytearray) -> bytearray:
        struct.pack_into(">i", batch, 23, last_offset_delta)
        struct.pack_into(">i", batch, 57, record_count)
        return sealed(batch)

    return change


def producer(producer_id: int, epoch: int, sequence: int, **more: int) -> Change:
    return lambda _: good(producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, **more)


def garbage(batch: bytearray) -> bytearray:
    """The records' bytes are no records; header and checksum are right."""
    batch[61:] = b"\xff" * (len(batch) - 61)
    return sealed(batch)


def garbage_compressed(codec: int) -> Change:
    def change(_: bytearray) -> bytearray:
        batch = good(codec=codec)
        batch[61:] = b"\xff" * (len(batch) - 61)
        return sealed(batch)

    return change


def stamped(offset_ms: int) -> Change:
    return lambda _: good(timestamp_ms=now_ms() + offset_ms)


@dataclass(frozen=True, slots=True)
class Case:
    """A batch made from a good one of three records, and how it is sent."""

    change: Change
    code: int = 0
    configs: dict[str, str | None] = field(default_factory=dict)  # of the topic
    acks: int = -1
    version: int = VERSION


HOUR_MS = 3_600_000
CASES: dict[str, Case] = {
    "good": Case(lambda batch: batch),
    "no records at all": Case(lambda batch: None),
    "no bytes": Case(lambda batch: b"", codes.INVALID_RECORD),
    "less than a header": Case(lambda batch: batch[:40], codes.INVALID_RECORD),
    "length of the whole": Case(lambda batch: batch[:-1], codes.INVALID_RECORD),
    "length too large": Case(put(">i", 8, 10_000, seal=False), codes.INVALID_RECORD),
    "length smaller than a header": Case(put(">i", 8, 20, seal=False), codes.CORRUPT_MESSAGE),
    "length too small by one": Case(
        lambda batch: put(">i", 8, len(batch) - 13, seal=False)(batch), codes.CORRUPT_MESSAGE
    ),
    "length negative": Case(put(">i", 8, -1, seal=False), codes.CORRUPT_MESSAGE),
    "one byte more": Case(lambda batch: batch + b"\0"),
    "two batches": Case(lambda batch: batch + good(), codes.INVALID_RECORD),
    "magic 0": Case(put(">b", 16, 0), codes.INVALID_RECORD),
    "magic 1": Case(put(">b", 16, 1), codes.INVALID_RECORD),
    "magic 3": Case(put(">b", 16, 3), codes.CORRUPT_MESSAGE),
    "magic negative": Case(put(">b", 16, -1), codes.CORRUPT_MESSAGE),
    "wrong checksum": Case(put(">I", 17, 12345, seal=False), codes.CORRUPT_MESSAGE),
    "a bit of a value turned": Case(put(">b", 70, 77, seal=False), codes.CORRUPT_MESSAGE),
    "codec 5": Case(attributes(5), codes.UNKNOWN_SERVER_ERROR),
    "codec 7": Case(attributes(7), codes.UNKNOWN_SERVER_ERROR),
    "zstd before version 7": Case(
        lambda _: good(codec=compression.ZSTD), codes.UNSUPPORTED_COMPRESSION_TYPE, version=6
    ),
    "control": Case(attributes(0x20), codes.INVALID_RECORD),
    "transactional without an id": Case(
        producer(7, 0, 0, transactional=True), codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    ),
    "log append time set by the client": Case(attributes(8)),
    "delete horizon": Case(attributes(0x40)),
    "unknown attributes": Case(attributes(0x4000)),
    "count zero": Case(counts(-1, 0), codes.INVALID_RECORD),
    "count zero, delta of three": Case(counts(2, 0), codes.INVALID_RECORD),
    "count negative": Case(counts(2, -1), codes.INVALID_RECORD),
    "count below the delta": Case(counts(2, 2), codes.INVALID_RECORD),
    "count above the delta": Case(counts(2, 4), codes.INVALID_RECORD),
    "delta negative": Case(counts(-5, 3), codes.INVALID_RECORD),
    "base offset not zero": Case(put(">q", 0, 5, seal=False), codes.INVALID_RECORD),
    "base offset negative": Case(put(">q", 0, -5, seal=False), codes.INVALID_RECORD),
    "leader epoch": Case(put(">i", 12, 77, seal=False)),
    "producer without a sequence": Case(producer(7, 0, -1), codes.INVALID_RECORD),
    "producer without an epoch": Case(producer(7, -1, 0)),
    "sequence negative": Case(producer(7, 0, -2), codes.INVALID_RECORD),
    "sequence without a producer": Case(producer(-1, 0, 5)),
    "producer id negative": Case(producer(-2, 0, 0)),
    "a new producer in mid-sequence": Case(producer(7, 0, 100)),
    "two hours ahead": Case(stamped(2 * HOUR_MS), codes.INVALID_TIMESTAMP),
    "a year old": Case(stamped(-8760 * HOUR_MS)),
    "a year old where a day is allowed": Case(
        stamped(-8760 * HOUR_MS),
        codes.INVALID_TIMESTAMP,
        configs={"message.timestamp.before.max.ms": str(24 * HOUR_MS)},
    ),
    "two hours ahead where the log stamps": Case(
        stamped(2 * HOUR_MS), configs={"message.timestamp.type": "LogAppendTime"}
    ),
    "no timestamp": Case(lambda _: good(timestamp_ms=-1)),
    "timestamp negative": Case(lambda _: good(timestamp_ms=-5)),
    "larger than max.message.bytes": Case(
        lambda _: good(100), codes.MESSAGE_TOO_LARGE, configs={"max.message.bytes": "1000"}
    ),
    "no key where keys are needed": Case(
        lambda _: build_batch([NewRecord(None, b"value")], timestamp_ms=now_ms()),
        codes.INVALID_RECORD,
        configs={"cleanup.policy": "compact"},
    ),
    "acks 2": Case(lambda batch: batch, codes.INVALID_REQUIRED_ACKS, acks=2),
    "records are garbage": Case(garbage, codes.UNKNOWN_SERVER_ERROR),
    "gzip garbage": Case(garbage_compressed(compression.GZIP), codes.UNKNOWN_SERVER_ERROR),
    "snappy garbage": Case(garbage_compressed(compression.SNAPPY), codes.UNKNOWN_SERVER_ERROR),
    "lz4 garbage": Case(garbage_compressed(compression.LZ4), codes.UNKNOWN_SERVER_ERROR),
    "zstd garbage": Case(garbage_compressed(compression.ZSTD), codes.UNKNOWN_SERVER_ERROR),
    "compressed, count above what is there": Case(
        lambda _: counts(3, 4)(good(codec=compression.LZ4)), codes.INVALID_RECORD
    ),
}

NO_ANSWER = frozenset({"no records at all"})  # Kafka meets an exception of its own and answers nothing, ever
OPAQUE = "a batch is opaque: its records are not looked at unless millrace.validate.records says so"
OURS: dict[str, tuple[int, str]] = {
    "no records at all": (codes.INVALID_RECORD, "an answer is better than none"),
    "one byte more": (codes.INVALID_RECORD, "Kafka cuts the rest off; no client sends one"),
    "codec 5": (codes.UNSUPPORTED_COMPRESSION_TYPE, "Kafka meets an exception of its own"),
    "codec 7": (codes.UNSUPPORTED_COMPRESSION_TYPE, "Kafka meets an exception of its own"),
    "producer without an epoch": (codes.INVALID_RECORD, "an id is never given without an epoch"),
    "records are garbage": (0, OPAQUE),
    "gzip garbage": (0, OPAQUE),
    "snappy garbage": (0, OPAQUE),
    "lz4 garbage": (0, OPAQUE),
    "zstd garbage": (0, OPAQUE),
    "compressed, count above what is there": (0, OPAQUE),
}


def produce(ask: Any, topic: str, case: Case) -> int:
    records = case.change(good())
    request = messages.ProduceRequest
    partition = request.PartitionProduceData(index=0, records=None if records is None else bytes(records))
    answer = ask(
        request(
            acks=case.acks,
            timeout_ms=10_000,
            topic_data=[request.TopicProduceData(name=topic, partition_data=[partition])],
        ),
        case.version,
    )
    code: int = answer.responses[0].partition_responses[0].error_code
    return code


def create_topics(ask: Any) -> None:
    create(ask, *(new_topic(topic_of(name), configs=case.configs) for name, case in CASES.items()))


def topic_of(name: str) -> str:
    return "bad-" + "".join(letter if letter.isalnum() else "-" for letter in name)
