"""The records inside a batch (format v2): walked, checked, built, and built anew with another codec.

Layout of one record (KIP-98); every number is a zigzag varint except the attributes, an unused byte::

    length | attributes i8 | timestamp delta | offset delta | key length | key | value length | value |
    header count | (name length | name | value length | value) ...

A length of -1 is null (not allowed for a header's name). The broker rarely comes here: only compaction, keys on
compacted topics, time look-ups, recompression, its own machines and gateways read records (design D2). What is read
is plain Python, so the walk has the one-byte and two-byte varints unrolled and everything else in one function.

Malformed records and broken compression are refused with INVALID_RECORD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import Final, NamedTuple

from millrace.base.checksum import crc32c
from millrace.base.errors import Refused
from millrace.base.ports import Buffer
from millrace.kafka import compression
from millrace.kafka.batch import (
    CODEC_MASK,
    CONTROL_BIT,
    CRC_COVERS_FROM,
    DELETE_HORIZON_BIT,
    HEADER,
    HEADER_BYTES,
    MAGIC,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    OVERHEAD_BYTES,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Batch,
)
from millrace.kafka.codes import INVALID_RECORD, INVALID_TIMESTAMP

Header = tuple[str, bytes | None]

NO_HEADERS: Final = b"\x00"  # the header section of a record without headers: a count of zero

# Types of control records, the second number of their key.
CONTROL_ABORT: Final = 0
CONTROL_COMMIT: Final = 1
CONTROL_LEADER_CHANGE: Final = 2
CONTROL_SNAPSHOT_HEADER: Final = 3
CONTROL_SNAPSHOT_FOOTER: Final = 4

_CONTROL_KEY = Struct(">hh")  # version, type
_END_TXN_MARKER = Struct(">hi")  # version, coordinator epoch
_VARINT_BYTES_MAX: Final = 10  # of a 64-bit number
_RECORD_ERRORS_MAX: Final = 1000
_CRC = Struct(">I")


class RecordsRefused(Refused):
    """Single records of a batch are not acceptable; Produce names each in its answer (KIP-467)."""

    def __init__(self, code: int, record_errors: list[tuple[int, str]]) -> None:
        index, reason = record_errors[0]
        super().__init__(code, f"{len(record_errors)} records are not acceptable, the first is {index}: {reason}")
        self.record_errors = record_errors


class Record(NamedTuple):
    """One record of a log. ``header_section`` is decoded only by :attr:`headers`."""

    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    header_section: bytes = NO_HEADERS

    @property
    def headers(self) -> list[Header]:
        return decode_headers(self.header_section)


class NewRecord(NamedTuple):
    """One record to be written; without a timestamp of its own it takes the batch's."""

    key: bytes | None
    value: bytes | None
    headers: Sequence[Header] = ()
    timestamp_ms: int | None = None


def records_section(batch: Batch, limit_bytes: int) -> bytes:
    """The records of a batch, decompressed if need be; refused when they are more than ``limit_bytes``."""
    return compression.decompress(batch.attributes & CODEC_MASK, batch.buffer[HEADER_BYTES:], limit_bytes)


