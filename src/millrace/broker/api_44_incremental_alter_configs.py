"""IncrementalAlterConfigs (44): set, delete, append to and subtract from configs; the others stay as they are.

Versions: 0 to 1.
Behaviour: KIP-339; topics, this broker, all brokers (empty name), this broker's loggers (KIP-412), groups and
client-metrics subscriptions (KIP-714). Appending and subtracting need a list; without a value of its own they start
from the key's default. An unknown operation is INVALID_REQUEST (Kafka: UNKNOWN_SERVER_ERROR for topics).
Version notes: 1 flexible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.broker import alter_configs
from millrace.broker.api import CONTROLLER, Api, Context, Resource
from millrace.kafka import messages

Response = messages.IncrementalAlterConfigsResponse
Result = messages.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse


def handle(context: Context, request: Any) -> Any:
    return alter_configs.alter(context, request, Response(), Result, incremental=True)


def resources(request: Any) -> list[Resource]:
    return alter_configs.needed("alter_configs", request)


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    denied = alter_configs.deny(context, request, refused, "alter_configs", Result)

    def restore(response: Any) -> None:
        response.responses += denied(response)

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return Response(responses=alter_configs.failed(request, code, message, Result))


API = Api(44, "IncrementalAlterConfigs", (0, 1), handle, who=CONTROLLER, resources=resources, deny=deny, fail=fail)
