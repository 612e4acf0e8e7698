"""What AlterConfigs and IncrementalAlterConfigs share: who may, what is settled here, what the controller decides.

Settled here, as in Kafka: a resource that is named twice, a key that is named twice, another broker's configs, and
loggers. The rest goes to the controller (``state/cluster_configs``); results come in the order of the request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker import loggers
from millrace.broker.api import CLUSTER_NAME, Context, Resource
from millrace.broker.topic_creation import ask_controller, then
from millrace.kafka import codes
from millrace.state.cluster_image import RESOURCE_BROKER, RESOURCE_BROKER_LOGGER, RESOURCE_GROUP, RESOURCE_TOPIC

DENIALS = {
    "topic": codes.TOPIC_AUTHORIZATION_FAILED,
    "group": codes.GROUP_AUTHORIZATION_FAILED,
    "cluster": codes.CLUSTER_AUTHORIZATION_FAILED,
}


def alter(context: Context, request: Any, response: Any, make_result: Callable[..., Any], *, incremental: bool) -> Any:
    """Answer with ``response``, filled with a ``make_result(...)`` for each resource of the request."""
    resources = list(request.resources)
    settled = _settle_here(context, request, incremental=incremental)
    request.resources = [each for index, each in enumerate(resources) if index not in settled]

    def merge(decided: Any) -> Any:
        others = iter(decided.responses) if decided is not None else iter(())
        for index, resource in enumerate(resources):
            if index not in settled:
                response.responses.append(next(others))
                continue
            code, message = settled[index]
            response.responses.append(
                make_result(
                    error_code=code,
                    error_message=message,
                    resource_type=resource.resource_type,
                    resource_name=resource.resource_name,
                )
            )
        return response

    if not request.resources:
        return merge(None)
    return then(ask_controller(context, request), merge)


def _settle_here(context: Context, request: Any, *, incremental: bool) -> dict[int, tuple[int, str | None]]:
    """Code and message of the resources that need no controller, by their place in the request."""
    counts = Counter((each.resource_type, each.resource_name) for each in request.resources)
    settled: dict[int, tuple[int, str | None]] = {}
    for index, resource in enumerate(request.resources):
        try:
            if counts[resource.resource_type, resource.resource_name] > 1:
                raise Refused(codes.INVALID_REQUEST, f"resource '{resource.resource_name}' is named more than once")
            names = [config.name for config in resource.configs]
            if len(set(names)) != len(names):
                raise Refused(codes.INVALID_REQUEST, "a config is named more than once")
            if resource.resource_type == RESOURCE_BROKER and resource.resource_name:
                check_own_id(context, resource.resource_name)
            elif resource.resource_type == RESOURCE_BROKER_LOGGER and incremental:
                _alter_loggers(context, resource, validate_only=request.validate_only)
                settled[index] = (codes.NONE, None)
        except Refused as refusal:
            settled[index] = (refusal.code, refusal.message)
    return settled


def _alter_loggers(context: Context, resource: Any, *, validate_only: bool) -> None:
    check_own_id(context, resource.resource_name)
    loggers.check(resource.configs)
    if not validate_only:
        loggers.apply(resource.configs)


def check_own_id(context: Context, name: str) -> None:
    """A broker's configs and loggers are its own business: clients ask the broker that they mean."""
    own_id = context.broker.node_id
    try:
        broker_id = int(name)
    except ValueError:
        raise Refused(codes.INVALID_REQUEST, f"a broker is named by its id, not by '{name}'") from None
    if broker_id != own_id:
        raise Refused(codes.INVALID_REQUEST, f"this is broker {own_id}, not {broker_id}")


def needed(operation: str, request: Any) -> list[Resource]:
    """What a request on configs touches."""
    return [resource_of(operation, each.resource_type, each.resource_name) for each in request.resources]


def resource_of(operation: str, resource_type: int, name: str) -> Resource:
    if resource_type == RESOURCE_TOPIC:
        return Resource(operation, "topic", name)
    if resource_type == RESOURCE_GROUP:
        return Resource(operation, "group", name)
    return Resource(operation, "cluster", CLUSTER_NAME)


def deny(
    context: Context, request: Any, refused: set[Resource], operation: str, make_result: Callable[..., Any]
) -> Callable[[Any], list[Any]]:
    """Take the refused resources out; the function that is returned gives their results."""
    removed = []
    kept = []
    for each in request.resources:
        wanted = resource_of(operation, each.resource_type, each.resource_name)
        if wanted in refused:
            removed.append((each, wanted))
        else:
            kept.append(each)
    request.resources = kept

    def results(_: Any) -> list[Any]:
        return [
            make_result(
                error_code=DENIALS[wanted.type],
                error_message=f"{context.principal} may not {operation} {wanted.type} '{wanted.name}'",
                resource_type=each.resource_type,
                resource_name=each.resource_name,
            )
            for each, wanted in removed
        ]

    return results


def failed(request: Any, code: int, message: str, make_result: Callable[..., Any]) -> list[Any]:
    """The results of a request that fails as a whole."""
    return [
        make_result(
            error_code=code,
            error_message=message or None,
            resource_type=each.resource_type,
            resource_name=each.resource_name,
        )
        for each in (request.resources if request is not None else ())
    ]
