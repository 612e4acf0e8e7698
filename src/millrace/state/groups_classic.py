"""The classic group protocol's requests: JoinGroup, SyncGroup, Heartbeat, LeaveGroup, as ladders of checks.

Behaviour is that of Apache Kafka 4.3.1's group coordinator: which check comes first, which code refuses, when a
rebalance begins. Its *Dead* state does not exist here: a machine that is dropped answers for its groups as a whole.
"""

from __future__ import annotations

from typing import Any, Final

from millrace.base.ports import Random
from millrace.kafka import codes, messages
from millrace.state.groups_members import (
    COMPLETING,
    EMPTY,
    PREPARING,
    STABLE,
    ClassicGroup,
    Member,
    protocols_of,
)
from millrace.state.groups_rebalance import NEW_MEMBER_JOIN_TIMEOUT_MS, Rebalances, answer_sync
from millrace.state.machine import Call, Decision, Env

NO_MEMBER: Final = ""
MEMBER_ID_REQUIRED_FROM: Final = 4  # JoinGroup: a new member is first given its id (KIP-394)
SKIP_ASSIGNMENT_FROM: Final = 9  # JoinGroup: a static leader that comes back need not assign again (KIP-814)
# The longest text of the protocol has 32,767 bytes; a member id is a client's or an instance's name with 37 more.
NAME_BYTES_MAX: Final = 32_767 - 37
UTF8_SIGN_BYTES_MAX: Final = 4
SEVERAL_LEAVE_FROM: Final = 3  # LeaveGroup: several members at once (KIP-345)


