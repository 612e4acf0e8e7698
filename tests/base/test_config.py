"""Values of keys: Kafka's syntax and precedence, refusals, and what a topic inherits from its broker."""

from __future__ import annotations

import pytest

from millrace.base.config import (
    BROKER_KEYS,
    INVALID_CONFIG,
    INVALID_REQUEST,
    BrokerConfig,
    TopicConfig,
    topic_config,
    validate_broker_override,
    validate_group_override,
    validate_topic_override,
    validate_topic_overrides,
)
from millrace.base.errors import Refused
from millrace.base.keys import Key, Status, format_value
from millrace.base.keys_group import GROUP_KEYS
from millrace.base.keys_topic import TOPIC_KEYS
from millrace.base.properties import parse_properties

# What Kafka ships as config/server.properties, its values alone.
SERVER_PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=localhost:9093
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
inter.broker.listener.name=PLAINTEXT
advertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL
num.network.threads=3
num.io.threads=8
socket.send.buffer.bytes=102400
socket.receive.buffer.bytes=102400
socket.request.max.bytes=104857600
log.dirs=/tmp/kraft-combined-logs
num.partitions=1
num.recovery.threads.per.data.dir=1
offsets.topic.replication.factor=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
#log.flush.interval.messages=10000
#log.flush.interval.ms=1000
log.retention.hours=168
#log.retention.bytes=1073741824
log.segment.bytes=1073741824
log.retention.check.interval.ms=300000
"""


def test_the_file_that_kafka_ships_starts_unchanged() -> None:
    broker = BrokerConfig(parse_properties(SERVER_PROPERTIES))
    (listener,) = broker.listeners()
    assert (listener.name, listener.host, listener.port) == ("PLAINTEXT", "127.0.0.1", 9092)
    assert (listener.advertised_host, listener.advertised_port) == ("localhost", 9092)
    assert broker.log_dirs() == ("/tmp/kraft-combined-logs",)
    assert broker.topic_defaults() == BrokerConfig().topic_defaults()
    assert not broker.unknown


@pytest.mark.parametrize(
    "key", [*BROKER_KEYS.values(), *TOPIC_KEYS.values(), *GROUP_KEYS.values()], ids=lambda key: key.name
)
def test_every_default_is_valid_and_survives_its_own_syntax(key: Key) -> None:
    text = format_value(key.default)
    assert text is None or key.parse(text) == key.default
    assert key.doc.endswith(".")
    assert key.note or key.status is Status.HONOURED


@pytest.mark.parametrize(
    ("static", "retention_ms"),
    [
        ({}, 604_800_000),
        ({"log.retention.hours": "1"}, 3_600_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2"}, 120_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2", "log.retention.ms": "3"}, 3),
        ({"log.retention.hours": "-1"}, -1),
        ({"log.retention.ms": "-5"}, -1),
    ],
)
def test_the_finer_unit_of_a_retention_wins(static: dict[str, str], retention_ms: int) -> None:
    assert BrokerConfig(static).topic_defaults().retention_ms == retention_ms


def test_roll_jitter_and_flush_follow_the_same_rule() -> None:
    defaults = BrokerConfig({"log.roll.hours": "2", "log.roll.jitter.hours": "1"}).topic_defaults()
    assert (defaults.segment_ms, defaults.segment_jitter_ms) == (7_200_000, 3_600_000)
    defaults = BrokerConfig(
        {"log.roll.hours": "2", "log.roll.ms": "5", "log.flush.scheduler.interval.ms": "7"}
    ).topic_defaults()
    assert (defaults.segment_ms, defaults.flush_ms) == (5, 7)


def test_what_was_set_while_running_wins_over_the_file_and_a_broker_over_the_cluster() -> None:
    broker = BrokerConfig({"log.segment.bytes": "2000000"})
    assert broker.topic_defaults().segment_bytes == 2_000_000
    broker = broker.with_dynamic({"log.segment.bytes": "3000000"}, {})
    assert broker.topic_defaults().segment_bytes == 3_000_000
    broker = broker.with_dynamic({"log.segment.bytes": "3000000"}, {"log.segment.bytes": "4000000"})
    assert broker.topic_defaults().segment_bytes == 4_000_000


def test_a_topic_without_values_of_its_own_shares_its_brokers() -> None:
    broker = BrokerConfig()
    assert topic_config({}, broker) is broker.topic_defaults()


def test_a_topics_values_lie_over_the_brokers() -> None:
    broker = BrokerConfig({"log.retention.hours": "1", "log.cleanup.policy": "compact"})
    config = topic_config(
        {"segment.ms": " 10 ", "cleanup.policy": "compact, delete", "millrace.validate.records": "full"}, broker
    )
    assert isinstance(config, TopicConfig)
    assert config.cleanup_policy == {"compact", "delete"}
    assert (config.segment_ms, config.retention_ms, config.validate_records) == (10, 3_600_000, "full")
    assert broker.topic_defaults().is_compacted
    assert not broker.topic_defaults().is_deleted_from


def test_tests_may_have_small_segments() -> None:
    config = topic_config({"internal.segment.bytes": "1000", "segment.bytes": "2000000"}, BrokerConfig())
    assert config.segment_bytes == 1000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("retention.ms", "-2"),
        ("retention.ms", "soon"),
        ("retention.ms", ""),
        ("retention.ms", "9223372036854775808"),
        ("segment.bytes", "2147483648"),
        ("segment.bytes", "1000"),
        ("cleanup.policy", "shred"),
        ("cleanup.policy", "delete,"),
        ("compression.type", "none"),
        ("preallocate", "yes"),
        ("min.cleanable.dirty.ratio", "1.5"),
        ("remote.storage.enable", "true"),
        ("retention.msec", "1"),
    ],
)
def test_a_topic_value_that_is_wrong_is_refused(name: str, value: str) -> None:
    with pytest.raises(Refused) as refused:
        validate_topic_override(name, value)
    assert refused.value.code == INVALID_CONFIG
    assert name in refused.value.message


def test_lags_that_exclude_each_other_are_refused_together() -> None:
    with pytest.raises(Refused, match=r"above max\.compaction\.lag\.ms"):
        validate_topic_overrides({"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"}, BrokerConfig())
    validate_topic_overrides({"min.compaction.lag.ms": "5", "max.compaction.lag.ms": "10"}, BrokerConfig())


@pytest.mark.parametrize(
    ("static", "message"),
    [
        ({"log.retenton.hours": "1"}, "is log.retention.hours meant"),
        ({"milrace.flush.on.ack": "never"}, "is millrace.flush.on.ack meant"),
        ({"millrace.no.such.key": "1"}, "unknown configuration millrace.no.such.key"),
        ({"num.partitions": "0"}, "expected at least 1"),
        ({"process.roles": "controller"}, "must contain broker"),
        ({"node.id": "1", "broker.id": "2"}, "must be equal"),
        ({"authorizer.class.name": "org.example.Authorizer"}, "access control is not built yet"),
        ({"remote.log.storage.system.enable": "true"}, "tiered storage"),
        ({"log.retention.ms": "0"}, "above 0"),
        ({"group.min.session.timeout.ms": "2", "group.max.session.timeout.ms": "1"}, "is above"),
        ({"listeners": "SSL://:9092"}, "only PLAINTEXT"),
    ],
)
def test_a_file_that_cannot_be_right_is_one_clear_refusal(static: dict[str, str], message: str) -> None:
    with pytest.raises(Refused, match=message) as refused:
        BrokerConfig(static)
    assert "\n" not in refused.value.message


def test_keys_of_others_are_taken_and_named() -> None:
    broker = BrokerConfig({"confluent.support.metrics.enable": "true", "num.io.threads": "8", "num.partitions": "3"})
    assert broker.unknown == ("confluent.support.metrics.enable",)
    assert [line.split()[0] for line in broker.notices()] == ["num.io.threads", "confluent.support.metrics.enable"]


def test_names_of_old_versions_are_answered_with_todays() -> None:
    broker = BrokerConfig(
        {"compression.codec": "gzip", "compressed.topics": "a,b", "zookeeper.connect": "localhost:2181"}
    )
    codec, topics, zookeeper = broker.notices()
    assert "compression.type takes its place" in codec
    assert "each topic has compression.type" in topics
    assert "needs no ZooKeeper" in zookeeper


def test_a_running_broker_takes_only_what_may_change() -> None:
    validate_broker_override("log.segment.bytes", "2000000", own=False)
    validate_broker_override("log.segment.bytes", "2000000", own=True)
    validate_broker_override("listeners", "PLAINTEXT://127.0.0.1:9093", own=True)
    for name, value, own in (
        ("listeners", "PLAINTEXT://127.0.0.1:9093", False),
        ("num.partitions", "3", True),
        ("no.such.key", "3", True),
        ("log.segment.bytes", "x", True),
    ):
        with pytest.raises(Refused) as refused:
            validate_broker_override(name, value, own=own)
        assert refused.value.code == INVALID_REQUEST


def test_groups_have_no_values_yet() -> None:
    with pytest.raises(Refused, match="KIP-848"):
        validate_group_override("consumer.session.timeout.ms", "50000")
