"""Batches of records against Kafka's own classes: built byte for byte alike, read alike, with every codec."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millrace.kafka import compression
from millrace.kafka.batch import Batch
from millrace.kafka.record import (
    NewRecord,
    build_batch,
    check_lengths,
    check_records,
    end_transaction_marker,
    iter_records,
    recompress,
)
from tests.kafka.java_records import (
    CODECS,
    java_batch,
    java_bytes,
    java_class,
    java_compression,
    read_by_java,
    record_class,
)

pytestmark = pytest.mark.oracle

LIMIT_BYTES = 1 << 24

blobs = st.none() | st.binary(max_size=200)
headers = st.lists(st.tuples(st.text(max_size=12), blobs), max_size=3)
new_records = st.builds(NewRecord, blobs, blobs, headers, st.none() | st.integers(0, 2**45))
relaxed = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def ours(batch: bytes | bytearray) -> list[tuple[int, int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]]:
    return [
        (record.offset, record.timestamp, record.key, record.value, record.headers)
        for record in iter_records(Batch(batch), LIMIT_BYTES)
    ]


def sample(count: int, value_bytes: int, seed: int = 1) -> list[NewRecord]:
    chance = random.Random(seed)
    words = [chance.randbytes(8) for _ in range(20)]
    return [
        NewRecord(
            None if index % 7 == 0 else b"key-%d" % index,
            None if index % 11 == 0 else b"".join(chance.choices(words, k=value_bytes // 8)),
            [("trace", chance.randbytes(4)), ("empty", None)] if index % 5 == 0 else (),
            1_700_000_000_000 + index * 3 - 500 * (index % 13 == 0),
        )
        for index in range(count)
    ]


@relaxed
@given(
    records=st.lists(new_records, min_size=1, max_size=140),
    timestamp_ms=st.integers(0, 2**45),
    base_offset=st.integers(0, 2**60),
    producer=st.just((-1, -1, -1))
    | st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 32767), st.integers(0, 2**31 - 1)),
    append_time=st.booleans(),
    leader_epoch=st.integers(-1, 2**31 - 1),
    transactional=st.booleans(),
)
def test_uncompressed_batches_are_byte_for_byte_those_of_kafka(
    records: list[NewRecord],
    timestamp_ms: int,
    base_offset: int,
    producer: tuple[int, int, int],
    append_time: bool,
    leader_epoch: int,
    transactional: bool,
) -> None:
    transactional = transactional and producer[0] >= 0
    theirs = java_batch(
        records,
        timestamp_ms=timestamp_ms,
        base_offset=base_offset,
        producer=producer,
        transactional=transactional,
        append_time=append_time,
        leader_epoch=leader_epoch,
    )
    built = build_batch(
        records,
        timestamp_ms=timestamp_ms,
        base_offset=base_offset,
        producer_id=producer[0],
        producer_epoch=producer[1],
        base_sequence=producer[2],
        transactional=transactional,
        append_time=append_time,
        leader_epoch=leader_epoch,
    )
    assert bytes(built) == theirs
    batch = Batch(theirs)
    assert ours(theirs) == read_by_java(theirs)
    check_lengths(batch)
    check_records(batch, LIMIT_BYTES)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(("count", "value_bytes"), [(1, 0), (3, 100), (500, 100), (40, 40_000)])
def test_each_codec_is_read_in_both_directions(codec: str, count: int, value_bytes: int) -> None:
    records = sample(count, value_bytes)
    plain = java_batch(records, timestamp_ms=0)
    theirs = java_batch(records, timestamp_ms=0, codec=codec)
    assert ours(theirs) == ours(plain)
    built = build_batch(records, timestamp_ms=0, codec=compression.CODECS[codec])
    assert read_by_java(bytes(built)) == ours(plain)
    for other in range(compression.ZSTD + 1):
        assert read_by_java(bytes(recompress(Batch(theirs), other, LIMIT_BYTES))) == ours(plain)


@pytest.mark.parametrize(
    ("codec", "levels"),
    [("gzip", (-1, 1, 5, 9)), ("lz4", (1, 3, 9, 12, 17)), ("zstd", (-131072, -5, 1, 3, 19, 22))],
)
def test_each_level_is_read_in_both_directions(codec: str, levels: tuple[int, ...]) -> None:
    records = sample(200, 1000)
    plain = java_batch(records, timestamp_ms=0)
    number = compression.CODECS[codec]
    for level in levels:
        theirs = java_batch(records, timestamp_ms=0, codec=codec, level=level)
        assert ours(theirs) == ours(plain)
        assert read_by_java(bytes(build_batch(records, codec=number, level=level, timestamp_ms=0))) == ours(plain)


@pytest.mark.parametrize("codec", CODECS[1:])
def test_the_same_levels_are_accepted(codec: str) -> None:
    number = compression.CODECS[codec]
    kind = record_class("CompressionType")
    type_of = {str(each.name): each for each in kind.values()}[codec]
    if number not in compression.LEVELS:
        return
    lowest, highest, default = compression.LEVELS[number]
    assert (type_of.minLevel(), type_of.maxLevel(), type_of.defaultLevel()) == (lowest, highest, default)


@pytest.mark.parametrize("commit", [True, False])
def test_markers_are_byte_for_byte_those_of_kafka(commit: bool) -> None:
    marker = end_transaction_marker(commit=commit, coordinator_epoch=7)
    kind = record_class("ControlRecordType")
    theirs = record_class("EndTransactionMarker")(kind.COMMIT if commit else kind.ABORT, 7)
    batch = record_class("MemoryRecords").withEndTransactionMarker(5, 1234, 3, 99, 2, theirs)
    buffer = batch.buffer()
    found = bytearray(buffer.remaining())
    for index in range(len(found)):
        found[index] = buffer.get(index) & 0xFF
    built = build_batch(
        [marker],
        timestamp_ms=1234,
        base_offset=5,
        leader_epoch=3,
        producer_id=99,
        producer_epoch=2,
        transactional=True,
        control=True,
    )
    assert built == found


def test_java_lz4_reader_takes_a_frame_of_many_blocks() -> None:
    plain = random.Random(3).randbytes(1000) * 700
    frame = compression.compress(compression.LZ4, plain)
    stream = java_compression("lz4").wrapForInput(
        java_class("java.nio.ByteBuffer").wrap(java_bytes(frame)),
        2,
        java_class("org.apache.kafka.common.utils.BufferSupplier").NO_CACHING,
    )
    assert bytes(stream.readAllBytes()) == plain
