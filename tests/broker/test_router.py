"""Every API through the router with an authorizer that says no, and with an answerer that is elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from millrace.base.config import BrokerConfig
from millrace.base.errors import PeerError, Refused, StorageFault
from millrace.broker.api import CONTROLLER, PARTITION_LEADER, Api, Context, Coordinator
from millrace.broker.apis import APIS
from millrace.broker.fetch_session import FetchSessions
from millrace.broker.router import Router
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from tests.broker.stand_in import StandIn
from tests.kafka.sample_messages import sample

# What needs no permission: which versions there are, and what nobody owns.
OPEN_TO_ALL = {18}
AUTHORIZATION = {
    codes.TOPIC_AUTHORIZATION_FAILED,
    codes.GROUP_AUTHORIZATION_FAILED,
    codes.CLUSTER_AUTHORIZATION_FAILED,
    codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}
REASONABLE = {
    "acks": 1,
    "transactional_id": None,
    "replica_id": -1,
    "cursor": None,
    "session_id": 0,
    "session_epoch": -1,
}
EVERY_VERSION = [(api, version) for api in APIS for version in range(api.min_version, api.max_version + 1)]


def names(value: Any) -> str:
    return f"{value.name}" if isinstance(value, Api) else f"v{value}"


class Elsewhere(StandIn):
    """A broker that knows another one, which leads, coordinates and controls everything."""

    def __init__(self) -> None:
        super().__init__()
        self.fetch_sessions = FetchSessions(10, self.random, self.waiting)
        self.fetch_bytes_max = 1 << 20

    def check_controller(self) -> None:
        raise Refused(codes.NOT_CONTROLLER, "the controller is elsewhere")

    def check_coordinator(self, kind: str, key: str) -> None:
        raise Refused(codes.NOT_COORDINATOR, "the coordinator is elsewhere")

    def partition(self, name: str, index: int) -> Any:
        raise Refused(codes.NOT_LEADER_OR_FOLLOWER, "the leader is elsewhere")

    def partition_named(self, name: str, topic_id: bytes, index: int) -> Any:
        return self.partition(name, index)


def answered(broker: Any, api: Api, version: int) -> Any:
    """The response to a sample request, encoded and decoded in that version."""
    request: Any = sample(messages.request_type(api.key), version)
    for name, value in REASONABLE.items():  # what would be refused before anything else is looked at
        if hasattr(request, name):
            setattr(request, name, value)
    if api.key == 1:
        request.replica_state.replica_id = -1
    decoded, _ = messages.decode(messages.request_type(api.key), version, messages.encode(request, version))
    outcome = broker.router.answer(api.key, Context(broker, version, "a client"), decoded)
    assert not isinstance(outcome, Waiting)
    response, _ = messages.decode(type(outcome), version, messages.encode(outcome, version))
    return response


def error_codes(part: Any) -> Iterator[int]:
    """Every error code in a response, at any depth."""
    if isinstance(part, list):
        for each in part:
            yield from error_codes(each)
        return
    for name in getattr(type(part), "__slots__", ()):
        value = getattr(part, name, None)
        if name == "error_code":
            yield value
        elif isinstance(value, list) or hasattr(type(value), "__slots__"):
            yield from error_codes(value)


@pytest.mark.parametrize(("api", "version"), EVERY_VERSION, ids=names)
def test_who_may_nothing_is_told_so_in_the_answers_own_form(api: Api, version: int) -> None:
    broker = StandIn(authorizer=lambda principal, host, operation, kind, name: False)
    broker.partition_named = broker.partition  # type: ignore[attr-defined]
    before = broker.image.as_plain()
    response = answered(broker, api, version)
    found = set(error_codes(response))
    if api.key in OPEN_TO_ALL:
        assert not found & AUTHORIZATION
        return
    # Lists without an error of their own are empty then: what may not be seen is not there.
    assert found & AUTHORIZATION or not any(
        getattr(response, name) for name in ("groups", "topics") if hasattr(response, name)
    )
    assert 0 not in found - {0} or found & AUTHORIZATION
    assert broker.image.as_plain() == before


@pytest.mark.parametrize(
    ("api", "version"),
    [(api, version) for api, version in EVERY_VERSION if api.who == CONTROLLER or isinstance(api.who, Coordinator)],
    ids=names,
)
def test_who_is_not_the_one_that_answers_says_so(api: Api, version: int) -> None:
    found = set(error_codes(answered(Elsewhere(), api, version)))
    expected = codes.NOT_CONTROLLER if api.who == CONTROLLER else codes.NOT_COORDINATOR
    assert found - {0} == {expected}


@pytest.mark.parametrize(
    ("api", "version"), [(api, version) for api, version in EVERY_VERSION if api.who == PARTITION_LEADER], ids=names
)
def test_who_does_not_lead_says_so_of_each_partition(api: Api, version: int) -> None:
    found = set(error_codes(answered(Elsewhere(), api, version)))
    assert codes.NOT_LEADER_OR_FOLLOWER in found


class Closed:
    """A connection that remembers why it was closed."""

    def __init__(self) -> None:
        self.reason = ""

    def close(self, reason: str) -> None:
        self.reason = reason


def broken(error: Exception, *, fail: Any = None) -> tuple[Any, StandIn]:
    """What a handler that raises ``error`` leads to."""

    def handle(context: Context, request: Any) -> Any:
        raise error

    broker = StandIn(BrokerConfig())
    broker.router = Router(broker, [Api(12, "Heartbeat", (0, 4), handle, fail=fail)])  # type: ignore[arg-type]
    return broker.router.answer(12, Context(broker, 4, "a client"), messages.HeartbeatRequest()), broker  # type: ignore[arg-type]


def test_each_kind_of_error_has_its_answer() -> None:
    refused, broker = broken(Refused(codes.ILLEGAL_GENERATION, "too old"))
    assert refused.error_code == codes.ILLEGAL_GENERATION
    assert broker.counters.apis[12].errors == {codes.ILLEGAL_GENERATION: 1}
    fault, _ = broken(StorageFault("orders-0", "cannot be read"))
    assert fault.error_code == codes.KAFKA_STORAGE_ERROR
    bug, _ = broken(ValueError("not thought of"))
    assert bug.error_code == codes.UNKNOWN_SERVER_ERROR
    peers, _ = broken(PeerError("nonsense"))
    assert peers is None


def test_a_bug_of_ours_is_not_answered() -> None:
    with pytest.raises(AssertionError, match="cannot be"):
        broken(AssertionError("this cannot be"))
