"""Records inside batches: read, checked, built; whatever is broken is refused and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.base.errors import Refused
from millrace.kafka import codes, compression
from millrace.kafka.batch import DELETE_HORIZON_BIT, HEADER_BYTES, Batch
from millrace.kafka.record import (
    CONTROL_ABORT,
    NewRecord,
    RecordsRefused,
    build_batch,
    check_lengths,
    check_records,
    control_type,
    decode_headers,
    encode_headers,
    end_transaction_marker,
    iter_records,
    marker_coordinator_epoch,
    rebuild_batch,
    recompress,
    record_keys,
)

LIMIT_BYTES = 1 << 20

blobs = st.none() | st.binary(max_size=150)
headers = st.lists(st.tuples(st.text(max_size=10), blobs), max_size=3)
new_records = st.builds(NewRecord, blobs, blobs, headers, st.none() | st.integers(-1, 2**62))


def refusal(call: Callable[[], object]) -> int | None:
    """The code that a call is refused with, or None."""
    try:
        call()
    except Refused as refused:
        return refused.code
    return None


def batch_of(count: int = 3, **options: object) -> Batch:
    records = [NewRecord(b"key %d" % index, b"value %d" % index) for index in range(count)]
    return Batch(build_batch(records, timestamp_ms=1000, **options))  # type: ignore[arg-type]


def with_section(section: bytes, count: int, codec: int = 0) -> Batch:
    """A batch whose header promises ``count`` records and whose records section is whatever is given."""
    buffer = build_batch([NewRecord(b"", b"")] * count, timestamp_ms=0)
    buffer[HEADER_BYTES:] = section
    buffer[8:12] = (len(buffer) - 12).to_bytes(4, "big")
    buffer[22] = codec
    return Batch(buffer)


@given(
    records=st.lists(new_records, min_size=1, max_size=130),
    base_offset=st.integers(0, 2**62),
    codec=st.integers(0, 4),
    append_time=st.booleans(),
)
def test_what_was_built_is_read(records: list[NewRecord], base_offset: int, codec: int, append_time: bool) -> None:
    buffer = build_batch(records, timestamp_ms=77, base_offset=base_offset, codec=codec, append_time=append_time)
    batch = Batch(buffer)
    assert batch.is_valid_crc
    assert batch.last_offset == base_offset + len(records) - 1
    found = list(iter_records(batch, LIMIT_BYTES))
    assert [record.offset for record in found] == list(range(base_offset, base_offset + len(records)))
    times = [77 if record.timestamp_ms is None or append_time else record.timestamp_ms for record in records]
    assert [record.timestamp for record in found] == times
    assert batch.max_timestamp == max(times)
    assert [(record.key, record.value, record.headers) for record in found] == [
        (record.key, record.value, list(record.headers)) for record in records
    ]
    assert record_keys(batch, LIMIT_BYTES) == [(each.offset, each.key, each.value is not None) for each in found]
    check_lengths(batch)
    check_records(batch, LIMIT_BYTES)


@given(section=st.binary(max_size=120), count=st.integers(1, 6), codec=st.integers(0, 4))
def test_anything_is_read_or_refused(section: bytes, count: int, codec: int) -> None:
    batch = with_section(section, count, codec)
    for walk in (
        lambda: check_lengths(batch),
        lambda: check_records(batch, LIMIT_BYTES),
        lambda: record_keys(batch, LIMIT_BYTES),
    ):
        assert refusal(walk) in (None, codes.INVALID_RECORD, codes.MESSAGE_TOO_LARGE)


@given(position=st.integers(0, 200), byte=st.integers(0, 255))
def test_no_single_byte_changed_escapes_as_another_error(position: int, byte: int) -> None:
    buffer = build_batch([NewRecord(b"k" * 30, b"v" * 100, [("h", b"x")]), NewRecord(None, b"")], timestamp_ms=1)
    buffer[HEADER_BYTES + position % (len(buffer) - HEADER_BYTES)] = byte
    assert refusal(lambda: check_records(Batch(buffer), LIMIT_BYTES)) in (None, codes.INVALID_RECORD)


@pytest.mark.parametrize("cut", range(1, 20))
def test_records_cut_short_are_refused_by_both_walks(cut: int) -> None:
    whole = bytes(batch_of().buffer[HEADER_BYTES:])
    batch = with_section(whole[:-cut], 3)
    for walk in (lambda: check_lengths(batch), lambda: check_records(batch, LIMIT_BYTES)):
        with pytest.raises(Refused) as refused:
            walk()
        assert refused.value.code == codes.INVALID_RECORD


@pytest.mark.parametrize("count", [2, 4])
def test_a_count_that_is_not_the_number_of_records_is_refused(count: int) -> None:
    batch = with_section(bytes(batch_of().buffer[HEADER_BYTES:]), count)
    with pytest.raises(Refused):
        check_lengths(batch)
    with pytest.raises(Refused):
        check_records(batch, LIMIT_BYTES)


def test_lengths_of_two_and_three_bytes_are_walked() -> None:
    records = [NewRecord(None, bytes(size)) for size in (0, 50, 60, 5000, 8150, 8200, 100_000)]
    check_lengths(Batch(build_batch(records, timestamp_ms=0)))


def test_offset_deltas_must_be_dense() -> None:
    section = bytearray(batch_of().buffer[HEADER_BYTES:])
    second = 1 + (section[0] >> 1)
    assert section[second + 3] == 2  # the offset delta 1 in zigzag
    section[second + 3] = 4
    with pytest.raises(Refused, match="offset delta 2, expected 1"):
        check_records(with_section(bytes(section), 3), LIMIT_BYTES)


def test_a_compacted_topic_needs_keys() -> None:
    batch = Batch(build_batch([NewRecord(b"", b"x"), NewRecord(None, b"y")], timestamp_ms=0))
    check_records(batch, LIMIT_BYTES)
    with pytest.raises(RecordsRefused) as refused:
        check_records(batch, LIMIT_BYTES, keys_required=True)
    assert refused.value.code == codes.INVALID_RECORD
    assert [index for index, _ in refused.value.record_errors] == [1]


def test_timestamps_outside_of_the_limits_are_refused() -> None:
    batch = Batch(build_batch([NewRecord(None, b"", (), 10), NewRecord(None, b"", (), 20)], timestamp_ms=0))
    check_records(batch, LIMIT_BYTES, timestamps=(10, 20))
    with pytest.raises(RecordsRefused, match="timestamp 20") as refused:
        check_records(batch, LIMIT_BYTES, timestamps=(10, 19))
    assert refused.value.code == codes.INVALID_TIMESTAMP
    assert [index for index, _ in refused.value.record_errors] == [1]


@pytest.mark.parametrize("source", range(5))
@pytest.mark.parametrize("target", range(5))
def test_recompressing_changes_nothing_else(source: int, target: int) -> None:
    before = batch_of(
        50,
        codec=source,
        base_offset=9,
        producer_id=5,
        producer_epoch=2,
        base_sequence=7,
        leader_epoch=4,
        transactional=True,
    )
    after = Batch(recompress(before, target, LIMIT_BYTES))
    assert after.codec == target
    assert after.is_valid_crc
    for field in Batch.__slots__:
        if field not in ("buffer", "crc", "length", "attributes"):
            assert getattr(after, field) == getattr(before, field), field
    assert list(iter_records(after, LIMIT_BYTES)) == list(iter_records(before, LIMIT_BYTES))


def test_a_rebuilt_batch_keeps_offsets_and_producer() -> None:
    before = batch_of(10, base_offset=100, producer_id=5, producer_epoch=2, base_sequence=7, leader_epoch=4)
    kept = [record for record in iter_records(before, LIMIT_BYTES) if record.offset in (103, 107)]
    after = Batch(rebuild_batch(before, kept))
    assert after.is_valid_crc
    assert list(iter_records(after, LIMIT_BYTES)) == kept
    assert (after.base_offset, after.last_offset, after.record_count) == (100, 109, 2)
    assert (after.producer_id, after.producer_epoch, after.base_sequence, after.leader_epoch) == (5, 2, 7, 4)


def test_a_batch_rebuilt_with_nothing_is_a_header() -> None:
    before = batch_of(10, base_offset=100, producer_id=5, producer_epoch=2, base_sequence=7, codec=compression.ZSTD)
    after = Batch(rebuild_batch(before, []))
    assert (after.size, after.record_count, after.last_offset, after.last_sequence) == (HEADER_BYTES, 0, 109, 16)
    assert (after.codec, after.max_timestamp) == (compression.NONE, before.max_timestamp)


def test_a_delete_horizon_is_the_base_timestamp_and_stays() -> None:
    before = batch_of(3)
    kept = list(iter_records(before, LIMIT_BYTES))
    marked = Batch(rebuild_batch(before, kept, delete_horizon_ms=5000))
    assert marked.attributes & DELETE_HORIZON_BIT
    assert marked.base_timestamp == 5000
    assert list(iter_records(marked, LIMIT_BYTES)) == kept
    again = Batch(rebuild_batch(marked, kept[1:]))
    assert again.base_timestamp == 5000
    assert list(iter_records(again, LIMIT_BYTES)) == kept[1:]


def test_markers() -> None:
    marker = end_transaction_marker(commit=False, coordinator_epoch=12)
    assert control_type(marker.key) == CONTROL_ABORT
    assert marker_coordinator_epoch(marker.value) == 12
    for broken in (None, b"", b"\x00\x00\x00"):
        with pytest.raises(Refused):
            control_type(broken)
        with pytest.raises(Refused):
            marker_coordinator_epoch(broken)


@given(headers)
def test_headers_come_back(pairs: list[tuple[str, bytes | None]]) -> None:
    assert decode_headers(encode_headers(pairs)) == pairs


@given(st.binary(max_size=40))
def test_any_header_section_is_read_or_refused(section: bytes) -> None:
    assert refusal(lambda: decode_headers(section)) in (None, codes.INVALID_RECORD)
