"""The page of numbers, as Prometheus' own parser reads it, and the small HTTP server around it."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from prometheus_client.parser import text_string_to_metric_families

from millrace import Broker
from millrace.runtime.metrics import CONNECTIONS_MAX, HEADER_BYTES_MAX, Page


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(config={"millrace.metrics.listener": "127.0.0.1:0"}) as broker:
        producer = Producer({"bootstrap.servers": broker.bootstrap_servers, "log_level": 0})
        for number in range(10):
            producer.produce("seen", b"%d" % number, partition=0)
        assert producer.flush(20) == 0
        settings = {"bootstrap.servers": broker.bootstrap_servers, "group.id": "readers", "log_level": 0}
        consumer = Consumer({**settings, "enable.auto.commit": False})
        consumer.assign([TopicPartition("seen", 0, 0)])
        assert consumer.poll(20) is not None
        consumer.commit(offsets=[TopicPartition("seen", 0, 4)], asynchronous=False)
        consumer.close()
        yield broker


def get(broker: Broker, path: str, method: str = "GET") -> tuple[int, str]:
    host, _, port = broker.metrics_address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def samples(page: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def test_the_page_tells_what_happened(broker: Broker) -> None:
    found = samples(get(broker, "/metrics")[1])
    assert found["millrace_produced_records_total", ()] == 10
    assert found["millrace_partitions_offline", ()] == 0
    assert found["millrace_topic_end_offsets_total", (("topic", "seen"),)] == 10
    assert found["millrace_topic_size_bytes", (("topic", "seen"),)] > 0
    assert found["millrace_group_lag_records", (("group", "readers"), ("topic", "seen"))] == 6
    assert found["millrace_request_seconds_count", (("api", "Produce"),)] >= 1
    assert found["millrace_flush_rounds_total", ()] >= 1
    assert found["millrace_received_bytes_total", (("listener", "PLAINTEXT"),)] > 0
    assert found["millrace_sent_bytes_total", (("listener", "PLAINTEXT"),)] > 0
    assert found["millrace_consumed_bytes_total", ()] > 0
    assert found["millrace_memory_bytes", (("pool", "process"),)] > 1 << 20


def test_histograms_only_grow_and_end_in_the_count(broker: Broker) -> None:
    page = get(broker, "/metrics")[1]
    buckets: dict[str, list[float]] = {}
    counts: dict[str, float] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            if sample.name == "millrace_request_seconds_bucket":
                buckets.setdefault(sample.labels["api"], []).append(sample.value)
            elif sample.name == "millrace_request_seconds_count":
                counts[sample.labels["api"]] = sample.value
    assert buckets
    for api, values in buckets.items():
        assert values == sorted(values), f"{api}: {values}"
        assert values[-1] == counts[api]


def test_errors_are_named(broker: Broker) -> None:
    producer = Producer({"bootstrap.servers": broker.bootstrap_servers, "log_level": 0})
    broker.fail("Produce", "POLICY_VIOLATION")
    producer.produce("seen", b"refused", partition=0)
    assert producer.flush(20) == 0
    found = samples(get(broker, "/metrics")[1])
    assert found["millrace_request_errors_total", (("api", "Produce"), ("error", "POLICY_VIOLATION"))] == 1


def test_health_and_readiness(broker: Broker) -> None:
    assert get(broker, "/healthz") == (200, "ok\n")
    assert get(broker, "/readyz") == (200, "ready\n")
    assert get(broker, "/nothing")[0] == 404
    assert get(broker, "/metrics", "POST")[0] == 405
    assert get(broker, "/metrics", "HEAD") == (200, "")


def connect(broker: Broker) -> socket.socket:
    host, _, port = broker.metrics_address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    try:
        while piece := connection.recv(65_536):
            received += piece
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /healthz HTTP/2.0\r\n\r\n", b"400"),
        (b"GET /healthz\r\n\r\n", b"400"),
        (b"GET /healthz HTTP/1.0\n\n", b"200"),
        (b"GET /" + b"x" * HEADER_BYTES_MAX, b"431"),
    ],
)
def test_what_is_no_request(broker: Broker, sent: bytes, status: bytes) -> None:
    with connect(broker) as connection:
        connection.sendall(sent)
        assert read_all(connection).split(b" ")[1] == status


def test_a_request_in_pieces(broker: Broker) -> None:
    with connect(broker) as connection:
        for piece in (b"GET /hea", b"lthz HTTP/1.1\r\nHost: x", b"\r\n", b"\r\n"):
            connection.sendall(piece)
        assert read_all(connection).endswith(b"\r\n\r\nok\n")


def test_too_many_connections_are_turned_away(broker: Broker) -> None:
    held = [connect(broker) for _ in range(CONNECTIONS_MAX)]
    try:
        held[0].sendall(b"GET ")  # the last one of them is surely taken before the next is
        with connect(broker) as one_more:
            assert read_all(one_more) == b""
    finally:
        for connection in held:
            connection.close()
    while get(broker, "/healthz")[0] != 200:  # they are gone as soon as the loop has seen it
        pass


def test_every_number_is_explained(broker: Broker) -> None:
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf8")
    explained = {(name, kind) for name, kind in re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE)}
    assert explained == {
        (family.name, family.type) for family in text_string_to_metric_families(get(broker, "/metrics")[1])
    }


def test_labels_are_escaped() -> None:
    page = Page()
    page.family("named", "gauge", "A name.")
    page.sample(1, name='a "quoted"\nback\\slash')
    (family,) = text_string_to_metric_families(page.text())
    assert family.samples[0].labels["name"] == 'a "quoted"\nback\\slash'


def test_the_page_is_not_ready_without_a_broker() -> None:
    with pytest.raises(RuntimeError, match=r"expected HOST:PORT"):
        Broker(config={"millrace.metrics.listener": "nonsense"}).start()
