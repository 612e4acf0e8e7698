"""The frames of internal records against Kafka's own serializers."""

from __future__ import annotations

from typing import Any

import jpype
import pytest

from millrace.kafka import records
from tests.kafka.java_records import java_bytes, java_class, python_bytes
from tests.kafka.sample_messages import pair_name, sample
from tests.oracle.java_messages import generated_classes, read_by_java, to_java

pytestmark = pytest.mark.oracle

SERDES = {
    records.GROUP: "org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde",
    records.TRANSACTION: "org.apache.kafka.coordinator.transaction.TransactionCoordinatorRecordSerde",
    records.SHARE: "org.apache.kafka.coordinator.share.ShareCoordinatorRecordSerde",
}
KEYED = [(log, number) for log in SERDES for number in range(100) if records.key_type(log, number) is not None]
METADATA = [
    (cls, version)
    for cls in map(records.metadata_type, range(100))
    if cls is not None
    for version in range(cls.VERSIONS[0], cls.VERSIONS[1] + 1)
]


def java_buffer(content: bytes) -> Any:
    return java_class("java.nio.ByteBuffer").wrap(java_bytes(content))


@pytest.mark.parametrize(("log", "number"), KEYED)
def test_coordinators_read_and_write_the_same_frames(log: str, number: int) -> None:
    key_type, value_type = records.key_type(log, number), records.value_type(log, number)
    assert key_type is not None
    assert value_type is not None
    serde = java_class(SERDES[log])()
    record_class = java_class("org.apache.kafka.coordinator.common.runtime.CoordinatorRecord")
    versioned = java_class("org.apache.kafka.server.common.ApiMessageAndVersion")
    key = sample(key_type, 0)
    key.unknown_tags = None
    for version in range(value_type.VERSIONS[0], value_type.VERSIONS[1] + 1):
        value = sample(value_type, version)
        theirs = record_class.record(to_java(key), versioned(to_java(value), jpype.JShort(version)))
        key_bytes, value_bytes = records.encode_key(key), records.encode_versioned(value, version)
        assert key_bytes == bytes(serde.serializeKey(theirs))
        assert value_bytes == bytes(serde.serializeValue(theirs))
        assert serde.deserialize(java_buffer(key_bytes), java_buffer(value_bytes)).equals(theirs)
        assert records.decode_key(log, memoryview(key_bytes)) == key
        assert records.decode_value(key, memoryview(value_bytes)) == value


@pytest.mark.parametrize(("cls", "version"), METADATA, ids=pair_name)
def test_the_cluster_log_reads_and_writes_the_same_frames(cls: Any, version: int) -> None:
    serde = java_class("org.apache.kafka.metadata.MetadataRecordSerde")()
    versioned = java_class("org.apache.kafka.server.common.ApiMessageAndVersion")
    cache = java_class("org.apache.kafka.common.protocol.ObjectSerializationCache")()
    record = sample(cls, version)
    theirs = versioned(to_java(record), jpype.JShort(version))
    buffer = java_class("java.nio.ByteBuffer").allocate(serde.recordSize(theirs, cache))
    accessor = java_class("org.apache.kafka.common.protocol.ByteBufferAccessor")
    serde.write(theirs, cache, accessor(buffer))
    buffer.flip()
    framed = records.encode_metadata(record, version)
    assert framed == python_bytes(buffer)
    assert serde.read(accessor(java_buffer(framed)), len(framed)).equals(theirs)
    assert records.decode_metadata(framed) == record


def test_blobs_of_the_consumer_protocol_of_any_version_are_read_alike() -> None:
    protocol = java_class("org.apache.kafka.clients.consumer.internals.ConsumerProtocol")
    subscription = sample(records.ConsumerProtocolSubscription, 3)
    for version in (*range(4), 4, 99):
        newest = min(version, 3)
        blob = version.to_bytes(2, "big") + records.encode(subscription, newest) + b"more"
        theirs = protocol.deserializeSubscription(java_buffer(blob))
        ours, read_as = records.decode_versioned(records.ConsumerProtocolSubscription, blob, newer=True)
        assert read_as == newest
        assert ours.topics == sorted(str(topic) for topic in theirs.topics())
        assert ours.generation_id == theirs.generationId().orElse(-1)


def test_control_records_are_declared_as_kafka_reads_them() -> None:
    for name in (
        "LeaderChangeMessage",
        "SnapshotHeaderRecord",
        "SnapshotFooterRecord",
        "KRaftVersionRecord",
        "VotersRecord",
    ):
        record = sample(getattr(records, name), 0)
        assert read_by_java(name, 0, records.encode(record, 0)).equals(to_java(record))
        assert name in generated_classes()
