"""DescribeConfigs: where a value comes from and what else could have set it."""

from __future__ import annotations

from millrace.base.config import BrokerConfig
from millrace.base.describe import (
    ConfigRow,
    Source,
    Synonym,
    describe_broker,
    describe_cluster_defaults,
    describe_topic,
)


def one(rows: list[ConfigRow]) -> ConfigRow:
    (row,) = rows
    return row


def test_a_default_of_a_topic_names_the_brokers_key() -> None:
    row = one(describe_topic({}, BrokerConfig(), ["segment.bytes"]))
    assert (row.value, row.source) == ("1073741824", Source.DEFAULT)
    assert row.synonyms == (Synonym("log.segment.bytes", "1073741824", Source.DEFAULT),)


def test_a_coarser_unit_is_told_only_of_itself() -> None:
    broker = BrokerConfig({"log.retention.minutes": "30"})
    assert one(describe_topic({}, broker, ["retention.ms"])).value == "1800000"
    assert one(describe_topic({}, broker, ["retention.ms"])).synonyms == ()
    assert one(describe_broker(broker, ["log.retention.minutes"])).synonyms == (
        Synonym("log.retention.minutes", "30", Source.STATIC_BROKER),
        Synonym("log.retention.hours", "168", Source.DEFAULT),
    )


def test_every_layer_is_told_in_the_order_in_which_it_counts() -> None:
    broker = BrokerConfig(
        {"log.retention.hours": "1", "log.retention.minutes": "2"}, {"log.retention.ms": "3"}, {"log.retention.ms": "4"}
    )
    row = one(describe_topic({"retention.ms": "5"}, broker, ["retention.ms"]))
    assert (row.value, row.source) == ("5", Source.TOPIC)
    assert row.synonyms == (
        Synonym("retention.ms", "5", Source.TOPIC),
        Synonym("log.retention.ms", "4", Source.DYNAMIC_BROKER),
        Synonym("log.retention.ms", "3", Source.DYNAMIC_CLUSTER),
        Synonym("log.retention.minutes", "2", Source.STATIC_BROKER),
        Synonym("log.retention.hours", "1", Source.STATIC_BROKER),
        Synonym("log.retention.hours", "168", Source.DEFAULT),
    )
    assert one(describe_topic({}, broker, ["retention.ms"])).value == "4"


def test_a_time_is_told_in_the_topics_unit() -> None:
    row = one(describe_topic({}, BrokerConfig({"log.roll.hours": "2"}), ["segment.ms"]))
    assert (row.value, row.source) == ("7200000", Source.DEFAULT)


def test_all_of_a_topic_without_what_is_internal() -> None:
    names = {row.name for row in describe_topic({}, BrokerConfig())}
    assert "cleanup.policy" in names
    assert "internal.segment.bytes" not in names
    assert "internal.segment.bytes" in {
        row.name for row in describe_topic({"internal.segment.bytes": "9"}, BrokerConfig())
    }


def test_secrets_are_not_told() -> None:
    row = one(describe_broker(BrokerConfig({"ssl.keystore.password": "hunter2"}), ["ssl.keystore.password"]))
    assert row.is_sensitive
    assert row.value is None
    assert row.synonyms == (Synonym("ssl.keystore.password", None, Source.STATIC_BROKER),)


def test_a_broker_tells_what_may_change() -> None:
    rows = {row.name: row for row in describe_broker(BrokerConfig({"some.plugin.key": "1"}))}
    assert not rows["log.segment.bytes"].is_read_only
    assert rows["num.partitions"].is_read_only
    assert rows["some.plugin.key"].value is None


def test_the_cluster_as_a_whole_tells_only_what_was_set_for_it() -> None:
    broker = BrokerConfig({"log.segment.bytes": "2000000"}, {"log.segment.bytes": "3000000"})
    row = one(describe_cluster_defaults(broker))
    assert (row.name, row.value, row.source) == ("log.segment.bytes", "3000000", Source.DYNAMIC_CLUSTER)
    assert len(row.synonyms) == 1
