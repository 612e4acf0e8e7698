"""Listeners: what ``listeners``, ``advertised.listeners`` and the protocol map say together, checked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from millrace.base.keys import InvalidValue

_ENDPOINT = re.compile(r"^(?P<name>[^:/]+)://\[?(?P<host>[0-9A-Za-z\-%._:]*)\]?:(?P<port>-?\d+)$")
_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 (recognised, not bound)
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


@dataclass(frozen=True, slots=True)
class Listener:
    """One address to bind and the address that clients are told.

    A bound host of ``""`` is every interface. An advertised host of ``""`` stands for the machine's own name, and an
    advertised port of 0 for the port that was bound: both are known only to who binds.
    """

    name: str
    protocol: str
    host: str
    port: int
    advertised_host: str
    advertised_port: int


def parse_listeners(
    bound: Sequence[str],
    advertised: Sequence[str] | None,
    protocol_map: str,
    controller_names: Iterable[str],
    *,
    allow_insecure: bool,
) -> tuple[Listener, ...]:
    """The broker's listeners, those of Kafka's controller left out; raises InvalidValue."""
    controllers = {name.upper() for name in controller_names}
    protocols = parse_protocol_map(protocol_map)
    endpoints = [_parse("listeners", text) for text in bound]
    _check_distinct(endpoints)
    told = {
        name: (host, port) for name, host, port in (_parse("advertised.listeners", text) for text in advertised or ())
    }
    known = {name for name, _, _ in endpoints}
    for name, (host, _) in told.items():
        if name in controllers:
            continue
        if name not in known:
            raise InvalidValue(f"advertised.listeners names {name}, which is none of the broker's listeners")
        if host in _EVERYWHERE:
            raise InvalidValue(f"advertised.listeners must name a host that clients can reach for {name}")
    listeners = []
    for name, host, port in endpoints:
        if name in controllers:
            continue
        protocol = _protocol_of(name, protocols)
        bound_host = _bound_host(name, host, allow_insecure=allow_insecure)
        default_host = "" if bound_host in _EVERYWHERE else bound_host
        advertised_host, advertised_port = told.get(name, (default_host, port))
        listeners.append(Listener(name, protocol, bound_host, port, advertised_host, advertised_port))
    if not listeners:
        raise InvalidValue("listeners must name at least one listener that is not the controller's")
    return tuple(listeners)


def parse_protocol_map(text: str) -> dict[str, str]:
    """``NAME:PROTOCOL,...`` by name; raises InvalidValue."""
    protocols: dict[str, str] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        name, colon, protocol = item.partition(":")
        name, protocol = name.strip().upper(), protocol.strip().upper()
        if not colon or not name or protocol not in PROTOCOLS:
            raise InvalidValue(
                f"listener.security.protocol.map has {item!r}: expected NAME:PROTOCOL,"
                f" the protocol one of {', '.join(PROTOCOLS)}"
            )
        protocols[name] = protocol
    return protocols


def parse_address_limits(text: str) -> dict[str, int]:
    """``ADDRESS:COUNT,...`` by address, as a connection's peer is written; raises InvalidValue.

    Unlike Kafka's, names are not looked up: that could block, and would be true only at the time of the look-up.
    """
    limits: dict[str, int] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        address, _, count = item.rpartition(":")
        try:
            peer = str(ipaddress.ip_address(address.removeprefix("[").removesuffix("]")))
        except ValueError:
            peer = ""
        if not peer or not (count.isascii() and count.isdigit()):
            raise InvalidValue(f"max.connections.per.ip.overrides has {item!r}: expected ADDRESS:COUNT")
        limits[peer] = int(count)
    return limits


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host; a name other than localhost counts as reachable from elsewhere."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _parse(key: str, text: str) -> tuple[str, str, int]:
    found = _ENDPOINT.match(text)
    if found is None or not 0 <= int(found["port"]) <= 65_535:
        raise InvalidValue(
            f"{text!r} is not a valid value for {key}: expected NAME://HOST:PORT with a port from 0 to 65535"
        )
    return found["name"].upper(), found["host"], int(found["port"])


def _check_distinct(endpoints: Sequence[tuple[str, str, int]]) -> None:
    names: set[str] = set()
    ports: dict[int, list[str]] = {}
    for name, host, port in endpoints:
        if name in names:
            raise InvalidValue(f"listeners has the name {name} twice: each listener needs a name of its own")
        names.add(name)
        if port:
            ports.setdefault(port, []).append(host)
    for port, hosts in ports.items():
        # As in Kafka, one IPv4 and one IPv6 address may share a port.
        if len(hosts) > 1 and not (len(hosts) == 2 and {_version(host) for host in hosts} == {4, 6}):
            raise InvalidValue(f"listeners has port {port} twice: each listener needs a port of its own")


def _version(host: str) -> int:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).version
    except ValueError:
        return 0


def _protocol_of(name: str, protocols: dict[str, str]) -> str:
    protocol = protocols.get(name)
    if protocol is None:
        raise InvalidValue(f"listener {name} is not in listener.security.protocol.map")
    if protocol != "PLAINTEXT":
        raise InvalidValue(f"listener {name} is {protocol}: only PLAINTEXT listeners are built yet")
    return protocol


def _bound_host(name: str, host: str, *, allow_insecure: bool) -> str:
    """Nobody has to authenticate on PLAINTEXT, so it stays on this machine unless the user says otherwise."""
    if allow_insecure:
        return "" if host in _EVERYWHERE[:1] else host
    if not host:
        return "127.0.0.1"
    if is_loopback(host):
        return host
    raise InvalidValue(
        f"listener {name} on {host} could be reached from other machines without authentication: bind it to 127.0.0.1,"
        " or set millrace.allow.insecure.listeners=true"
    )
