"""Rows of scale: ten thousand partitions, thousands of connections, one session over all of them."""

from __future__ import annotations

import asyncio
import socket
import struct
import time

import uvloop

from bench import load, wire
from bench.lab import Lab
from bench.model import Measure, Values, row
from bench.rows_life import create_many, launch_and_produce
from tools.broker_process import BrokerProcess

OPEN_FILES_MAX = 4096
PARTITIONS_A_TOPIC = 100
HALF_OPEN = 1_000
RECORD = b"x" * 100
# the raw loads of this room stay at one total rate whatever the number of connections
RECORDS_A_SECOND = 400


def produce_everywhere(broker: BrokerProcess, topics: int) -> float:
    """One record to each partition; the seconds it took."""
    connection = wire.Connection(broker.bootstrap)
    batch = wire.record_batch([RECORD], int(time.time() * 1000))
    began = time.monotonic()
    for number in range(topics):
        connection.produce(f"many-{number}", [(partition, batch) for partition in range(PARTITIONS_A_TOPIC)])
    connection.close()
    return time.monotonic() - began


def consume_everywhere(broker: BrokerProcess, topics: int, records_each: int) -> float:
    """All records of each partition, counted; the seconds it took."""
    connection = wire.Connection(broker.bootstrap)
    began = time.monotonic()
    for number in range(topics):
        wanted = [wire.Wanted(f"many-{number}", partition, 0) for partition in range(PARTITIONS_A_TOPIC)]
        fetched = connection.fetch(wanted)
        for one in wanted:
            high_watermark, records = fetched.partitions[one.topic, one.partition]
            assert high_watermark >= records_each, f"{one.topic}-{one.partition} ends at {high_watermark}"
            assert records.count(RECORD) >= records_each, f"{one.topic}-{one.partition} gave too few records"
    connection.close()
    return time.monotonic() - began


@row(
    "partitions_10000",
    "10,000 partitions with at most 4,096 open files",
    Measure("creation", "s", limit=20),
    Measure("peak RSS", "MB", limit=400),
    Measure("restart", "s"),
    Measure("produce to each", "s"),
    Measure("consume each", "s"),
    shared=False,
    compared=False,
)
def partitions_10000(lab: Lab) -> Values:
    topics = lab.scaled(100)
    lab.note("partitions", topics * PARTITIONS_A_TOPIC)
    with lab.fresh_broker(open_files_max=OPEN_FILES_MAX) as broker:
        create_s = create_many(broker, topics, PARTITIONS_A_TOPIC)
        produce_s = produce_everywhere(broker, topics)
        consume_s = consume_everywhere(broker, topics, 1)
        peak = broker.usage().peak_rss_bytes
        broker.stop()
        broker.prepare()
        restart_s = launch_and_produce(broker, "first")
        produce_everywhere(broker, topics)
        consume_everywhere(broker, topics, 2)
        cost = broker.usage()
        lab.note("open files with many partitions", cost.open_files)
    return {
        "creation": create_s,
        "peak RSS": max(peak, cost.peak_rss_bytes) / 1e6,
        "restart": restart_s,
        "produce to each": produce_s,
        "consume each": consume_s,
    }


class Exchange:
    """An asyncio connection for one of many clients."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._correlation_id = 0

    @classmethod
    async def open(cls, bootstrap: str) -> Exchange:
        host, _, port = bootstrap.rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    async def call(self, key: int, version: int, body: bytes) -> bytes:
        self._writer.write(wire.framed(key, version, self._correlation_id, body))
        self._correlation_id += 1
        length, correlation_id = struct.unpack(">ii", await self._reader.readexactly(8))
        assert correlation_id == self._correlation_id - 1, "an answer to another request came"
        return await self._reader.readexactly(length - 4)

    def close(self) -> None:
        self._writer.close()


async def produce_at_a_rate(
    exchange: Exchange, topic: str, partition: int, every_s: float, first_at: float, until: float, took: list[float]
) -> None:
    """One record every so often; each is timed from when it was due, so that a stall counts for all it delays."""
    due = first_at
    while due < until:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        batch = wire.record_batch([RECORD], int(time.time() * 1000))
        body = wire.produce_body(topic, [(partition, batch)], 1)
        wire.check_produced(await exchange.call(wire.PRODUCE, wire.PRODUCE_VERSION, body))
        took.append(time.perf_counter() - due)
        due += every_s


async def poll_for_long(exchange: Exchange, topic: str, partition: int, until: float) -> int:
    """Long polls that follow the partition's end; how many bytes of records came."""
    offset = received = 0
    while time.perf_counter() < until:
        body = wire.fetch_body([wire.Wanted(topic, partition, offset)], wait_ms_max=500)
        answer = wire.read_fetched(await exchange.call(wire.FETCH, wire.FETCH_VERSION, body))
        offset, records = answer.partitions[topic, partition]
        received += len(records)
    return received


