"""Load on a broker through its clients: Kafka's own performance tools and librdkafka, and what they measured."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import confluent_kafka
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic

from bench import wire
from tools.apache_kafka import run_tool, tool_command
from tools.broker_process import BrokerFailed, BrokerProcess
from tools.processes import child_setup

PRODUCER_TOOL = "org.apache.kafka.tools.ProducerPerformance"
CONSUMER_TOOL = "org.apache.kafka.tools.ConsumerPerformance"
PRODUCED = re.compile(
    r"^(?P<count>\d+) records sent, (?P<per_s>[\d.]+) records/sec \((?P<mb_s>[\d.]+) MB/sec\), (?P<avg>[\d.]+) ms avg"
    r".*?(?P<p50>\d+) ms 50th.*?(?P<p99>\d+) ms 99th",
    re.MULTILINE,
)
MEBIBYTE = 1 << 20
DELIVERY_TIMEOUT_S = 60.0
# A client that looks for a broker which is just starting asks again at once.
EAGER = {
    "reconnect.backoff.ms": 5,
    "reconnect.backoff.max.ms": 10,
    "retry.backoff.ms": 5,
    "retry.backoff.max.ms": 10,
    "topic.metadata.refresh.fast.interval.ms": 5,
    "log_level": 0,
}


@dataclass(frozen=True, slots=True)
class Load:
    """What one load achieved, and the broker's CPU seconds a gigabyte (10^9 bytes) of record values."""

    mb_s: float
    cpu_s_per_gb: float


class Spent:
    """The broker's CPU seconds since this object was made."""

    def __init__(self, broker: BrokerProcess) -> None:
        self._broker = broker
        self._before = broker.usage().tree_cpu_s

    def cpu_s(self) -> float:
        return self._broker.usage().tree_cpu_s - self._before


def create_topic(
    broker: BrokerProcess, name: str, partitions: int = 1, config: Mapping[str, str] | None = None
) -> None:
    admin = AdminClient({"bootstrap.servers": broker.bootstrap, "log_level": 0})
    topic = NewTopic(name, num_partitions=partitions, replication_factor=1, config=dict(config or {}))
    for outcome in admin.create_topics([topic], request_timeout=60).values():
        outcome.result(60)
    connection = wire.Connection(broker.bootstrap)
    connection.wait_served(name, partitions)
    connection.close()


def delete_topic(broker: BrokerProcess, *names: str) -> None:
    admin = AdminClient({"bootstrap.servers": broker.bootstrap, "log_level": 0})
    for outcome in admin.delete_topics(list(names), request_timeout=60).values():
        outcome.result(60)


def set_topic_config(broker: BrokerProcess, topic: str, **config: str) -> None:
    """Set topic configs; an underscore in a keyword stands for a dot."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap, "log_level": 0})
    entries = [
        confluent_kafka.admin.ConfigEntry(
            name.replace("_", "."), value, incremental_operation=confluent_kafka.admin.AlterConfigOpType.SET
        )
        for name, value in config.items()
    ]
    resource = ConfigResource(confluent_kafka.admin.ResourceType.TOPIC, topic, incremental_configs=entries)
    for outcome in admin.incremental_alter_configs([resource]).values():
        outcome.result(60)


def producer_tool_arguments(
    broker: BrokerProcess, topic: str, record_count: int, record_bytes: int, properties: Mapping[str, object]
) -> list[str]:
    return [
        "--bootstrap-server",
        broker.bootstrap,
        "--topic",
        topic,
        "--num-records",
        str(record_count),
        "--record-size",
        str(record_bytes),
        "--throughput",
        "-1",
        "--command-property",
        *(f"{name}={value}" for name, value in properties.items()),
    ]


def produce_java(broker: BrokerProcess, topic: str, record_count: int, record_bytes: int, **properties: object) -> Load:
    """Kafka's ProducerPerformance at full speed; an underscore in a keyword stands for a dot."""
    dotted = {name.replace("_", "."): value for name, value in properties.items()}
    spent = Spent(broker)
    output = run_tool(
        PRODUCER_TOOL,
        *producer_tool_arguments(broker, topic, record_count, record_bytes, dotted),
        heap_mb=512,
        measured=True,
    )
    last = list(PRODUCED.finditer(output))[-1]
    assert int(last["count"]) == record_count, f"{last['count']} of {record_count} records were acknowledged\n{output}"
    return Load(float(last["mb_s"]), spent.cpu_s() / (record_count * record_bytes / 1e9))


