"""Random clients, restarts and failed appends against the groups machine: what must hold whatever they do."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.kafka import codes, messages
from millrace.state.groups_members import EMPTY, PREPARING, STABLE, ClassicGroup
from tests.contracts.machine import check_replay
from tests.state.group_clients import Clients

GROUPS = ("g", "h")


class Crowd:
    """Clients that join, sync, commit, leave and vanish as chance has it; a dumb model of what was committed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.clients = Clients(group_size_max=5)
        self.known: dict[str, list[tuple[str, str | None]]] = {group_id: [] for group_id in GROUPS}
        self.generations: dict[str, int] = {}
        self.model: dict[tuple[str, str, int], int] = {}
        self.lost: set[int] = set()  # tokens whose connection went with a restart

    def step(self) -> None:
        chance = self.chance
        group_id = chance.choice(GROUPS)
        action = chance.choices(
            (self.join, self.sync, self.commit, self.leave, self.beat, self.time, self.restart, self.delete),
            (30, 25, 15, 6, 8, 12, 2, 2),
        )[0]
        self.clients.fail_appends = chance.random() < 0.03
        action(group_id)
        self.clients.fail_appends = False
        self.check()

    def some_member(self, group_id: str) -> tuple[str, str | None]:
        return self.chance.choice(self.known[group_id] or [("", None)])

    def group(self, group_id: str) -> ClassicGroup | None:
        return self.clients.groups.rebalances.groups.get(group_id)

    def generation(self, group_id: str) -> int:
        group = self.group(group_id)
        return (group.generation if group else 0) - (self.chance.random() < 0.05)

    def join(self, group_id: str) -> None:
        chance = self.chance
        instance_id = chance.choice((None, None, "one", "two"))
        member_id = ""
        if chance.random() < 0.6:
            member_id, instance_id = self.some_member(group_id)
        token = self.clients.join(
            member_id,
            group_id=group_id,
            instance_id=instance_id,
            protocols=chance.choice((("a",), ("a", "b"), ("b", "a"))),
            version=chance.choice((3, 9)),
        )
        answer = self.clients.answers.get(token)
        if getattr(answer, "error_code", None) == codes.MEMBER_ID_REQUIRED:
            self.known[group_id].append((answer.member_id, None))  # type: ignore[union-attr]

    def sync(self, group_id: str) -> None:
        group = self.group(group_id)
        member_id, instance_id = self.some_member(group_id)
        if group is not None and self.chance.random() < 0.5:
            member_id, instance_id = group.leader or "", None
        assignments = {each: each.encode() for each in group.members} if group is not None else {}
        self.clients.sync(member_id, self.generation(group_id), assignments, group_id=group_id, instance_id=instance_id)

    def commit(self, group_id: str) -> None:
        chance = self.chance
        index, offset = chance.randrange(3), chance.randrange(1000)
        simple = chance.random() < 0.5
        member_id = "" if simple else self.some_member(group_id)[0]
        generation = -1 if simple else self.generation(group_id)
        found = len(self.clients.log)
        answer = self.clients.ask_now(
            messages.OffsetCommitRequest(
                group_id=group_id,
                member_id=member_id,
                generation_id_or_member_epoch=generation,
                topics=[
                    messages.OffsetCommitRequest.OffsetCommitRequestTopic(
                        name="orders",
                        partitions=[
                            messages.OffsetCommitRequest.OffsetCommitRequestPartition(
                                partition_index=index, committed_offset=offset
                            )
                        ],
                    )
                ],
            ),
            9,
        )
        taken = answer != "append failed" and answer.topics[0].partitions[0].error_code == 0
        assert taken == (len(self.clients.log) == found + 1)
        if taken:
            self.model[group_id, "orders", index] = offset

    def leave(self, group_id: str) -> None:
        identity = messages.LeaveGroupRequest.MemberIdentity
        member_id, instance_id = self.some_member(group_id)
        members = [identity(member_id=member_id, group_instance_id=instance_id)]
        self.clients.ask_now(messages.LeaveGroupRequest(group_id=group_id, members=members), 5)

    def beat(self, group_id: str) -> None:
        self.clients.heartbeat(*self.some_member(group_id)[:1], self.generation(group_id), group_id=group_id)

    def time(self, group_id: str) -> None:
        self.clients.fail_appends = False
        self.clients.advance(self.chance.choice((1, 500, 3000, 9000, 20_000)))

    def restart(self, group_id: str) -> None:
        self.lost.update(self.clients.unanswered())
        self.clients.restart()

    def delete(self, group_id: str) -> None:
        if self.clients.ask_now(messages.DeleteGroupsRequest(groups_names=[group_id]), 2) == "append failed":
            return
        if not any(key == group_id for key in self.clients.groups.store.groups):
            self.model = {key: offset for key, offset in self.model.items() if key[0] != group_id}

    def check(self) -> None:
        machine = self.clients.groups
        for token in range(len(self.clients.asked)):
            self.learn(token)
        for group in machine.rebalances.groups.values():
            check_group(group)
        held = {
            token
            for group in machine.rebalances.groups.values()
            for member in group.members.values()
            for token in (member.join_token, member.sync_token)
            if token is not None
        }
        refused = {token for token, answer in self.clients.answers.items() if answer == "append failed"}
        unanswered = set(self.clients.unanswered()) - self.lost
        assert unanswered == held - refused, "somebody waits for nothing, or is forgotten"

    def learn(self, token: int) -> None:
        answer = self.clients.answers.get(token)
        if not isinstance(answer, messages.JoinGroupResponse) or answer.error_code:
            return
        request = self.clients.asked[token]
        identity = (answer.member_id, request.group_instance_id)
        if identity not in self.known[request.group_id]:
            self.known[request.group_id].append(identity)

    def finish(self) -> None:
        """Everybody stays away: all who wait are answered, all groups become empty."""
        self.clients.advance(400_000)
        assert not set(self.clients.unanswered()) - self.lost
        for group in self.clients.groups.rebalances.groups.values():
            assert group.state == EMPTY
        for group_id in GROUPS:
            expected = {key[1:]: offset for key, offset in self.model.items() if key[0] == group_id}
            assert self.clients.committed(group_id) == expected
        check_replay(self.clients, lambda machine: machine.store.as_plain())