def iter_records(batch: Batch, limit_bytes: int) -> Iterator[Record]:
    """The records of a batch in order. Refuses at the first that is malformed; those before it were handed out."""
    raw = records_section(batch, limit_bytes)
    total = len(raw)
    base_offset, base_timestamp = batch.base_offset, batch.base_timestamp
    # LogAppendTime is the whole batch's time and kept in the header alone (KIP-32).
    append_time = batch.max_timestamp if batch.attributes & TIMESTAMP_TYPE_BIT else None
    one_byte, new = _ONE_BYTE, tuple.__new__
    position = 0
    try:
        for _ in range(batch.record_count):
            length = one_byte[raw[position]]
            position += 1
            if length is None:
                length, position = _rest_of_varint(raw, position)
            end = position + length
            if end > total:
                raise _malformed(batch, f"a record of {length} bytes where {total - position} remain")
            position += 1  # the attributes of a record have no meaning yet
            timestamp_delta = one_byte[raw[position]]
            position += 1
            if timestamp_delta is None:
                timestamp_delta, position = _rest_of_varint(raw, position)
            offset_delta = one_byte[raw[position]]
            position += 1
            if offset_delta is None:
                offset_delta, position = _rest_of_varint(raw, position)

            size = one_byte[raw[position]]
            position += 1
            if size is None:
                size, position = _rest_of_varint(raw, position)
            key = None
            if size >= 0:
                key = raw[position : position + size]
                position += size
            size = one_byte[raw[position]]
            position += 1
            if size is None:
                size, position = _rest_of_varint(raw, position)
            value = None
            if size >= 0:
                value = raw[position : position + size]
                position += size

            if position >= end:
                raise _malformed(batch, f"a record of {length} bytes whose fields are longer")
            header_section = NO_HEADERS
            if raw[position] or position + 1 != end:
                header_section = raw[position:end]
            position = end
            timestamp = base_timestamp + timestamp_delta if append_time is None else append_time
            yield new(Record, (base_offset + offset_delta, timestamp, key, value, header_section))
    except IndexError:
        raise _malformed(batch, "a record that goes past the end") from None
    if position != total:
        raise _malformed(batch, f"{total - position} bytes behind the last record")


def record_keys(batch: Batch, limit_bytes: int) -> list[tuple[int, bytes | None, bool]]:
    """(offset, key, whether there is a value) of each record: all that compaction asks, at half the cost."""
    raw = records_section(batch, limit_bytes)
    total = len(raw)
    base_offset, one_byte = batch.base_offset, _ONE_BYTE
    found: list[tuple[int, bytes | None, bool]] = []
    position = 0
    try:
        for _ in range(batch.record_count):
            length = one_byte[raw[position]]
            position += 1
            if length is None:
                length, position = _rest_of_varint(raw, position)
            end = position + length
            position += 1  # the attributes
            while raw[position] > 127:  # the timestamp delta
                position += 1
            offset_delta = one_byte[raw[position + 1]]
            position += 2
            if offset_delta is None:
                offset_delta, position = _rest_of_varint(raw, position)
            size = one_byte[raw[position]]
            position += 1
            if size is None:
                size, position = _rest_of_varint(raw, position)
            key = None
            if size >= 0:
                key = raw[position : position + size]
                position += size
            if not position < end <= total:
                raise _malformed(batch, f"a record of {length} bytes whose fields are longer, or that is not all there")
            found.append((base_offset + offset_delta, key, not raw[position] & 1))  # a negative length is odd
            position = end
    except IndexError:
        raise _malformed(batch, "a record that goes past the end") from None
    if position != total:
        raise _malformed(batch, f"{total - position} bytes behind the last record")
    return found


def decode_headers(section: bytes) -> list[Header]:
    """Names and values of a record's header section; refused with INVALID_RECORD when it is malformed."""
    headers: list[Header] = []
    total = len(section)
    try:
        count, position = _varint(section, 0)
        if not 0 <= count <= total:  # each takes two bytes at least
            raise Refused(INVALID_RECORD, f"a record with {count} headers in {total} bytes")
        for _ in range(count):
            size, position = _varint(section, position)
            if not 0 <= size <= total - position:
                raise Refused(INVALID_RECORD, f"a header name of {size} bytes where {total - position} remain")
            name = section[position : position + size].decode()
            position += size
            size, position = _varint(section, position)
            if size > total - position:
                raise Refused(INVALID_RECORD, f"a header value of {size} bytes where {total - position} remain")
            headers.append((name, section[position : position + size] if size >= 0 else None))
            position += max(size, 0)
    except IndexError:
        raise Refused(INVALID_RECORD, "record headers that go past the end of their record") from None
    except UnicodeDecodeError:
        raise Refused(INVALID_RECORD, "a header name that is not UTF-8") from None
    if position != total:
        raise Refused(INVALID_RECORD, f"{total - position} bytes behind the last header of a record")
    return headers


