"""Requests about groups against a whole broker, as a client meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from millrace.kafka import codes, messages
from millrace.testing.broker import Broker
from tests.broker import group_checks
from tests.broker.admin_checks import Ask, delete, doomed
from tests.broker.wire_ask import WireAsk


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as started:
        yield started


@pytest.fixture
def connect(broker: Broker) -> Iterator[Callable[[], Ask]]:
    opened: list[WireAsk] = []

    def open_one() -> Ask:
        opened.append(WireAsk(broker.bootstrap_servers, is_kafka=False))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.mark.parametrize("check", group_checks.CHECKS, ids=lambda check: check.__name__)
def test_as_a_client(check: Callable[[group_checks.Connect], None], connect: Callable[[], Ask]) -> None:
    check(connect)


def test_a_kind_of_coordinator_that_is_not_here_is_named(connect: Callable[[], Ask]) -> None:
    """Kafka has them; here a client shall fail at once, with a reason."""
    ask = connect()
    for kind, name in ((1, "transaction"), (2, "share"), (7, "coordinator type 7")):
        (found,) = ask(messages.FindCoordinatorRequest(key_type=kind, coordinator_keys=["x"]), 6).coordinators
        assert found.error_code == codes.INVALID_REQUEST
        assert name in found.error_message


def test_offsets_go_with_their_topic(connect: Callable[[], Ask]) -> None:
    ask = connect()
    topic_id = group_checks.ready(ask, "passing")
    group_checks.commit(ask, "stays", {topic_id: {0: 7}})
    delete(ask, doomed("passing"))
    assert group_checks.fetch(ask, ["stays"], version=9) == {"stays": (0, {})}


@pytest.mark.parametrize("way", ["restart", "kill"])
def test_groups_survive(way: str) -> None:
    """A controlled stop, and one as by kill -9: a member goes on, offsets and generations are there."""
    with Broker() as broker:
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        topic_id = group_checks.ready(ask, "survives")
        joined = group_checks.join(ask, "alive")
        group_checks.sync(ask, "alive", joined)
        member = {"member_id": joined.member_id, "generation_id_or_member_epoch": 1}
        assert group_checks.commit(ask, "alive", {topic_id: {0: 42}}, **member) == {topic_id: {0: 0}}
        ask.close()
        if way == "restart":
            broker.restart()
        else:
            broker.kill()
            broker.start()
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        assert group_checks.ready(ask, "survives", "alive") == topic_id
        assert group_checks.fetch(ask, ["alive"]) == {"alive": (0, {topic_id: {0: (42, 0)}})}
        beat = messages.HeartbeatRequest(group_id="alive", member_id=joined.member_id, generation_id=1)
        assert ask(beat, 4).error_code == 0
        assert group_checks.sync(ask, "alive", joined).assignment == b"mine"
        ask.close()
