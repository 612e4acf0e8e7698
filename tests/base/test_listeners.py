"""Listeners: what is bound, what clients are told, and what is refused."""

from __future__ import annotations

import pytest

from millrace.base.keys import InvalidValue
from millrace.base.listeners import Listener, is_loopback, parse_address_limits, parse_listeners

MAP = "PLAINTEXT:PLAINTEXT,INSIDE:PLAINTEXT,SSL:SSL"


def parse(bound: str, advertised: str | None = None, *, allow_insecure: bool = False) -> tuple[Listener, ...]:
    return parse_listeners(
        bound.split(","),
        None if advertised is None else advertised.split(","),
        MAP,
        ["CONTROLLER"],
        allow_insecure=allow_insecure,
    )


def test_an_empty_host_is_loopback_unless_the_user_opens_it() -> None:
    assert parse("PLAINTEXT://:9092")[0].host == "127.0.0.1"
    opened = parse("PLAINTEXT://:9092", allow_insecure=True)[0]
    assert (opened.host, opened.advertised_host) == ("", "")


def test_several_listeners_with_addresses_of_their_own() -> None:
    first, second = parse("plaintext://127.0.0.1:0,INSIDE://[::1]:9093", "INSIDE://inside.example:19093")
    assert (first.name, first.port, first.advertised_host, first.advertised_port) == ("PLAINTEXT", 0, "127.0.0.1", 0)
    assert (second.host, second.advertised_host, second.advertised_port) == ("::1", "inside.example", 19093)


def test_kafkas_controller_is_not_opened() -> None:
    assert [listener.name for listener in parse("PLAINTEXT://:9092,CONTROLLER://:9093")] == ["PLAINTEXT"]


def test_ipv4_and_ipv6_may_share_a_port() -> None:
    assert len(parse("PLAINTEXT://127.0.0.1:9092,INSIDE://[::1]:9092")) == 2


@pytest.mark.parametrize(
    ("bound", "advertised", "message"),
    [
        ("PLAINTEXT://0.0.0.0:9092", None, "millrace.allow.insecure.listeners"),
        ("PLAINTEXT://broker.example:9092", None, "without authentication"),
        ("PLAINTEXT://127.0.0.1:9092,INSIDE://127.0.0.1:9092", None, "port 9092 twice"),
        ("PLAINTEXT://127.0.0.1:1,PLAINTEXT://127.0.0.1:2", None, "PLAINTEXT twice"),
        ("OUTSIDE://127.0.0.1:1", None, "not in listener.security.protocol.map"),
        ("SSL://127.0.0.1:1", None, "only PLAINTEXT"),
        ("CONTROLLER://127.0.0.1:1", None, "at least one"),
        ("127.0.0.1:9092", None, "expected NAME://HOST:PORT"),
        ("PLAINTEXT://127.0.0.1:65536", None, "from 0 to 65535"),
        ("PLAINTEXT://127.0.0.1:9092", "INSIDE://a:1", "none of the broker's listeners"),
        ("PLAINTEXT://127.0.0.1:9092", "PLAINTEXT://0.0.0.0:1", "that clients can reach"),
    ],
)
def test_refused(bound: str, advertised: str | None, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        parse(bound, advertised)


def test_limits_of_addresses() -> None:
    assert parse_address_limits("10.0.0.1:5, [0:0::1]:7,::2:8") == {"10.0.0.1": 5, "::1": 7, "::2": 8}
    assert parse_address_limits("") == {}
    for wrong in ("10.0.0.1", "10.0.0.1:", "somewhere.example:5", "10.0.0.1:-1"):
        with pytest.raises(InvalidValue, match="expected ADDRESS:COUNT"):
            parse_address_limits(wrong)


@pytest.mark.parametrize(
    ("host", "loopback"), [("localhost", True), ("127.8.9.1", True), ("::1", True), ("10.0.0.1", False), ("me", False)]
)
def test_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
