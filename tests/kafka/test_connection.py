"""A connection without a network: frames whole, in pieces and glued, lies about lengths, turns, answers in order."""

from __future__ import annotations

from struct import pack
from typing import Any

import pytest

from millrace.kafka import messages
from millrace.kafka.connection import Header, KafkaConnection

SHARED_BYTES = 4096
METADATA, PRODUCE, API_VERSIONS = 3, 0, 18


class Link:
    """A link that keeps what it is told."""

    def __init__(self) -> None:
        self.sent = b""
        self.paused = 0
        self.closed: str | None = None

    def send(self, buffers: list[Any], slices: bool) -> None:
        assert not slices
        self.sent += b"".join(buffers)

    def pause(self) -> None:
        self.paused += 1

    def resume(self) -> None:
        self.paused -= 1

    def close(self, reason: str) -> None:
        self.closed = reason


class Budget:
    def __init__(self, bytes_max: int = 1 << 30) -> None:
        self.bytes_max = bytes_max
        self.used = 0

    def take(self, owner: object, count: int) -> bool:
        self.used += count
        return self.used <= self.bytes_max

    def give(self, owner: object, count: int) -> None:
        self.used -= count


class Server:
    """A connection, and a handler that answers when it is told to."""

    def __init__(self, *, budget: Budget | None = None, produce_in_flight_max: int = 4) -> None:
        self.link = Link()
        self.budget = budget or Budget()
        self.requests: list[tuple[Header, Any]] = []
        self.replies: list[Any] = []
        self.cancelled = 0
        self.answer_at_once = True
        self.shared = memoryview(bytearray(SHARED_BYTES))
        self.connection = KafkaConnection(
            self.dispatch,
            {PRODUCE: (3, 13), METADATA: (0, 13), API_VERSIONS: (0, 4)},
            self.shared,
            self.budget,
            request_bytes_max=1 << 20,
            produce_in_flight_max=produce_in_flight_max,
        )
        self.connection.on_open(self.link)

    def dispatch(self, connection: KafkaConnection, header: Header, request: Any, reply: Any) -> Any:
        self.requests.append((header, request))
        if self.answer_at_once:
            reply(messages.response_type(header.api_key)())
            return None
        self.replies.append(lambda: reply(messages.response_type(header.api_key)()))

        def cancel() -> None:
            self.cancelled += 1

        return cancel

    def feed(self, content: bytes, piece: int) -> None:
        while content and not self.connection.closed:
            buffer = self.connection.buffer()
            count = min(piece, len(buffer), len(content))
            assert count, "the connection offers no room"
            buffer[:count] = content[:count]
            content = content[count:]
            self.connection.on_bytes(count)
            self.shared[:] = b"\xee" * SHARED_BYTES  # what was not taken by now is gone

    def answered(self) -> list[int]:
        """Correlation ids of the answers, in order."""
        ids, content = [], self.link.sent
        while content:
            size = int.from_bytes(content[:4], "big")
            ids.append(int.from_bytes(content[4:8], "big"))
            content = content[4 + size :]
        return ids


def frame(key: int, version: int, correlation_id: int, request: Any, client_id: bytes | None = b"me") -> bytes:
    length = -1 if client_id is None else len(client_id)
    header = pack(">hhih", key, version, correlation_id, length) + (client_id or b"")
    if messages.header_version(key, version) >= 2:
        header += b"\0"
    body = header + messages.encode(request, version)
    return pack(">i", len(body)) + body


def metadata(correlation_id: int, *, topic: str = "orders", version: int = 12) -> bytes:
    topics = [messages.MetadataRequest.MetadataRequestTopic(name=topic)]
    return frame(METADATA, version, correlation_id, messages.MetadataRequest(topics=topics))


def produce(correlation_id: int, *, size: int = 10) -> bytes:
    partition = messages.ProduceRequest.PartitionProduceData(index=0, records=b"r" * size)
    topic = messages.ProduceRequest.TopicProduceData(name="orders", partition_data=[partition])
    return frame(PRODUCE, 9, correlation_id, messages.ProduceRequest(acks=1, topic_data=[topic]))


@pytest.mark.parametrize("piece", [1, 3, 100, SHARED_BYTES])
def test_requests_are_understood_however_they_arrive(piece: int) -> None:
    server = Server()
    server.feed(b"".join([metadata(1), produce(2, size=20_000), metadata(3, version=0), metadata(4)]), piece)
    assert [header.correlation_id for header, _ in server.requests] == [1, 2, 3, 4]
    assert server.answered() == [1, 2, 3, 4]
    assert server.link.closed is None
    assert server.budget.used == 0


def test_a_frame_that_lies_wholly_in_the_shared_buffer_is_not_copied() -> None:
    server = Server()
    content = produce(1)
    server.shared[: len(content)] = content
    server.connection.on_bytes(len(content))
    records = server.requests[0][1].topic_data[0].partition_data[0].records
    assert isinstance(records, memoryview)
    assert records.obj is server.shared.obj


@pytest.mark.parametrize("size", [-1, 0, 7, (1 << 20) + 1, 0x7FFFFFFF])
def test_a_frame_that_lies_about_its_length_closes_the_connection(size: int) -> None:
    server = Server()
    server.feed(pack(">i", size) + b"rubbish", 100)
    assert "bytes, expected 8 to" in (server.link.closed or "")
    assert server.budget.used == 0