async def latency_over(bootstrap: str, topic: str, connections: int, seconds: float) -> list[float]:
    """Half the connections produce, each to its own partition, the other half long-poll these partitions."""
    pairs = connections // 2
    exchanges = [await Exchange.open(bootstrap) for _ in range(2 * pairs)]
    every_s = pairs / RECORDS_A_SECOND
    began = time.perf_counter() + 0.5
    until = began + seconds
    took: list[float] = []
    pollers = [poll_for_long(exchange, topic, number, until) for number, exchange in enumerate(exchanges[:pairs])]
    producers = [
        produce_at_a_rate(exchange, topic, number, every_s, began + every_s * number / pairs, until, took)
        for number, exchange in enumerate(exchanges[pairs:])
    ]
    received, *_ = await asyncio.gather(asyncio.gather(*pollers), *producers)
    for exchange in exchanges:
        exchange.close()
    assert sum(received) > len(took) * len(RECORD) * 0.9, "the long polls missed records"
    return took


@row(
    "connections_2000",
    "2,000 connections that produce or long-poll, beside 10 at the same total rate",
    Measure("p99 of 2,000", "ms"),
    Measure("p99 of 10", "ms"),
    Measure("p99 ratio", "x", limit=10),
    Measure("RSS", "MB"),
    shared=False,
    compared=False,
)
def connections_2000(lab: Lab) -> Values:
    connections = 2 * lab.scaled(1000, least=10)
    lab.note("connections", connections)
    seconds = lab.count(20, 5)
    with lab.fresh_broker() as broker:
        load.create_topic(broker, "pairs", connections // 2)
        uvloop.run(latency_over(broker.bootstrap, "pairs", 10, 2))  # a first, uncounted go
        few = uvloop.run(latency_over(broker.bootstrap, "pairs", 10, seconds))
        many = uvloop.run(latency_over(broker.bootstrap, "pairs", connections, seconds))
        memory_mb = broker.usage().peak_rss_bytes / 1e6
    few_p99, many_p99 = load.percentile(few, 0.99) * 1000, load.percentile(many, 0.99) * 1000
    return {"p99 of 2,000": many_p99, "p99 of 10": few_p99, "p99 ratio": many_p99 / few_p99, "RSS": memory_mb}


@row(
    "half_open_1000",
    "1,000 connections that send one byte and stop",
    Measure("memory", "MB", limit=50),
    shared=False,
    compared=False,
)
def half_open_1000(lab: Lab) -> Values:
    with lab.fresh_broker() as broker:
        load.create_topic(broker, "beside")
        load.produce_librdkafka(broker, "beside", 1_000, 100, acks=1)
        before = broker.usage().rss_bytes
        host, _, port = broker.bootstrap.rpartition(":")
        stalled = []
        for _ in range(HALF_OPEN):
            stalled.append(socket.create_connection((host, int(port)), timeout=10))
            stalled[-1].sendall(b"\0")
        # everyone else is served beside them
        load.produce_librdkafka(broker, "beside", 1_000, 100, acks=1)
        after = broker.usage().rss_bytes
        for one in stalled:
            one.close()
    return {"memory": (after - before) / 1e6}


def cpu_a_fetch(broker: BrokerProcess, wanted: list[wire.Wanted], active: wire.Wanted, fetches: int) -> float:
    """CPU seconds of the broker a fetch, in one session over ``wanted`` of which only ``active`` has records."""
    connection = wire.Connection(broker.bootstrap)
    session = connection.fetch(wanted, session_epoch=0, partition_bytes_max=1).session_id
    assert session, "the broker gave no fetch session"
    spent = load.Spent(broker)
    for number in range(1, fetches + 1):
        moved = wire.Wanted(active.topic, active.partition, number)
        fetched = connection.fetch([moved], session_id=session, session_epoch=number, partition_bytes_max=1)
        # the smallest limit still gives one whole batch, here of one record
        assert fetched.partitions[active.topic, active.partition][1], f"fetch {number} brought nothing"
    cpu_s = spent.cpu_s()
    connection.close()
    return cpu_s / fetches


@row(
    "session_10000",
    "a fetch of one session over 10,000 partitions with one active, beside one of a session with one",
    Measure("CPU of 10,000", "µs"),
    Measure("CPU of one", "µs"),
    Measure("CPU ratio", "x", limit=2),
    shared=False,
    compared=False,
)
def session_10000(lab: Lab) -> Values:
    topics, fetches = lab.scaled(100), lab.count(10_000, 2_000)
    lab.note("partitions in the session", topics * PARTITIONS_A_TOPIC)
    active = wire.Wanted("many-0", 0, 0)
    everything = [
        wire.Wanted(f"many-{number}", partition, 0)
        for number in range(topics)
        for partition in range(PARTITIONS_A_TOPIC)
    ]
    with lab.fresh_broker() as broker:
        create_many(broker, topics, PARTITIONS_A_TOPIC)
        connection = wire.Connection(broker.bootstrap)
        batch = wire.record_batch([RECORD], int(time.time() * 1000))
        for _ in range(fetches + 1):
            connection.produce(active.topic, [(active.partition, batch)])
        connection.close()
        cpu_a_fetch(broker, [active], active, fetches // 4)  # a first, uncounted go
        one = cpu_a_fetch(broker, [active], active, fetches)
        all_of_them = cpu_a_fetch(broker, everything, active, fetches)
    return {"CPU of 10,000": all_of_them * 1e6, "CPU of one": one * 1e6, "CPU ratio": all_of_them / one}
