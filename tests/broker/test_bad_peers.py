"""Peers that lie, stop half-way or never read: answered in Kafka's code or cut off, in one log line, within bounds.

A whole broker in a process of its own, so that its memory can be looked at; after each peer somebody else is served.
"""

from __future__ import annotations

import contextlib
import resource
import socket
import struct
import time
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from millrace import Broker
from millrace.kafka import codes, messages
from tests.broker import batch_checks
from tests.broker.admin_checks import create, new_topic
from tests.broker.wire_ask import WireAsk
from tests.clients.wire import Wire
from tests.crash import asking
from tools.broker_process import BrokerProcess
from tools.our_broker import OurBroker
from tools.processes import usage

MIB = 1 << 20
REQUEST_BYTES_MAX = 100 * MIB
ANSWER_S = 20.0
FETCHES = 10_000


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurBroker]:
    with OurBroker(tmp_path_factory.mktemp("broker")) as broker:
        with Wire(broker.bootstrap) as wire:
            assert asking.create_topic(wire, "good", 1, {"max.message.bytes": str(4 * MIB)}).code == 0
        yield broker
        assert "Traceback" not in broker.output_file.read_text()


@pytest.fixture
def told(broker: OurBroker) -> Callable[[], list[str]]:
    """The lines that the broker wrote since the test began."""
    before = len(broker.output_file.read_text().splitlines())
    return lambda: broker.output_file.read_text().splitlines()[before:]


def connect(broker: BrokerProcess) -> socket.socket:
    return socket.create_connection(("127.0.0.1", broker.port), timeout=ANSWER_S)


def is_closed(peer: socket.socket) -> bool:
    """Waits for the broker's next word: true when it is the end."""
    try:
        return peer.recv(1) == b""
    except ConnectionResetError:
        return True


def check_others(broker: BrokerProcess) -> None:
    with Wire(broker.bootstrap) as wire:
        offset = asking.produce(wire, "good", [b"hello"], -1).value
        assert offset >= 0
        assert asking.fetch(wire, "good", offset)[0].base_offset == offset


def framed(key: int, version: int, body: bytes) -> bytes:
    head = struct.pack(">hhih", key, version, 1, -1)
    return struct.pack(">i", len(head) + len(body)) + head + body


# -- batches -----------------------------------------------------------------------------------------------------------


def test_bad_batches_are_answered_as_kafka_answers_them(broker: OurBroker) -> None:
    ask = WireAsk(broker.bootstrap, is_kafka=False)
    batch_checks.create_topics(ask)
    found: dict[str, int] = {}
    expected: dict[str, int] = {}
    with Wire(broker.bootstrap) as wire:
        for name, case in batch_checks.CASES.items():
            expected[name] = batch_checks.OURS[name][0] if name in batch_checks.OURS else case.code
            found[name] = batch_checks.produce(ask, batch_checks.topic_of(name), case)
            end = asking.offset_at(wire, batch_checks.topic_of(name), -1)
            assert (end > 0) == (found[name] == 0), f"{name}: answered with {found[name]}, the log ends at {end}"
    ask.close()
    assert found == expected


def test_the_timestamp_type_is_the_topics(broker: OurBroker) -> None:
    ask = WireAsk(broker.bootstrap, is_kafka=False)
    create(ask, new_topic("stamped-by-its-producer"))
    case = batch_checks.CASES["log append time set by the client"]
    assert batch_checks.produce(ask, "stamped-by-its-producer", case) == 0
    ask.close()
    with Wire(broker.bootstrap) as wire:
        (batch,) = asking.fetch(wire, "stamped-by-its-producer", 0)
    assert batch.attributes == 0  # as Kafka leaves it
    assert batch.is_valid_crc


def test_records_are_looked_at_where_the_topic_asks_for_it(broker: OurBroker) -> None:
    ask = WireAsk(broker.bootstrap, is_kafka=False)
    opaque = [name for name, (code, why) in batch_checks.OURS.items() if why == batch_checks.OPAQUE]
    assert opaque
    for name in opaque:
        topic = "full-" + batch_checks.topic_of(name)
        create(ask, new_topic(topic, configs={"millrace.validate.records": "full"}))
        code = batch_checks.produce(ask, topic, batch_checks.CASES[name])
        assert code in (codes.INVALID_RECORD, codes.CORRUPT_MESSAGE), f"{name} was answered with {code}"
    ask.close()


# -- frames ------------------------------------------------------------------------------------------------------------

REFUSED_FRAMES = {
    "length negative": struct.pack(">i", -1),
    "length zero": struct.pack(">i", 0),
    "length too small for a header": struct.pack(">i", 7) + bytes(7),
    "length over the limit": struct.pack(">ihh", REQUEST_BYTES_MAX + 1, 0, 9),
    "length over the limit of what carries no records": struct.pack(">ihh", REQUEST_BYTES_MAX, 3, 9),
    "length as large as can be": struct.pack(">i", 0x7FFFFFFF),
    "length less than the request": struct.pack(">i", 12) + framed(3, 9, b"\x02\x00\x05topic")[4:],
    "unknown key": framed(9999, 0, b""),
    "negative key": framed(-1, 0, b""),
    "unknown version": framed(3, 99, b""),
    "negative version": framed(3, -1, b""),
    "a key that is not served": framed(4, 0, b""),
    "http": b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
    "tls": bytes.fromhex("16030100f8010000f40303") + bytes(200),
    "an array of two thousand million": framed(3, 1, struct.pack(">i", 0x7FFFFFFF)),
    "client id longer than the request": struct.pack(">ihhih", 10, 3, 1, 1, 500),
    "garbage": bytes(range(255, -1, -1)) * 4,
}


