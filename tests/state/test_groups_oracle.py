"""The groups machine beside Kafka's own group coordinator: the same requests, answers, records and deadlines."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from millrace.kafka import messages
from millrace.state.groups import Groups, TopicsDeleted
from millrace.state.groups_rebalance import GroupLimits
from tests.contracts.machine import Bench, check_replay
from tests.state.java_groups import JavaShard

pytestmark = pytest.mark.oracle

CONFIG = {
    "group.max.size": "4",
    "group.initial.rebalance.delay.ms": "3000",
    "offset.metadata.max.bytes": "20",
    "offsets.retention.minutes": "20",
    "offsets.retention.check.interval.ms": "600000",
}
TOPIC_IDS = {"orders": b"o" * 16, "payments": b"p" * 16}
GROUPS = ("alpha", "beta")
JoinProtocol = messages.JoinGroupRequest.JoinGroupRequestProtocol


def limits() -> GroupLimits:
    return GroupLimits(
        group_size_max=4,
        initial_rebalance_delay_ms=3000,
        offset_metadata_length_max=20,
        offsets_retention_ms=20 * 60_000,
        offsets_retention_check_interval_ms=600_000,
    )


class JavaOrder(dict[str, Any]):
    """A dict that goes through its keys as Java's HashMap does: by bucket, as long as there are no more than twelve."""

    def __iter__(self) -> Iterator[str]:
        assert len(self) <= 12
        return iter(sorted(super().__iter__(), key=_bucket))

    def keys(self) -> Any:
        return list(self)

    def values(self) -> Any:
        return [self[key] for key in self]

    def items(self) -> Any:
        return [(key, self[key]) for key in self]


def _bucket(key: str) -> int:
    hashed = 0
    for sign in key:
        hashed = (31 * hashed + ord(sign)) & 0xFFFFFFFF
    return (hashed ^ (hashed >> 16)) & 15


class KnownIds:
    """Chance that repeats the ids which Kafka drew."""

    def __init__(self) -> None:
        self.next_id = ""

    def getrandbits(self, bits: int) -> int:
        return int(self.next_id[-36:].replace("-", ""), 16)


class Client:
    """One client: it does mostly what a good one would."""

    def __init__(self, number: int, group_id: str, instance_id: str | None) -> None:
        self.number = number
        self.group_id = group_id
        self.instance_id = instance_id
        self.member_id = ""
        self.generation = -1
        self.join_token: int | None = None
        self.leads: list[str] = []


