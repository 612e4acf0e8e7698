"""Admin requests whose answer takes a while: nothing is shown before it is committed, nobody waits for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from millrace.base.errors import Refused
from millrace.broker.api import Context
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from tests.broker.admin_checks import new_topic
from tests.broker.stand_in import StandIn


class Client:
    """One connection's requests to a stand-in whose commits wait; answers come into ``answers``."""

    def __init__(self, broker: StandIn) -> None:
        self.broker = broker
        self.answers: list[Any] = []
        self.waiting: Waiting | None = None
        self.asked: tuple[int, Context, Any]

    def ask(self, request: Any, version: int) -> None:
        self.asked = (type(request).KEY, Context(self.broker, version, "a client"), request)  # type: ignore[arg-type]
        self._settle(self.broker.router.answer(*self.asked))

    def _settle(self, outcome: Any) -> None:
        self.waiting = outcome if isinstance(outcome, Waiting) else None
        if self.waiting is None:
            self.answers.append(outcome)
        else:
            self.broker.waiting.add(self.waiting, self._finish)

    def _finish(self, waiting: Waiting, timed_out: bool) -> None:
        key, context, request = self.asked
        router = self.broker.router
        try:
            outcome = waiting.finish(timed_out)
        except Refused as refusal:
            outcome = router._failed(router._apis[key], context, request, refusal)
        self._settle(outcome)

    def leave(self) -> None:
        assert self.waiting is not None
        self.broker.waiting.cancel(self.waiting)


def holding() -> StandIn:
    broker = StandIn()
    broker.hold = True
    return broker


def metadata(name: str) -> Any:
    topic = messages.MetadataRequest.MetadataRequestTopic(name=name)
    return messages.MetadataRequest(topics=[topic], allow_auto_topic_creation=True)


def init() -> Any:
    return messages.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000)


def test_a_topic_is_answered_and_shown_when_it_is_committed() -> None:
    broker = holding()
    creator, reader = Client(broker), Client(broker)
    creator.ask(messages.CreateTopicsRequest(topics=[new_topic("made")], timeout_ms=1000), 7)
    reader.ask(messages.MetadataRequest(topics=None), 12)
    assert creator.answers == []
    assert reader.answers[0].topics == []
    broker.commit()
    assert [topic.error_code for topic in creator.answers[0].topics] == [codes.NONE]
    reader.ask(messages.MetadataRequest(topics=None), 12)
    assert [topic.name for topic in reader.answers[1].topics] == ["made"]


def test_two_who_ask_for_the_same_new_topic_both_get_it() -> None:
    broker = holding()
    first, second = Client(broker), Client(broker)
    first.ask(metadata("made"), 12)
    second.ask(metadata("made"), 12)
    assert first.answers == second.answers == []
    broker.commit()
    for client in (first, second):
        (topic,) = client.answers[0].topics
        assert (topic.error_code, len(topic.partitions)) == (codes.NONE, 1)
    assert len(broker.image.topics) == 1


def test_automatic_creation_tells_why_it_cannot() -> None:
    broker = StandIn()
    client = Client(broker)
    client.ask(metadata("some.name"), 12)
    client.ask(metadata("some_name"), 12)
    assert [answer.topics[0].error_code for answer in client.answers] == [
        codes.NONE,
        codes.INVALID_TOPIC_EXCEPTION,
    ]


def test_who_waits_for_producer_ids_shares_one_block() -> None:
    broker = holding()
    clients = [Client(broker) for _ in range(4)]
    for client in clients:
        client.ask(init(), 4)
    assert [client.answers for client in clients] == [[]] * 4
    decided = len(broker.log)
    clients[1].leave()
    broker.commit()
    assert [client.answers[0].producer_id for client in clients if client.answers] == [0, 1, 2]
    assert len(broker.log) == decided


def test_when_the_one_who_asked_for_a_block_leaves_another_asks() -> None:
    broker = holding()
    first, second = Client(broker), Client(broker)
    first.ask(init(), 4)
    second.ask(init(), 4)
    first.leave()
    broker.commit()
    assert second.answers[0].producer_id == 1000, "the block of the one who left is lost"
    assert broker.image.next_producer_id == 2000


def test_ids_are_given_until_the_block_is_used_up() -> None:
    broker = StandIn()
    client = Client(broker)
    for _ in range(1001):
        client.ask(init(), 4)
    assert [answer.producer_id for answer in client.answers] == list(range(1001))
    assert broker.image.next_producer_id == 2000


def test_results_of_configs_come_in_the_order_of_the_request() -> None:
    broker = StandIn()
    client = Client(broker)
    request = messages.IncrementalAlterConfigsRequest
    names = ["b", "x", "", "b", "a"]
    resources = [
        request.AlterConfigsResource(resource_type=kind, resource_name=name, configs=[])
        for kind, name in zip((2, 4, 2, 2, 2), names, strict=True)
    ]
    client.ask(request(resources=resources), 1)
    assert [each.resource_name for each in client.answers[0].responses] == names
    assert [int(each.error_code) for each in client.answers[0].responses] == [42, 42, 42, 42, 3]


@pytest.mark.parametrize("is_late", [False, True])
def test_without_a_controller_only_what_needs_it_fails(is_late: bool) -> None:
    broker = StandIn()
    client = Client(broker)
    client.ask(messages.CreateTopicsRequest(topics=[new_topic("there")], timeout_ms=1000), 7)
    broker.hold = is_late
    gone = Refused(codes.NOT_COORDINATOR, "the metadata log is offline")
    if not is_late:
        broker.refusal = gone
    topics = [messages.MetadataRequest.MetadataRequestTopic(name=name) for name in ("there", "new")]
    reader, creator, producer = Client(broker), Client(broker), Client(broker)
    reader.ask(messages.MetadataRequest(topics=topics, allow_auto_topic_creation=True), 12)
    creator.ask(messages.CreateTopicsRequest(topics=[new_topic("other")], timeout_ms=1000), 7)
    producer.ask(init(), 4)
    if is_late:
        broker.refusal = gone
        broker.waiting.wake(broker)
    assert {topic.name: topic.error_code for topic in reader.answers[0].topics} == {
        "there": codes.NONE,
        "new": codes.LEADER_NOT_AVAILABLE,
    }
    assert [topic.error_code for topic in creator.answers[0].topics] == [codes.NOT_CONTROLLER]
    assert producer.answers[0].error_code == codes.COORDINATOR_LOAD_IN_PROGRESS
