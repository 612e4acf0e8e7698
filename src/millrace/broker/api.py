"""What an API is to the router: its versions, who answers it, what it touches, and how it is handled.

Each ``api_NN_name`` room ends with ``API = Api(...)``. The router applies versions, authentication, authorization and
the choice of who answers, once, from these declarations; a handler sees only requests that passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from millrace.broker.broker import Broker

ANY: Final = "any"
PARTITION_LEADER: Final = "partition leader"
CONTROLLER: Final = "controller"


class Coordinator(NamedTuple):
    """Answered by the coordinator of ``key(request)``; ``kind`` is group, transaction or share."""

    kind: str
    key: Callable[[Any], str]


class Resource(NamedTuple):
    """What a request wants to do to what: Kafka's operation and resource type names, in lower case."""

    operation: str  # read, write, create, delete, alter, describe, cluster_action, describe_configs, ...
    type: str  # topic, group, cluster, transactional_id, delegation_token, user
    name: str


CLUSTER_NAME: Final = "kafka-cluster"


class Context:
    """One request as its handler sees it: who asks, in which version, when, and the broker it asks."""

    __slots__ = (
        "api_version",
        "broker",
        "client_id",
        "connection",
        "host",
        "listener",
        "mono_ms",
        "principal",
        "wall_ms",
    )

    def __init__(
        self,
        broker: Broker,
        api_version: int,
        client_id: str | None,
        *,
        principal: str = "User:ANONYMOUS",
        host: str = "127.0.0.1",
        listener: str = "PLAINTEXT",
        connection: object = None,
        wall_ms: int = 0,
        mono_ms: int = 0,
    ) -> None:
        self.broker = broker
        self.api_version = api_version
        self.client_id = client_id
        self.principal = principal
        self.host = host
        self.listener = listener
        self.connection = connection
        self.wall_ms = wall_ms
        self.mono_ms = mono_ms

    def allows(self, operation: str, kind: str, name: str) -> bool:
        """Whether the asker may do this: for what the request itself does not name (the router checks what it does)."""
        authorizer = self.broker.authorizer
        return authorizer is None or authorizer(self.principal, self.host, operation, kind, name)

    def close_connection(self, reason: str) -> None:
        """Closing is the only answer that is left; ``reason`` is logged."""
        close = getattr(self.connection, "close", None)
        if close is not None:
            close(reason)


# (principal, host, operation, resource type, resource name) -> allowed
Authorizer = Callable[[str, str, str, str, str], bool]

# A handler: a plain function (context, request) -> response message | Waiting | None (no answer: acks=0).
Handler = Callable[[Context, Any], Any]
# Given the request and the refused resources: take what is refused out of the request and return a function that
# puts the refused entries into the response.
Deny = Callable[[Context, Any, set[Resource]], Callable[[Any], None]]


class Api:
    """One API's declaration; see the module."""

    __slots__ = ("deny", "fail", "handle", "key", "max_version", "min_version", "name", "resources", "who")

    def __init__(
        self,
        key: int,
        name: str,
        versions: tuple[int, int],
        handle: Handler,
        *,
        who: str | Coordinator = ANY,
        resources: Callable[[Any], Iterable[Resource]] | None = None,
        deny: Deny | None = None,
        fail: Callable[[Context, Any, int, str], Any] | None = None,
    ) -> None:
        """``fail(context, request, code, message)`` builds the answer of a request that fails as a whole; without it
        a response whose top level has ``error_code`` (and ``error_message``) gets these, see the router."""
        self.key = key
        self.name = name
        self.min_version, self.max_version = versions
        self.handle = handle
        self.who = who
        self.resources = resources
        self.deny = deny
        self.fail = fail
