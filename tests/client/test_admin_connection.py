"""The blocking admin connection: against the broker, and against peers that are none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from millrace import Broker
from millrace.client.address import Address, parse_bootstrap
from millrace.client.admin_connection import AdminConnection
from millrace.client.errors import ClientError
from millrace.kafka import messages


def test_asks_in_the_newest_version_of_both(millrace_broker: Broker) -> None:
    with AdminConnection(parse_bootstrap(millrace_broker.bootstrap_servers)) as connection:
        first = connection.ask(messages.DescribeClusterRequest())
        second = connection.ask(messages.MetadataRequest(topics=[]))
    assert first.cluster_id == second.cluster_id
    assert len(first.brokers) == 1


def test_the_first_address_that_answers_is_used(millrace_broker: Broker) -> None:
    addresses = (Address("127.0.0.1", 1), *parse_bootstrap(millrace_broker.bootstrap_servers))
    with AdminConnection(addresses) as connection:
        assert connection.ask(messages.DescribeClusterRequest()).error_code == 0


def test_nobody_there() -> None:
    with pytest.raises(ClientError, match=r"no broker answers at 127\.0\.0\.1:1: Connection refused"):
        AdminConnection((Address("127.0.0.1", 1),))


def test_an_api_that_the_broker_has_not(millrace_broker: Broker) -> None:
    with (
        AdminConnection(parse_bootstrap(millrace_broker.bootstrap_servers)) as connection,
        pytest.raises(ClientError, match="does not know Vote"),
    ):
        connection.ask(messages.VoteRequest())


@contextmanager
def peer(answer: Callable[[socket.socket], None]) -> Iterator[tuple[Address, ...]]:
    """A server of one connection: ``answer`` is called with it when a request has come."""

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65_536)
            answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        yield (Address("127.0.0.1", listening.getsockname()[1]),)
        thread.join()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"", "closed the connection"),
        (b"\x00\x00", "closed the connection"),
        (b"\x00\x00\x00\x09\x00\x00\x00\x01", "closed the connection"),
        (b"HTTP/1.1 400 Bad Request\r\n", "is this a Kafka cluster"),
        (b"\x00\x00\x00\x00", "is this a Kafka cluster"),
        (b"\x00\x00\x00\x05\x00\x00\x00\x01\xff", "cannot be read"),
        (b"\x00\x00\x00\x0a\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00", "an answer to request 7, expected one to 1"),
    ],
)
def test_a_peer_that_is_no_broker(sent: bytes, reason: str) -> None:
    with peer(lambda connection: connection.sendall(sent)) as addresses, pytest.raises(ClientError, match=reason):
        AdminConnection(addresses)


def test_a_peer_that_says_nothing() -> None:
    done = threading.Event()
    with peer(lambda connection: done.wait(20) and None) as addresses:
        with pytest.raises(ClientError, match="timed out"):
            AdminConnection(addresses, timeout_s=0.1)
        done.set()
