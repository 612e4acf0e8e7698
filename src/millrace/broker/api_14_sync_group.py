"""SyncGroup (14): hand out a generation's assignment, or receive one's own.

Versions: 0 to 5.
Behaviour: the leader brings the assignment; all are answered when it is safe in the log (``state/groups_classic``).
Version notes: 3 static members (KIP-345), 4 flexible, 5 protocol type and name, which must be there (KIP-559).
"""

from __future__ import annotations

from typing import Any, Final

from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_group, coordinator_code
from millrace.kafka import codes, messages

PROTOCOL_FROM: Final = 5


def handle(context: Context, request: Any) -> Any:
    is_named = request.protocol_type is not None and request.protocol_name is not None
    if context.api_version >= PROTOCOL_FROM and not is_named:
        return messages.SyncGroupResponse(error_code=codes.INCONSISTENT_GROUP_PROTOCOL)
    if not request.group_id:
        return messages.SyncGroupResponse(error_code=codes.INVALID_GROUP_ID)
    return ask_group(context, request.group_id, request)


def resources(request: Any) -> list[Resource]:
    return [Resource("read", "group", request.group_id)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return messages.SyncGroupResponse(error_code=coordinator_code(code))


API = Api(14, "SyncGroup", (0, 5), handle, who=GROUP_OF_REQUEST, resources=resources, fail=fail)
