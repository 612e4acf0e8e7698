"""How a classic group goes from one generation to the next: the phases of a rebalance and what its deadlines do.

    Empty -> PreparingRebalance    the first member joins: more may come within group.initial.rebalance.delay.ms
    Stable, CompletingRebalance -> PreparingRebalance    a member joins, leaves, fails or changes
    PreparingRebalance -> CompletingRebalance    all have rejoined, or the rebalance time-out is over: answers go out
    CompletingRebalance -> Stable    the leader's assignment is in the log (``groups_classic``)
    PreparingRebalance -> Empty    nobody is left

Groups are volatile (``groups_members``). What must survive is written when a generation is complete, when a group gets
empty, and when a static member changes its id; after a restart a group is made anew from that record.
Kafka loses the tokens of a member that asks again before it was answered; here the older one is answered with
REBALANCE_IN_PROGRESS, so that every request has its answer.
"""

from __future__ import annotations

from typing import Any, Final

from millrace.kafka import codes, messages, records
from millrace.state import groups_records
from millrace.state.deadlines import Deadlines, Timer
from millrace.state.groups_members import (
    COMPLETING,
    EMPTY,
    PREPARING,
    STABLE,
    ClassicGroup,
    Member,
)
from millrace.state.groups_store import GroupStore
from millrace.state.machine import Decision, Env, Record

# How long a member that joins for the first time may wait: it cannot send heartbeats yet (KAFKA-7610).
NEW_MEMBER_JOIN_TIMEOUT_MS: Final = 5 * 60 * 1000
# How long a group of absent static members rests at the least before it is looked at again, whatever they asked for.
ABSENT_PAUSE_MS_MIN: Final = 1000


class GroupLimits:
    """What the configuration says about groups."""

    __slots__ = (
        "group_size_max",
        "initial_rebalance_delay_ms",
        "offset_metadata_length_max",
        "offsets_retention_check_interval_ms",
        "offsets_retention_ms",
    )

    def __init__(
        self,
        *,
        group_size_max: int,
        initial_rebalance_delay_ms: int,
        offset_metadata_length_max: int,
        offsets_retention_ms: int,
        offsets_retention_check_interval_ms: int,
    ) -> None:
        self.group_size_max = group_size_max
        self.initial_rebalance_delay_ms = initial_rebalance_delay_ms
        self.offset_metadata_length_max = offset_metadata_length_max
        self.offsets_retention_ms = offsets_retention_ms
        self.offsets_retention_check_interval_ms = offsets_retention_check_interval_ms