@pytest.mark.parametrize("name", REFUSED_FRAMES)
def test_a_frame_that_cannot_be_right_ends_its_connection(
    broker: OurBroker, told: Callable[[], list[str]], name: str
) -> None:
    with connect(broker) as peer:
        peer.sendall(REFUSED_FRAMES[name])
        assert is_closed(peer)
        address = "{}:{}".format(*peer.getsockname())
    assert len([line for line in told() if address in line]) == 1  # it was written before the connection was closed
    check_others(broker)


def test_a_version_of_api_versions_that_is_too_new_is_answered(broker: OurBroker) -> None:
    with connect(broker) as peer:
        peer.sendall(framed(18, 99, b""))
        answer = peer.recv(1_000)
    assert struct.unpack_from(">ih", answer, 4) == (1, codes.UNSUPPORTED_VERSION)


def test_a_length_that_is_only_announced_takes_no_memory(broker: OurBroker) -> None:
    before = usage(broker.pid).rss_bytes
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            peer = stack.enter_context(connect(broker))
            peer.sendall(struct.pack(">ihh", REQUEST_BYTES_MAX, 0, 9) + bytes(1_000))
        check_others(broker)
        assert usage(broker.pid).rss_bytes - before < 10 * MIB


def test_a_half_closed_connection_is_closed(broker: OurBroker, told: Callable[[], list[str]]) -> None:
    with connect(broker) as peer:
        peer.sendall(framed(18, 0, b"")[:7])
        peer.shutdown(socket.SHUT_WR)
        assert is_closed(peer)
    assert told() == []  # peers come and go
    check_others(broker)


# -- peers that do not read, or do not write ---------------------------------------------------------------------------


def fetch_frame(offset: int) -> bytes:
    request = messages.FetchRequest
    partition = request.FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=MIB)
    topic = request.FetchTopic(topic="good", partitions=[partition])
    return framed(1, 4, bytes(messages.encode(request(max_wait_ms=0, min_bytes=1, topics=[topic]), 4)))


def test_a_peer_that_never_reads_takes_no_memory(broker: OurBroker) -> None:
    with Wire(broker.bootstrap) as wire:
        answer = asking.produce(wire, "good", [b"x" * (MIB - 200)], -1)
        assert answer.code == 0
    frames = memoryview(fetch_frame(answer.value) * FETCHES)
    before = usage(broker.pid).rss_bytes
    with connect(broker) as peer:
        sent = 0
        peer.settimeout(0.5)  # as long as the broker takes more, it does so much sooner
        with contextlib.suppress(TimeoutError):
            while sent < len(frames):
                sent += peer.send(frames[sent : sent + 65_536])
        check_others(broker)
        grown = usage(broker.pid).rss_bytes - before
        assert grown < 30 * MIB, f"{grown} bytes for a peer that does not read"
        peer.settimeout(ANSWER_S)
        (size,) = struct.unpack(">i", peer.recv(4, socket.MSG_WAITALL))
        assert size > MIB - 200  # and if it reads after all, it is answered
    check_others(broker)


def test_a_thousand_peers_that_stop_after_a_byte_take_little_memory(broker: OurBroker) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2_000:
        pytest.skip(f"only {hard} files may be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2_000), hard))
    before = usage(broker.pid).rss_bytes
    with contextlib.ExitStack() as stack:
        for _ in range(1_000):
            stack.enter_context(connect(broker)).sendall(b"\0")
        check_others(broker)
        grown = usage(broker.pid).rss_bytes - before
        assert grown < 50 * MIB, f"{grown} bytes for a thousand connections"
    check_others(broker)


def test_connections_over_the_limit_are_refused_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    config = {"max.connections": 5, "millrace.metrics.listener": "127.0.0.1:0"}
    with Broker(config=config) as broker, contextlib.ExitStack() as stack:
        wires = [stack.enter_context(Wire(broker.bootstrap_servers)) for _ in range(5)]
        for wire in wires:
            asking.partition_counts(wire)
        host, _, port = broker.bootstrap_servers.rpartition(":")
        for _ in range(20):
            assert is_closed(stack.enter_context(socket.create_connection((host, int(port)), ANSWER_S)))
        for wire in wires:
            asking.partition_counts(wire)
        with urllib.request.urlopen(f"http://{broker.metrics_address}/metrics", timeout=ANSWER_S) as page:
            refused = [line for line in page.read().decode().splitlines() if "connections_refused_total{" in line]
        assert [float(line.split()[-1]) for line in refused] == [20.0]
        lines = [record for record in caplog.records if "refused a connection" in record.getMessage()]
        assert len(lines) == 5  # at the 1st, 2nd, 4th, 8th and 16th
        wires.pop().__exit__(None, None, None)
        deadline = time.monotonic() + ANSWER_S
        while not is_served(broker):  # in the place of the one that was closed, once that is noticed
            assert time.monotonic() < deadline, "no connection is accepted"


def is_served(broker: Broker) -> bool:
    try:
        with Wire(broker.bootstrap_servers) as wire:
            asking.partition_counts(wire)
    except (OSError, struct.error):
        return False
    return True
