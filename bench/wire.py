"""The few requests that the bench sends by hand, in versions without tagged fields, on plain sockets.

Clients hide what some rows ask about: one fetch session over many partitions, thousands of connections, requests in
flight by the hundred. It is written apart from the product's own codec on purpose: a bench that shares the code it
measures would share its mistakes.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fastcrc import crc32

PRODUCE, PRODUCE_VERSION = 0, 7
FETCH, FETCH_VERSION = 1, 11
LIST_OFFSETS, LIST_OFFSETS_VERSION = 2, 1
OFFSET_COMMIT, OFFSET_COMMIT_VERSION = 8, 5
OFFSET_FETCH, OFFSET_FETCH_VERSION = 9, 5
FIND_COORDINATOR, FIND_COORDINATOR_VERSION = 10, 1
TIMEOUT_MS = 30_000
BATCH_HEAD = struct.Struct(">qiibI")
BATCH_REST = struct.Struct(">hiqqqhii")
FETCHED_PARTITION = struct.Struct(">ihqqq")


# What a broker answers while it has not yet heard of a topic's leaders, or makes a coordinator's topic.
PASSING_CODES = frozenset({3, 5, 6, 14, 15, 16, 100})
PASSING_S_MAX = 60.0
PASSING_POLL_S = 0.02


class Refused(AssertionError):
    """The broker answered with an error code."""

    def __init__(self, code: int, what: str) -> None:
        super().__init__(f"{what}: answered with error code {code}")
        self.code = code


def expect_no_error(code: int, what: str) -> None:
    if code:
        raise Refused(code, what)


def string(value: str | None) -> bytes:
    if value is None:
        return struct.pack(">h", -1)
    encoded = value.encode()
    return struct.pack(">h", len(encoded)) + encoded


def varint(value: int) -> bytes:
    """Kafka's zigzag varint."""
    zigzag = (value << 1) ^ (value >> 63)
    out = bytearray()
    while zigzag > 0x7F:
        out.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    out.append(zigzag)
    return bytes(out)


def record_batch(values: Sequence[bytes], timestamp_ms: int, base_offset: int = 0) -> bytes:
    """An uncompressed batch of records without keys, all of one timestamp."""
    records = bytearray()
    for delta, value in enumerate(values):
        record = b"\0" + varint(0) + varint(delta) + varint(-1) + varint(len(value)) + value + varint(0)
        records += varint(len(record)) + record
    last_delta = len(values) - 1
    rest = BATCH_REST.pack(0, last_delta, timestamp_ms, timestamp_ms, -1, -1, -1, len(values)) + records
    return BATCH_HEAD.pack(base_offset, len(rest) + 9, -1, 2, crc32.iscsi(rest)) + rest


def framed(key: int, version: int, correlation_id: int, body: bytes) -> bytes:
    head = struct.pack(">hhi", key, version, correlation_id) + string("bench")
    return struct.pack(">i", len(head) + len(body)) + head + body


def produce_body(topic: str, batches: Sequence[tuple[int, bytes]], acks: int) -> bytes:
    """``batches`` are (partition, batch) of one topic."""
    parts = [string(None), struct.pack(">hii", acks, TIMEOUT_MS, 1), string(topic), struct.pack(">i", len(batches))]
    for partition, batch in batches:
        parts += [struct.pack(">ii", partition, len(batch)), batch]
    return b"".join(parts)


def check_produced(answer: bytes) -> None:
    (topic_count,) = struct.unpack_from(">i", answer, 0)
    position = 4
    for _ in range(topic_count):
        (name_length,) = struct.unpack_from(">h", answer, position)
        position += 2 + name_length
        (partition_count,) = struct.unpack_from(">i", answer, position)
        position += 4
        for _ in range(partition_count):
            partition, code = struct.unpack_from(">ih", answer, position)
            expect_no_error(code, f"produce to partition {partition}")
            position += 30


