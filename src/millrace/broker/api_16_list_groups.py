"""ListGroups (16): all groups that this broker coordinates.

Versions: 0 to 5.
Behaviour: the groups of every partition of ``__consumer_offsets``, or none while there is no such topic
(``state/groups_admin``). Who may not describe the cluster sees the groups that he may describe.
Version notes: 3 flexible, 4 states and a filter by them (KIP-518), 5 types and a filter by them (KIP-848).
"""

from __future__ import annotations

from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import CLUSTER_NAME, Api, Context
from millrace.broker.coordination import GROUP, ask_all, coordinator_code
from millrace.kafka import messages


def handle(context: Context, request: Any) -> Any:
    def combine(outcomes: list[Any]) -> Any:
        response = messages.ListGroupsResponse()
        for outcome in outcomes:
            if isinstance(outcome, Refused):
                raise outcome
            response.groups += outcome.groups
        if not context.allows("describe", "cluster", CLUSTER_NAME):
            response.groups = [each for each in response.groups if context.allows("describe", "group", each.group_id)]
        return response

    return ask_all(context, [(host, request) for host in context.broker.coordinators_of(GROUP)], combine)


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return messages.ListGroupsResponse(error_code=coordinator_code(code))


API = Api(16, "ListGroups", (0, 5), handle, fail=fail)
