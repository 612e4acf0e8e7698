"""The records of ``__consumer_offsets`` in Kafka's own schemas: keys, committed offsets, and a group's metadata.

Versions written are those of Apache Kafka 4.3.1: OffsetCommitKey 1 with OffsetCommitValue 4 (1 when an old client named
a retention time of its own), GroupMetadataKey 2 with GroupMetadataValue 3. All versions are read. A key's first two
bytes are its kind, a value's first two its version. What is written for every commit is packed here directly; a test
holds it against the compiled codec byte for byte.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from millrace.kafka import records

LEGACY_OFFSET_KEY: Final = 0
OFFSET_KEY: Final = 1
GROUP_KEY: Final = 2

OFFSET_VALUE_VERSION: Final = 4
OFFSET_VALUE_WITH_EXPIRY_VERSION: Final = 1
GROUP_VALUE_VERSION: Final = 3

NO_EXPIRY: Final = -1
NO_LEADER_EPOCH: Final = -1
NO_TOPIC_ID: Final = bytes(16)

_OFFSET_VALUE_HEAD: Final = Struct(">hqiB")  # version, offset, leader epoch, length of the metadata + 1
_OFFSET_VALUE_TAIL: Final = Struct(">qBBB16s")  # commit timestamp, one tagged field: number 0, 16 bytes, topic id
_COMPACT_ONE_BYTE_MAX: Final = 126
_INT32: Final = Struct(">i")


class CommittedOffset(NamedTuple):
    """A committed offset, read."""

    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp: int
    expire_timestamp: int
    topic_id: bytes


# -- keys ------------------------------------------------------------------------------------------------------------


def kind_of(key: bytes) -> int:
    return int.from_bytes(key[:2], "big")


def _short_string(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2, "big") + encoded


def offset_key(group_id: str, topic: str, partition: int) -> bytes:
    return b"\x00\x01" + _short_string(group_id) + _short_string(topic) + _INT32.pack(partition)


def group_key(group_id: str) -> bytes:
    return b"\x00\x02" + _short_string(group_id)


def group_of(key: bytes) -> str:
    """The group of a key of any kind that we know."""
    return key[4 : 4 + int.from_bytes(key[2:4], "big")].decode()


def offset_key_parts(key: bytes) -> tuple[str, str, int]:
    """Group, topic and partition of an offset's key."""
    group_end = 4 + int.from_bytes(key[2:4], "big")
    topic_start = group_end + 2
    topic_end = topic_start + int.from_bytes(key[group_end:topic_start], "big")
    partition = int.from_bytes(key[topic_end : topic_end + 4], "big", signed=True)
    return key[4:group_end].decode(), key[topic_start:topic_end].decode(), partition


# -- committed offsets -----------------------------------------------------------------------------------------------


def offset_value(
    offset: int, leader_epoch: int, metadata: str, commit_timestamp: int, expire_timestamp: int, topic_id: bytes
) -> bytes:
    """``expire_timestamp`` is NO_EXPIRY but for clients that name a retention time (OffsetCommit 2 to 4)."""
    note = metadata.encode()
    if expire_timestamp != NO_EXPIRY or len(note) > _COMPACT_ONE_BYTE_MAX or topic_id == NO_TOPIC_ID:
        return _encode_offset_value(offset, leader_epoch, metadata, commit_timestamp, expire_timestamp, topic_id)
    head = _OFFSET_VALUE_HEAD.pack(OFFSET_VALUE_VERSION, offset, leader_epoch, len(note) + 1)
    return head + note + _OFFSET_VALUE_TAIL.pack(commit_timestamp, 1, 0, 16, topic_id)


def _encode_offset_value(
    offset: int, leader_epoch: int, metadata: str, commit_timestamp: int, expire_timestamp: int, topic_id: bytes
) -> bytes:
    value = records.OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
        expire_timestamp=expire_timestamp,
        topic_id=topic_id,
    )
    version = OFFSET_VALUE_VERSION if expire_timestamp == NO_EXPIRY else OFFSET_VALUE_WITH_EXPIRY_VERSION
    return records.encode_versioned(value, version)


def read_offset(value: bytes) -> CommittedOffset:
    end = 14 + value[14] if len(value) > 14 else 0
    if value[:2] == b"\x00\x04" and len(value) == end + _OFFSET_VALUE_TAIL.size and value[14] < 0x80:
        _, offset, leader_epoch, _ = _OFFSET_VALUE_HEAD.unpack_from(value)
        timestamp, *tags, topic_id = _OFFSET_VALUE_TAIL.unpack_from(value, end)
        if tags == [1, 0, 16]:
            return CommittedOffset(offset, leader_epoch, value[15:end].decode(), timestamp, NO_EXPIRY, topic_id)
    read, _ = records.decode_versioned(records.OffsetCommitValue, value)
    return CommittedOffset(
        read.offset, read.leader_epoch, read.metadata, read.commit_timestamp, read.expire_timestamp, read.topic_id
    )


# -- group metadata --------------------------------------------------------------------------------------------------


def group_value(value: records.GroupMetadataValue) -> bytes:
    return records.encode_versioned(value, GROUP_VALUE_VERSION)


def read_group(value: bytes) -> records.GroupMetadataValue:
    read: records.GroupMetadataValue
    read, _ = records.decode_versioned(records.GroupMetadataValue, value)
    return read