class ClassicGroups:
    """See the module."""

    __slots__ = ("_rebalances",)

    def __init__(self, rebalances: Rebalances) -> None:
        self._rebalances = rebalances

    # -- join --------------------------------------------------------------------------------------------------------

    def join(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.JoinGroupRequest = call.request
        decision = Decision()
        if not _can_be_named(call):
            return _refuse_join(token, codes.INVALID_REQUEST, request.member_id, decision)
        group = self._rebalances.find(request.group_id, env)
        if group is None and request.member_id != NO_MEMBER:
            return _refuse_join(token, codes.UNKNOWN_MEMBER_ID, request.member_id, decision)
        is_new_group = group is None
        if group is None:
            group = self._rebalances.create(request.group_id, env)
        if not group.accepts(request.member_id, self._rebalances.limits.group_size_max):
            self._turn_away(group, request.member_id, decision)
            _refuse_join(token, codes.GROUP_MAX_SIZE_REACHED, NO_MEMBER, decision)
        elif not group.supports(request.protocol_type, protocols_of(request)):
            _refuse_join(token, codes.INCONSISTENT_GROUP_PROTOCOL, request.member_id, decision)
        elif request.member_id == NO_MEMBER:
            self._join_new(group, call, token, env, decision)
        else:
            self._join_known(group, call, token, env, decision)
        if is_new_group:
            decision.records.append(self._rebalances.record_of(_founded(group)))
        return decision

    def _turn_away(self, group: ClassicGroup, member_id: str, decision: Decision) -> None:
        """The group is full: who was let in before, or was given an id, loses its place."""
        member = group.members.get(member_id)
        if member is not None:
            self._rebalances.remove(group, member, decision)
        elif member_id in group.pending:
            self._rebalances.remove_pending(group, member_id)

    def _join_new(self, group: ClassicGroup, call: Call, token: Any, env: Env, decision: Decision) -> None:
        """A client without a member id: a new member, or a static one that was started again."""
        request: messages.JoinGroupRequest = call.request
        instance_id = request.group_instance_id
        member_id = new_member_id(call.client_id if instance_id is None else instance_id, env.random)
        if instance_id is not None:
            known_id = group.static_members.get(instance_id)
            if known_id is None:
                self._add(group, call, member_id, token, env, decision)
            else:
                self._replace(group, group.members[known_id], call, member_id, token, env, decision)
        elif call.api_version >= MEMBER_ID_REQUIRED_FROM:
            self._rebalances.expect_join(group, member_id, env, request.session_timeout_ms)
            _refuse_join(token, codes.MEMBER_ID_REQUIRED, member_id, decision)
        else:
            self._add(group, call, member_id, token, env, decision)

    def _join_known(self, group: ClassicGroup, call: Call, token: Any, env: Env, decision: Decision) -> None:
        """A client that names its member id: one that was just given it, or one that rejoins."""
        request: messages.JoinGroupRequest = call.request
        if request.member_id in group.pending:
            if request.group_instance_id is not None:
                # Kafka fails here with an internal error: only members without an instance id are given an id first.
                _refuse_join(token, codes.UNKNOWN_SERVER_ERROR, NO_MEMBER, decision)
                return
            self._add(group, call, request.member_id, token, env, decision)
            return
        code = check_member(group, request.member_id, request.group_instance_id)
        if code:
            _refuse_join(token, code, request.member_id, decision)
            return
        member = group.members[request.member_id]
        has_changed = member.protocols != protocols_of(request)
        if group.state == PREPARING or has_changed or (group.state == STABLE and group.leader == member.id):
            # A leader that joins again without a change asks for a new assignment: its topics may have changed.
            self._wait_join(group, member, call, token, decision)
            self._rebalances.prepare_or_complete(group, env, decision)
            return
        # It missed the answer: the generation goes on.
        decision.replies.append((token, self._rebalances.join_answer(group, member)))

    def _add(self, group: ClassicGroup, call: Call, member_id: str, token: Any, env: Env, decision: Decision) -> None:
        request: messages.JoinGroupRequest = call.request
        member = Member(
            member_id,
            request.group_instance_id,
            call.client_id,
            "/" + call.client_host,  # as Java prints an address, and Kafka shows it
            _rebalance_timeout_ms(call),
            request.session_timeout_ms,
            protocols_of(request),
        )
        member.is_new = True
        if member_id in group.pending:
            self._rebalances.remove_pending(group, member_id)
        if group.state == PREPARING and group.previous_state == EMPTY:
            group.new_member_added = True
        group.add(member, request.protocol_type)
        group.wait_join(member, token)
        self._rebalances.end_session_in(group, member, env, NEW_MEMBER_JOIN_TIMEOUT_MS)
        self._rebalances.prepare_or_complete(group, env, decision)

    def _wait_join(self, group: ClassicGroup, member: Member, call: Call, token: Any, decision: Decision) -> None:
        """The member takes part in the next generation, with what it says now."""
        request: messages.JoinGroupRequest = call.request
        group.change_protocols(member, protocols_of(request))
        member.rebalance_timeout_ms = _rebalance_timeout_ms(call)
        member.session_timeout_ms = request.session_timeout_ms
        older = group.take_join_token(member)
        if older is not None:
            _refuse_join(older, codes.REBALANCE_IN_PROGRESS, member.id, decision)
        group.wait_join(member, token)

    def _replace(
        self, group: ClassicGroup, member: Member, call: Call, new_id: str, token: Any, env: Env, decision: Decision
    ) -> None:
        """A static member was started again: it takes its old place under a new id, often without a rebalance."""
        old_id = member.id
        old_leader = group.leader
        older = group.take_join_token(member)
        if older is not None:
            _refuse_join(older, codes.FENCED_INSTANCE_ID, old_id, decision)
        answer_sync(member, codes.FENCED_INSTANCE_ID, decision)
        old_session_timeout_ms = member.session_timeout_ms
        group.rename(member, new_id)
        self._rebalances.end_session_in(group, member, env, old_session_timeout_ms)
        self._wait_join(group, member, call, token, decision)
        if group.state == COMPLETING:
            # The leader may be assigning to the old id just now.
            self._rebalances.prepare(group, env, decision)
        elif group.state == PREPARING:
            self._rebalances.maybe_complete(group, env, decision)
        elif group.select_protocol() != group.protocol:
            self._rebalances.prepare_or_complete(group, env, decision)
        else:
            group.take_join_token(member)
            decision.records.append(self._rebalances.record_of(group))
            decision.replies.append((token, self._resume(group, member, call.api_version, old_leader)))

    def _resume(
        self, group: ClassicGroup, member: Member, version: int, old_leader: str | None
    ) -> messages.JoinGroupResponse:
        """The generation goes on with a static member under its new id."""
        answer = self._rebalances.join_answer(group, member)
        if version < SKIP_ASSIGNMENT_FROM:
            # The old leader's name keeps an older client from assigning anew.
            answer.leader = old_leader or ""
            answer.members = []
        else:
            answer.skip_assignment = group.leader == member.id
        return answer

    # -- sync --------------------------------------------------------------------------------------------------------

    def sync(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.SyncGroupRequest = call.request
        decision = Decision()
        group = self._rebalances.find(request.group_id, env)
        code = _check_sync(group, request)
        if code or group is None:
            decision.replies.append((token, messages.SyncGroupResponse(error_code=code)))
            return decision
        member = group.members[request.member_id]
        if group.state == STABLE:
            self._rebalances.synced(group, member)
            decision.replies.append((token, _assignment_of(group, member)))
            return decision
        answer_sync(member, codes.REBALANCE_IN_PROGRESS, decision)  # a request of an older connection
        member.sync_token = token
        self._rebalances.synced(group, member)
        if group.leader == member.id:
            self._assign(group, request, env, decision)
        return decision

    def _assign(self, group: ClassicGroup, request: messages.SyncGroupRequest, env: Env, decision: Decision) -> None:
        """The leader's assignment: it is written, and whoever waits for it is answered once it is safe.

        Kafka stays in CompletingRebalance until then. Here the group is Stable at once: replies are held back until
        the log is safe up to where it was read, and a member that gets none joins again.
        """
        assignments = {assigned.member_id: assigned.assignment for assigned in request.assignments}
        decision.records.append(self._rebalances.record_of(group, assignments))
        group.move_to(STABLE, env.wall_ms)
        for member in group.members.values():
            member.assignment = assignments.get(member.id, b"")
            waiting, member.sync_token = member.sync_token, None
            if waiting is not None:
                decision.replies.append((waiting, _assignment_of(group, member)))
                self._rebalances.keep_session(group, member, env)

    # -- heartbeat ---------------------------------------------------------------------------------------------------

    def heartbeat(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.HeartbeatRequest = call.request
        code = self._beat(self._rebalances.find(request.group_id, env), request, env)
        return Decision(replies=[(token, messages.HeartbeatResponse(error_code=code))], at_once=True)

    def _beat(self, group: ClassicGroup | None, request: messages.HeartbeatRequest, env: Env) -> int:
        if group is None:
            return codes.UNKNOWN_MEMBER_ID
        code = check_member(group, request.member_id, request.group_instance_id)
        if code:
            return code
        if request.generation_id != group.generation:
            return codes.ILLEGAL_GENERATION
        self._rebalances.keep_session(group, group.members[request.member_id], env)
        return codes.REBALANCE_IN_PROGRESS if group.state == PREPARING else codes.NONE

    # -- leave -------------------------------------------------------------------------------------------------------

    def leave(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.LeaveGroupRequest = call.request
        decision = Decision()
        identities = request.members
        if call.api_version < SEVERAL_LEAVE_FROM:
            identities = [messages.LeaveGroupRequest.MemberIdentity(member_id=request.member_id)]
        group = self._rebalances.find(request.group_id, env)
        answer = messages.LeaveGroupResponse()
        for identity in identities:
            code = codes.UNKNOWN_MEMBER_ID if group is None else self._leave_one(group, identity, decision)
            answer.members.append(
                messages.LeaveGroupResponse.MemberResponse(
                    member_id=identity.member_id, group_instance_id=identity.group_instance_id, error_code=code
                )
            )
        if group is not None and any(member.error_code == codes.NONE for member in answer.members):
            if group.state in (STABLE, COMPLETING):
                self._rebalances.prepare(group, env, decision)
            else:
                self._rebalances.maybe_complete(group, env, decision)
        if call.api_version < SEVERAL_LEAVE_FROM:  # one member left, and the answer has no list to name it in
            answer.error_code = answer.members[0].error_code
            answer.members = []
        decision.replies.append((token, answer))
        return decision

    def _leave_one(
        self, group: ClassicGroup, identity: messages.LeaveGroupRequest.MemberIdentity, decision: Decision
    ) -> int:
        """One member goes; an administrator names a static one by its instance id alone."""
        member_id = identity.member_id
        if member_id == NO_MEMBER:
            found = group.static_members.get(identity.group_instance_id) if identity.group_instance_id else None
            if found is None:
                return codes.UNKNOWN_MEMBER_ID
            member_id = found
        elif member_id in group.pending:
            self._rebalances.remove_pending(group, member_id)
            return codes.NONE
        else:
            code = check_member(group, member_id, identity.group_instance_id)
            if code:
                return code
        self._rebalances.remove(group, group.members[member_id], decision)
        return codes.NONE


def check_member(group: ClassicGroup, member_id: str, instance_id: str | None) -> int:
    """Is this a member of the group, and still the one of its instance id? The code that says no, or 0."""
    if instance_id is not None:
        known_id = group.static_members.get(instance_id)
        if known_id is None:
            return codes.UNKNOWN_MEMBER_ID
        if known_id != member_id:
            return codes.FENCED_INSTANCE_ID
    return codes.NONE if member_id in group.members else codes.UNKNOWN_MEMBER_ID


def new_member_id(prefix: str, random: Random) -> str:
    """A random id (UUID version 4) behind the client's id, or behind the instance id of a static member."""
    bits = random.getrandbits(128) & ~(0xF << 76) & ~(0x3 << 62) | 0x4 << 76 | 0x2 << 62
    digits = f"{bits:032x}"
    return f"{prefix}-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _can_be_named(call: Call) -> bool:
    """Will the id that the member gets still be a text that can be sent? Kafka finds out, and fails, when it writes."""
    request: messages.JoinGroupRequest = call.request
    name = call.client_id if request.group_instance_id is None else request.group_instance_id
    return len(name) * UTF8_SIGN_BYTES_MAX <= NAME_BYTES_MAX or len(name.encode()) <= NAME_BYTES_MAX


def _founded(group: ClassicGroup) -> ClassicGroup:
    """The group as it is first written: without members, whatever has begun in it."""
    return ClassicGroup(group.id, EMPTY, group.state_timestamp_ms)


def _rebalance_timeout_ms(call: Call) -> int:
    """Version 0 has no rebalance time-out: the session's takes its place."""
    request: messages.JoinGroupRequest = call.request
    return max(request.rebalance_timeout_ms, 0) if call.api_version > 0 else request.session_timeout_ms


def _refuse_join(token: Any, code: int, member_id: str, decision: Decision) -> Decision:
    decision.replies.append((token, messages.JoinGroupResponse(error_code=code, member_id=member_id)))
    return decision


def _check_sync(group: ClassicGroup | None, request: messages.SyncGroupRequest) -> int:
    if group is None or group.state == EMPTY:
        return codes.UNKNOWN_MEMBER_ID
    code = check_member(group, request.member_id, request.group_instance_id)
    if code:
        return code
    if request.generation_id != group.generation:
        return codes.ILLEGAL_GENERATION
    if request.protocol_type is not None and request.protocol_type != group.protocol_type:
        return codes.INCONSISTENT_GROUP_PROTOCOL
    if request.protocol_name is not None and group.protocol is not None and request.protocol_name != group.protocol:
        return codes.INCONSISTENT_GROUP_PROTOCOL
    return codes.REBALANCE_IN_PROGRESS if group.state == PREPARING else codes.NONE


def _assignment_of(group: ClassicGroup, member: Member) -> messages.SyncGroupResponse:
    return messages.SyncGroupResponse(
        protocol_type=group.protocol_type, protocol_name=group.protocol, assignment=member.assignment
    )
