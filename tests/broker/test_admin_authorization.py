"""What a client may not do it is told in the answer's own form, and what it may not see is not shown to it."""

from __future__ import annotations

from typing import Any

import pytest

from millrace.broker.apis import APIS
from millrace.kafka import codes, messages
from tests.broker import config_checks
from tests.broker.admin_checks import (
    BROKER,
    GROUP,
    TOPIC,
    create,
    created,
    delete,
    describe_topic,
    described_partitions,
    doomed,
    more,
    new_topic,
    pages,
)
from tests.broker.stand_in import AskStandIn, StandIn

ADMIN_KEYS = (3, 19, 20, 21, 22, 32, 33, 35, 37, 44, 60, 74, 75)


def asking(*refused: tuple[str, str, str]) -> AskStandIn:
    """A broker that refuses these (operation, type, name); the topics ``open`` and ``shut`` are there."""

    broker = StandIn()
    ask = AskStandIn(broker)
    create(ask, new_topic("open"), new_topic("shut"))
    broker.authorizer = broker.router._authorizer = lambda principal, host, *wanted: wanted not in refused
    return ask


def test_every_admin_api_says_what_it_touches() -> None:
    for api in APIS:
        if api.key in ADMIN_KEYS:
            assert api.resources is not None, api.name


def test_creation_and_deletion() -> None:
    ask = asking(("create", "topic", "mine"), ("delete", "topic", "shut"))
    assert created(create(ask, new_topic("mine"), new_topic("yours"))) == [
        ("yours", 0),
        ("mine", codes.TOPIC_AUTHORIZATION_FAILED),
    ]
    shut_id = ask.broker.image.topics["shut"].id
    assert [(name, code) for name, _, code in delete(ask, doomed("open"), doomed("shut"))] == [
        ("open", 0),
        ("shut", codes.TOPIC_AUTHORIZATION_FAILED),
    ]
    by_id = delete(ask, doomed(topic_id=shut_id))
    assert by_id == [("shut", shut_id, codes.TOPIC_AUTHORIZATION_FAILED)]
    assert ask.broker.image.topic("shut") is not None


def test_a_name_that_may_not_be_seen_is_not_told_with_its_id() -> None:
    ask = asking(("delete", "topic", "shut"), ("describe", "topic", "shut"))
    shut_id = ask.broker.image.topics["shut"].id
    assert delete(ask, doomed(topic_id=shut_id)) == [("", shut_id, codes.TOPIC_AUTHORIZATION_FAILED)]
    wanted = messages.MetadataRequest.MetadataRequestTopic(name=None, topic_id=shut_id)
    (topic,) = ask(messages.MetadataRequest(topics=[wanted]), 12).topics
    assert (topic.error_code, topic.name, topic.topic_id) == (codes.TOPIC_AUTHORIZATION_FAILED, None, shut_id)


@pytest.mark.parametrize("version", [0, 1, 12])
def test_metadata_shows_only_what_may_be_described(version: int) -> None:
    ask = asking(("describe", "topic", "shut"))
    refused = describe_topic(ask, "shut", auto_create=True, version=version)
    assert (refused.error_code, refused.partitions) == (codes.TOPIC_AUTHORIZATION_FAILED, [])
    everything = ask(messages.MetadataRequest(topics=[] if version == 0 else None), version)
    assert [topic.name for topic in everything.topics] == ["open"]


def test_automatic_creation_needs_the_right_to_create() -> None:
    ask = asking(("create", "topic", "new"))
    assert describe_topic(ask, "new", auto_create=True).error_code == codes.TOPIC_AUTHORIZATION_FAILED
    assert describe_topic(ask, "newer", auto_create=True).error_code == codes.NONE


def test_pages_show_only_what_may_be_described() -> None:
    ask = asking(("describe", "topic", "shut"))
    assert pages(described_partitions(ask, ["open", "shut"]))[0] == [("open", 0, [0]), ("shut", 29, [])]
    assert pages(described_partitions(ask, ["shut"]))[0] == [("shut", 29, [])]
    assert pages(described_partitions(ask, []))[0] == [("open", 0, [0])]


def test_authorized_operations_are_those_that_are_allowed() -> None:
    ask = asking(("write", "topic", "open"), ("create", "cluster", "kafka-cluster"))
    topic = messages.MetadataRequest.MetadataRequestTopic(name="open")
    request = messages.MetadataRequest(
        topics=[topic], include_topic_authorized_operations=True, include_cluster_authorized_operations=True
    )
    response = ask(request, 8)
    assert response.topics[0].topic_authorized_operations == 3576 - (1 << 4)
    assert response.cluster_authorized_operations == 8096 - (1 << 5)


def test_partitions_and_records() -> None:
    ask = asking(("alter", "topic", "shut"), ("delete", "topic", "shut"))
    assert more(ask, ("open", 2, None), ("shut", 2, None)) == [("open", 0), ("shut", 29)]
    request = messages.DeleteRecordsRequest
    partition = request.DeleteRecordsPartition(partition_index=0, offset=0)
    response = ask(request(topics=[request.DeleteRecordsTopic(name="shut", partitions=[partition])]), 2)
    (outcome,) = response.topics[0].partitions
    assert (outcome.error_code, outcome.low_watermark) == (codes.TOPIC_AUTHORIZATION_FAILED, -1)


def test_configs() -> None:
    cluster = ("cluster", "kafka-cluster")
    ask = asking(("alter_configs", "topic", "shut"), ("alter_configs", *cluster), ("alter_configs", "group", "g"))
    wanted = [("retention.ms", config_checks.SET, "5")]
    outcome = config_checks.change(ask, (TOPIC, "shut", wanted), (BROKER, "1", wanted), (GROUP, "g", []))
    assert [code for _, _, code in outcome] == [29, 31, 30]
    assert config_checks.change(ask, (TOPIC, "open", wanted)) == [(TOPIC, "open", 0)]
    assert config_checks.alter(ask, (TOPIC, "shut", {})) == [(TOPIC, "shut", 29)]
    reader = asking(("describe_configs", "topic", "shut"), ("describe_configs", *cluster))
    described = config_checks.described(reader, (TOPIC, "open", None), (TOPIC, "shut", None), (BROKER, "1", None))
    assert [(int(each.error_code), bool(each.configs)) for each in described] == [(0, True), (29, False), (31, False)]
    assert config_checks.listed(reader, 1).error_code == codes.CLUSTER_AUTHORIZATION_FAILED


@pytest.mark.parametrize(
    ("operation", "kind", "name", "api_request", "version", "code"),
    [
        ("describe", "cluster", "kafka-cluster", messages.DescribeClusterRequest(), 1, 31),
        ("describe", "cluster", "kafka-cluster", messages.DescribeLogDirsRequest(topics=None), 3, 31),
        (
            "idempotent_write",
            "cluster",
            "kafka-cluster",
            messages.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1),
            4,
            31,
        ),
        (
            "write",
            "transactional_id",
            "t",
            messages.InitProducerIdRequest(transactional_id="t", transaction_timeout_ms=1),
            4,
            53,
        ),
    ],
)
def test_whole_requests(operation: str, kind: str, name: str, api_request: Any, version: int, code: int) -> None:
    assert asking((operation, kind, name))(api_request, version).error_code == code
