"""Short ways to ask the groups machine, for its tests."""

from __future__ import annotations

from typing import Any

from millrace.kafka import messages
from millrace.state.groups import Groups
from millrace.state.groups_rebalance import GroupLimits
from tests.contracts.machine import Bench

DAY_MS = 24 * 3600 * 1000
TOPIC_ID = b"t" * 16
LATEST = {"join": 9, "sync": 5, "leave": 5, "heartbeat": 4, "commit": 10, "fetch": 10, "describe": 6}


def limits(**changed: int) -> GroupLimits:
    values = {
        "group_size_max": 1000,
        "initial_rebalance_delay_ms": 3000,
        "offset_metadata_length_max": 100,
        "offsets_retention_ms": 7 * DAY_MS,
        "offsets_retention_check_interval_ms": 600_000,
    }
    return GroupLimits(**{**values, **changed})


def subscription(*topics: str) -> bytes:
    parts = [len(topic).to_bytes(2, "big") + topic.encode() for topic in topics]
    return b"\0\1" + len(topics).to_bytes(4, "big") + b"".join(parts) + b"\0\0\0\0\0\0\0\0"


class Clients(Bench):
    """A groups machine and the requests of its clients."""

    def __init__(self, **changed: int) -> None:
        super().__init__(lambda: Groups(limits(**changed)))

    @property
    def groups(self) -> Groups:
        assert isinstance(self.machine, Groups)
        return self.machine

    def join(
        self,
        member_id: str = "",
        *,
        group_id: str = "g",
        instance_id: str | None = None,
        protocols: tuple[str, ...] = ("range",),
        protocol_type: str = "consumer",
        topics: tuple[str, ...] = ("orders",),
        session_timeout_ms: int = 10_000,
        rebalance_timeout_ms: int = 60_000,
        version: int = LATEST["join"],
    ) -> int:
        protocol = messages.JoinGroupRequest.JoinGroupRequestProtocol
        request = messages.JoinGroupRequest(
            group_id=group_id,
            member_id=member_id,
            group_instance_id=instance_id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            protocol_type=protocol_type,
            protocols=[protocol(name=name, metadata=subscription(*topics)) for name in protocols],
        )
        return self.ask(request, version)

    def wait(self, token: int) -> Any:
        """Let time pass until an answer is there, no longer."""
        for _ in range(1000):
            if token in self.answers:
                return self.answers[token]
            self.advance(100)
        raise AssertionError(f"no answer to {self.asked[token]!r}")

    def new_id(self, **how: Any) -> str:
        """A member id for a new dynamic member."""
        answer = self.answers[self.join(**how)]
        assert answer.error_code == 79
        return str(answer.member_id)

    def sync(self, member_id: str, generation: int, assignments: dict[str, bytes] | None = None, **how: Any) -> int:
        assigned = messages.SyncGroupRequest.SyncGroupRequestAssignment
        request = messages.SyncGroupRequest(
            group_id=how.get("group_id", "g"),
            member_id=member_id,
            group_instance_id=how.get("instance_id"),
            generation_id=generation,
            protocol_type=how.get("protocol_type"),
            protocol_name=how.get("protocol_name"),
            assignments=[assigned(member_id=each, assignment=what) for each, what in (assignments or {}).items()],
        )
        return self.ask(request, LATEST["sync"])

    def stable(self, count: int = 1, **how: Any) -> list[str]:
        """A stable group of new members, the leader first."""
        ids = [self.new_id(**how) for _ in range(count)]
        tokens = [self.join(each, **how) for each in ids]
        answers = [self.wait(token) for token in tokens]
        leader = answers[0].leader
        generation = answers[0].generation_id
        group_id = how.get("group_id", "g")
        self.sync(leader, generation, {each: each.encode() for each in ids}, group_id=group_id)
        for each in ids:
            if each != leader:
                self.sync(each, generation, group_id=group_id)
        return [leader, *(each for each in ids if each != leader)]

    def heartbeat(self, member_id: str, generation: int, instance_id: str | None = None, group_id: str = "g") -> int:
        request = messages.HeartbeatRequest(
            group_id=group_id, member_id=member_id, generation_id=generation, group_instance_id=instance_id
        )
        return int(self.ask_now(request, LATEST["heartbeat"]).error_code)

    def leave(self, *members: tuple[str, str | None], group_id: str = "g") -> list[int]:
        identity = messages.LeaveGroupRequest.MemberIdentity
        request = messages.LeaveGroupRequest(
            group_id=group_id,
            members=[identity(member_id=each, group_instance_id=instance) for each, instance in members],
        )
        return [each.error_code for each in self.ask_now(request, LATEST["leave"]).members]

    def commit(
        self,
        offsets: dict[tuple[str, int], int],
        *,
        group_id: str = "g",
        member_id: str = "",
        generation: int = -1,
        metadata: str | None = "",
        retention_ms: int = -1,
        version: int = 9,
    ) -> list[int]:
        partition = messages.OffsetCommitRequest.OffsetCommitRequestPartition
        request = messages.OffsetCommitRequest(
            group_id=group_id,
            member_id=member_id,
            generation_id_or_member_epoch=generation,
            retention_time_ms=retention_ms,
            topics=[
                messages.OffsetCommitRequest.OffsetCommitRequestTopic(
                    name=topic,
                    topic_id=TOPIC_ID,
                    partitions=[partition(partition_index=index, committed_offset=offset, committed_metadata=metadata)],
                )
                for (topic, index), offset in offsets.items()
            ],
        )
        answer = self.ask_now(request, version)
        return [each.error_code for topic in answer.topics for each in topic.partitions]

    def committed(self, group_id: str = "g", *, require_stable: bool = False) -> dict[tuple[str, int], int]:
        """All offsets of a group; an error's code, negative, in place of an unstable one."""
        group = messages.OffsetFetchRequest.OffsetFetchRequestGroup(group_id=group_id, topics=None)
        request = messages.OffsetFetchRequest(groups=[group], require_stable=require_stable)
        answer = self.ask_now(request, LATEST["fetch"]).groups[0]
        return {
            (topic.name, each.partition_index): -each.error_code if each.error_code else each.committed_offset
            for topic in answer.topics
            for each in topic.partitions
        }

    def describe(self, group_id: str = "g") -> Any:
        return self.ask_now(messages.DescribeGroupsRequest(groups=[group_id]), LATEST["describe"]).groups[0]

    def state(self, group_id: str = "g") -> str:
        return str(self.describe(group_id).group_state)

    def listed(self, **filters: list[str]) -> list[str]:
        return sorted(each.group_id for each in self.ask_now(messages.ListGroupsRequest(**filters), 5).groups)

    def delete_group(self, group_id: str = "g") -> int:
        request = messages.DeleteGroupsRequest(groups_names=[group_id])
        return int(self.ask_now(request, 2).results[0].error_code)
