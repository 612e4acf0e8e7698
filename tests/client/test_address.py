"""Addresses as users write them, and whether anybody is there."""

from __future__ import annotations

import socket

import pytest

from millrace.client.address import (
    Address,
    BadAddress,
    Unreachable,
    check_reachable,
    format_bootstrap,
    parse_bootstrap,
)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("host", [("host", 9092)]),
        ("host:1", [("host", 1)]),
        (" a:1 , b:2,", [("a", 1), ("b", 2)]),
        ("[::1]:9093", [("::1", 9093)]),
        ("[fe80::1]", [("fe80::1", 9092)]),
        ("PLAINTEXT://127.0.0.1:65535", [("127.0.0.1", 65_535)]),
    ],
)
def test_addresses(text: str, addresses: list[tuple[str, int]]) -> None:
    assert list(parse_bootstrap(text)) == [Address(*each) for each in addresses]


@pytest.mark.parametrize(
    "text", ["", ",", "host:", "host:port", "host:0", "host:65536", "::1:9092", "a b:1", "http://h/x"]
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadAddress, match="expected HOST:PORT"):
        parse_bootstrap(text)


def test_there_and_back() -> None:
    addresses = parse_bootstrap("a:1,[::1]:2")
    assert format_bootstrap(addresses) == "a:1,[::1]:2"
    assert parse_bootstrap(format_bootstrap(addresses)) == addresses


def test_reachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        port = there.getsockname()[1]
        check_reachable((Address("127.0.0.1", 1), Address("127.0.0.1", port)))
    with pytest.raises(Unreachable, match=r"no broker answers at 127\.0\.0\.1:1: .*; 127\.0\.0\.1:2: "):
        check_reachable((Address("127.0.0.1", 1), Address("127.0.0.1", 2)))
