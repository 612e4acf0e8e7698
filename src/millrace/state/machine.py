"""The machine: the one pattern for all state that must survive (design section 5).

*Durable* state is what replaying the log gives. *Volatile* state (session deadlines, members in mid-join, tokens that
wait) is never in the log, never read by ``replay``, and safe to lose. ``decide`` only reads durable state and may
change volatile state; ``replay`` is the only writer of durable state. A host (``broker/machine_host``) appends the
records of a decision as one batch, replays them, and sends the replies once the high watermark has passed what was
replayed when they were decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from millrace.base.ports import Random


class Env:
    """Time, chance and the committed cluster metadata, as seen at one moment."""

    __slots__ = ("image", "mono_ms", "random", "wall_ms")

    def __init__(self, wall_ms: int, mono_ms: int, random: Random, image: Any) -> None:
        self.wall_ms = wall_ms  # stamps records
        self.mono_ms = mono_ms  # measures deadlines
        self.random = random
        self.image = image


class Call:
    """A client's request as a machine sees it: the message, its version, and who sent it."""

    __slots__ = ("api_version", "client_host", "client_id", "principal", "request")

    def __init__(
        self,
        request: Any,
        api_version: int,
        client_id: str = "",
        client_host: str = "",
        principal: str = "User:ANONYMOUS",
    ) -> None:
        self.request = request
        self.api_version = api_version
        self.client_id = client_id
        self.client_host = client_host
        self.principal = principal


class Record:
    """A record that a decision wants in its log: key and value are encoded; a value of None is a tombstone."""

    __slots__ = ("key", "value")

    def __init__(self, key: bytes | None, value: bytes | None) -> None:
        self.key = key
        self.value = value

    def __repr__(self) -> str:
        return f"Record({self.key!r}, {self.value!r})"


class Entry:
    """One record as it stands in the log, on replay; ``control`` is the marker type of a control record."""

    __slots__ = ("control", "key", "offset", "producer_epoch", "producer_id", "timestamp", "value")

    def __init__(
        self,
        offset: int,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        producer_id: int = -1,
        producer_epoch: int = -1,
        control: int | None = None,
    ) -> None:
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.control = control


class Decision:
    """What a request or a deadline led to: records (one atomic batch) and replies to any waiting tokens.

    ``at_once`` replies do not wait for the high watermark: only for heartbeats and errors that no state decides.
    """

    __slots__ = ("at_once", "records", "replies")

    def __init__(
        self,
        records: list[Record] | None = None,
        replies: list[tuple[Any, Any]] | None = None,
        *,
        at_once: bool = False,
    ) -> None:
        self.records = records if records is not None else []
        self.replies = replies if replies is not None else []
        self.at_once = at_once


class Effect:
    """Something owed to others (a marker to write, a partition to create): idempotent, sent again after a restart."""

    __slots__ = ("kind", "payload")

    def __init__(self, kind: str, payload: Any) -> None:
        self.kind = kind
        self.payload = payload


class Machine(Protocol):
    """See the module; one instance a partition of its topic."""

    def decide(self, request: Any, token: Any, env: Env) -> Decision: ...

    def replay(self, entry: Entry) -> None: ...

    def expire(self, env: Env) -> Decision: ...

    def next_deadline(self) -> int | None:
        """Monotonic ms at which ``expire`` has something to do, or None: so that nobody polls."""

    def outbox(self) -> Iterable[Effect]: ...