def check_lengths(batch: Batch) -> None:
    """Refuse an uncompressed batch unless ``record_count`` records fill it exactly, by their lengths alone.

    This is the walk of ``millrace.validate.records=lengths`` (design D2); a compressed batch is taken as it is.
    """
    if batch.attributes & CODEC_MASK:
        return
    raw = batch.buffer
    total = len(raw)
    position = HEADER_BYTES
    try:
        for _ in range(batch.record_count):
            low = raw[position]
            if low & 1:
                raise _malformed(batch, "a record of negative length")
            if low < 128:
                position += 1 + (low >> 1)
                continue
            high = raw[position + 1]
            if high < 128:
                position += 2 + ((low & 127 | high << 7) >> 1)
                continue
            length, position = _rest_of_varint(raw, position + 1)
            position += length
    except IndexError:
        raise _malformed(batch, "a record that goes past the end") from None
    if position != total:
        raise _malformed(batch, f"records that end at byte {position} of {total}")


def check_records(
    batch: Batch,
    limit_bytes: int,
    *,
    keys_required: bool = False,
    timestamps: tuple[int, int] | None = None,
) -> None:
    """Refuse a batch unless all its records are well formed: ``millrace.validate.records=full`` and compacted topics.

    ``keys_required``: every record has a key, as on a compacted topic. ``timestamps``: the lowest and highest allowed.
    Kafka lets offset deltas through that are not 0, 1, 2, ...; no client of any kind sends such, and what looks up
    offsets would be led astray, so we refuse them.
    """
    expected_offset = batch.base_offset
    keyless: list[tuple[int, str]] = []
    mistimed: list[tuple[int, str]] = []
    for offset, timestamp, key, _, header_section in iter_records(batch, limit_bytes):
        index = expected_offset - batch.base_offset
        if offset != expected_offset:
            raise _malformed(batch, f"offset delta {offset - batch.base_offset}, expected {index}")
        if header_section != NO_HEADERS:
            decode_headers(header_section)
        if keys_required and key is None and len(keyless) < _RECORD_ERRORS_MAX:
            keyless.append((index, "a compacted topic does not accept a record without a key"))
        if (
            timestamps is not None
            and not timestamps[0] <= timestamp <= timestamps[1]
            and len(mistimed) < _RECORD_ERRORS_MAX
        ):
            mistimed.append((index, f"timestamp {timestamp} is not between {timestamps[0]} and {timestamps[1]}"))
        expected_offset += 1
    if keyless:
        raise RecordsRefused(INVALID_RECORD, keyless)
    if mistimed:
        raise RecordsRefused(INVALID_TIMESTAMP, mistimed)


def build_batch(
    records: Iterable[NewRecord],
    *,
    timestamp_ms: int = NO_TIMESTAMP,
    base_offset: int = 0,
    codec: int = compression.NONE,
    level: int | None = None,
    producer_id: int = NO_PRODUCER_ID,
    producer_epoch: int = NO_PRODUCER_EPOCH,
    base_sequence: int = NO_SEQUENCE,
    leader_epoch: int = -1,
    transactional: bool = False,
    control: bool = False,
    append_time: bool = False,
) -> bytearray:
    """A whole batch of new records with dense offsets; ``append_time`` marks ``timestamp_ms`` as LogAppendTime."""
    numbered = [
        Record(
            base_offset + index,
            timestamp_ms if record.timestamp_ms is None or append_time else record.timestamp_ms,
            record.key,
            record.value,
            encode_headers(record.headers) if record.headers else NO_HEADERS,
        )
        for index, record in enumerate(records)
    ]
    assert numbered, "a batch has at least one record"
    attributes = codec
    if append_time:
        attributes |= TIMESTAMP_TYPE_BIT
    if transactional:
        attributes |= TRANSACTIONAL_BIT
    if control:
        attributes |= CONTROL_BIT
    base_timestamp = numbered[0].timestamp
    return _assemble(
        compression.compress(codec, _encode_records(numbered, base_offset, base_timestamp), level),
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        attributes=attributes,
        last_offset_delta=len(numbered) - 1,
        base_timestamp=base_timestamp,
        max_timestamp=max(record.timestamp for record in numbered),
        producer=(producer_id, producer_epoch, base_sequence),
        record_count=len(numbered),
    )