@dataclass(frozen=True, slots=True)
class Wanted:
    """A partition in a fetch request."""

    topic: str
    partition: int
    offset: int


def fetch_body(
    wanted: Iterable[Wanted],
    *,
    session_id: int = 0,
    session_epoch: int = -1,
    wait_ms_max: int = 0,
    partition_bytes_max: int = 1 << 20,
) -> bytes:
    by_topic: dict[str, list[Wanted]] = {}
    for one in wanted:
        by_topic.setdefault(one.topic, []).append(one)
    parts = [struct.pack(">iiiibiii", -1, wait_ms_max, 1, 50 << 20, 0, session_id, session_epoch, len(by_topic))]
    for topic, partitions in by_topic.items():
        parts += [string(topic), struct.pack(">i", len(partitions))]
        parts += [struct.pack(">iiqqi", one.partition, -1, one.offset, -1, partition_bytes_max) for one in partitions]
    return b"".join([*parts, struct.pack(">i", 0), string("")])


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch brought: the session, and for each partition answered (high watermark, record bytes)."""

    session_id: int
    partitions: dict[tuple[str, int], tuple[int, bytes]]


def read_fetched(answer: bytes) -> Fetched:
    _throttle, code, session_id, topic_count = struct.unpack_from(">ihii", answer, 0)
    expect_no_error(code, "fetch")
    position = 14
    partitions: dict[tuple[str, int], tuple[int, bytes]] = {}
    for _ in range(topic_count):
        (name_length,) = struct.unpack_from(">h", answer, position)
        topic = answer[position + 2 : position + 2 + name_length].decode()
        (partition_count,) = struct.unpack_from(">i", answer, position + 2 + name_length)
        position += 6 + name_length
        for _ in range(partition_count):
            partition, code, high_watermark, _stable, _start = FETCHED_PARTITION.unpack_from(answer, position)
            expect_no_error(code, f"fetch of {topic}-{partition}")
            (aborted_count,) = struct.unpack_from(">i", answer, position + 30)
            position += 34 + 16 * max(aborted_count, 0)
            _replica, record_bytes = struct.unpack_from(">ii", answer, position)
            position += 8
            records = answer[position : position + max(record_bytes, 0)]
            position += len(records)
            partitions[topic, partition] = (high_watermark, records)
    return Fetched(session_id, partitions)


def list_offset_body(topic: str, partition: int, timestamp_ms: int) -> bytes:
    return struct.pack(">ii", -1, 1) + string(topic) + struct.pack(">iiq", 1, partition, timestamp_ms)


def read_list_offset(topic: str, answer: bytes) -> int:
    position = 4 + 2 + len(topic) + 4
    _partition, code, _timestamp, offset = struct.unpack_from(">ihqq", answer, position)
    expect_no_error(code, f"offset of {topic} by time")
    return int(offset)


def offset_commit_body(group: str, topic: str, partitions: Iterable[int], offset: int) -> bytes:
    """A commit from outside the group's membership, as an admin client sends it."""
    entries = b"".join(struct.pack(">iqh", partition, offset, 0) for partition in partitions)
    head = string(group) + struct.pack(">i", -1) + string("")
    return head + struct.pack(">i", 1) + string(topic) + struct.pack(">i", len(entries) // 14) + entries


def check_committed(topic: str, answer: bytes) -> None:
    position = 4 + 4 + 2 + len(topic)
    (partition_count,) = struct.unpack_from(">i", answer, position)
    position += 4
    for number in range(partition_count):
        partition, code = struct.unpack_from(">ih", answer, position + number * 6)
        expect_no_error(code, f"offset commit for {topic}-{partition}")


def offset_fetch_body(group: str, topic: str, partition: int) -> bytes:
    return string(group) + struct.pack(">i", 1) + string(topic) + struct.pack(">ii", 1, partition)


def read_offset_fetched(topic: str, answer: bytes) -> int:
    (code,) = struct.unpack_from(">h", answer, len(answer) - 2)
    expect_no_error(code, f"committed offset of {topic}")  # then there is no topic in the answer
    position = 4 + 4 + 2 + len(topic) + 4
    _partition, offset = struct.unpack_from(">iq", answer, position)
    return int(offset)


def until_it_passes(attempt: Callable[[], object]) -> None:
    """Try again while the broker answers with a code that passes by itself."""
    deadline = time.monotonic() + PASSING_S_MAX
    while True:
        try:
            attempt()
            return
        except Refused as refused:
            if refused.code not in PASSING_CODES or time.monotonic() > deadline:
                raise
        time.sleep(PASSING_POLL_S)


class Connection:
    """One blocking connection; requests may be sent ahead of their answers."""

    def __init__(self, bootstrap: str, timeout_s: float = 60.0) -> None:
        host, _, port = bootstrap.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=timeout_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb", buffering=1 << 18)
        self._correlation_id = 0
        self._next_answer = 0

    def send(self, key: int, version: int, body: bytes) -> None:
        self._socket.sendall(framed(key, version, self._correlation_id, body))
        self._correlation_id += 1

    def receive(self) -> bytes:
        """The body of the next answer; answers come in the order of their requests."""
        head = self._answers.read(8)
        if len(head) < 8:
            raise ConnectionResetError("the broker closed the connection")
        length, correlation_id = struct.unpack(">ii", head)
        assert correlation_id == self._next_answer, f"answer {correlation_id} came, expected {self._next_answer}"
        self._next_answer += 1
        body = self._answers.read(length - 4)
        if len(body) < length - 4:
            raise ConnectionResetError("the broker closed the connection in the midst of an answer")
        return body

    def call(self, key: int, version: int, body: bytes) -> bytes:
        self.send(key, version, body)
        return self.receive()

    def produce(self, topic: str, batches: Sequence[tuple[int, bytes]], acks: int = 1) -> None:
        check_produced(self.call(PRODUCE, PRODUCE_VERSION, produce_body(topic, batches, acks)))

    def fetch(self, wanted: Iterable[Wanted], **options: int) -> Fetched:
        return read_fetched(self.call(FETCH, FETCH_VERSION, fetch_body(wanted, **options)))

    def offset_at(self, topic: str, partition: int, timestamp_ms: int) -> int:
        body = list_offset_body(topic, partition, timestamp_ms)
        return read_list_offset(topic, self.call(LIST_OFFSETS, LIST_OFFSETS_VERSION, body))

    def find_coordinator(self, group: str) -> None:
        answer = self.call(FIND_COORDINATOR, FIND_COORDINATOR_VERSION, string(group) + b"\0")
        (code,) = struct.unpack_from(">h", answer, 4)
        expect_no_error(code, f"coordinator of {group}")

    def commit(self, group: str, topic: str, partitions: Iterable[int], offset: int) -> None:
        body = offset_commit_body(group, topic, partitions, offset)
        check_committed(topic, self.call(OFFSET_COMMIT, OFFSET_COMMIT_VERSION, body))

    def wait_coordinator(self, group: str, topic: str) -> None:
        """Until a first commit of a group is taken: a coordinator may be named before it has loaded."""
        until_it_passes(lambda: self.find_coordinator(group))
        until_it_passes(lambda: self.commit(group, topic, [0], 0))

    def wait_served(self, topic: str, partitions: int) -> None:
        """A topic that was just created may have no leaders yet; clients hide that by asking again."""
        wanted = [Wanted(topic, partition, 0) for partition in range(partitions)]
        until_it_passes(lambda: self.fetch(wanted, partition_bytes_max=1))

    def committed(self, group: str, topic: str, partition: int) -> int:
        body = offset_fetch_body(group, topic, partition)
        return read_offset_fetched(topic, self.call(OFFSET_FETCH, OFFSET_FETCH_VERSION, body))

    def close(self) -> None:
        self._answers.close()
        self._socket.close()
