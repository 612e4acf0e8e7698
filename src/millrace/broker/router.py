"""The router: one table from API key to handler, and everything that holds for all of them, once.

Version, authentication, authorization, who answers, and the turning of an exception into an answer happen here and
nowhere else; a handler sees only requests that passed. A test puts in an authorizer that says no, and an answerer that
is elsewhere, for every API.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.errors import PeerError, Refused, StorageFault
from millrace.broker.api import CONTROLLER, Api, Authorizer, Context, Coordinator, Resource
from millrace.broker.counters import ApiCounter
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from millrace.kafka.connection import PRODUCE, Header, KafkaConnection

if TYPE_CHECKING:
    from millrace.broker.broker import Broker

log = logging.getLogger("millrace.router")

REFUSED_CODES = {
    "topic": codes.TOPIC_AUTHORIZATION_FAILED,
    "group": codes.GROUP_AUTHORIZATION_FAILED,
    "cluster": codes.CLUSTER_AUTHORIZATION_FAILED,
    "transactional_id": codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}

NEVER_US: Final = 1 << 62
# A consumer asks a fetch to wait for records; members of a group wait for one another.
WAITS_BY_WISH: Final = frozenset((1, 11, 14))


class Peer:
    """Who is at the other end of a connection, as far as the router knows."""

    __slots__ = ("host", "listener", "principal", "software")

    def __init__(self, listener: str, host: str) -> None:
        self.listener = listener
        self.host = host
        self.principal = "User:ANONYMOUS"
        self.software = ""


class Router:
    """See the module."""

    def __init__(self, broker: Broker, apis: Iterable[Api], authorizer: Authorizer | None = None) -> None:
        self._broker = broker
        self._apis = {api.key: api for api in apis}
        self._authorizer = broker.authorizer = authorizer
        self.faults: dict[int, list[int]] = {}  # API key -> codes of the next answers, for tests of clients
        self.is_strict = False  # raise what is no error of ours to answer: a simulation ends at the first bug
        self.versions = {api.key: (api.min_version, api.max_version) for api in self._apis.values()}
        self.slow_us_min = slow_us_min(broker.config)
        broker.on_config_changed.append(self._on_config_changed)
        self._counters = broker.counters.apis
        for api in self._apis.values():
            self._counters[api.key] = ApiCounter(api.name)

    def _on_config_changed(self, config: BrokerConfig) -> None:
        self.slow_us_min = slow_us_min(config)

    def dispatch(
        self, connection: KafkaConnection, header: Header, request: Any, reply: Callable[[Any], None]
    ) -> Callable[[], None] | None:
        """Handle one request of a connection; the way to cancel it, if it waits."""
        broker = self._broker
        api = self._apis[header.api_key]
        peer: Peer = connection.context
        started_us = broker.clock.mono_us()
        context = Context(
            broker,
            header.api_version,
            header.client_id,
            principal=peer.principal,
            host=peer.host,
            listener=peer.listener,
            connection=connection,
            wall_ms=broker.clock.wall_ms(),
            mono_ms=broker.clock.mono_ms(),
        )
        call = _Call(self, api, context, request, reply, started_us)
        call.settle(self._route(api, context, request))
        return call.cancel if call.waiting is not None else None

    def answer(self, api_key: int, context: Context, request: Any) -> Any:
        """The response, or Waiting, of a request without a connection (for tests and for the node itself)."""
        return self._route(self._apis[api_key], context, request)

    # -- one request -------------------------------------------------------------------------------------------------

    def _route(self, api: Api, context: Context, request: Any) -> Any:
        restore = None
        try:
            if request is None:
                raise Refused(codes.UNSUPPORTED_VERSION, f"{api.name} version {context.api_version} is not supported")
            if self.faults and self.faults.get(api.key):
                raise Refused(self.faults[api.key].pop(0), "asked for by a test")
            restore = self._authorize(api, context, request)
            self._check_who(api, request)
            outcome = api.handle(context, request)
        except Exception as error:  # noqa: BLE001 (the one place)
            outcome = self._failed(api, context, request, error)
        if restore is None:
            return outcome
        return self._restored(outcome, restore)

    def _restored(self, outcome: Any, restore: Callable[[Any], None]) -> Any:
        """Put the refused entries into the response, when there is one."""
        if isinstance(outcome, Waiting):
            finish = outcome.finish
            outcome.finish = lambda timed_out: self._restored(finish(timed_out), restore)
        elif outcome is not None:
            restore(outcome)
        return outcome

    def _check_who(self, api: Api, request: Any) -> None:
        who = api.who
        if isinstance(who, Coordinator):
            self._broker.check_coordinator(who.kind, who.key(request))
        elif who == CONTROLLER:
            self._broker.check_controller()

    def _authorize(self, api: Api, context: Context, request: Any) -> Callable[[Any], None] | None:
        if self._authorizer is None or api.resources is None:
            return None
        allowed = self._authorizer
        refused = {
            each
            for each in api.resources(request)
            if not allowed(context.principal, context.host, each.operation, each.type, each.name)
        }
        if not refused:
            return None
        if api.deny is not None:
            return api.deny(context, request, refused)
        first: Resource = min(refused)
        raise Refused(
            REFUSED_CODES.get(first.type, codes.CLUSTER_AUTHORIZATION_FAILED),
            f"{context.principal} may not {first.operation} {first.type} {first.name}",
        )

    def _failed(self, api: Api, context: Context, request: Any, error: Exception) -> Any:
        """The one place that turns an exception into an answer."""
        if isinstance(error, Refused):
            code, message = error.code, error.message
        elif isinstance(error, StorageFault):
            code, message = codes.KAFKA_STORAGE_ERROR, str(error)
        elif isinstance(error, PeerError):
            connection = context.connection
            if isinstance(connection, KafkaConnection):
                connection.close(str(error))
            return None
        elif isinstance(error, AssertionError):
            raise error  # a bug of ours: the supervisor ends the process, recovery is the tested path
        elif self.is_strict:
            raise error
        else:
            log.exception("%s version %d of client %r failed", api.name, context.api_version, context.client_id)
            code, message = codes.UNKNOWN_SERVER_ERROR, "the broker failed to handle this request; see its log"
        self._counters[api.key].error(code)
        if api.fail is not None:
            return api.fail(context, request, code, message)
        response = messages.response_type(api.key)()
        assert hasattr(response, "error_code"), f"{api.name} says in no way how it fails as a whole"
        response.error_code = code
        if hasattr(response, "error_message"):
            response.error_message = message or None
        return response


def slow_us_min(config: BrokerConfig) -> int:
    """From when on a request is slow, in microseconds."""
    slow_ms = config.integer("millrace.slow.request.ms")
    return slow_ms * 1_000 if slow_ms >= 0 else NEVER_US


class _Call:
    """One request from its handling to its answer, through as many Waitings as it takes."""

    __slots__ = (
        "api",
        "context",
        "parked_us",
        "reply",
        "request",
        "router",
        "started_us",
        "waited_times",
        "waited_us",
        "waiting",
    )

    def __init__(
        self,
        router: Router,
        api: Api,
        context: Context,
        request: Any,
        reply: Callable[[Any], None],
        started_us: int,
    ) -> None:
        self.router = router
        self.api = api
        self.context = context
        self.request = request
        self.reply = reply
        self.started_us = started_us
        self.parked_us = 0
        self.waited_us = 0
        self.waited_times = 0
        self.waiting: Waiting | None = None

    def settle(self, outcome: Any) -> None:
        broker = self.context.broker
        if isinstance(outcome, Waiting):
            self.waiting = outcome
            if self.api.key == PRODUCE:
                self.request = None  # its record bytes belong to the connection's buffer, which goes on
            self.parked_us = broker.clock.mono_us()
            broker.waiting.add(outcome, self.finish)
            return
        self.waiting = None
        took_us = broker.clock.mono_us() - self.started_us
        broker.counters.apis[self.api.key].observe(took_us)
        if took_us > self.router.slow_us_min:
            self._maybe_tell_slow(took_us)
        try:
            self.reply(outcome)
        except AssertionError:
            raise
        except Exception:
            log.exception("the answer to %s version %d cannot be encoded", self.api.name, self.context.api_version)
            self.context.close_connection("an answer could not be encoded; see the line before")

    def _maybe_tell_slow(self, took_us: int) -> None:
        """One line with its steps; what a request waits for by its own wish does not make it slow."""
        handled_us = took_us - self.waited_us
        if self.api.key in WAITS_BY_WISH and handled_us <= self.router.slow_us_min:
            return
        context = self.context
        context.broker.counters.slow_requests += 1
        log.warning(
            "slow request: %s version %d of client %r at %s took %d ms: %d ms handled, %d ms waited in %d steps",
            self.api.name, context.api_version, context.client_id, context.host, took_us // 1_000, handled_us // 1_000,
            self.waited_us // 1_000, self.waited_times,
        )  # fmt: skip

    def finish(self, waiting: Waiting, timed_out: bool) -> None:
        self.waited_us += self.context.broker.clock.mono_us() - self.parked_us
        self.waited_times += 1
        try:
            outcome = waiting.finish(timed_out)
        except Exception as error:  # noqa: BLE001 (the one place)
            outcome = self.router._failed(self.api, self.context, self.request, error)
        self.settle(outcome)

    def cancel(self) -> None:
        if self.waiting is not None:
            self.context.broker.waiting.cancel(self.waiting)