class Pair:
    """Both coordinators, asked the same; everything they say and write must be equal."""

    def __init__(self) -> None:
        self.java = JavaShard(CONFIG)
        self.ours = Bench(lambda: Groups(limits()))
        self.ids = KnownIds()
        self.ours.random = self.ids  # type: ignore[assignment]
        self.compared = 0
        self.equal: set[int] = set()
        self.steps: list[str] = []
        self.ours._run(self.ours.machine.expire(self.ours.env()), None)  # both look for expired offsets from now on

    def ask(self, request: Any, version: int) -> Any:
        self.steps.append(f"{self.ours.mono_ms} v{version} {request!r}")
        group_id = getattr(request, "group_id", "")
        before = self.java.member_ids(group_id)
        token = self.java.ask(request, version)
        self.ids.next_id = self._new_id(token, group_id, before)
        assert self.ours.ask(_fresh(request), version) == token
        self.compare()
        return self.java.answers.get(token)

    def _new_id(self, token: int, group_id: str, before: set[str]) -> str:
        new = self.java.member_ids(group_id) - before
        if new:
            return new.pop()
        answer = self.java.answers.get(token)
        return getattr(answer, "member_id", "") or "-00000000-0000-0000-0000-000000000000"

    def advance(self, by_ms: int) -> None:
        self.steps.append(f"{self.ours.mono_ms} advance {by_ms}")
        self.java.advance(by_ms)
        self.ours.advance(by_ms)
        self.compare()

    def restart(self) -> None:
        self.steps.append(f"{self.ours.mono_ms} restart")
        self.java.restart()
        self.ours.restart()
        self.ours.advance(0)
        self.compare()

    def delete_topic(self, name: str) -> None:
        self.steps.append(f"{self.ours.mono_ms} delete topic {name}")
        self.java.delete_topic(name, TOPIC_IDS[name])
        self.ours.tell(TopicsDeleted([(name, TOPIC_IDS[name])]))
        self.compare()

    def compare(self) -> None:
        for group in self.ours.machine.rebalances.groups.values():  # type: ignore[attr-defined]
            if not isinstance(group.members, JavaOrder):
                group.members = JavaOrder(group.members)
        ours = [(entry.key, entry.value) for entry in self.ours.log]
        assert sorted(ours[self.compared :], key=repr) == sorted(self.java.log[self.compared :], key=repr), self.story()
        # Only the order of tombstones may differ: the log goes on as Kafka wrote it.
        self.compared = len(ours)
        for token, answer in self.java.answers.items():
            if token in self.equal:
                continue
            self.equal.add(token)
            mine = self.ours.answers.get(token)
            assert mine is not None, f"{token} is not answered: {answer!r}\n{self.story()}"
            assert _plain(mine) == _plain(answer), self.story()
        for token in self.ours.answers.keys() - self.java.answers.keys():
            # Kafka forgets who asked before a newer request of the same member, or waits in a member that is removed.
            assert self.ours.answers[token].error_code in (25, 27), self.story()

    def story(self) -> str:
        return "\n".join(self.steps[-25:])


def _fresh(request: Any) -> Any:
    """What our machine gets is not what Kafka was asked: it may keep parts of it."""
    return copy.deepcopy(request)


def _plain(answer: Any) -> str:
    if isinstance(answer, messages.JoinGroupResponse) and answer.error_code:
        answer.protocol_name = None  # Kafka has null or nothing there, which no client looks at
    if isinstance(answer, messages.OffsetFetchResponse | messages.OffsetCommitResponse):
        for topic in [*answer.topics, *(each for group in getattr(answer, "groups", ()) for each in group.topics)]:
            topic.topic_id = bytes(16)  # not in the version that Kafka's answer was read in
            topic.partitions.sort(key=lambda each: each.partition_index)
        for group in getattr(answer, "groups", ()):
            group.topics.sort(key=lambda each: each.name)
    if isinstance(answer, messages.ListGroupsResponse):
        answer.groups.sort(key=lambda each: each.group_id)
    return re.sub(r"[A-Z_]+\((-?\d+)\)", r"\1", repr(answer))  # our codes show their names


def subscription(topics: list[str]) -> bytes:
    parts = [len(topic).to_bytes(2, "big") + topic.encode() for topic in topics]
    return b"\0\1" + len(topics).to_bytes(4, "big") + b"".join(parts) + b"\0\0\0\0\0\0\0\0"


