"""Rows of throughput: produce and consume at full speed, and what that costs the broker."""

from __future__ import annotations

from bench import load
from bench.lab import Lab
from bench.model import Measure, Values, row

KILOBYTE = 1024
LARGE_BATCHES = {"acks": 1, "batch_size": 131072, "linger_ms": 5}


def as_values(result: load.Load) -> Values:
    return {"MB/s": result.mb_s, "CPU s/GB": result.cpu_s_per_gb}


@row(
    "produce_1kb",
    "produce, 1 KB, acks=1, 128 KB batches, linger 5 ms",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.6),
    Measure("CPU s/GB", "s", ratio=0.3),
)
def produce_1kb(lab: Lab) -> Values:
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    result = load.produce_java(lab.broker, topic, lab.count(1_500_000, 200_000), KILOBYTE, **LARGE_BATCHES)
    load.delete_topic(lab.broker, topic)
    return as_values(result)


@row(
    "produce_1kb_librdkafka",
    "the same with librdkafka",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.6),
    Measure("CPU s/GB", "s", ratio=0.3),
)
def produce_1kb_librdkafka(lab: Lab) -> Values:
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    result = load.produce_librdkafka(lab.broker, topic, lab.count(1_000_000, 200_000), KILOBYTE, **LARGE_BATCHES)
    load.delete_topic(lab.broker, topic)
    return as_values(result)


@row(
    "produce_100b",
    "produce, 100 B, acks=1, client defaults",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.4),
)
def produce_100b(lab: Lab) -> Values:
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    result = load.produce_java(lab.broker, topic, lab.count(4_000_000, 500_000), 100, acks=1)
    load.delete_topic(lab.broker, topic)
    return {"MB/s": result.mb_s}


@row(
    "consume_1kb",
    "consume, one partition, 1 KB",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.2),
    Measure("CPU s/GB", "s", ratio=0.3),
)
def consume_1kb(lab: Lab) -> Values:
    topic, record_count = lab.topic(), lab.count(1_500_000, 200_000)
    load.create_topic(lab.broker, topic)
    load.produce_java(lab.broker, topic, record_count, KILOBYTE, **LARGE_BATCHES)
    result = load.consume_java(lab.broker, topic, record_count, KILOBYTE)
    load.delete_topic(lab.broker, topic)
    return as_values(result)


@row(
    "consume_1kb_librdkafka",
    "the same with librdkafka",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.2),
    Measure("CPU s/GB", "s", ratio=0.3),
)
def consume_1kb_librdkafka(lab: Lab) -> Values:
    topic, record_count = lab.topic(), lab.count(1_500_000, 200_000)
    load.create_topic(lab.broker, topic)
    load.produce_java(lab.broker, topic, record_count, KILOBYTE, **LARGE_BATCHES)
    result = load.consume_librdkafka(lab.broker, topic, record_count, KILOBYTE)
    load.delete_topic(lab.broker, topic)
    return as_values(result)


def produce_flushed(lab: Lab, partitions: int, *, kafka_syncs: bool) -> Values:
    """acks=all: ours always syncs before it acknowledges; Kafka only where ``flush.messages`` tells it to."""
    topic = lab.topic()
    config = {"flush.messages": "1"} if kafka_syncs and not lab.is_ours else None
    load.create_topic(lab.broker, topic, partitions, config)
    # the producer is idempotent by default, so its answers cover duplicates and order too
    result = load.produce_java(
        lab.broker, topic, lab.count(1_000_000, 150_000), KILOBYTE, acks="all", batch_size=131072, linger_ms=5
    )
    load.delete_topic(lab.broker, topic)
    return {"MB/s": result.mb_s}


@row(
    "acks_all_1",
    "acks=all on 1 partition, Kafka syncs each append",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=2.0),
)
def acks_all_1(lab: Lab) -> Values:
    return produce_flushed(lab, 1, kafka_syncs=True)


@row(
    "acks_all_10",
    "acks=all on 10 partitions, Kafka syncs each append",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=2.0),
)
def acks_all_10(lab: Lab) -> Values:
    return produce_flushed(lab, 10, kafka_syncs=True)


@row(
    "acks_all_100",
    "acks=all on 100 partitions, Kafka syncs each append",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=2.0),
)
def acks_all_100(lab: Lab) -> Values:
    return produce_flushed(lab, 100, kafka_syncs=True)


@row(
    "acks_all_unsynced",
    "acks=all on 1 partition, ours syncs and Kafka does not",
    Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.1),
)
def acks_all_unsynced(lab: Lab) -> Values:
    return produce_flushed(lab, 1, kafka_syncs=False)
