"""Rows of a broker's life: start, restart after kill -9, and idling with many topics."""

from __future__ import annotations

import time

from confluent_kafka.admin import AdminClient, NewTopic

from bench import load, wire
from bench.lab import Lab, wait_until
from bench.model import Measure, Values, row
from tools.broker_process import BrokerProcess
from tools.processes import free_port

IDLE_TOPICS = 1_000
TOPICS_A_REQUEST = 100


def log_bytes(broker: BrokerProcess, partition: str) -> int:
    return sum(path.stat().st_size for path in (broker.log_dir / partition).glob("*.log"))


def launch_and_produce(broker: BrokerProcess, topic: str) -> float:
    """Launch a prepared broker; seconds until a client has its first record acknowledged."""
    began = time.monotonic()
    broker.launch()
    took_s = load.first_acknowledged(broker, topic, began)
    broker.wait_ready()
    return took_s


@row(
    "start",
    "`up` in an empty folder to the first acknowledged record",
    Measure("time", "s", ratio=0.35, limit=0.6),
    shared=False,
)
def start(lab: Lab) -> Values:
    with lab.fresh_broker(start=False) as broker:
        broker.port = broker.port or free_port()
        return {"time": launch_and_produce(broker, "first")}


@row(
    "restart_after_kill",
    "restart after kill -9 under load to the first acknowledged record",
    Measure("time", "s", ratio=0.2, limit=2.0),
    shared=False,
)
def restart_after_kill(lab: Lab) -> Values:
    with lab.fresh_broker() as broker:
        load.create_topic(broker, "loaded")
        load.produce_java(broker, "loaded", lab.count(1_000_000, 100_000), 1024, acks=1, batch_size=131072)
        background = load.start_producer_tool(broker, "loaded", 1024, acks="all")
        try:
            bytes_before = log_bytes(broker, "loaded-0")
            wait_until(lambda: log_bytes(broker, "loaded-0") > bytes_before, "the background load")
            time.sleep(2)
            assert background.poll() is None, "the background load ended by itself"
            broker.kill()
        finally:
            background.kill()
            background.wait()
        broker.prepare()
        return {"time": launch_and_produce(broker, "loaded")}


def create_many(broker: BrokerProcess, count: int, partitions: int = 1) -> float:
    """Create topics ``many-0`` and on, and wait until all are served; the seconds it took."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    began = time.monotonic()
    for first in range(0, count, TOPICS_A_REQUEST):
        last = min(first + TOPICS_A_REQUEST, count)
        topics = [NewTopic(f"many-{number}", partitions, 1) for number in range(first, last)]
        for outcome in admin.create_topics(topics, request_timeout=120, operation_timeout=120).values():
            outcome.result(120)
    connection = wire.Connection(broker.bootstrap)
    for number in range(count):
        connection.wait_served(f"many-{number}", partitions)
    connection.close()
    return time.monotonic() - began


@row(
    "idle_1000_topics",
    "1,000 topics, idle",
    Measure("RSS", "MB", limit=160),
    Measure("clean restart", "s", limit=2.0),
    Measure("CPU", "% of a core", limit=0.5),
    Measure("creation", "s"),
    shared=False,
)
def idle_1000_topics(lab: Lab) -> Values:
    with lab.fresh_broker() as broker:
        create_s = create_many(broker, IDLE_TOPICS)
        broker.stop()
        broker.prepare()
        restart_s = launch_and_produce(broker, "many-0")
        watched_s = lab.count(30, 10)
        time.sleep(5)  # the work of starting is not idling
        before = broker.usage()
        time.sleep(watched_s)
        after = broker.usage()
        return {
            "RSS": after.rss_bytes / 1e6,
            "clean restart": restart_s,
            "CPU": (after.tree_cpu_s - before.tree_cpu_s) / watched_s * 100,
            "creation": create_s,
        }
