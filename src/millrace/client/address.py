"""Where a cluster is: ``HOST:PORT,...`` as users write it, and whether anybody answers there."""

from __future__ import annotations

import re
import socket
from typing import Final, NamedTuple

DEFAULT_PORT: Final = 9092
DEFAULT_BOOTSTRAP: Final = f"127.0.0.1:{DEFAULT_PORT}"

_ADDRESS: Final = re.compile(
    r"(?:[A-Za-z0-9_]+://)?(?:\[(?P<six>[^\]]+)\]|(?P<host>[^:\[\]/\s]+))(?::(?P<port>[0-9]{1,5}))?"
)


class BadAddress(ValueError):
    """What was written is no address; the message says what was expected."""


class Unreachable(Exception):
    """Nobody answers at any of the addresses; the message names each with its reason."""


class Address(NamedTuple):
    """One host and port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_bootstrap(text: str) -> tuple[Address, ...]:
    """``HOST:PORT,...``; the port may be left out, a listener's ``PLAINTEXT://`` in front is no harm."""
    found = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        match = _ADDRESS.fullmatch(item)
        port = int(match["port"] or DEFAULT_PORT) if match else 0
        if match is None or not 0 < port <= 65_535:
            raise BadAddress(f"{item!r} is no address: expected HOST:PORT, with IPv6 hosts in brackets")
        found.append(Address(match["six"] or match["host"], port))
    if not found:
        raise BadAddress("no address is given: expected HOST:PORT")
    return tuple(found)


def format_bootstrap(addresses: tuple[Address, ...]) -> str:
    return ",".join(map(str, addresses))


def check_reachable(addresses: tuple[Address, ...], timeout_s: float = 5.0) -> None:
    """Raise Unreachable if no connection can be made: at once with its reason, where a client would try for long."""
    reasons = []
    for address in addresses:
        try:
            socket.create_connection(address, timeout=timeout_s).close()
        except OSError as error:
            reasons.append(f"{address}: {error.strerror or error}")
        else:
            return
    raise Unreachable(f"no broker answers at {'; '.join(reasons)}")
