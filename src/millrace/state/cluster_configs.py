"""What the cluster machine decides about configs: of topics, brokers (one or all), groups and client metrics.

AlterConfigs replaces all of a resource's values, IncrementalAlterConfigs (KIP-339) changes some. A resource whose
values do not pass as a whole is refused and keeps what it has; the others of the request go on. Whose business a
resource is otherwise (its own broker, a logger) is checked by ``broker/alter_configs``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from millrace.base.config import BROKER_KEYS, BrokerConfig, validate_group_override, validate_topic_overrides
from millrace.base.errors import Refused
from millrace.base.keys import Change, InvalidValue, Key, Type, format_value, misspelt
from millrace.base.keys_group import GROUP_KEYS
from millrace.base.keys_topic import TOPIC_KEYS
from millrace.kafka import codes, messages
from millrace.state import cluster_records, topic_name
from millrace.state.cluster_image import (
    RESOURCE_BROKER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
    ClusterImage,
)
from millrace.state.machine import Record

SET: Final = 0
DELETE: Final = 1
APPEND: Final = 2
SUBTRACT: Final = 3

# Keys of a client-metrics subscription (KIP-714) and the check of each.
CLIENT_METRICS_KEYS: Final = ("interval.ms", "match", "metrics")

Values = dict[str, str]


def effective(config: BrokerConfig, image: ClusterImage) -> BrokerConfig:
    """The broker's configuration with what was set while running."""
    cluster = image.configs(RESOURCE_BROKER, "")
    own = image.configs(RESOURCE_BROKER, str(config.integer("node.id")))
    if config.cluster == cluster and config.own == own:
        return config
    return config.with_dynamic(cluster, own)


def alter(
    image: ClusterImage, config: BrokerConfig, request: messages.AlterConfigsRequest
) -> tuple[list[Record], messages.AlterConfigsResponse]:
    """Decide an AlterConfigs request: what a resource's entry does not name goes back to its default."""
    response = messages.AlterConfigsResponse()
    decided: list[Record] = []
    for resource in request.resources:
        result = messages.AlterConfigsResponse.AlterConfigsResourceResponse(
            resource_type=resource.resource_type, resource_name=resource.resource_name, error_message=None
        )
        try:
            wanted = _without_nulls(resource.configs)
            decided += _changes(image, config, resource.resource_type, resource.resource_name, wanted, set(wanted))
        except Refused as refusal:
            result.error_code, result.error_message = refusal.code, refusal.message
        response.responses.append(result)
    return ([] if request.validate_only else decided), response


def incremental_alter(
    image: ClusterImage, config: BrokerConfig, request: messages.IncrementalAlterConfigsRequest
) -> tuple[list[Record], messages.IncrementalAlterConfigsResponse]:
    """Decide an IncrementalAlterConfigs request: set, delete, append to a list, subtract from a list."""
    response = messages.IncrementalAlterConfigsResponse()
    decided: list[Record] = []
    for resource in request.resources:
        result = messages.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse(
            resource_type=resource.resource_type, resource_name=resource.resource_name, error_message=None
        )
        try:
            wanted = _incremented(image, config, resource)
            named = {change.name for change in resource.configs}
            decided += _changes(image, config, resource.resource_type, resource.resource_name, wanted, named)
        except Refused as refusal:
            result.error_code, result.error_message = refusal.code, refusal.message
        response.responses.append(result)
    return ([] if request.validate_only else decided), response


def _without_nulls(configs: Sequence[Any]) -> Values:
    nulls = [config.name for config in configs if config.value is None]
    if nulls:
        raise Refused(codes.INVALID_REQUEST, f"a config needs a value: {', '.join(nulls)}")
    return {config.name: config.value for config in configs}