def test_only_produce_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millrace.kafka.connection.REQUEST_BYTES_MAX_WITHOUT_RECORDS", 100)
    server = Server()
    server.feed(produce(1, size=2000), SHARED_BYTES)
    assert server.answered() == [1]
    for piece in (1, SHARED_BYTES):
        server = Server()
        server.feed(metadata(1, topic="t" * 200), piece)
        assert "expected 8 to 100" in (server.link.closed or "")
        assert server.budget.used <= 512


def test_the_buffer_of_a_frame_grows_with_what_arrived() -> None:
    server = Server()
    server.feed(pack(">i", 1 << 20) + b"x", 5)
    assert server.budget.used <= 512
    server.feed(b"x" * 1000, 100)
    assert server.budget.used <= 4 * 1100
    server.connection.on_lost()
    assert server.budget.used == 0


def test_above_the_ceiling_a_connection_stops_reading_and_goes_on_when_told() -> None:
    server = Server(budget=Budget(bytes_max=100))
    content = metadata(1, topic="t" * 200)
    server.feed(content[:50], 50)
    assert server.link.paused == 1
    server.connection.on_budget()
    assert server.link.paused == 0
    server.feed(content[50:], 50)
    assert server.answered() == [1]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pack(">ihhih", 10, 99, 0, 1, -1), "unsupported API key 99 version 0"),
        (pack(">ihhih", 10, 3, 99, 1, -1), "unsupported API key 3 version 99"),
        (pack(">ihhih", 10, 0, 2, 1, -1), "unsupported API key 0 version 2"),
        (pack(">ihhih", 10, 3, 0, 1, 50), "longer than the request"),
        (pack(">ihhih", 12, 3, 0, 1, 2) + b"\xff\xff", "not UTF-8"),
        (pack(">ihhi", 8, 3, 0, 1), "expected at least 10"),
        (metadata(1, version=0)[:-3], ""),
    ],
)
def test_what_cannot_be_understood_closes_the_connection(content: bytes, reason: str) -> None:
    server = Server()
    body = content[4:]
    server.feed(pack(">i", len(body)) + body, SHARED_BYTES)
    assert server.link.closed is not None
    assert reason in server.link.closed
    assert not server.requests


def test_bytes_behind_a_request_are_passed_over() -> None:
    """As in Kafka. librdkafka 2.16 leaves three bytes behind its request for the metadata of all topics."""
    server = Server()
    body = metadata(1)[4:] + b"extra"
    server.feed(pack(">i", len(body)) + body, SHARED_BYTES)
    assert server.link.closed is None
    assert len(server.requests) == 1


def test_api_versions_that_is_too_new_is_handled_and_answered_in_version_0() -> None:
    server = Server()
    body = pack(">hhih", API_VERSIONS, 77, 5, 2) + b"me" + b"whatever follows"
    server.feed(pack(">i", len(body)) + body, SHARED_BYTES)
    assert server.requests[0][1] is None
    assert server.link.sent[4:8] == pack(">i", 5)
    assert len(server.link.sent) == 4 + 4 + 2 + 4  # error code and an empty array: version 0


def test_produces_are_handled_while_earlier_ones_wait_and_answered_in_order() -> None:
    server = Server()
    server.answer_at_once = False
    server.feed(produce(1) + produce(2) + produce(3), SHARED_BYTES)
    assert len(server.requests) == 3
    server.replies[1]()
    assert server.answered() == []
    server.replies[0]()
    assert server.answered() == [1, 2]
    server.replies[2]()
    assert server.answered() == [1, 2, 3]


def test_what_is_in_flight_is_bounded() -> None:
    server = Server(produce_in_flight_max=2)
    server.answer_at_once = False
    server.feed(produce(1) + produce(2) + produce(3) + produce(4), SHARED_BYTES)
    assert len(server.requests) == 2
    server.replies[0]()
    assert len(server.requests) == 3
    server.replies[1]()
    server.replies[2]()
    server.replies[3]()
    assert server.answered() == [1, 2, 3, 4]


def test_any_other_request_waits_its_turn() -> None:
    server = Server()
    server.answer_at_once = False
    server.feed(metadata(1) + metadata(2) + produce(3), SHARED_BYTES)
    assert [header.correlation_id for header, _ in server.requests] == [1]
    assert server.link.paused == 1
    server.replies[0]()
    server.replies[1]()
    assert server.link.paused == 0
    server.replies[2]()
    assert server.answered() == [1, 2, 3]


def test_a_waiting_connection_reads_on_until_more_comes_so_that_its_end_is_seen() -> None:
    server = Server()
    server.answer_at_once = False
    server.feed(metadata(1), SHARED_BYTES)
    assert server.link.paused == 0
    server.connection.on_eof()
    assert server.link.closed == ""
    server.connection.on_lost()
    assert server.cancelled == 1
    assert server.link.sent == b""


def test_a_peer_that_does_not_read_is_not_read_from() -> None:
    server = Server()
    server.connection.on_writable(False)
    assert server.link.paused == 1
    server.feed(metadata(1), SHARED_BYTES)
    assert not server.requests
    server.connection.on_writable(True)
    assert server.answered() == [1]
    assert server.link.paused == 0


def test_an_answer_that_completes_an_earlier_one_sends_both() -> None:
    server = Server()
    waiting: list[Any] = []

    def dispatch(connection: KafkaConnection, header: Header, request: Any, reply: Any) -> Any:
        if not waiting:
            waiting.append(reply)
            return lambda: None
        waiting.pop()(messages.ProduceResponse())  # this append's flush settles the one before
        reply(messages.ProduceResponse())
        return None

    server.connection._dispatch = dispatch
    server.feed(produce(1) + produce(2), SHARED_BYTES)
    assert server.answered() == [1, 2]