def rebuild_batch(
    batch: Batch,
    kept: Sequence[Record],
    *,
    level: int | None = None,
    delete_horizon_ms: int | None = None,
) -> bytearray:
    """The batch with only ``kept`` of its records: what compaction writes, offsets and codec unchanged.

    Base offset, last offset, producer fields and leader epoch stay, so that readers still see where the batch ends and
    producer state can be rebuilt from it; with nothing kept it is a header alone. With a delete horizon (KIP-534) the
    base timestamp is the horizon and the bit says so.
    """
    attributes = batch.attributes
    if not kept:
        # As Kafka's: neither codec nor horizon, the max timestamp stays.
        attributes &= ~(CODEC_MASK | DELETE_HORIZON_BIT)
        base_timestamp, max_timestamp, section = NO_TIMESTAMP, batch.max_timestamp, b""
    else:
        base_timestamp = kept[0].timestamp
        if delete_horizon_ms is not None:
            attributes |= DELETE_HORIZON_BIT
            base_timestamp = delete_horizon_ms
        elif attributes & DELETE_HORIZON_BIT:
            base_timestamp = batch.base_timestamp
        max_timestamp = max(record.timestamp for record in kept)
        section = compression.compress(batch.codec, _encode_records(kept, batch.base_offset, base_timestamp), level)
    return _assemble(
        section,
        base_offset=batch.base_offset,
        leader_epoch=batch.leader_epoch,
        attributes=attributes,
        last_offset_delta=batch.last_offset_delta,
        base_timestamp=base_timestamp,
        max_timestamp=max_timestamp,
        producer=(batch.producer_id, batch.producer_epoch, batch.base_sequence),
        record_count=len(kept),
    )


def empty_batch(
    base_offset: int,
    last_offset: int,
    *,
    leader_epoch: int,
    max_timestamp: int = NO_TIMESTAMP,
    producer: tuple[int, int, int] = (NO_PRODUCER_ID, NO_PRODUCER_EPOCH, NO_SEQUENCE),
) -> bytearray:
    """A header without records that takes up a range of offsets, as compaction leaves it."""
    return _assemble(
        b"",
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        attributes=0,
        last_offset_delta=last_offset - base_offset,
        base_timestamp=NO_TIMESTAMP,
        max_timestamp=max_timestamp,
        producer=producer,
        record_count=0,
    )


def recompress(batch: Batch, codec: int, limit_bytes: int, level: int | None = None) -> bytearray:
    """The same records behind another codec (topic's ``compression.type``); everything else in the header is kept."""
    section = compression.compress(codec, records_section(batch, limit_bytes), level)
    return _assemble(
        section,
        base_offset=batch.base_offset,
        leader_epoch=batch.leader_epoch,
        attributes=batch.attributes & ~CODEC_MASK | codec,
        last_offset_delta=batch.last_offset_delta,
        base_timestamp=batch.base_timestamp,
        max_timestamp=batch.max_timestamp,
        producer=(batch.producer_id, batch.producer_epoch, batch.base_sequence),
        record_count=batch.record_count,
    )


def encode_headers(headers: Sequence[Header]) -> bytes:
    """The header section of a record."""
    section = bytearray()
    _append_varint(section, len(headers))
    for name, value in headers:
        encoded = name.encode()
        _append_varint(section, len(encoded))
        section += encoded
        _append_nullable(section, value)
    return bytes(section)


def control_type(key: bytes | None) -> int:
    """Which control record this is, from its key; refused with INVALID_RECORD when the key is none."""
    if key is None or len(key) < _CONTROL_KEY.size:
        raise Refused(INVALID_RECORD, f"a control record whose key is {key!r}, expected version and type")
    version, kind = _CONTROL_KEY.unpack_from(key)
    if version < 0:
        raise Refused(INVALID_RECORD, f"a control record with key version {version}")
    return int(kind)


