"""Where a broker listens and what it tells: each listener its own address, or the one that is advertised for it."""

from __future__ import annotations

import contextlib
import socket
import urllib.request

import pytest

from millrace import Broker
from millrace.client.address import parse_bootstrap
from millrace.client.admin_connection import AdminConnection
from millrace.kafka import messages


def told(address: str) -> tuple[str, int]:
    """The host and port of the one broker, as its metadata tells who asks at ``address``."""
    with AdminConnection(parse_bootstrap(address)) as connection:
        (broker,) = connection.ask(messages.MetadataRequest(topics=[])).brokers
    return broker.host, broker.port


def test_each_listener_tells_its_own_address() -> None:
    config = {
        "listeners": ["INSIDE://127.0.0.1:0", "OUTSIDE://127.0.0.1:0"],
        "listener.security.protocol.map": "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT",
        "inter.broker.listener.name": "INSIDE",
    }
    with Broker(config=config) as broker:
        addresses = [endpoint.partition("://")[2] for endpoint in broker.endpoints]
        assert len(set(addresses)) == 2
        for address in addresses:
            host, port = told(address)
            assert f"{host}:{port}" == address


def test_what_is_advertised_is_told() -> None:
    config = {"advertised.listeners": "PLAINTEXT://broker.example:1234"}
    with Broker(config=config) as broker:
        assert told(broker.bootstrap_servers) == ("broker.example", 1234)


def test_ipv6() -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with Broker(config={"listeners": "PLAINTEXT://[::1]:0"}) as broker:
        assert broker.bootstrap_servers.startswith("[::1]:")
        assert told(broker.bootstrap_servers) == ("::1", int(broker.bootstrap_servers.rpartition(":")[2]))


def test_the_same_port_on_both_kinds_of_address() -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = {
        "listeners": [f"FOUR://127.0.0.1:{port}", f"SIX://[::1]:{port}"],
        "listener.security.protocol.map": "FOUR:PLAINTEXT,SIX:PLAINTEXT",
        "inter.broker.listener.name": "FOUR",
    }
    with Broker(config=config):
        assert told(f"127.0.0.1:{port}") == ("127.0.0.1", port)
        assert told(f"[::1]:{port}") == ("::1", port)


def test_too_many_connections_are_refused_and_counted() -> None:
    with Broker(config={"max.connections": 3, "millrace.metrics.listener": "127.0.0.1:0"}) as broker:
        (address,) = parse_bootstrap(broker.bootstrap_servers)
        held = [AdminConnection((address,)) for _ in range(3)]
        one_more = socket.create_connection(address, timeout=20)
        with one_more, contextlib.suppress(ConnectionResetError):
            assert one_more.recv(1) == b""
        with urllib.request.urlopen(f"http://{broker.metrics_address}/metrics") as page:
            assert b'millrace_connections_refused_total{listener="PLAINTEXT"} 1\n' in page.read()
        held.pop().close()
        while True:  # as soon as the broker has seen that one left, another may come
            with socket.create_connection(address, timeout=20) as another:
                another.sendall(b"\x00\x00\x00\x0c\x00\x12\x00\x00\x00\x00\x00\x01\x00\x02me")
                try:
                    if another.recv(4):
                        break
                except ConnectionResetError:
                    continue
        for each in held:
            each.close()
