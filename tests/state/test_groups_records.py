"""Records of groups: what is packed by hand equals the compiled codec, and every version is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.kafka import records
from millrace.state import groups_records
from millrace.state.groups_records import NO_EXPIRY, NO_TOPIC_ID, CommittedOffset

INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
INT32 = st.integers(-(1 << 31), (1 << 31) - 1)
NOTES = st.one_of(st.text(max_size=40), st.sampled_from(["x" * 126, "x" * 127, "é" * 63, "é" * 64, "x" * 4096]))


@given(INT64, INT32, NOTES, INT64, st.one_of(st.just(NO_TOPIC_ID), st.binary(min_size=16, max_size=16)))
def test_an_offset_is_packed_as_the_codec_does(
    offset: int, epoch: int, metadata: str, timestamp: int, topic_id: bytes
) -> None:
    packed = groups_records.offset_value(offset, epoch, metadata, timestamp, NO_EXPIRY, topic_id)
    value = records.OffsetCommitValue(
        offset=offset, leader_epoch=epoch, metadata=metadata, commit_timestamp=timestamp, topic_id=topic_id
    )
    assert packed == records.encode_versioned(value, 4)
    read = groups_records.read_offset(packed)
    assert read == CommittedOffset(offset, epoch, metadata, timestamp, NO_EXPIRY, topic_id)


def test_a_retention_time_is_written_in_the_version_that_has_it() -> None:
    packed = groups_records.offset_value(7, 3, "note", 100, 200, b"i" * 16)
    assert packed[:2] == b"\0\1"
    assert groups_records.read_offset(packed) == CommittedOffset(7, -1, "note", 100, 200, NO_TOPIC_ID)


@pytest.mark.parametrize("version", range(5))
def test_every_version_of_an_offset_is_read(version: int) -> None:
    value = records.OffsetCommitValue(
        offset=7, metadata="note", commit_timestamp=100, leader_epoch=5 if version >= 3 else -1
    )
    if version == 1:
        value.expire_timestamp = 200
    read = groups_records.read_offset(records.encode_versioned(value, version))
    assert (read.offset, read.metadata, read.commit_timestamp) == (7, "note", 100)
    assert read.leader_epoch == (5 if version >= 3 else -1)
    assert read.expire_timestamp == (200 if version == 1 else -1)


def test_an_offset_with_a_tag_that_is_not_known_is_read() -> None:
    value = records.OffsetCommitValue(offset=7, metadata="note", commit_timestamp=100)
    value.unknown_tags = {3: b"sixteen bytes...."[:16]}
    assert groups_records.read_offset(records.encode_versioned(value, 4)).topic_id == NO_TOPIC_ID


@given(st.text(max_size=20), st.text(max_size=20), INT32)
def test_keys_are_those_of_the_codec_and_come_apart_again(group: str, topic: str, partition: int) -> None:
    key = groups_records.offset_key(group, topic, partition)
    assert key == records.encode_key(records.OffsetCommitKey(group=group, topic=topic, partition=partition))
    assert groups_records.kind_of(key) == groups_records.OFFSET_KEY
    assert groups_records.offset_key_parts(key) == (group, topic, partition)
    assert groups_records.group_of(key) == group
    assert groups_records.group_key(group) == records.encode_key(records.GroupMetadataKey(group=group))
