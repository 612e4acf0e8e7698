"""JoinGroup (11): become a member of a group's next generation, or stay one.

Versions: 0 to 9.
Behaviour: the coordinator answers when all members have joined, or at the end of the rebalance time-out
(``state/groups_classic``, ``state/groups_rebalance``). Who has no member id yet is given one, and is answered at once.
Version notes: 0 has no rebalance time-out, 4 gives a new member its id first (KIP-394), 5 static members (KIP-345),
6 flexible, 7 the protocol type, 8 a reason (KIP-800), 9 lets a static leader keep its assignment (KIP-814).
Not here yet: moving a group to and from the consumer protocol (KIP-848).
"""

from __future__ import annotations

from typing import Any

from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_group, coordinator_code
from millrace.kafka import codes, messages


def handle(context: Context, request: Any) -> Any:
    if not request.group_id:
        return _refused(request, codes.INVALID_GROUP_ID)
    config = context.broker.config
    shortest, longest = config.integer("group.min.session.timeout.ms"), config.integer("group.max.session.timeout.ms")
    if not shortest <= request.session_timeout_ms <= longest:
        return _refused(request, codes.INVALID_SESSION_TIMEOUT)
    return ask_group(context, request.group_id, request)


def _refused(request: Any, code: int) -> Any:
    return messages.JoinGroupResponse(error_code=code, member_id=request.member_id if request is not None else "")


def resources(request: Any) -> list[Resource]:
    return [Resource("read", "group", request.group_id)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return _refused(request, coordinator_code(code))


API = Api(11, "JoinGroup", (0, 9), handle, who=GROUP_OF_REQUEST, resources=resources, fail=fail)