class Rebalances:
    """The groups that are alive here, and their way through rebalances."""

    __slots__ = ("_store", "deadlines", "groups", "limits")

    def __init__(self, store: GroupStore, limits: GroupLimits) -> None:
        self._store = store
        self.limits = limits
        self.deadlines = Deadlines()
        self.groups: dict[str, ClassicGroup] = {}

    # -- finding and loading -----------------------------------------------------------------------------------------

    def find(self, group_id: str, env: Env) -> ClassicGroup | None:
        """The group, made from its record when it was not met since the log was loaded."""
        group = self.groups.get(group_id)
        if group is None and group_id in self._store.groups:
            group = self._load(group_id, self._store.groups[group_id], env)
        return group

    def look(self, group_id: str, env: Env) -> ClassicGroup | None:
        """The same, to look at: what only holds offsets is not kept alive for that."""
        if group_id not in self.groups and self._store.groups.get(group_id, b"") is None:
            return ClassicGroup(group_id, EMPTY, env.wall_ms)
        return self.find(group_id, env)

    def create(self, group_id: str, env: Env) -> ClassicGroup:
        group = self.groups[group_id] = ClassicGroup(group_id, EMPTY, env.wall_ms)
        return group

    def forget(self, group: ClassicGroup) -> None:
        """It is deleted; it has no members, so nobody waits."""
        assert not group.members, f"group {group.id} is deleted with {len(group.members)} members"
        for timer in (group.join_timer, group.sync_timer, *group.pending.values()):
            self._cancel(timer)
        self.groups.pop(group.id, None)

    def _load(self, group_id: str, stored: bytes | None, env: Env) -> ClassicGroup:
        group = self.create(group_id, env)
        if stored is None:
            return group
        value = groups_records.read_group(stored)
        group.state = STABLE if value.members else EMPTY
        group.state_timestamp_ms = value.current_state_timestamp
        group.generation = value.generation
        group.protocol_type = value.protocol_type or None
        group.protocol = value.protocol
        group.leader = value.leader
        for kept in value.members:
            timeout_ms = kept.session_timeout if kept.rebalance_timeout == -1 else kept.rebalance_timeout
            member = Member(
                kept.member_id,
                kept.group_instance_id,
                kept.client_id,
                kept.client_host,
                timeout_ms,
                kept.session_timeout,
                ((value.protocol or "", kept.subscription),),
                kept.assignment,
            )
            group.add(member, value.protocol_type)
            self.keep_session(group, member, env)
        if group.leader not in group.members:
            group.leader = next(iter(group.members), None)
        group.read_subscriptions()
        return group

    def check_size(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """A group that was loaded may be larger than is allowed by now: its members must join again."""
        if len(group.members) > self.limits.group_size_max:
            self.prepare(group, env, decision)

    def record_of(self, group: ClassicGroup, assignments: dict[str, bytes] | None = None) -> Record:
        """The group's metadata record: what it is made anew from."""
        members = [
            records.GroupMetadataValue.MemberMetadata(
                member_id=member.id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                rebalance_timeout=member.rebalance_timeout_ms,
                session_timeout=member.session_timeout_ms,
                subscription=member.metadata(group.protocol),
                assignment=member.assignment if assignments is None else assignments.get(member.id, b""),
            )
            for member in group.members.values()
        ]
        value = records.GroupMetadataValue(
            protocol_type=group.protocol_type or "",
            generation=group.generation,
            protocol=group.protocol,
            leader=group.leader,
            current_state_timestamp=group.state_timestamp_ms,
            members=members,
        )
        return Record(groups_records.group_key(group.id), groups_records.group_value(value))

    # -- preparing ---------------------------------------------------------------------------------------------------

    def prepare_or_complete(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """Something changed: start a rebalance, or finish the one that is being prepared if all are there now."""
        if group.state == PREPARING:
            self.maybe_complete(group, env, decision)
        else:
            self.prepare(group, env, decision)

    def prepare(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """All members must join again."""
        if group.state == COMPLETING:
            self._refuse_syncs(group, env, decision)
        group.pending_sync.clear()
        self._cancel(group.sync_timer)
        is_initial = group.state == EMPTY
        group.move_to(PREPARING, env.wall_ms)
        if is_initial:
            delay_ms = self.limits.initial_rebalance_delay_ms
            remaining_ms = max(group.rebalance_timeout_ms - delay_ms, 0)
            self._await_joins(group, env, delay_ms, self._on_initial_delay, delay_ms, remaining_ms)
        elif group.have_all_joined:
            self.complete(group, env, decision)
        else:
            self._await_joins(group, env, group.rebalance_timeout_ms, self._on_join_deadline)

    def maybe_complete(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """Finish the preparation if all have rejoined; a group that was empty waits its delay out."""
        if group.state == PREPARING and group.previous_state != EMPTY and group.have_all_joined:
            self.complete(group, env, decision)

    def complete(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """Whoever has rejoined makes the next generation; static members are kept until their session ends."""
        self._cancel(group.join_timer)
        absent = [member for member in group.members.values() if member.join_token is None and not member.is_static]
        for member in absent:
            self.remove(group, member, decision)
        if not group.elect_joined_leader() and group.members:
            # Only static members that have not rejoined: their sessions decide.
            pause_ms = max(group.rebalance_timeout_ms, ABSENT_PAUSE_MS_MIN)
            self._await_joins(group, env, pause_ms, self._on_join_deadline)
            return
        group.start_generation(env.wall_ms)
        if group.state == EMPTY:
            decision.records.append(self.record_of(group))
            return
        for member in group.members.values():
            token = group.take_join_token(member)
            if token is not None:
                decision.replies.append((token, self.join_answer(group, member)))
            member.is_new = False
            self.keep_session(group, member, env)
            group.pending_sync.add(member.id)
        self._await_syncs(group, env)

    def join_answer(self, group: ClassicGroup, member: Member) -> messages.JoinGroupResponse:
        """The generation as this member is told of it; only the leader learns who the others are."""
        return messages.JoinGroupResponse(
            generation_id=group.generation,
            protocol_type=group.protocol_type,
            protocol_name=group.protocol,
            leader=group.leader or "",
            member_id=member.id,
            members=self.members_for_leader(group) if group.leader == member.id else [],
        )

    def members_for_leader(self, group: ClassicGroup) -> list[messages.JoinGroupResponse.JoinGroupResponseMember]:
        return [
            messages.JoinGroupResponse.JoinGroupResponseMember(
                member_id=member.id,
                group_instance_id=member.instance_id,
                metadata=member.metadata(group.protocol),
            )
            for member in group.members.values()
        ]

    def _refuse_syncs(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """Who waits for an assignment is sent back to join; so far nobody has one of this generation."""
        for member in group.members.values():
            member.assignment = b""
            if answer_sync(member, codes.REBALANCE_IN_PROGRESS, decision):
                self.keep_session(group, member, env)

    # -- members going -----------------------------------------------------------------------------------------------

    def drop(self, group: ClassicGroup, member: Member, env: Env, decision: Decision) -> None:
        """A member has failed: without it a rebalance begins, or the one that waits only for it goes on."""
        self.remove(group, member, decision)
        if group.state in (STABLE, COMPLETING):
            self.prepare(group, env, decision)
        elif group.state == PREPARING and group.have_all_joined:
            self.complete(group, env, decision)

    def remove(self, group: ClassicGroup, member: Member, decision: Decision) -> None:
        """Take a member out; the caller lets a rebalance begin. Whoever waits for it is told that it is no member any
        more, so that a living client joins anew."""
        token = group.take_join_token(member)
        if token is not None:
            decision.replies.append((token, messages.JoinGroupResponse(error_code=codes.UNKNOWN_MEMBER_ID)))
        answer_sync(member, codes.UNKNOWN_MEMBER_ID, decision)
        self._cancel(member.session)
        group.remove(member.id)

    def remove_pending(self, group: ClassicGroup, member_id: str) -> None:
        """A member id that was given out is not used."""
        self._cancel(group.pending[member_id])
        group.remove(member_id)

    # -- deadlines ---------------------------------------------------------------------------------------------------

    def keep_session(self, group: ClassicGroup, member: Member, env: Env) -> None:
        """The member lives: its session begins anew."""
        self.end_session_in(group, member, env, member.session_timeout_ms)

    def end_session_in(self, group: ClassicGroup, member: Member, env: Env, timeout_ms: int) -> None:
        if member.session is None:
            member.session = Timer(self._on_session_end, group, member)
        self.deadlines.set(member.session, env.mono_ms + timeout_ms)

    def expect_join(self, group: ClassicGroup, member_id: str, env: Env, timeout_ms: int) -> None:
        """A member id was given out; the member must come back with it in time (KIP-394)."""
        timer = group.pending[member_id] = Timer(self._on_pending_end, group, member_id)
        self.deadlines.set(timer, env.mono_ms + timeout_ms)

    def synced(self, group: ClassicGroup, member: Member) -> None:
        """A member has asked for its assignment; when all have, nobody is waited for."""
        group.pending_sync.discard(member.id)
        if not group.pending_sync:
            self._cancel(group.sync_timer)

    def _await_joins(self, group: ClassicGroup, env: Env, delay_ms: int, action: Any, *subject: Any) -> None:
        self._cancel(group.join_timer)
        group.join_timer = Timer(action, group, *subject)
        self.deadlines.set(group.join_timer, env.mono_ms + delay_ms)

    def _await_syncs(self, group: ClassicGroup, env: Env) -> None:
        self._cancel(group.sync_timer)
        group.sync_timer = Timer(self._on_sync_deadline, group)
        self.deadlines.set(group.sync_timer, env.mono_ms + group.rebalance_timeout_ms)

    def _cancel(self, timer: Timer | None) -> None:
        if timer is not None:
            self.deadlines.cancel(timer)

    def _on_initial_delay(
        self, group: ClassicGroup, delay_ms: int, remaining_ms: int, env: Env, decision: Decision
    ) -> None:
        """The delay of a group's first rebalance is over; while new members come it begins again (KIP-134)."""
        if not group.new_member_added or remaining_ms == 0:
            self.complete(group, env, decision)
            return
        group.new_member_added = False
        next_ms = min(self.limits.initial_rebalance_delay_ms, remaining_ms)
        self._await_joins(group, env, next_ms, self._on_initial_delay, next_ms, max(remaining_ms - delay_ms, 0))

    def _on_join_deadline(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        self.complete(group, env, decision)

    def _on_sync_deadline(self, group: ClassicGroup, env: Env, decision: Decision) -> None:
        """Members that joined and never asked for their assignment are taken out (KAFKA-13435)."""
        assert group.state in (COMPLETING, STABLE), f"group {group.id} waits for assignments in state {group.state}"
        if not group.pending_sync:
            return
        for member_id in sorted(group.pending_sync):
            self.remove(group, group.members[member_id], decision)
        self.prepare(group, env, decision)

    def _on_session_end(self, group: ClassicGroup, member: Member, env: Env, decision: Decision) -> None:
        if not member.is_new and (member.join_token is not None or member.sync_token is not None):
            return  # it waits for us: as good as a heartbeat; its session begins anew when it is answered
        self.drop(group, member, env, decision)

    def _on_pending_end(self, group: ClassicGroup, member_id: str, env: Env, decision: Decision) -> None:
        group.remove(member_id)
        if group.state == PREPARING and group.have_all_joined:
            self.complete(group, env, decision)


def answer_sync(member: Member, code: int, decision: Decision) -> bool:
    """Answer a waiting SyncGroup with an error; False when none waits."""
    token, member.sync_token = member.sync_token, None
    if token is None:
        return False
    decision.replies.append((token, messages.SyncGroupResponse(error_code=code)))
    return True
