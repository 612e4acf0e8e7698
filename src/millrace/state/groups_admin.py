"""Groups seen from outside: DescribeGroups, ListGroups, DeleteGroups."""

from __future__ import annotations

from typing import Any, Final

from millrace.kafka import codes, messages
from millrace.state import groups_records
from millrace.state.groups_members import DEAD, EMPTY, STABLE, ClassicGroup
from millrace.state.groups_offsets import GroupOffsetRequests
from millrace.state.groups_rebalance import Rebalances
from millrace.state.groups_store import GroupStore
from millrace.state.machine import Call, Decision, Env, Record

NOT_FOUND_FROM: Final = 6  # DescribeGroups: GROUP_ID_NOT_FOUND for what is not there (KIP-1043)
GROUP_ID_SHOWN_MAX: Final = 1000  # signs; a longer name would make a message that cannot be sent
CLASSIC_TYPE: Final = "classic"


class GroupAdmin:
    """See the module."""

    __slots__ = ("_offsets", "_rebalances", "_store")

    def __init__(self, store: GroupStore, rebalances: Rebalances, offsets: GroupOffsetRequests) -> None:
        self._store = store
        self._rebalances = rebalances
        self._offsets = offsets

    def group_ids(self) -> list[str]:
        """Groups that have a record or offsets, and those that are just being made."""
        return list(dict.fromkeys((*self._store.groups, *self._rebalances.groups)))

    def describe(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.DescribeGroupsRequest = call.request
        answer = messages.DescribeGroupsResponse()
        for group_id in request.groups:
            group = self._rebalances.look(group_id, env)
            if group is None:
                answer.groups.append(_not_there(group_id, call.api_version))
            else:
                answer.groups.append(_described(group))
        return Decision(replies=[(token, answer)])

    def list(self, call: Call, token: Any, env: Env) -> Decision:
        """Filters are compared without regard to case (KIP-518, KIP-848)."""
        request: messages.ListGroupsRequest = call.request
        states = {state.strip().lower() for state in request.states_filter}
        types = {kind.strip().lower() for kind in request.types_filter}
        answer = messages.ListGroupsResponse()
        if not types or CLASSIC_TYPE in types:
            for group_id in self.group_ids():
                group = self._rebalances.look(group_id, env)
                if group is not None and (not states or group.state.lower() in states):
                    answer.groups.append(
                        messages.ListGroupsResponse.ListedGroup(
                            group_id=group_id,
                            protocol_type=group.protocol_type or "",
                            group_state=group.state,
                            group_type=CLASSIC_TYPE,
                        )
                    )
        return Decision(replies=[(token, answer)])

    def delete(self, call: Call, token: Any, env: Env) -> Decision:
        request: messages.DeleteGroupsRequest = call.request
        decision = Decision()
        answer = messages.DeleteGroupsResponse()
        for group_id in dict.fromkeys(request.groups_names):
            group = self._rebalances.look(group_id, env)
            code = codes.GROUP_ID_NOT_FOUND if group is None else self._delete_one(group, decision)
            answer.results.append(
                messages.DeleteGroupsResponse.DeletableGroupResult(group_id=group_id, error_code=code)
            )
        decision.replies.append((token, answer))
        return decision

    def _delete_one(self, group: ClassicGroup, decision: Decision) -> int:
        if group.state != EMPTY:
            return codes.NON_EMPTY_GROUP
        self._offsets.delete_all(group.id, decision.records)
        self.bury(group, decision)
        return codes.NONE

    def bury(self, group: ClassicGroup, decision: Decision) -> None:
        """Remove a group that has neither members nor offsets."""
        decision.records.append(Record(groups_records.group_key(group.id), None))
        self._rebalances.forget(group)


def _not_there(group_id: str, version: int) -> messages.DescribeGroupsResponse.DescribedGroup:
    described = messages.DescribeGroupsResponse.DescribedGroup(group_id=group_id, group_state=DEAD)
    if version >= NOT_FOUND_FROM:
        described.error_code = codes.GROUP_ID_NOT_FOUND
        described.error_message = f"Group {group_id[:GROUP_ID_SHOWN_MAX]} not found."
    return described


def _described(group: ClassicGroup) -> messages.DescribeGroupsResponse.DescribedGroup:
    """The protocol and what the members said with it are shown only of a group that is stable."""
    described = messages.DescribeGroupsResponse.DescribedGroup(
        group_id=group.id,
        group_state=group.state,
        protocol_type=group.protocol_type or "",
        protocol_data=group.protocol or "" if group.state == STABLE else "",
    )
    for member in group.members.values():
        described.members.append(
            messages.DescribeGroupsResponse.DescribedGroupMember(
                member_id=member.id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                member_metadata=member.metadata(group.protocol) if group.state == STABLE else b"",
                member_assignment=member.assignment,
            )
        )
    return described
