"""Rows of latency: one record at a time, and from producer to consumer."""

from __future__ import annotations

import time

import confluent_kafka

from bench import load
from bench.lab import Lab
from bench.model import Measure, Values, row

RECORD = b"x" * 100
ONE_AT_A_TIME = {"acks": "1", "linger.ms": 0}
# the first records pay for connections and compilation; they are sent and not counted
UNCOUNTED = 500


def in_ms(seconds: list[float]) -> Values:
    counted = [value * 1000 for value in seconds[UNCOUNTED:]]
    return {"p50": load.percentile(counted, 0.5), "p99": load.percentile(counted, 0.99)}


@row(
    "one_record",
    "one record at a time, acks=1",
    Measure("p50", "ms", ratio=0.9),
    Measure("p99", "ms", ratio=0.5),
)
def one_record(lab: Lab) -> Values:
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    deliveries = load.Deliveries()
    producer = confluent_kafka.Producer(
        {"bootstrap.servers": lab.broker.bootstrap, "on_delivery": deliveries, **ONE_AT_A_TIME}
    )
    took = []
    for number in range(1, lab.count(10_000, 2_000) + UNCOUNTED + 1):
        began = time.perf_counter()
        producer.produce(topic, RECORD)
        while deliveries.count < number:
            producer.poll(1)
            deliveries.expect(deliveries.count)
        took.append(time.perf_counter() - began)
    load.delete_topic(lab.broker, topic)
    return in_ms(took)


@row(
    "end_to_end",
    "produce (acks=1) to consume, end to end",
    Measure("p50", "ms", ratio=0.5),
    Measure("p99", "ms", ratio=0.3),
)
def end_to_end(lab: Lab) -> Values:
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    producer = confluent_kafka.Producer({"bootstrap.servers": lab.broker.bootstrap, **ONE_AT_A_TIME})
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": lab.broker.bootstrap, "group.id": "bench", "enable.auto.commit": False}
    )
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, 0)])
    took = []
    for _ in range(lab.count(5_000, 1_000) + UNCOUNTED):
        began = time.perf_counter()
        producer.produce(topic, RECORD)
        message = consumer.poll(30)
        assert message is not None, "a record did not come within 30 s"
        assert message.error() is None, message.error()
        took.append(time.perf_counter() - began)
        producer.poll(0)
    consumer.close()
    load.delete_topic(lab.broker, topic)
    return in_ms(took)


@row(
    "memory",
    "memory of the broker's process after the load",
    Measure("RSS", "MB", ratio=0.12, limit=110),
    Measure("RSS of the tree", "MB", ratio=0.12),
)
def memory(lab: Lab) -> Values:
    if not lab.notes.get("loaded"):  # asked for alone: the load of the first row stands for all
        topic = lab.topic()
        load.create_topic(lab.broker, topic)
        load.produce_java(lab.broker, topic, lab.count(1_500_000, 200_000), 1024, acks=1, batch_size=131072)
    cost = lab.broker.usage()
    return {"RSS": cost.rss_bytes / 1e6, "RSS of the tree": cost.tree_rss_bytes / 1e6}
