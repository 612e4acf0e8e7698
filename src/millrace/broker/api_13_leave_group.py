"""LeaveGroup (13): members go, or are taken out.

Versions: 0 to 5.
Behaviour: each member is answered on its own; those who stay rebalance (``state/groups_classic``). A static member may
be named by its instance id alone, by an administrator.
Version notes: 3 several members (KIP-345), 4 flexible, 5 a reason (KIP-800).
"""

from __future__ import annotations

from typing import Any

from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_in_time, coordinator_code
from millrace.kafka import codes, messages


def handle(context: Context, request: Any) -> Any:
    if not request.group_id:
        return messages.LeaveGroupResponse(error_code=codes.INVALID_GROUP_ID)
    return ask_in_time(context, request.group_id, request)


def resources(request: Any) -> list[Resource]:
    return [Resource("read", "group", request.group_id)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return messages.LeaveGroupResponse(error_code=coordinator_code(code))


API = Api(13, "LeaveGroup", (0, 5), handle, who=GROUP_OF_REQUEST, resources=resources, fail=fail)