def end_transaction_marker(*, commit: bool, coordinator_epoch: int) -> NewRecord:
    """The control record that ends a transaction (KIP-98)."""
    key = _CONTROL_KEY.pack(0, CONTROL_COMMIT if commit else CONTROL_ABORT)
    return NewRecord(key, _END_TXN_MARKER.pack(0, coordinator_epoch))


def marker_coordinator_epoch(value: bytes | None) -> int:
    """The coordinator's epoch out of the value of an end-of-transaction marker."""
    if value is None or len(value) < _END_TXN_MARKER.size:
        raise Refused(INVALID_RECORD, f"an end-of-transaction marker whose value is {value!r}")
    return int(_END_TXN_MARKER.unpack_from(value)[1])


def _malformed(batch: Batch, reason: str) -> Refused:
    return Refused(INVALID_RECORD, f"batch at offset {batch.base_offset} of {batch.record_count} records has {reason}")


def _varint(raw: Buffer, position: int) -> tuple[int, int]:
    """One zigzag varint and the position behind it; IndexError when the buffer ends in it."""
    value = _ONE_BYTE[raw[position]]
    if value is None:
        return _rest_of_varint(raw, position + 1)
    return value, position + 1


def _rest_of_varint(raw: Buffer, position: int) -> tuple[int, int]:
    """A zigzag varint of two bytes and more, from its second byte on."""
    encoded = raw[position - 1] & 127
    shift = 7
    while True:
        byte = raw[position]
        position += 1
        encoded |= (byte & 127) << shift
        if byte < 128:
            return (encoded >> 1) ^ -(encoded & 1), position
        shift += 7
        if shift >= 7 * _VARINT_BYTES_MAX:
            raise Refused(INVALID_RECORD, f"a number of more than {_VARINT_BYTES_MAX} bytes in a record")


def _append_varint(section: bytearray, value: int) -> None:
    encoded = value << 1 if value >= 0 else (-value << 1) - 1
    while encoded > 127:
        section.append(encoded & 127 | 128)
        encoded >>= 7
    section.append(encoded)


def _append_nullable(section: bytearray, value: bytes | None) -> None:
    if value is None:
        section.append(1)  # -1
        return
    _append_varint(section, len(value))
    section += value


def _encode_records(records: Iterable[Record], base_offset: int, base_timestamp: int) -> bytearray:
    section = bytearray()
    body = bytearray()
    for offset, timestamp, key, value, header_section in records:
        body.clear()
        body.append(0)
        _append_varint(body, timestamp - base_timestamp)
        _append_varint(body, offset - base_offset)
        _append_nullable(body, key)
        _append_nullable(body, value)
        body += header_section
        _append_varint(section, len(body))
        section += body
    return section


def _assemble(
    section: Buffer,
    *,
    base_offset: int,
    leader_epoch: int,
    attributes: int,
    last_offset_delta: int,
    base_timestamp: int,
    max_timestamp: int,
    producer: tuple[int, int, int],
    record_count: int,
) -> bytearray:
    batch = bytearray(HEADER_BYTES + len(section))
    HEADER.pack_into(
        batch,
        0,
        base_offset,
        len(batch) - OVERHEAD_BYTES,
        leader_epoch,
        MAGIC,
        0,
        attributes,
        last_offset_delta,
        base_timestamp,
        max_timestamp,
        *producer,
        record_count,
    )
    batch[HEADER_BYTES:] = section
    _CRC.pack_into(batch, CRC_COVERS_FROM - _CRC.size, crc32c(memoryview(batch)[CRC_COVERS_FROM:]))
    return batch


# The value of a varint's first byte when it is the only one, None when the number goes on.
_ONE_BYTE: Final[tuple[int | None, ...]] = tuple(
    (byte >> 1) ^ -(byte & 1) if byte < 128 else None for byte in range(256)
)
