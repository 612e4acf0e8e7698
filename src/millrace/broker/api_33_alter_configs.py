"""AlterConfigs (33): replace all configs of a topic, a broker, all brokers, a group or a client-metrics subscription.

Versions: 0 to 2.
Behaviour: what an entry does not name goes back to its default, so clients should prefer IncrementalAlterConfigs
(KIP-339), which also knows loggers; here they are an unknown resource. ``validate_only`` checks and changes nothing.
Kafka never answers when a resource is named twice; here both get INVALID_REQUEST, as in the incremental form.
Version notes: 1 throttling after the answer, 2 flexible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.broker import alter_configs
from millrace.broker.api import CONTROLLER, Api, Context, Resource
from millrace.kafka import messages

Response = messages.AlterConfigsResponse
Result = messages.AlterConfigsResponse.AlterConfigsResourceResponse


def handle(context: Context, request: Any) -> Any:
    return alter_configs.alter(context, request, Response(), Result, incremental=False)


def resources(request: Any) -> list[Resource]:
    return alter_configs.needed("alter_configs", request)


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    denied = alter_configs.deny(context, request, refused, "alter_configs", Result)

    def restore(response: Any) -> None:
        response.responses += denied(response)

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return Response(responses=alter_configs.failed(request, code, message, Result))


API = Api(33, "AlterConfigs", (0, 2), handle, who=CONTROLLER, resources=resources, deny=deny, fail=fail)