def check_group(group: ClassicGroup) -> None:
    members = group.members.values()
    assert group.awaiting_join_count == sum(member.join_token is not None for member in members)
    assert group.static_members == {each.instance_id: each.id for each in members if each.instance_id is not None}
    assert all(member_id == member.id for member_id, member in group.members.items())
    assert (group.leader in group.members) if group.members else group.leader is None
    assert not group.pending.keys() & group.members.keys()
    assert group.pending_sync <= group.members.keys()
    assert group.awaiting_join_count <= 5
    if group.state == STABLE:
        assert not any(member.sync_token for member in members)
    if group.state != PREPARING:
        assert not any(member.join_token for member in members)
        assert (group.state == EMPTY) == (not group.members)


@given(st.integers(0, 1 << 32))
@settings(max_examples=60)
def test_everyone_is_answered_once_and_the_log_holds_what_was_acknowledged(seed: int) -> None:
    crowd = Crowd(seed)
    for _ in range(120):
        crowd.step()
    crowd.finish()


TEXTS = st.sampled_from(["", "a", "b", "é", "x" * 32_730, "x" * 32_731, "x" * 32_767, "é" * 16_383])
NUMBERS = st.sampled_from([-(1 << 31), -1, 0, 1, 6000, (1 << 31) - 1])