def _incremented(
    image: ClusterImage, config: BrokerConfig, resource: messages.IncrementalAlterConfigsRequest.AlterConfigsResource
) -> Values:
    """The values of a resource after the changes of a request."""
    _without_nulls([change for change in resource.configs if change.config_operation != DELETE])
    values = dict(image.configs(resource.resource_type, resource.resource_name))
    for change in resource.configs:
        operation = change.config_operation
        if operation == SET:
            values[change.name] = change.value or ""
        elif operation == DELETE:
            values.pop(change.name, None)
        elif operation in (APPEND, SUBTRACT):
            values[change.name] = _list_changed(config, resource.resource_type, change, values.get(change.name))
        else:
            raise Refused(codes.INVALID_REQUEST, f"unknown operation {operation} on {change.name}, expected 0 to 3")
    return values


def _list_changed(
    config: BrokerConfig,
    resource_type: int,
    change: messages.IncrementalAlterConfigsRequest.AlterableConfig,
    current: str | None,
) -> str:
    key = _KEYS_OF.get(resource_type, {}).get(change.name)
    if key is None or key.type is not Type.LIST:
        verb = "append to" if change.config_operation == APPEND else "subtract from"
        raise Refused(codes.INVALID_CONFIG, f"cannot {verb} {change.name}: it is not a list")
    if current is None:
        # Kafka starts from the key's default, not from what the broker's own configuration inherits to it.
        current = format_value(key.default) or ""
    items = [item for item in current.split(",") if item]
    for item in (change.value or "").split(","):
        if change.config_operation == SUBTRACT:
            if item in items:
                items.remove(item)
        elif item not in items:
            items.append(item)
    return ",".join(items)


def _changes(
    image: ClusterImage, config: BrokerConfig, resource_type: int, name: str, wanted: Values, named: set[str]
) -> list[Record]:
    """Check the values a resource would have; the records that take it there."""
    check = _CHECKS.get(resource_type)
    if check is None:
        raise Refused(codes.INVALID_REQUEST, f"unknown or unchangeable resource type {resource_type}")
    check(config, image, name, wanted)
    current = image.configs(resource_type, name)
    # A broker's value is written also when it stays the same: writing it again makes brokers read files that it
    # points to anew, as in Kafka.
    return [
        cluster_records.config(resource_type, name, key, wanted.get(key))
        for key in [*wanted, *(key for key in current if key not in wanted)]
        if current.get(key) != wanted.get(key) or (resource_type == RESOURCE_BROKER and key in named)
    ]


# Checks of one resource as a whole: (config, image, resource name, its values)


def check_topic(config: BrokerConfig, image: ClusterImage, values: Mapping[str, str]) -> None:
    """The values of a topic, one by one and together."""
    validate_topic_overrides(dict(values), effective(config, image))


def _check_topic_resource(config: BrokerConfig, image: ClusterImage, name: str, values: Values) -> None:
    if not name:
        raise Refused(codes.INVALID_REQUEST, "there are no default configs of topics: a topic's name is needed")
    fault = topic_name.fault_in(name)
    if fault is not None:
        raise Refused(codes.INVALID_TOPIC_EXCEPTION, fault)
    check_topic(config, image, values)
    if image.topic(name) is None:
        raise Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic '{name}'")


def _check_broker_resource(config: BrokerConfig, image: ClusterImage, name: str, values: Values) -> None:
    if name and not (name.isascii() and name.removeprefix("-").isdigit()):
        raise Refused(codes.INVALID_REQUEST, f"'{name}' is not the id of a broker")
    if name and int(name) < 0:
        raise Refused(codes.INVALID_REQUEST, f"broker id {name} is negative")
    if name and int(name) not in image.brokers:
        raise Refused(codes.BROKER_ID_NOT_REGISTERED, f"broker {name} is not registered")
    current = image.configs(RESOURCE_BROKER, name)
    for key_name, text in values.items():
        if current.get(key_name) != text:
            _check_broker_value(key_name, text, per_broker=bool(name))
    own = values if name else image.configs(RESOURCE_BROKER, str(config.integer("node.id")))
    cluster = image.configs(RESOURCE_BROKER, "") if name else values
    try:
        config.with_dynamic(cluster, own)
    except Refused as refusal:
        # Kafka answers INVALID_REQUEST, not INVALID_CONFIG, to a broker's value that does not pass (KAFKA-13609).
        raise Refused(codes.INVALID_REQUEST, refusal.message) from None


