"""Consumer groups of a client that users have: sharing, coming and going, static members, a broker that is killed."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from millrace import Broker

PARTITIONS = 6
WAIT_S = 30.0


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as running:
        yield running


@pytest.fixture
def topic(broker: Broker) -> str:
    return make_topic(broker)


def make_topic(broker: Broker) -> str:
    name = f"t-{uuid.uuid4().hex[:8]}"
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    admin.create_topics([NewTopic(name, PARTITIONS, 1)])[name].result(WAIT_S)
    return name


def produce(broker: Broker, topic: str, first: int, count: int) -> None:
    producer = Producer({"bootstrap.servers": broker.bootstrap_servers, "linger.ms": 0})
    for number in range(first, first + count):
        producer.produce(topic, value=str(number).encode(), partition=number % PARTITIONS)
    assert producer.flush(WAIT_S) == 0


class Crowd:
    """Some consumers of one group, polled in turn."""

    def __init__(self, broker: Broker, topic: str, **settings: Any) -> None:
        self.settings = {
            "bootstrap.servers": broker.bootstrap_servers,
            "group.id": f"g-{uuid.uuid4().hex[:8]}",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "session.timeout.ms": 6000,
            "heartbeat.interval.ms": 200,
            **settings,
        }
        self.topic = topic
        self.members: list[Consumer] = []
        self.read: list[int] = []
        self.revoked: dict[int, int] = {}  # partitions that were taken from a member, by the order of entering
        self.entered = 0

    def enter(self, **settings: Any) -> Consumer:
        member = Consumer({**self.settings, **settings})
        number = self.entered
        self.entered += 1

        def on_revoke(consumer: Consumer, partitions: list[TopicPartition]) -> None:
            self.revoked[number] = self.revoked.get(number, 0) + len(partitions)

        member.subscribe([self.topic], on_revoke=on_revoke)
        self.members.append(member)
        return member

    def leave(self, member: Consumer) -> None:
        self.members.remove(member)
        member.close()

    def places(self) -> list[int]:
        """How far each partition has been read by who has it now."""
        return [place.offset for member in self.members for place in member.position(member.assignment())]

    def shares(self) -> list[int]:
        return sorted(len(member.assignment()) for member in self.members)

    def poll_until(self, satisfied: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_S
        while not satisfied():
            assert time.monotonic() < deadline, f"shares {self.shares()}, {len(self.read)} read"
            for member in self.members:
                message = member.poll(0.02)
                if message is not None and message.error() is None:
                    self.read.append(int(message.value()))

    def close(self) -> None:
        for member in self.members:
            member.close()


@pytest.mark.parametrize("strategy", ["range", "roundrobin", "cooperative-sticky"])
def test_partitions_are_shared_as_members_come_and_go(broker: Broker, topic: str, strategy: str) -> None:
    crowd = Crowd(broker, topic, **{"partition.assignment.strategy": strategy})
    try:
        produce(broker, topic, 0, 60)
        for count, shares in ((1, [6]), (2, [3, 3]), (3, [2, 2, 2])):
            crowd.enter()
            crowd.poll_until(lambda shares=shares: crowd.shares() == shares)  # type: ignore[misc]
            assert len(crowd.members) == count
        crowd.poll_until(lambda: set(crowd.read) == set(range(60)))
        crowd.leave(crowd.members[0])
        crowd.poll_until(lambda: crowd.shares() == [3, 3])
    finally:
        crowd.close()


def test_cooperative_members_give_up_only_what_moves(broker: Broker, topic: str) -> None:
    crowd = Crowd(broker, topic, **{"partition.assignment.strategy": "cooperative-sticky"})
    try:
        crowd.enter()
        crowd.poll_until(lambda: crowd.shares() == [6])
        crowd.enter()
        crowd.poll_until(lambda: crowd.shares() == [3, 3])
        assert crowd.revoked == {0: 3}
    finally:
        crowd.close()


def test_a_static_member_comes_back_to_what_it_had(broker: Broker, topic: str) -> None:
    crowd = Crowd(broker, topic, **{"session.timeout.ms": 30_000})
    try:
        first = crowd.enter(**{"group.instance.id": "one"})
        crowd.enter(**{"group.instance.id": "two"})
        crowd.poll_until(lambda: crowd.shares() == [3, 3])
        before = {each.partition for each in first.assignment()}
        others = {each.partition for each in crowd.members[1].assignment()}
        crowd.revoked.clear()
        crowd.leave(first)  # a static member does not say that it leaves
        back = crowd.enter(**{"group.instance.id": "one"})
        crowd.poll_until(lambda: crowd.shares() == [3, 3])
        assert {each.partition for each in back.assignment()} == before
        assert {each.partition for each in crowd.members[0].assignment()} == others
        assert crowd.revoked.keys() <= {0}  # only by closing
    finally:
        crowd.close()


@pytest.mark.parametrize("way", ["restart", "kill"])
def test_a_group_goes_on_when_the_broker_comes_back(way: str) -> None:
    with Broker() as broker:
        topic = make_topic(broker)
        crowd = Crowd(broker, topic)
        try:
            produce(broker, topic, 0, 60)
            crowd.enter()
            crowd.enter()
            # Who came second reads its partitions from the start again: nothing was committed. Wait until it has.
            crowd.poll_until(lambda: crowd.shares() == [3, 3] and crowd.places() == [10] * PARTITIONS)
            for member in crowd.members:
                member.commit(asynchronous=False)
            if way == "restart":
                broker.restart()
            else:
                broker.kill()
                broker.start()
            produce(broker, topic, 60, 60)
            crowd.read.clear()
            crowd.poll_until(lambda: len(crowd.read) >= 60)
            assert sorted(crowd.read) == list(range(60, 120))
        finally:
            crowd.close()


def test_another_consumer_goes_on_from_what_was_committed(broker: Broker, topic: str) -> None:
    crowd = Crowd(broker, topic)
    try:
        produce(broker, topic, 0, 30)
        member = crowd.enter()
        crowd.poll_until(lambda: len(crowd.read) == 30)
        member.commit(asynchronous=False)
        crowd.leave(member)
        produce(broker, topic, 30, 30)
        crowd.enter()
        crowd.poll_until(lambda: len(crowd.read) == 60)
        assert sorted(crowd.read) == list(range(60))
    finally:
        crowd.close()
