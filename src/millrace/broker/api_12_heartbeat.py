"""Heartbeat (12): a member lives, and learns whether it must join again.

Versions: 0 to 4.
Behaviour: answered at once, from what the coordinator knows (``state/groups_classic``). While the coordinator is being
loaded the answer is that all is well, as in Kafka: a member that lives need not join again for a restart.
Version notes: 3 static members (KIP-345), 4 flexible.
"""

from __future__ import annotations

from typing import Any

from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_group, coordinator_code
from millrace.kafka import codes, messages


def handle(context: Context, request: Any) -> Any:
    if not request.group_id:
        return messages.HeartbeatResponse(error_code=codes.INVALID_GROUP_ID)
    return ask_group(context, request.group_id, request)


def resources(request: Any) -> list[Resource]:
    return [Resource("read", "group", request.group_id)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    if code == codes.COORDINATOR_LOAD_IN_PROGRESS:
        return messages.HeartbeatResponse()
    return messages.HeartbeatResponse(error_code=coordinator_code(code))


API = Api(12, "Heartbeat", (0, 4), handle, who=GROUP_OF_REQUEST, resources=resources, fail=fail)
