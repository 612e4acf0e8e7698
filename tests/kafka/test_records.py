"""Records of internal logs in their frames, and what is refused. Their bytes are compared in test_messages."""

from __future__ import annotations

import pytest

from millrace.base.errors import PeerError
from millrace.kafka import records


def test_a_coordinators_key_and_value() -> None:
    key = records.OffsetCommitKey(group="g", topic="t", partition=1)
    value = records.OffsetCommitValue(offset=5, metadata="m")
    key_bytes, value_bytes = records.encode_key(key), records.encode_versioned(value, 3)
    assert key_bytes == b"\x00\x01\x00\x01g\x00\x01t\x00\x00\x00\x01"
    assert value_bytes.startswith(b"\x00\x03")
    assert records.decode_key(records.GROUP, memoryview(key_bytes)) == key
    assert records.decode_value(key, memoryview(value_bytes)) == value
    assert records.decode_value(key, None) is None


def test_the_same_number_means_another_record_in_another_log() -> None:
    assert records.key_type(records.TRANSACTION, 0) is records.TransactionLogKey
    assert records.key_type(records.SHARE, 0) is records.ShareSnapshotKey
    assert records.value_type(records.SHARE, 0) is records.ShareSnapshotValue
    assert records.metadata_type(2) is records.TopicRecord


def test_a_key_of_an_unknown_number_is_none() -> None:
    assert records.decode_key(records.GROUP, b"\x7f\x00whatever") is None
    assert records.value_type(records.GROUP, 9) is None


@pytest.mark.parametrize("broken", [b"", b"\x00", b"\x00\x01\x00\x01g", b"\x00\x02\x00\x01gmore"])
def test_a_broken_key_is_refused(broken: bytes) -> None:
    with pytest.raises(PeerError):
        records.decode_key(records.GROUP, broken)


@pytest.mark.parametrize("broken", [b"", b"\x00", b"\x00\x09", b"\xff\xff", b"\x00\x03\x00"])
def test_a_broken_value_is_refused(broken: bytes) -> None:
    with pytest.raises(PeerError):
        records.decode_value(records.OffsetCommitKey(), broken)


def test_a_metadata_record() -> None:
    record = records.TopicRecord(name="t", topic_id=bytes(range(16)))
    framed = records.encode_metadata(record, 0)
    assert framed[:3] == b"\x01\x02\x00"
    assert records.decode_metadata(memoryview(framed)) == record


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (b"", "varint"),
        (b"\x02\x02\x00", "frame of version 2"),
        (b"\x01\xff\x01\x00", "number 255"),
        (b"\x01\x02\x09", "version 9, expected 0 to 0"),
        (b"\x01\x18\x00\x00more", "4 bytes follow"),
    ],
)
def test_a_broken_metadata_record_is_refused(broken: bytes, reason: str) -> None:
    with pytest.raises(PeerError, match=reason):
        records.decode_metadata(broken)


def test_a_blob_of_a_newer_consumer_is_read_as_the_newest_known() -> None:
    subscription = records.ConsumerProtocolSubscription(topics=["a"])
    blob = b"\x00\x09" + records.encode(subscription, 3) + b"what is new"
    assert records.decode_versioned(records.ConsumerProtocolSubscription, blob, newer=True) == (subscription, 3)
    with pytest.raises(PeerError, match="version 9"):
        records.decode_versioned(records.ConsumerProtocolSubscription, blob)
