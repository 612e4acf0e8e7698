"""What we tell about keys beside what Apache Kafka tells, with the same file and the same changes while running."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from millrace.base.config import BrokerConfig
from millrace.base.describe import ConfigRow, describe_broker, describe_topic
from millrace.kafka import messages
from tests.base.test_config_oracle import OTHER_DEFAULTS
from tools.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]

STATIC = {"log.retention.minutes": "30", "log.roll.hours": "2", "log.cleanup.policy": "compact,delete"}
CLUSTER = {"log.segment.bytes": "3000000", "log.retention.ms": "700000"}
OWN = {"log.segment.bytes": "4000000"}
OVERRIDES = {"segment.ms": "10000", "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.25"}
ANSWER_S = 30
VERSION, TOPIC, BROKER = 4, 2, 4
# What the harness sets itself, and what Kafka sets: of node.id, and for all brokers of a new cluster (KIP-966).
BASE = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}
SET_BY_KAFKA = frozenset({"min.insync.replicas", "log.dirs", "controller.quorum.voters", "broker.id"})
# Once the milliseconds are set while running, Kafka shows the minutes of the file as if they were not there.
FORGOTTEN_BY_KAFKA = frozenset({"log.retention.minutes"})


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    data_dir: Path = tmp_path_factory.mktemp("kafka")
    with ApacheKafka(data_dir, config=STATIC) as broker:
        client = AdminClient({"bootstrap.servers": broker.bootstrap, "log_level": 0})
        for future in client.create_topics([NewTopic("orders", 1, 1, config=OVERRIDES)]).values():
            future.result(ANSWER_S)
        set_while_running(broker, ["--entity-default"], CLUSTER)
        set_while_running(broker, ["--entity-name", "1"], OWN)
        yield broker


def set_while_running(kafka: ApacheKafka, entity: list[str], values: Mapping[str, str]) -> None:
    changes = ",".join(f"{name}={value}" for name, value in values.items())
    kafka.run_tool(
        "kafka.admin.ConfigCommand",
        *(
            "--entity-type",
            "brokers",
            *entity,
            "--alter",
            "--add-config",
            changes,
        ),
    )


def described(bootstrap: str, resource_type: int, name: str) -> list[Any]:
    """The answer on the wire: a client would fold synonyms of one name into one."""
    request = messages.DescribeConfigsRequest(
        resources=[
            messages.DescribeConfigsRequest.DescribeConfigsResource(
                resource_type=resource_type, resource_name=name, configuration_keys=None
            )
        ],
        include_synonyms=True,
    )
    header = messages.RequestHeader(request_api_key=32, request_api_version=VERSION, correlation_id=1, client_id="test")
    frame = messages.encode(header, messages.header_version(32, VERSION)) + messages.encode(request, VERSION)
    host, _, port = bootstrap.partition(":")
    with socket.create_connection((host, int(port)), ANSWER_S) as connection:
        connection.sendall(struct.pack(">i", len(frame)) + frame)
        stream = connection.makefile("rb")
        (size,) = struct.unpack(">i", stream.read(4))
        answer = stream.read(size)
    _, position = messages.decode(messages.ResponseHeader, messages.header_version(32, VERSION, response=True), answer)
    response, _ = messages.decode(messages.DescribeConfigsResponse, VERSION, answer, position)
    (result,) = response.results
    assert result.error_code == 0, result.error_message
    return list(result.configs)


def assert_alike(ours: list[ConfigRow], theirs: list[Any], *, left_out: frozenset[str] = frozenset()) -> None:
    """Value, source, type, sensitivity and synonyms of each key that both tell of; prints how many."""
    rows = {row.name: row for row in ours}
    compared = 0
    for entry in theirs:
        if entry.name in left_out:
            continue
        row = rows[entry.name]
        synonyms = [(each.name, each.value, each.source) for each in entry.synonyms]
        assert [(each.name, each.value, each.source.value) for each in row.synonyms] == synonyms, entry.name
        assert (row.value, row.source.value, row.type_code) == (entry.value, entry.config_source, entry.config_type)
        assert (row.is_read_only, row.is_sensitive) == (entry.read_only, entry.is_sensitive), entry.name
        compared += 1
    print(f"{compared} keys compared")


def test_a_topic(kafka: ApacheKafka) -> None:
    broker = BrokerConfig({**BASE, **STATIC}, CLUSTER, OWN)
    theirs = described(kafka.bootstrap, TOPIC, "orders")
    assert_alike(describe_topic(OVERRIDES, broker), theirs, left_out=SET_BY_KAFKA)


def test_a_broker(kafka: ApacheKafka) -> None:
    broker = BrokerConfig({**BASE, **STATIC}, CLUSTER, OWN)
    theirs = described(kafka.bootstrap, BROKER, "1")
    assert_alike(
        describe_broker(broker), theirs, left_out=frozenset(OTHER_DEFAULTS) | SET_BY_KAFKA | FORGOTTEN_BY_KAFKA
    )
