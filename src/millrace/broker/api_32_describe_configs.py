"""DescribeConfigs (32): the configs of topics, brokers, loggers, groups and client metrics, and where values come from.

Versions: 1 to 4.
Behaviour: a topic or a broker shows every key, the empty broker name what was set for all brokers. A value that is
secret is never sent. A resource of a type that is not known fails the request as a whole, as in Kafka.
Version notes: 1 synonyms (KIP-226), 3 types and documentation (KIP-569), 4 flexible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from millrace.base.describe import (
    ConfigRow,
    describe_broker,
    describe_cluster_defaults,
    describe_group,
    describe_topic,
)
from millrace.base.errors import Refused
from millrace.base.keys import Type
from millrace.broker import alter_configs, loggers
from millrace.broker.api import Api, Context, Resource
from millrace.kafka import codes, messages
from millrace.state import topic_name
from millrace.state.cluster_image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
)

Response = messages.DescribeConfigsResponse
Result = messages.DescribeConfigsResponse.DescribeConfigsResult
Config = messages.DescribeConfigsResponse.DescribeConfigsResourceResult
Synonym = messages.DescribeConfigsResponse.DescribeConfigsSynonym

SOURCE_DEFAULT = 5
SOURCE_LOGGER = 6
SOURCE_CLIENT_METRICS = 7
# Keys of a client-metrics subscription (KIP-714): type, default, what it is for.
CLIENT_METRICS = {
    "interval.ms": (Type.INT, "300000", "How often a client pushes its metrics."),
    "match": (Type.LIST, "", "Which clients: patterns for their properties."),
    "metrics": (Type.LIST, "", "Which metrics: prefixes of their names."),
}

Names = Collection[str] | None


def handle(context: Context, request: Any) -> Any:
    for resource in request.resources:
        if resource.resource_type not in _DESCRIBERS:
            raise Refused(codes.INVALID_REQUEST, f"there is no resource type {resource.resource_type}")
    return Response(results=[_described(context, request, resource) for resource in request.resources])


def _described(context: Context, request: Any, resource: Any) -> Any:
    result = Result(resource_type=resource.resource_type, resource_name=resource.resource_name)
    names = resource.configuration_keys or None  # an empty list asks for all, too
    try:
        describe = _DESCRIBERS[resource.resource_type]
        result.configs = list(describe(context, request, resource.resource_name, names))
    except Refused as refusal:
        result.error_code, result.error_message = refusal.code, refusal.message
    return result


def _topic(context: Context, request: Any, name: str, names: Names) -> Iterable[Any]:
    fault = topic_name.fault_in(name)
    if fault is not None:
        raise Refused(codes.INVALID_TOPIC_EXCEPTION, fault)
    image = context.broker.image
    if image.topic(name) is None:
        raise Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic '{name}'")
    rows = describe_topic(image.configs(RESOURCE_TOPIC, name), context.broker.config, names)
    return (_config(request, row) for row in rows)


def _broker(context: Context, request: Any, name: str, names: Names) -> Iterable[Any]:
    config = context.broker.config
    if not name:
        return (_config(request, row) for row in describe_cluster_defaults(config, names))
    alter_configs.check_own_id(context, name)
    return (_config(request, row) for row in describe_broker(config, names))


def _logger(context: Context, request: Any, name: str, names: Names) -> Iterable[Any]:
    alter_configs.check_own_id(context, name)
    return (
        Config(name=logger, value=level, config_source=SOURCE_LOGGER, documentation="")
        for logger, level in loggers.levels().items()
        if names is None or logger in names
    )


def _client_metrics(context: Context, request: Any, name: str, names: Names) -> Iterable[Any]:
    if not name:
        raise Refused(codes.INVALID_REQUEST, "a subscription to client metrics has a name")
    values = context.broker.image.configs(RESOURCE_CLIENT_METRICS, name)
    for key, (kind, default, doc) in CLIENT_METRICS.items():
        if names is not None and key not in names:
            continue
        source = SOURCE_CLIENT_METRICS if key in values else SOURCE_DEFAULT
        value = values.get(key, default)
        config = Config(name=key, value=value, config_source=source, config_type=kind.value, documentation=None)
        if key in values and request.include_synonyms:
            config.synonyms = [Synonym(name=key, value=value, source=source)]
        if request.include_documentation:
            config.documentation = doc
        yield config


def _group(context: Context, request: Any, name: str, names: Names) -> Iterable[Any]:
    if not name:
        raise Refused(codes.INVALID_REQUEST, "a group has an id")
    rows = describe_group(context.broker.image.configs(RESOURCE_GROUP, name), names)
    return (_config(request, row) for row in rows)


def _config(request: Any, row: ConfigRow) -> Any:
    config = Config(
        name=row.name,
        value=row.value,
        read_only=row.is_read_only,
        config_source=row.source,
        is_sensitive=row.is_sensitive,
        config_type=row.type_code,
        documentation=row.documentation if request.include_documentation else None,
    )
    if request.include_synonyms:
        config.synonyms = [Synonym(name=each.name, value=each.value, source=each.source) for each in row.synonyms]
    return config


_DESCRIBERS: dict[int, Callable[[Context, Any, str, Names], Iterable[Any]]] = {
    RESOURCE_TOPIC: _topic,
    RESOURCE_BROKER: _broker,
    RESOURCE_BROKER_LOGGER: _logger,
    RESOURCE_CLIENT_METRICS: _client_metrics,
    RESOURCE_GROUP: _group,
}


def resources(request: Any) -> list[Resource]:
    return alter_configs.needed("describe_configs", request)


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    denied = alter_configs.deny(context, request, refused, "describe_configs", Result)

    def restore(response: Any) -> None:
        response.results += denied(response)

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return Response(results=alter_configs.failed(request, code, message, Result))


API = Api(32, "DescribeConfigs", (1, 4), handle, resources=resources, deny=deny, fail=fail)