class Play:
    """Random clients against both."""

    def __init__(self, pair: Pair, chance: random.Random) -> None:
        self.pair = pair
        self.chance = chance
        self.joins = 0
        self.clients = [
            Client(number, chance.choice(GROUPS), f"instance-{number}" if number in (1, 4) else None)
            for number in range(7)
        ]

    def step(self) -> None:
        chance = self.chance
        actions: list[tuple[int, Callable[[Client], None]]] = [
            (20, self.join),
            (6, self.sync),
            (16, self.heartbeat),
            (14, self.commit),
            (6, self.leave),
            (4, self.fetch),
            (3, self.describe),
            (2, self.delete_offsets),
            (2, self.delete_group),
            (14, lambda _: self.pair.advance(chance.choice((13, 499, 1501, 3001, 3100, 5003, 11_003)))),
            (1, lambda _: self.pair.advance(chance.choice((61_003, 310_007, 1_300_001)))),
            (1, lambda _: self.pair.restart()),
            (1, lambda _: self.pair.delete_topic(chance.choice(sorted(TOPIC_IDS)))),
        ]
        action = chance.choices([each for _, each in actions], [weight for weight, _ in actions])[0]
        action(chance.choice(self.clients))
        for client in self.clients:
            self.notice(client)

    def notice(self, client: Client) -> None:
        """A client reads the answer to its join."""
        answer = self.pair.java.answers.get(client.join_token) if client.join_token is not None else None
        if answer is None:
            return
        client.join_token = None
        if answer.error_code == 0:
            client.member_id, client.generation = answer.member_id, answer.generation_id
            client.leads = [member.member_id for member in answer.members]
            if self.chance.random() < 0.7:
                self.sync(client)
        elif answer.error_code == 79:
            client.member_id = answer.member_id
            if self.chance.random() < 0.7:
                self.join(client)
        elif answer.error_code in (25, 81, 82):
            client.member_id = ""

    def join(self, client: Client) -> None:
        chance = self.chance
        self.joins += 1
        session_timeout_ms = 10_000 + 7 * self.joins  # sessions that end at one moment may end in any order
        version = chance.choice((0, 3, 4, 5, 7, 9)) if client.instance_id is None else chance.choice((5, 8, 9))
        if chance.random() < 0.08:
            client.member_id = ""
        names = chance.choice((["range"], ["range", "roundrobin"]))
        if chance.random() < 0.03:
            names = ["zebra"]
        topics = sorted(chance.sample(sorted(TOPIC_IDS), chance.choice((1, 1, 2))))
        metadata = b"\xff" if chance.random() < 0.02 else subscription(topics)
        request = messages.JoinGroupRequest(
            group_id=client.group_id,
            member_id=client.member_id,
            group_instance_id=client.instance_id if client.member_id == "" or chance.random() < 0.95 else None,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=session_timeout_ms + 20_000 if version else session_timeout_ms,
            protocol_type="" if chance.random() < 0.02 else "consumer" if chance.random() < 0.96 else "connect",
            protocols=[JoinProtocol(name=name, metadata=metadata) for name in names],
        )
        client.join_token = len(self.pair.ours.asked)
        self.pair.ask(request, version)

    def sync(self, client: Client) -> None:
        chance = self.chance
        wrong = chance.random() < 0.06
        assignment = messages.SyncGroupRequest.SyncGroupRequestAssignment
        assigned = [
            assignment(member_id=each, assignment=chance.randbytes(3)) for each in client.leads if chance.random() < 0.9
        ]
        request = messages.SyncGroupRequest(
            group_id=client.group_id,
            member_id=client.member_id,
            group_instance_id=client.instance_id,
            generation_id=client.generation + (chance.choice((-1, 1)) if wrong else 0),
            protocol_type=chance.choice((None, "consumer", "consumer", "connect")) if wrong else "consumer",
            protocol_name=chance.choice((None, "zebra")) if wrong else None,
            assignments=assigned,
        )
        self.pair.ask(request, 5)

    def heartbeat(self, client: Client) -> None:
        request = messages.HeartbeatRequest(
            group_id=client.group_id,
            member_id=client.member_id,
            group_instance_id=client.instance_id,
            generation_id=client.generation,
        )
        self.pair.ask(request, 4)

    def leave(self, client: Client) -> None:
        identity = messages.LeaveGroupRequest.MemberIdentity
        members = [identity(member_id=client.member_id, group_instance_id=client.instance_id)]
        if self.chance.random() < 0.3:
            other = self.chance.choice(self.clients)
            members.append(identity(member_id="", group_instance_id=other.instance_id))
        self.pair.ask(messages.LeaveGroupRequest(group_id=client.group_id, members=members), 5)

    def commit(self, client: Client) -> None:
        """A commit that is refused as a whole makes Kafka keep an empty group, which no restart survives; ours makes
        none. So commits without membership have a note of a length that is allowed. And the record of a commit with a
        retention time has neither leader epoch nor topic id: Kafka forgets them at a restart, ours at once."""
        chance = self.chance
        retention_ms = chance.choice((-1, -1, -1, 50_000))
        simple = chance.random() < 0.3
        notes = (None, "", "note") if simple or client.generation < 0 else (None, "", "note", "é" * 20, "x" * 21)
        partition = messages.OffsetCommitRequest.OffsetCommitRequestPartition
        topics = [
            messages.OffsetCommitRequest.OffsetCommitRequestTopic(
                name=name,
                topic_id=TOPIC_IDS[name] if retention_ms == -1 else bytes(16),
                partitions=[
                    partition(
                        partition_index=index,
                        committed_offset=chance.randrange(1000),
                        committed_leader_epoch=chance.choice((-1, 0, 7)) if retention_ms == -1 else -1,
                        committed_metadata=chance.choice(notes),
                    )
                    for index in sorted(chance.sample(range(4), chance.choice((1, 2))))
                ],
            )
            for name in sorted(chance.sample(sorted(TOPIC_IDS), chance.choice((1, 2))))
        ]
        request = messages.OffsetCommitRequest(
            group_id=chance.choice(("gamma", client.group_id)) if simple else client.group_id,
            member_id="" if simple else client.member_id,
            group_instance_id=None if simple else client.instance_id,
            generation_id_or_member_epoch=-1 if simple else client.generation,
            retention_time_ms=retention_ms,
            topics=topics,
        )
        self.pair.ask(request, chance.choice((8, 9)))

    def fetch(self, client: Client) -> None:
        chance = self.chance
        group = messages.OffsetFetchRequest.OffsetFetchRequestGroup
        topic = messages.OffsetFetchRequest.OffsetFetchRequestTopics
        wanted = [
            topic(name=name, topic_id=topic_id, partition_indexes=[0, 1, 9])
            for name in sorted(TOPIC_IDS)
            for topic_id in (chance.choice((bytes(16), TOPIC_IDS[name], b"x" * 16)),)
        ]
        groups = [
            group(group_id=name, topics=None if chance.random() < 0.4 else wanted)
            for name in (client.group_id, chance.choice(("gamma", "nobody")))
        ]
        self.pair.ask(messages.OffsetFetchRequest(groups=groups), 9)

    def describe(self, client: Client) -> None:
        names = [*GROUPS, "gamma", "nobody"]
        self.pair.ask(messages.DescribeGroupsRequest(groups=names), self.chance.choice((5, 6)))
        states = self.chance.choice(([], ["Stable"], ["empty", "PREPARINGREBALANCE"], ["?"]))
        types = self.chance.choice(([], ["Classic"], ["consumer"], ["classic", "share"]))
        self.pair.ask(messages.ListGroupsRequest(states_filter=states, types_filter=types), 5)

    def delete_offsets(self, client: Client) -> None:
        topic = messages.OffsetDeleteRequest.OffsetDeleteRequestTopic
        partition = messages.OffsetDeleteRequest.OffsetDeleteRequestPartition
        request = messages.OffsetDeleteRequest(
            group_id=self.chance.choice((client.group_id, "gamma", "nobody")),
            topics=[
                topic(name=name, partitions=[partition(partition_index=index) for index in (0, 2)])
                for name in sorted(TOPIC_IDS)
            ],
        )
        self.pair.ask(request, 0)

    def delete_group(self, client: Client) -> None:
        self.pair.ask(messages.DeleteGroupsRequest(groups_names=[client.group_id, "gamma", "nobody"]), 2)


@pytest.mark.parametrize("seed", range(20))
def test_answers_and_records_are_kafkas(seed: int) -> None:
    pair = Pair()
    play = Play(pair, random.Random(seed))
    for _ in range(150):
        play.step()
    pair.advance(2_000_000)
    check_replay(pair.ours, lambda machine: machine.store.as_plain())