@st.composite
def strange_request(draw: st.DrawFn) -> tuple[Any, int]:
    """What no client of good will sends; a handler would let all of it through. No text is longer than the protocol
    allows: the decoder sees to that."""
    member_id = draw(st.sampled_from(["", "m", "known"]))
    instance_id = draw(st.one_of(st.none(), TEXTS))
    kind = draw(st.sampled_from(["join", "sync", "leave", "commit", "describe", "list", "delete"]))
    if kind == "join":
        protocol = messages.JoinGroupRequest.JoinGroupRequestProtocol
        names = draw(st.lists(TEXTS, max_size=3))
        metadata = draw(st.one_of(st.binary(max_size=12), st.just(b"\0\0\x7f\xff\xff\xff")))
        return messages.JoinGroupRequest(
            group_id="g",
            member_id=member_id,
            group_instance_id=instance_id,
            session_timeout_ms=6000,
            rebalance_timeout_ms=draw(NUMBERS),
            protocol_type=draw(st.sampled_from(["consumer", "", "x" * 32_767])),
            protocols=[protocol(name=name, metadata=metadata) for name in names],
        ), draw(st.sampled_from([0, 3, 5, 9]))
    if kind == "sync":
        assigned = messages.SyncGroupRequest.SyncGroupRequestAssignment
        assignments = [assigned(member_id=draw(TEXTS), assignment=b"x") for _ in range(draw(st.integers(0, 2)))]
        return messages.SyncGroupRequest(
            group_id="g",
            member_id=member_id,
            group_instance_id=instance_id,
            generation_id=draw(st.integers(-1, 4)),
            assignments=assignments * 2,
        ), 3
    if kind == "leave":
        identity = messages.LeaveGroupRequest.MemberIdentity
        members = [identity(member_id=member_id, group_instance_id=instance_id)] * draw(st.integers(0, 2))
        return messages.LeaveGroupRequest(group_id="g", members=members), 5
    if kind == "commit":
        partition = messages.OffsetCommitRequest.OffsetCommitRequestPartition
        partitions = [
            partition(partition_index=draw(NUMBERS), committed_offset=draw(NUMBERS), committed_metadata=draw(TEXTS))
        ]
        topic = messages.OffsetCommitRequest.OffsetCommitRequestTopic(name="orders", partitions=partitions * 2)
        return messages.OffsetCommitRequest(
            group_id="g",
            member_id=member_id,
            group_instance_id=instance_id,
            generation_id_or_member_epoch=draw(st.integers(-2, 3)),
            retention_time_ms=draw(NUMBERS),
            topics=[topic] * 2,
        ), 8
    if kind == "describe":
        return messages.DescribeGroupsRequest(groups=["g", "g", "", "x" * 32_767]), 6
    if kind == "list":
        return messages.ListGroupsRequest(states_filter=[draw(TEXTS)], types_filter=[draw(TEXTS)]), 5
    return messages.DeleteGroupsRequest(groups_names=["g", "g"]), 2


@given(st.lists(st.one_of(strange_request(), st.sampled_from([0, 1, 7000, 400_000])), max_size=40), TEXTS)
@settings(max_examples=50)
def test_strange_requests_are_answered_and_break_nothing(steps: list[Any], client_id: str) -> None:
    clients = Clients(offset_metadata_length_max=100_000, group_size_max=3)
    known = clients.stable(1, session_timeout_ms=6000)[0]
    for step in steps:
        if isinstance(step, int):
            clients.advance(step)
            continue
        request, version = copy.deepcopy(step)
        if getattr(request, "member_id", None) == "known":
            request.member_id = known
        token = clients.ask(request, version, client_id=client_id)
        answer = clients.answers.get(token)
        if isinstance(answer, messages.JoinGroupResponse):
            known = answer.member_id
        if answer is not None:
            messages.encode(answer, 5 if isinstance(request, messages.SyncGroupRequest) else version)
        for group in clients.groups.rebalances.groups.values():
            check_group(group)
    clients.advance(400_000)
    assert not clients.unanswered()
    check_replay(clients, lambda machine: machine.store.as_plain())


def successes(clients: Clients, kind: type[Any]) -> list[tuple[Any, Any]]:
    return [
        (clients.asked[token], answer)
        for token, answer in clients.answers.items()
        if isinstance(answer, kind) and answer.error_code == 0
    ]


@given(st.integers(0, 1 << 32))
@settings(max_examples=40)
def test_generations_grow_and_have_one_leader(seed: int) -> None:
    """Without restarts: a generation has one leader and one protocol, and each gets what was assigned to it."""
    crowd = Crowd(seed)
    told: dict[tuple[str, int], tuple[str, str]] = {}
    for _ in range(120):
        before = {group_id: group.generation for group_id, group in crowd.clients.groups.rebalances.groups.items()}
        action = crowd.chance.choices((crowd.join, crowd.sync, crowd.leave, crowd.time), (30, 25, 6, 12))[0]
        action(crowd.chance.choice(GROUPS))
        crowd.check()
        for group_id, group in crowd.clients.groups.rebalances.groups.items():
            assert group.generation >= before.get(group_id, 0)
    for request, answer in successes(crowd.clients, messages.JoinGroupResponse):
        if answer.leader == answer.member_id and not answer.skip_assignment:
            key = (request.group_id, answer.generation_id)
            assert told.setdefault(key, (answer.leader, answer.protocol_name)) == (answer.leader, answer.protocol_name)
    for request, answer in successes(crowd.clients, messages.SyncGroupResponse):
        if not request.member_id.startswith(("one-", "two-")):  # who was renamed has what its old name was given
            assert answer.assignment in (b"", request.member_id.encode())
