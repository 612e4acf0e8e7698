"""Kafka's client properties in librdkafka's terms: each that is carried over is one that librdkafka takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient

from millrace.client import properties
from millrace.client.properties import (
    ADMIN,
    CONSUMER,
    PRODUCER,
    BadClientProperty,
    librdkafka_settings,
    read_client_properties,
)

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="me" password="a \\"b\\";=c";'


def test_security() -> None:
    found = librdkafka_settings(
        {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.jaas.config": JAAS,
            "ssl.truststore.location": "/ca.pem",
            "ssl.truststore.type": "PEM",
            "ssl.keystore.location": "/me.pem",
            "ssl.endpoint.identification.algorithm": "",
        },
        ADMIN,
    )
    assert found == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "me",
        "sasl.password": 'a "b";=c',
        "ssl.ca.location": "/ca.pem",
        "ssl.certificate.location": "/me.pem",
        "ssl.key.location": "/me.pem",
        "ssl.endpoint.identification.algorithm": "none",
    }


def test_each_kind_gets_its_own() -> None:
    given = {"acks": "all", "group.id": "g", "client.id": "me", "request.timeout.ms": "500", "key.serializer": "x.Y"}
    assert librdkafka_settings(given, ADMIN) == {"client.id": "me", "socket.timeout.ms": "500"}
    assert librdkafka_settings(given, PRODUCER) == {"acks": "all", "client.id": "me", "socket.timeout.ms": "500"}
    assert librdkafka_settings(given, CONSUMER) == {"group.id": "g", "client.id": "me", "socket.timeout.ms": "500"}


def test_what_has_other_names_or_units() -> None:
    assert librdkafka_settings({"max.request.size": "5", "buffer.memory": "33554432"}, PRODUCER) == {
        "message.max.bytes": "5",
        "queue.buffering.max.kbytes": 32_768,
    }
    assert librdkafka_settings({"compression.zstd.level": "3"}, PRODUCER) == {"compression.level": "3"}
    assert librdkafka_settings({"isolation.level": "READ_COMMITTED"}, CONSUMER) == {"isolation.level": "read_committed"}
    both = "org.apache.kafka.clients.consumer.RangeAssignor,org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    assigned = "partition.assignment.strategy"
    assert librdkafka_settings({assigned: both}, CONSUMER) == {assigned: "cooperative-sticky"}
    eager = "org.apache.kafka.clients.consumer.RoundRobinAssignor,range"
    assert librdkafka_settings({assigned: eager}, CONSUMER) == {assigned: "roundrobin,range"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("secruity.protocol", "SSL"),
        ("ssl.truststore.location", "/store.jks"),
        ("ssl.truststore.type", "JKS"),
        ("ssl.keystore.location", "/store.jks"),
        ("sasl.jaas.config", ""),
        ("sasl.jaas.config", "com.sun.security.auth.module.Krb5LoginModule required;"),
        ("sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=me;"),
        ("partition.assignment.strategy", "org.example.OwnAssignor"),
        ("buffer.memory", "much"),
    ],
)
def test_what_cannot_be_carried_over_is_named(name: str, value: str) -> None:
    with pytest.raises(BadClientProperty, match=name.replace(".", r"\.")):
        _of_every_kind({name: value})


def _of_every_kind(given: dict[str, str]) -> None:
    for kind in (ADMIN, PRODUCER, CONSUMER):
        librdkafka_settings(given, kind)


# One good value for each property that has a rule of its own or needs one of few words.
VALUES = {
    "bootstrap.servers": "127.0.0.1:1", "security.protocol": "PLAINTEXT", "sasl.mechanism": "PLAIN",
    "sasl.jaas.config": JAAS, "ssl.truststore.type": "PEM", "ssl.keystore.type": "PEM",
    "ssl.endpoint.identification.algorithm": "https", "client.dns.lookup": "use_all_dns_ips", "acks": "all",
    "compression.type": "lz4", "enable.idempotence": "false", "auto.offset.reset": "earliest",
    "enable.auto.commit": "false", "check.crcs": "true", "allow.auto.create.topics": "false",
    "isolation.level": "read_committed", "group.protocol": "classic", "partition.assignment.strategy": "range",
    "enable.metrics.push": "false", "session.timeout.ms": "45000", "heartbeat.interval.ms": "3000",
    "max.poll.interval.ms": "300000", "buffer.memory": "33554432", "connections.max.idle.ms": "540000",
    "metadata.max.age.ms": "300000", "socket.connection.setup.timeout.ms": "10000", "request.timeout.ms": "30000",
    "delivery.timeout.ms": "120000", "transaction.timeout.ms": "60000", "send.buffer.bytes": "131072",
    "receive.buffer.bytes": "65536", "fetch.max.bytes": "52428800", "max.partition.fetch.bytes": "1048576",
    "max.request.size": "1048576", "auto.commit.interval.ms": "5000", "batch.size": "16384",
    "reconnect.backoff.max.ms": "1000", "retry.backoff.max.ms": "1000", "retry.backoff.ms": "100",
    "reconnect.backoff.ms": "50", "fetch.max.wait.ms": "500", "ssl.cipher.suites": "DEFAULT",
    "compression.gzip.level": "5", "compression.lz4.level": "5", "compression.zstd.level": "5",
    "max.in.flight.requests.per.connection": "5", "retries": "5", "linger.ms": "5", "fetch.min.bytes": "1",
}  # fmt: skip
# These need files, keys or a server that no unit test has; librdkafka checks them when it starts.
NEED_MORE = ("ssl.", "sasl.oauthbearer.", "sasl.kerberos.")
ONLY_WITH_THE_CONSUMER_PROTOCOL = ("group.remote.assignor",)


@pytest.mark.parametrize("name", sorted(properties._RULES))
def test_librdkafka_takes_it(name: str) -> None:
    if name.startswith(NEED_MORE) or name in ONLY_WITH_THE_CONSUMER_PROTOCOL:
        return
    value = VALUES.get(name, "1" if name.endswith((".ms", ".bytes")) else "name")
    for kind, make in ((ADMIN, AdminClient), (PRODUCER, Producer), (CONSUMER, Consumer)):
        settings = {"log_level": 0, **librdkafka_settings({name: value}, kind)}
        if kind == CONSUMER:
            settings.setdefault("group.id", "g")
        make(settings)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text("a=1\n")
    assert read_client_properties(str(path)) == {"a": "1"}
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadClientProperty, match=r"client\.properties"):
        read_client_properties(str(path))
    with pytest.raises(BadClientProperty, match="No such file"):
        read_client_properties(str(tmp_path / "missing"))
