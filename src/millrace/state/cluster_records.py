"""The records of ``__cluster_metadata-0``: their keys, their frames, and how a removed thing is marked.

Values are Kafka's metadata records in Kafka's frame, so that Kafka's DumpLogSegments reads them. Kafka's own metadata
log has no keys, because it is never compacted; ours is (design section 4), so each record stands under a key of our
own that names the thing whose whole state it is:

    one byte: the API key of the record that holds the thing's state; then what names the thing
    topic           id
    partition       topic id, index i32
    config          resource type i8, length of the resource's name u16, resource name, config name
    broker          broker id i32
    feature         name
    producer ids    nothing: there is one

A thing that is gone is marked by a record under its key, not by a tombstone: DumpLogSegments prints an error for a
record without a value. See docs/decisions/0004 for the reasons and for how these marks leave the log.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Final

from millrace.kafka import records
from millrace.state.machine import Entry, Record

REGISTER_BROKER: Final = 0
TOPIC: Final = 2
PARTITION: Final = 3
CONFIG: Final = 4
FEATURE_LEVEL: Final = 12
PRODUCER_IDS: Final = 15

# The versions we write: the newest that every metadata.version we name allows.
_VERSIONS: Final = {
    "RegisterBrokerRecord": 3,  # with the directories of the broker (KIP-858)
    "UnregisterBrokerRecord": 0,
    "TopicRecord": 0,
    "RemoveTopicRecord": 0,
    "PartitionRecord": 1,  # with a directory for each replica (KIP-858), without eligible leaders (KIP-966)
    "ConfigRecord": 0,
    "FeatureLevelRecord": 0,
    "ProducerIdsRecord": 0,
    "NoOpRecord": 0,
}

_PARTITION_KEY: Final = Struct(">B16si")
_BROKER_KEY: Final = Struct(">Bi")
_CONFIG_KEY: Final = Struct(">BbH")


def _framed(key: bytes, record: Any) -> Record:
    return Record(key, records.encode_metadata(record, _VERSIONS[type(record).__name__]))


def read(entry: Entry) -> Any | None:
    """The metadata record of a log entry, or None where there is none: control records, and marks that say no more
    than their key."""
    if entry.control is not None or entry.value is None:
        return None
    record = records.decode_metadata(entry.value)
    return None if type(record).__name__ == "NoOpRecord" else record


def topic(name: str, topic_id: bytes) -> Record:
    return _framed(bytes((TOPIC,)) + topic_id, records.TopicRecord(name=name, topic_id=topic_id))


def topic_removed(topic_id: bytes) -> Record:
    return _framed(bytes((TOPIC,)) + topic_id, records.RemoveTopicRecord(topic_id=topic_id))


def partition(
    topic_id: bytes,
    index: int,
    replicas: list[int],
    isr: list[int],
    leader: int,
    leader_epoch: int,
    partition_epoch: int,
    directories: list[bytes],
) -> Record:
    record = records.PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=replicas,
        isr=isr,
        leader=leader,
        leader_epoch=leader_epoch,
        partition_epoch=partition_epoch,
        directories=directories,
    )
    return _framed(_PARTITION_KEY.pack(PARTITION, topic_id, index), record)


def partition_removed(topic_id: bytes, index: int) -> Record:
    """Its topic's mark has said it already; this one lets compaction drop the partition's state."""
    return _framed(_PARTITION_KEY.pack(PARTITION, topic_id, index), records.NoOpRecord())


def config(resource_type: int, resource_name: str, name: str, value: str | None) -> Record:
    """``value`` None takes the config away."""
    resource = resource_name.encode()
    key = _CONFIG_KEY.pack(CONFIG, resource_type, len(resource)) + resource + name.encode()
    record = records.ConfigRecord(resource_type=resource_type, resource_name=resource_name, name=name, value=value)
    return _framed(key, record)


def broker(record: records.RegisterBrokerRecord) -> Record:
    return _framed(_BROKER_KEY.pack(REGISTER_BROKER, record.broker_id), record)


def broker_removed(broker_id: int, epoch: int) -> Record:
    record = records.UnregisterBrokerRecord(broker_id=broker_id, broker_epoch=epoch)
    return _framed(_BROKER_KEY.pack(REGISTER_BROKER, broker_id), record)


def feature(name: str, level: int) -> Record:
    """Level 0 takes the feature away."""
    record = records.FeatureLevelRecord(name=name, feature_level=level)
    return _framed(bytes((FEATURE_LEVEL,)) + name.encode(), record)


def producer_ids(broker_id: int, broker_epoch: int, next_producer_id: int) -> Record:
    record = records.ProducerIdsRecord(
        broker_id=broker_id, broker_epoch=broker_epoch, next_producer_id=next_producer_id
    )
    return _framed(bytes((PRODUCER_IDS,)), record)
