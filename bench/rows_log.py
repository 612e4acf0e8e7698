"""Rows of large logs: seeks in what is not in memory, cold reads beside producers, offsets, crashes under load."""

from __future__ import annotations

import os
import random
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import confluent_kafka

from bench import load, wire
from bench.lab import Lab, drop_page_cache, wait_until
from bench.model import Measure, Values, row
from bench.rows_life import launch_and_produce
from tools.broker_process import BrokerProcess

GIGABYTE = 10**9
RECORD_BYTES = 1024
SEEKS = 1_000
SEED = 7
COMMIT_GROUPS = 1_000
COMMIT_PARTITIONS = 100
COMMIT_CONNECTIONS = 8
COMMITS_IN_FLIGHT = 16
EXPIRING_SEGMENTS = 20
EXPIRING_SEGMENT_BYTES = 16 << 20
OFFSETS_TOPIC = "__consumer_offsets"


def fill(broker: BrokerProcess, topic: str, total_bytes: int, **properties: object) -> int:
    """Fill a topic with records of 1 KB in batches of 128 KB; how many."""
    record_count = max(1_000, total_bytes // RECORD_BYTES)
    load.produce_java(broker, topic, record_count, RECORD_BYTES, acks=1, batch_size=131072, linger_ms=5, **properties)
    return record_count


@row(
    "seeks",
    "1,000 random seeks by offset or time in a cold topic of 20 GB",
    Measure("p99", "ms", limit=50),
    Measure("p50", "ms"),
    shared=False,
)
def seeks(lab: Lab) -> Values:
    chance = random.Random(SEED)
    with lab.fresh_broker() as broker:
        load.create_topic(broker, "large")
        began_ms = int(time.time() * 1000)
        record_count = fill(broker, "large", lab.scaled(20 * GIGABYTE))
        ended_ms = int(time.time() * 1000)
        broker.restart()
        lab.note("cold bytes", drop_page_cache(broker.log_dir))
        connection = wire.Connection(broker.bootstrap)
        took = []
        for number in range(SEEKS):
            offset = chance.randrange(record_count)
            timestamp_ms = chance.randrange(began_ms, ended_ms)
            began = time.perf_counter()
            if number % 2:
                offset = connection.offset_at("large", 0, timestamp_ms)
            if offset >= 0:
                fetched = connection.fetch([wire.Wanted("large", 0, offset)], partition_bytes_max=65536)
                records = fetched.partitions["large", 0][1]
                assert records, f"nothing at offset {offset}"
                base_offset, _length, _epoch, _magic = struct.unpack_from(">qiib", records)
                assert base_offset <= offset, f"asked for offset {offset}, got a batch that begins at {base_offset}"
            took.append((time.perf_counter() - began) * 1000)
        connection.close()
    return {"p99": load.percentile(took, 0.99), "p50": load.percentile(took, 0.5)}


class Pace:
    """A producer of one record every few milliseconds, whose latencies are gathered while something else happens."""

    EVERY_S = 0.005

    def __init__(self, bootstrap: str, topic: str) -> None:
        self._connection = wire.Connection(bootstrap)
        self._topic = topic

    def for_seconds(self, seconds: float) -> list[float]:
        until = time.perf_counter() + seconds
        return self._while(lambda: time.perf_counter() < until)

    def beside(self, other: threading.Thread) -> list[float]:
        return self._while(other.is_alive)

    def _while(self, goes_on: Callable[[], bool]) -> list[float]:
        took = []
        due = time.perf_counter()
        while goes_on():
            time.sleep(max(0.0, due - time.perf_counter()))
            batch = wire.record_batch([b"x" * 100], int(time.time() * 1000))
            self._connection.produce(self._topic, [(0, batch)])
            took.append((time.perf_counter() - due) * 1000)
            # timed from when it was due, so that a stall counts for all that it delays, up to a second of them
            due = max(due + self.EVERY_S, time.perf_counter() - 1.0)
        return took


def read_through(bootstrap: str, topic: str, record_count: int) -> None:
    """Read a topic from its start with large fetches, as a consumer that catches up."""
    connection = wire.Connection(bootstrap)
    offset = 0
    while offset < record_count:
        fetched = connection.fetch([wire.Wanted(topic, 0, offset)], partition_bytes_max=4 << 20)
        records = fetched.partitions[topic, 0][1]
        position = 0
        while position + 61 <= len(records):
            base_offset, length = struct.unpack_from(">qi", records, position)
            (last_delta,) = struct.unpack_from(">i", records, position + 23)
            position += 12 + length
            if position <= len(records):  # else the batch is cut off
                offset = base_offset + last_delta + 1
        assert position, f"nothing at offset {offset}"
    connection.close()


@row(
    "cold_read",
    "p99 of a producer while 10 GB are read cold and retention deletes 20 segments",
    Measure("p99 alone", "ms"),
    Measure("p99 beside", "ms"),
    Measure("p99 ratio", "x", limit=3),
    shared=False,
)
def cold_read(lab: Lab) -> Values:
    config = {"log.retention.check.interval.ms": "1000"}
    with lab.fresh_broker(config) as broker:
        load.create_topic(broker, "cold")
        load.create_topic(broker, "beside")
        segments = {"segment.bytes": str(EXPIRING_SEGMENT_BYTES), "file.delete.delay.ms": "100"}
        load.create_topic(broker, "expiring", 1, segments)
        record_count = fill(broker, "cold", lab.scaled(10 * GIGABYTE))
        fill(broker, "expiring", (EXPIRING_SEGMENTS + 2) * EXPIRING_SEGMENT_BYTES)
        expiring = broker.log_dir / "expiring-0"
        segments_before = len(list(expiring.glob("*.log")))
        lab.note("cold bytes", drop_page_cache(broker.log_dir))
        pace = Pace(broker.bootstrap, "beside")
        pace.for_seconds(2)  # a first, uncounted go
        alone = pace.for_seconds(lab.count(20, 5))
        drop_page_cache(broker.log_dir)
        load.set_topic_config(broker, "expiring", retention_bytes=str(EXPIRING_SEGMENT_BYTES))
        reader = threading.Thread(target=read_through, args=(broker.bootstrap, "cold", record_count))
        reader.start()
        beside = pace.beside(reader)
        wait_until(
            lambda: segments_before - len(list(expiring.glob("*.log"))) >= EXPIRING_SEGMENTS,
            f"retention of {EXPIRING_SEGMENTS} of {segments_before} segments",
            timeout_s=60,
        )
    alone_p99, beside_p99 = load.percentile(alone, 0.99), load.percentile(beside, 0.99)
    return {"p99 alone": alone_p99, "p99 beside": beside_p99, "p99 ratio": beside_p99 / alone_p99}


def commit_offsets(bootstrap: str, groups: list[str], rounds: int) -> None:
    """Each round commits all partitions of each group once; requests go ahead of their answers."""
    connection = wire.Connection(bootstrap, timeout_s=300)
    for group in groups:
        connection.wait_coordinator(group, "positions")
    in_flight = 0
    for number in range(rounds):
        for group in groups:
            body = wire.offset_commit_body(group, "positions", range(COMMIT_PARTITIONS), number)
            connection.send(wire.OFFSET_COMMIT, wire.OFFSET_COMMIT_VERSION, body)
            in_flight += 1
            if in_flight == COMMITS_IN_FLIGHT:
                wire.check_committed("positions", connection.receive())
                in_flight -= 1
    for _ in range(in_flight):
        wire.check_committed("positions", connection.receive())
    connection.close()


def folder_bytes(log_dir: Path, topic: str) -> int:
    """Bytes of a topic's log segments; index files are sparse, their length says nothing."""
    total = 0
    for path in log_dir.glob(f"{topic}-*/*.log"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:  # a segment that is just being replaced
            continue
    return total


@row(
    "offsets_10m",
    "10 million offsets committed by 1,000 groups, then kill -9",
    Measure("restart", "s", limit=2),
    Measure("size", "MB", limit=50),
    Measure("commits a second", "1/s", higher_is_better=True),
    shared=False,
    compared=False,
)
def offsets_10m(lab: Lab) -> Values:
    rounds = lab.scaled(10_000_000) // (COMMIT_GROUPS * COMMIT_PARTITIONS) or 1
    committed = rounds * COMMIT_GROUPS * COMMIT_PARTITIONS
    lab.note("offsets committed", committed)
    groups = [f"group-{number}" for number in range(COMMIT_GROUPS)]
    with lab.fresh_broker() as broker:
        load.create_topic(broker, "positions", COMMIT_PARTITIONS)
        broker.wait_ready()
        began = time.monotonic()
        with ThreadPoolExecutor(COMMIT_CONNECTIONS) as pool:
            shares = [groups[number::COMMIT_CONNECTIONS] for number in range(COMMIT_CONNECTIONS)]
            list(pool.map(lambda share: commit_offsets(broker.bootstrap, share, rounds), shares))
        took_s = time.monotonic() - began
        broker.kill()
        broker.prepare()
        restart_s = launch_and_produce(broker, "positions")
        connection = wire.Connection(broker.bootstrap)
        answered_s = wait_until(
            lambda: all_committed(connection, groups, rounds - 1), "the groups' offsets after the restart"
        )
        lab.note("seconds until all groups answered after the restart", answered_s)
        lab.note("offsets topic MB at the restart", folder_bytes(broker.log_dir, OFFSETS_TOPIC) / 1e6)
        # the cleaner may still be at work: it has a minute to finish
        deadline = time.monotonic() + 60
        while folder_bytes(broker.log_dir, OFFSETS_TOPIC) > 50e6 and time.monotonic() < deadline:
            time.sleep(0.5)
        size_mb = folder_bytes(broker.log_dir, OFFSETS_TOPIC) / 1e6
    return {"restart": restart_s + answered_s, "size": size_mb, "commits a second": committed / took_s}


def all_committed(connection: wire.Connection, groups: list[str], offset: int) -> bool:
    """Whether each group's last commit is answered; a coordinator that still loads is not a failure."""
    try:
        found = {connection.committed(group, "positions", COMMIT_PARTITIONS - 1) for group in groups}
    except wire.Refused:
        return False
    assert found == {offset}, f"committed offsets after the restart: {sorted(found)}, expected {offset} alone"
    return True


def one_record_segment(folder: Path, total_bytes: int) -> int:
    """Write a whole segment of one-record batches into a stopped broker's partition; how many.

    Neither the offset nor the leader epoch is under a batch's CRC, so all batches are one template.
    """
    template = wire.record_batch([b"x" * 100], int(time.time() * 1000))
    count = total_bytes // len(template)
    for path in folder.iterdir():
        if path.suffix in {".log", ".index", ".timeindex", ".snapshot"}:
            path.unlink()
    at_once = 10_000
    with (folder / f"{0:020d}.log").open("wb") as log_file:
        for first in range(0, count, at_once):
            piece = bytearray(template * min(at_once, count - first))
            for number in range(len(piece) // len(template)):
                struct.pack_into(">qii", piece, number * len(template), first + number, len(template) - 12, 0)
            log_file.write(piece)
        log_file.flush()
        os.fsync(log_file.fileno())
    return count


class CountingProducer:
    """An idempotent producer that counts upwards without end, through all crashes, in a thread."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        self.topic = topic
        self.acknowledged: set[int] = set()
        self.failures: list[str] = []
        self.sent = 0
        self._ends = threading.Event()
        self._producer = confluent_kafka.Producer(
            {
                "bootstrap.servers": bootstrap,
                "enable.idempotence": True,
                "message.timeout.ms": 300_000,
                "linger.ms": 1,
                "queue.buffering.max.messages": 20_000,
                **load.EAGER,
            }
        )
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends.is_set():
            number = self.sent
            try:
                self._producer.produce(self.topic, b"%d" % number, on_delivery=self._on_delivery)
                self.sent += 1
            except BufferError:
                self._producer.poll(0.01)
            self._producer.poll(0)
        self._producer.flush(120)

    def _on_delivery(self, error: confluent_kafka.KafkaError | None, message: confluent_kafka.Message) -> None:
        if error is not None:
            self.failures.append(str(error))
            return
        self.acknowledged.add(int(message.value() or b""))

    def end(self) -> None:
        self._ends.set()
        self._thread.join()


def read_numbers(bootstrap: str, topic: str) -> list[int]:
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "check", "enable.auto.commit": False}
    )
    here = confluent_kafka.TopicPartition(topic, 0, 0)
    _low, end = consumer.get_watermark_offsets(here, timeout=30)
    consumer.assign([here])
    numbers: list[int] = []
    while len(numbers) < end:
        messages = consumer.consume(min(10_000, end - len(numbers)), timeout=30)
        assert messages, f"{len(numbers)} of {end} records came"
        numbers += [int(message.value() or b"") for message in messages if message.error() is None]
    consumer.close()
    return numbers


@contextmanager
def counting(bootstrap: str, topic: str) -> Iterator[CountingProducer]:
    producer = CountingProducer(bootstrap, topic)
    try:
        yield producer
    finally:
        producer.end()


@row(
    "crashes",
    "200 x kill -9 under load with acks=all, the log holding 10 GB and a full segment of one-record batches",
    Measure("slowest restart", "s", limit=2),
    Measure("median restart", "s"),
    Measure("acknowledged and lost", "records", limit=0),
    Measure("doubled", "records", limit=0),
    shared=False,
    compared=False,
)
def crashes(lab: Lab) -> Values:
    rounds = lab.scaled(200, least=3)
    restarts = []
    with lab.fresh_broker() as broker:
        for topic in ("large", "numbers", "singles"):
            load.create_topic(broker, topic)
        fill(broker, "large", lab.scaled(10 * GIGABYTE))
        broker.stop()
        singles = one_record_segment(broker.log_dir / "singles-0", lab.scaled((1 << 30) - (1 << 20)))
        lab.note("one-record batches", singles)
        for left in ("recovery-point-offset-checkpoint", ".kafka_cleanshutdown"):
            (broker.log_dir / left).unlink(missing_ok=True)
        broker.start()
        connection = wire.Connection(broker.bootstrap)
        assert connection.offset_at("singles", 0, -1) == singles, (
            "the segment of one-record batches was not taken whole"
        )
        connection.close()
        with counting(broker.bootstrap, "numbers") as producer:
            chance = random.Random(SEED)
            for _ in range(rounds):
                time.sleep(0.3 + chance.random())
                broker.kill()
                broker.prepare()
                restarts.append(launch_and_produce(broker, "first"))
        numbers = read_numbers(broker.bootstrap, "numbers")
        assert not producer.failures, f"{len(producer.failures)} records failed, first: {producer.failures[0]}"
    lab.note("crashes", rounds)
    lab.note("records acknowledged through the crashes", len(producer.acknowledged))
    return {
        "slowest restart": max(restarts),
        "median restart": load.percentile(restarts, 0.5),
        "acknowledged and lost": len(producer.acknowledged - set(numbers)),
        "doubled": len(numbers) - len(set(numbers)),
    }