def _check_broker_value(name: str, text: str, *, per_broker: bool) -> None:
    key = BROKER_KEYS.get(name)
    if key is None:
        # Kafka keeps any unknown name, because a plug-in might read it; a slip of the pen is refused here.
        near = misspelt(name, BROKER_KEYS)
        if near is not None:
            raise Refused(codes.INVALID_REQUEST, f"unknown broker configuration {name}: is {near} meant?")
        return
    _check_dynamic(key, per_broker=per_broker)
    try:
        key.parse(text)
    except InvalidValue as wrong:
        raise Refused(codes.INVALID_REQUEST, str(wrong)) from None


def _check_dynamic(key: Key, *, per_broker: bool) -> None:
    if key.change is Change.RESTART:
        raise Refused(codes.INVALID_REQUEST, f"{key.name} cannot change while the broker runs")
    if key.change is Change.PER_BROKER and not per_broker:
        raise Refused(codes.INVALID_REQUEST, f"{key.name} can be set for one broker only, not for all")


def _check_group_resource(config: BrokerConfig, image: ClusterImage, name: str, values: Values) -> None:
    if not name:
        raise Refused(codes.INVALID_REQUEST, "there are no default configs of groups: a group's id is needed")
    for key_name, text in values.items():
        validate_group_override(key_name, text)


def _check_client_metrics_resource(config: BrokerConfig, image: ClusterImage, name: str, values: Values) -> None:
    if not name:
        raise Refused(codes.INVALID_REQUEST, "a subscription to client metrics needs a name")
    for key_name, text in values.items():
        if key_name not in CLIENT_METRICS_KEYS:
            raise Refused(
                codes.INVALID_REQUEST,
                f"unknown configuration {key_name} of client metrics, expected {', '.join(CLIENT_METRICS_KEYS)}",
            )
        if key_name == "interval.ms":
            _check_push_interval(text)
    for pattern in values.get("match", "").split(","):
        if pattern and not _is_client_pattern(pattern):
            raise Refused(codes.INVALID_CONFIG, f"'{pattern}' does not select clients: expected <property>=<pattern>")


def _is_client_pattern(pattern: str) -> bool:
    name, equals, expression = pattern.partition("=")
    try:
        re.compile(expression.strip())
    except re.error:
        return False
    return bool(equals) and name.strip() in _CLIENT_SELECTORS


_CLIENT_SELECTORS: Final = frozenset(
    {
        "client_instance_id",
        "client_id",
        "client_software_name",
        "client_software_version",
        "client_source_address",
        "client_source_port",
    }
)
_PUSH_INTERVAL_MS: Final = range(100, 3_600_001)


def _check_push_interval(text: str) -> None:
    if not text.isascii() or not text.removeprefix("-").isdigit():
        raise Refused(codes.INVALID_CONFIG, f"interval.ms {text}: expected a whole number")
    if int(text) not in _PUSH_INTERVAL_MS:
        raise Refused(
            codes.INVALID_REQUEST,
            f"interval.ms {text}: expected {_PUSH_INTERVAL_MS[0]} to {_PUSH_INTERVAL_MS[-1]}",
        )


_CHECKS: Final[dict[int, Callable[[BrokerConfig, ClusterImage, str, Values], None]]] = {
    RESOURCE_TOPIC: _check_topic_resource,
    RESOURCE_BROKER: _check_broker_resource,
    RESOURCE_GROUP: _check_group_resource,
    RESOURCE_CLIENT_METRICS: _check_client_metrics_resource,
}
_KEYS_OF: Final[dict[int, Mapping[str, Key]]] = {
    RESOURCE_TOPIC: TOPIC_KEYS,
    RESOURCE_BROKER: BROKER_KEYS,
    RESOURCE_GROUP: GROUP_KEYS,
}
