"""DeleteGroups (42): remove groups without members, and their offsets.

Versions: 0 to 2.
Behaviour: each group is answered by its coordinator (``state/groups_admin``): NON_EMPTY_GROUP, GROUP_ID_NOT_FOUND, or
gone once the tombstones are safe in the log. A group that is named twice is deleted once.
Version notes: 2 flexible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import ask_all, by_coordinator, coordinator_code
from millrace.kafka import codes, messages


def handle(context: Context, request: Any) -> Any:
    hosts, refused = by_coordinator(context, dict.fromkeys(request.groups_names))

    def combine(outcomes: list[Any]) -> Any:
        response = messages.DeleteGroupsResponse()
        for group_ids, outcome in zip(hosts.values(), outcomes, strict=True):
            if isinstance(outcome, Refused):
                response.results += [_failed(group_id, outcome.code) for group_id in group_ids]
            else:
                response.results += outcome.results
        response.results += [_failed(group_id, error.code) for group_id, error in refused.items()]
        return response

    request_type = messages.DeleteGroupsRequest
    return ask_all(context, [(host, request_type(groups_names=ids)) for host, ids in hosts.items()], combine)


def _failed(group_id: str, code: int) -> Any:
    return messages.DeleteGroupsResponse.DeletableGroupResult(group_id=group_id, error_code=coordinator_code(code))


def resources(request: Any) -> list[Resource]:
    return [Resource("delete", "group", group_id) for group_id in request.groups_names]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.groups_names = [group_id for group_id in request.groups_names if group_id not in names]

    def restore(response: Any) -> None:
        response.results += [_failed(name, codes.GROUP_AUTHORIZATION_FAILED) for name in sorted(names)]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    group_ids = request.groups_names if request is not None else []
    return messages.DeleteGroupsResponse(results=[_failed(group_id, code) for group_id in group_ids])


API = Api(42, "DeleteGroups", (0, 2), handle, resources=resources, deny=deny, fail=fail)
