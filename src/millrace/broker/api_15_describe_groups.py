"""DescribeGroups (15): state and members of classic groups.

Versions: 0 to 6.
Behaviour: each group is answered by its coordinator (``state/groups_admin``).
Version notes: 3 authorized operations (KIP-430), 4 instance ids (KIP-345), 5 flexible, 6 GROUP_ID_NOT_FOUND with a
message where older ones get an empty group in state Dead (KIP-1043).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.authorized_operations import group_operations
from millrace.broker.coordination import ask_all, by_coordinator, coordinator_code
from millrace.kafka import codes, messages

OPERATIONS_FROM: Final = 3


def handle(context: Context, request: Any) -> Any:
    hosts, refused = by_coordinator(context, request.groups)
    with_operations = context.api_version >= OPERATIONS_FROM and request.include_authorized_operations

    def combine(outcomes: list[Any]) -> Any:
        response = messages.DescribeGroupsResponse()
        for group_ids, outcome in zip(hosts.values(), outcomes, strict=True):
            if isinstance(outcome, Refused):
                response.groups += [_failed(group_id, outcome.code) for group_id in group_ids]
            else:
                response.groups += outcome.groups
        response.groups += [_failed(group_id, error.code) for group_id, error in refused.items()]
        for group in response.groups:
            if with_operations and group.error_code == codes.NONE:
                group.authorized_operations = group_operations(context, group.group_id)
        return response

    request_type = messages.DescribeGroupsRequest
    return ask_all(context, [(host, request_type(groups=ids)) for host, ids in hosts.items()], combine)


def _failed(group_id: str, code: int) -> Any:
    return messages.DescribeGroupsResponse.DescribedGroup(group_id=group_id, error_code=coordinator_code(code))


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "group", group_id) for group_id in request.groups]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.groups = [group_id for group_id in request.groups if group_id not in names]

    def restore(response: Any) -> None:
        response.groups += [_failed(name, codes.GROUP_AUTHORIZATION_FAILED) for name in sorted(names)]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    group_ids = request.groups if request is not None else []
    return messages.DescribeGroupsResponse(groups=[_failed(group_id, code) for group_id in group_ids])


API = Api(15, "DescribeGroups", (0, 6), handle, resources=resources, deny=deny, fail=fail)