def start_producer_tool(
    broker: BrokerProcess, topic: str, record_bytes: int, **properties: object
) -> subprocess.Popen[bytes]:
    """ProducerPerformance without an end, as a background load; who starts it ends it."""
    dotted = {name.replace("_", "."): value for name, value in properties.items()}
    arguments = producer_tool_arguments(broker, topic, 1 << 40, record_bytes, dotted)
    return subprocess.Popen(
        tool_command(PRODUCER_TOOL, arguments, heap_mb=256, measured=True),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=child_setup(),
    )


def consume_java(broker: BrokerProcess, topic: str, record_count: int, record_bytes: int) -> Load:
    """Kafka's ConsumerPerformance from the beginning; the rate without the time to join the group."""
    spent = Spent(broker)
    output = run_tool(
        CONSUMER_TOOL,
        "--bootstrap-server",
        broker.bootstrap,
        "--topic",
        topic,
        "--num-records",
        str(record_count),
        "--hide-header",
        "--timeout",
        "30000",
        heap_mb=512,
        measured=True,
    )
    columns = [column.strip() for column in output.strip().splitlines()[-1].split(",")]
    assert int(columns[4]) >= record_count, f"{columns[4]} of {record_count} records were consumed\n{output}"
    return Load(float(columns[8]), spent.cpu_s() / (record_count * record_bytes / 1e9))


class Deliveries:
    """Counts what librdkafka reports; the first failure is raised to who waits."""

    def __init__(self) -> None:
        self.count = 0
        self.failure: confluent_kafka.KafkaError | None = None

    def __call__(self, error: confluent_kafka.KafkaError | None, message: confluent_kafka.Message) -> None:
        if error is not None:
            self.failure = self.failure or error
        else:
            self.count += 1

    def expect(self, record_count: int) -> None:
        if self.failure is not None:
            raise confluent_kafka.KafkaException(self.failure)
        assert self.count == record_count, f"{self.count} of {record_count} records were acknowledged"


def produce_librdkafka(
    broker: BrokerProcess, topic: str, record_count: int, record_bytes: int, **properties: object
) -> Load:
    """librdkafka's producer at full speed, on all partitions of the topic."""
    dotted = {name.replace("_", "."): value for name, value in properties.items()}
    deliveries = Deliveries()
    producer = confluent_kafka.Producer({"bootstrap.servers": broker.bootstrap, "on_delivery": deliveries, **dotted})
    value = bytes(range(256)) * (record_bytes // 256 + 1)
    value = value[:record_bytes]
    spent = Spent(broker)
    began = time.perf_counter()
    for _ in range(record_count):
        while True:
            try:
                producer.produce(topic, value)
                break
            except BufferError:  # the client's queue is full: let it send
                producer.poll(0.05)
    assert producer.flush(DELIVERY_TIMEOUT_S) == 0
    took_s = time.perf_counter() - began
    deliveries.expect(record_count)
    total_bytes = record_count * record_bytes
    return Load(total_bytes / MEBIBYTE / took_s, spent.cpu_s() / (total_bytes / 1e9))


def consume_librdkafka(broker: BrokerProcess, topic: str, record_count: int, record_bytes: int) -> Load:
    """librdkafka's consumer on partition 0 from the beginning, without a group."""
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": broker.bootstrap, "group.id": "bench", "enable.auto.commit": False}
    )
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, 0)])
    spent = Spent(broker)
    began = time.perf_counter()
    seen = 0
    try:
        while seen < record_count:
            messages = consumer.consume(min(10_000, record_count - seen), timeout=30)
            assert messages, f"{seen} of {record_count} records came"
            seen += len(messages)
        took_s = time.perf_counter() - began
    finally:
        consumer.close()
    total_bytes = record_count * record_bytes
    return Load(total_bytes / MEBIBYTE / took_s, spent.cpu_s() / (total_bytes / 1e9))


def first_acknowledged(broker: BrokerProcess, topic: str, began: float) -> float:
    """Seconds from ``began`` until a record is acknowledged by a broker that may still be starting."""
    deliveries = Deliveries()
    producer = confluent_kafka.Producer({"bootstrap.servers": broker.bootstrap, "acks": "1", "linger.ms": 0, **EAGER})
    producer.produce(topic, b"first", on_delivery=deliveries)
    while not deliveries.count:
        producer.poll(0.005)
        deliveries.expect(deliveries.count)
        if not broker.running():
            raise BrokerFailed(f"{broker.name} ended while it started\n{broker.last_output()}")
        if time.monotonic() - began > DELIVERY_TIMEOUT_S:
            raise TimeoutError(
                f"no record was acknowledged within {DELIVERY_TIMEOUT_S:.0f} s by {broker.name} on"
                f" {broker.bootstrap}\n{broker.last_output()}"
            )
    return time.monotonic() - began


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the sorted values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
