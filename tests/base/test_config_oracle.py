"""Our keys against Apache Kafka's own definitions: names, types, defaults, how they change, and what they accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from millrace.base.config import BROKER_KEYS, BrokerConfig, topic_config, validate_topic_override
from millrace.base.errors import Refused
from millrace.base.keys import LONG_MAX, Change, Key, Status, format_value
from millrace.base.keys_group import GROUP_KEYS
from millrace.base.keys_topic import TOPIC_KEYS
from tests.kafka.java_records import java_class

pytestmark = pytest.mark.oracle

# The defaults that differ from Kafka's on purpose; docs/configuration.md prints the list.
OTHER_DEFAULTS = {
    "node.id",
    "process.roles",
    "listeners",
    "log.dir",
    "controller.listener.names",
    "queued.max.request.bytes",
    "group.coordinator.rebalance.protocols",
}
# Keys that Kafka knows without defining them: its authorizer's, and rates that are only set while it runs.
UNDEFINED = {
    "super.users",
    "allow.everyone.if.no.acl.found",
    "leader.replication.throttled.rate",
    "follower.replication.throttled.rate",
    "replica.alter.log.dirs.io.max.bytes.per.second",
}


def definitions(config_def: Any) -> dict[str, Any]:
    return {str(entry.getKey()): entry.getValue() for entry in config_def.configKeys().entrySet()}


def java_default(definition: Any) -> str | None:
    value = definition.defaultValue
    if value is None:
        return None
    kind = java_class("org.apache.kafka.common.config.ConfigDef").convertToString(value, definition.type())
    return None if kind is None else str(kind)


def assert_alike(
    ours: Mapping[str, Key], theirs: Mapping[str, Any], other_defaults: frozenset[str] = frozenset()
) -> None:
    """Same names, types and defaults; prints how many were compared."""
    assert set(theirs) <= set(ours)
    for name, definition in theirs.items():
        key = ours[name]
        assert key.type.name == str(definition.type().name()), name
        assert key.internal == bool(definition.internalConfig), name
        if name in other_defaults:
            continue
        theirs_text, ours_text = java_default(definition), format_value(key.default)
        if key.type.name == "DOUBLE":
            assert float(theirs_text or "nan") == key.default, name
        else:
            assert theirs_text == ours_text, name
    print(f"{len(theirs)} keys compared")


def test_broker_keys() -> None:
    theirs = definitions(java_class("org.apache.kafka.server.config.AbstractKafkaConfig").CONFIG_DEF)
    assert_alike(BROKER_KEYS, theirs, frozenset(OTHER_DEFAULTS))
    ours_alone = {name for name in BROKER_KEYS if not name.startswith("millrace.")} - set(theirs)
    assert ours_alone == UNDEFINED


def test_topic_keys() -> None:
    theirs = definitions(java_class("org.apache.kafka.storage.internals.log.LogConfig").configDefCopy())
    assert_alike(TOPIC_KEYS, theirs)
    assert {name for name in TOPIC_KEYS if not name.startswith("millrace.")} == set(theirs)


def group_definitions() -> Any:
    field = java_class("org.apache.kafka.coordinator.group.GroupConfig").class_.getDeclaredField("CONFIG_DEF")
    field.setAccessible(True)
    return field.get(None)


def test_group_keys() -> None:
    theirs = definitions(group_definitions())
    assert_alike(GROUP_KEYS, theirs)
    assert set(GROUP_KEYS) == set(theirs)


def test_how_a_brokers_keys_change() -> None:
    modes = java_class("org.apache.kafka.server.config.DynamicBrokerConfig").dynamicConfigUpdateModes()
    words = {Change.CLUSTER: "cluster-wide", Change.PER_BROKER: "per-broker"}
    ours = {
        name: words[key.change]
        for name, key in BROKER_KEYS.items()
        if key.change is not Change.RESTART and not name.startswith("millrace.")
    }
    assert ours == {str(entry.getKey()): str(entry.getValue()) for entry in modes.entrySet()}


def test_which_of_the_brokers_keys_set_a_topics_default() -> None:
    synonyms = java_class("org.apache.kafka.server.config.ServerTopicConfigSynonyms").ALL_TOPIC_CONFIG_SYNONYMS
    theirs = {str(entry.getKey()): tuple(map(_name_and_factor, entry.getValue())) for entry in synonyms.entrySet()}
    ours = {name: key.synonyms for name, key in TOPIC_KEYS.items() if key.synonyms and not name.startswith("millrace.")}
    assert ours == theirs


def _name_and_factor(synonym: Any) -> tuple[str, int]:
    """Kafka converts units by functions of texts; those that keep the unit return the text."""
    return str(synonym.name()), int(str(synonym.converter().apply("1")))


CANDIDATES = [
    "", " ", "-2", "-1", "0", "1", "2", "9", "10", "17", "18", "22", "23", "-131072", "-131073", "0.5", "1.0",
    "1.01", "1e-3", "4", "3", "1048575", "1048576", "2147483647", "2147483648", "9223372036854775807",
    "9223372036854775808", "+5", " 7 ", "1_0", "0x10", "true", "TRUE", "false", "yes", "compact", "delete",
    "compact,delete", "delete, compact", "delete,delete", "compact,", ",", "shred", "producer",
    "uncompressed", "none", "gzip", "lz4", "snappy", "zstd", "ZSTD", "CreateTime", "LogAppendTime",
    "createtime", "NoTimestampType", "1d", "NaN", "Infinity", "-0.0",
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in TOPIC_KEYS if not name.startswith("millrace.")])
def test_what_a_topic_accepts(name: str) -> None:
    """Accepted here exactly if Kafka accepts it; and then it means the same."""
    log_config = java_class("org.apache.kafka.storage.internals.log.LogConfig")
    properties_class = java_class("java.util.Properties")
    compared = 0
    for text in CANDIDATES:
        properties = properties_class()
        properties.setProperty(name, text)
        try:
            parsed = log_config(properties).values().get(name)
            log_config.validate(properties)
            theirs: str | None = _java_text(name, parsed)
        except java_class("org.apache.kafka.common.KafkaException"):
            theirs = None
        key = TOPIC_KEYS[name]
        if theirs == "NaN" or (name == "internal.segment.bytes" and theirs is not None and int(theirs) < 1):
            continue  # a ratio that is no number and a segment without room make no sense, though Kafka takes them
        try:
            validate_topic_override(name, text)
            ours = format_value(key.parse(text))
        except Refused:
            ours = None
        if key.status is Status.REFUSED and ours is None:
            continue  # what is not built yet is refused whatever Kafka would say
        assert (ours is None) == (theirs is None), f"{name}={text!r}: here {ours}, Kafka {theirs}"
        if ours is not None and theirs is not None and key.type.name == "DOUBLE":
            assert float(ours) == float(theirs)
        else:
            assert ours == theirs, f"{name}={text!r}"
        compared += 1
    print(f"{compared} values compared")


def _java_text(name: str, value: Any) -> str | None:
    definition = definitions(java_class("org.apache.kafka.storage.internals.log.LogConfig").configDefCopy())[name]
    text = java_class("org.apache.kafka.common.config.ConfigDef").convertToString(value, definition.type())
    return None if text is None else str(text)


def test_what_a_topic_inherits() -> None:
    """The defaults of a broker with nothing set are the defaults of Kafka's LogConfig."""
    theirs = java_class("org.apache.kafka.storage.internals.log.LogConfig")(java_class("java.util.Properties")())
    ours = topic_config({}, BrokerConfig())
    assert ours.segment_ms == theirs.segmentMs
    assert ours.retention_ms == theirs.retentionMs
    assert ours.segment_bytes == theirs.segmentSize()
    assert ours.flush_ms == theirs.flushMs == LONG_MAX
    assert ours.max_message_bytes == theirs.maxMessageSize()
    assert ours.is_compacted == theirs.compact
    assert ours.is_deleted_from == theirs.delete
