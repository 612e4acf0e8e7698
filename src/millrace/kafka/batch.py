"""The header of a record batch (format v2): read, checked and patched; the records inside stay opaque.

Layout (61 bytes, big endian), as in the protocol guide and KIP-98::

    base_offset i64 | length i32 | partition_leader_epoch i32 | magic i8 | crc u32 |
    attributes i16 | last_offset_delta i32 | base_timestamp i64 | max_timestamp i64 |
    producer_id i64 | producer_epoch i16 | base_sequence i32 | record_count i32

``length`` counts from the leader epoch on, the CRC covers from the attributes on: so base offset and leader epoch can
be patched in place without touching the checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final

from millrace.base.checksum import crc32c
from millrace.base.errors import Refused
from millrace.kafka.codes import CORRUPT_MESSAGE, INVALID_RECORD, UNSUPPORTED_COMPRESSION_TYPE

HEADER: Final = Struct(">qiibIhiqqqhii")
HEADER_BYTES: Final = HEADER.size
OVERHEAD_BYTES: Final = 12  # base offset and length, which ``length`` does not count
MAGIC: Final = 2
OLDER_MAGICS: Final = (0, 1)
CRC_COVERS_FROM: Final = 21

CODEC_MASK: Final = 0x07
TIMESTAMP_TYPE_BIT: Final = 0x08
TRANSACTIONAL_BIT: Final = 0x10
CONTROL_BIT: Final = 0x20
DELETE_HORIZON_BIT: Final = 0x40
CODEC_MAX: Final = 4

NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
NO_TIMESTAMP: Final = -1

_BASE_OFFSET = Struct(">q")
_LEADER_EPOCH = Struct(">i")
_PREFIX = Struct(">qi")
_ATTRIBUTES_ON = Struct(">Ihiqq")  # crc, attributes, last_offset_delta, base_timestamp, max_timestamp


class Batch:
    """One record batch: its buffer and the fields of its header. ``buffer`` covers exactly the batch."""

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp",
        "buffer",
        "crc",
        "last_offset_delta",
        "leader_epoch",
        "length",
        "magic",
        "max_timestamp",
        "producer_epoch",
        "producer_id",
        "record_count",
    )

    base_offset: int
    length: int
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    def __init__(self, buffer: bytes | bytearray | memoryview, position: int = 0) -> None:
        """Parse the header at ``position``; the batch must be wholly inside the buffer (see :func:`batch_size`)."""
        (
            self.base_offset,
            self.length,
            self.leader_epoch,
            self.magic,
            self.crc,
            self.attributes,
            self.last_offset_delta,
            self.base_timestamp,
            self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.record_count,
        ) = HEADER.unpack_from(buffer, position)
        end = position + OVERHEAD_BYTES + self.length
        view = memoryview(buffer)
        self.buffer = view if position == 0 and end == len(view) else view[position:end]

    @property
    def size(self) -> int:
        return OVERHEAD_BYTES + self.length

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & CONTROL_BIT)

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & TRANSACTIONAL_BIT)

    @property
    def has_producer(self) -> bool:
        return self.producer_id != NO_PRODUCER_ID

    @property
    def last_sequence(self) -> int:
        """The sequence of the last record; sequences wrap from 2**31 - 1 to 0."""
        return (self.base_sequence + self.last_offset_delta) & 0x7FFFFFFF

    @property
    def is_valid_crc(self) -> bool:
        return crc32c(self.buffer[CRC_COVERS_FROM:]) == self.crc

    def assign(self, base_offset: int, leader_epoch: int) -> None:
        """Patch offset and leader epoch in place; the buffer must be writable. The checksum does not cover them."""
        self.base_offset = base_offset
        self.leader_epoch = leader_epoch
        _BASE_OFFSET.pack_into(self.buffer, 0, base_offset)
        _LEADER_EPOCH.pack_into(self.buffer, 12, leader_epoch)

    def stamp_append_time(self, now_ms: int) -> None:
        """LogAppendTime: set its bit and the max timestamp, and compute the checksum anew (KIP-32)."""
        self.attributes |= TIMESTAMP_TYPE_BIT
        self.max_timestamp = now_ms
        self._seal()

    def clear_append_time(self) -> None:
        """CreateTime: a producer's timestamps are its own, whatever bit it set."""
        self.attributes &= ~TIMESTAMP_TYPE_BIT
        self._seal()

    def _seal(self) -> None:
        """Write the fields that may change, and compute the checksum anew."""
        _ATTRIBUTES_ON.pack_into(
            self.buffer, 17, 0, self.attributes, self.last_offset_delta, self.base_timestamp, self.max_timestamp
        )
        self.crc = crc32c(self.buffer[CRC_COVERS_FROM:])
        self.buffer[17:21] = self.crc.to_bytes(4, "big")


def batch_size(buffer: bytes | bytearray | memoryview, position: int = 0) -> int | None:
    """The size the batch at ``position`` announces, or None when fewer than 12 bytes remain. It may be a lie."""
    if len(buffer) - position < OVERHEAD_BYTES:
        return None
    _, length = _PREFIX.unpack_from(buffer, position)
    return OVERHEAD_BYTES + int(length)


def batches_in(buffer: bytes | bytearray | memoryview) -> Iterator[Batch]:
    """Every whole batch of a buffer that was read from a log, in order; stops before a partial one at the end."""
    position = 0
    while len(buffer) - position >= HEADER_BYTES:
        size = batch_size(buffer, position)
        assert size is not None
        if size < HEADER_BYTES or position + size > len(buffer):
            return
        yield Batch(buffer, position)
        position += size


def check_produced(buffer: memoryview) -> Batch:
    """The one batch of a produce request's partition, checked from header and length alone (design D2).

    Refuses with Kafka's codes; what depends on the topic (size, codec allowed, timestamps) is checked by its owner.
    """
    if len(buffer) < HEADER_BYTES:
        raise Refused(INVALID_RECORD, f"a record batch of {len(buffer)} bytes, expected at least {HEADER_BYTES}")
    batch = Batch(buffer)
    if batch.size < HEADER_BYTES:
        raise Refused(CORRUPT_MESSAGE, f"record batch announces {batch.size} bytes, expected at least {HEADER_BYTES}")
    if batch.size > len(buffer):
        raise Refused(INVALID_RECORD, f"record batch announces {batch.size} bytes, {len(buffer)} are there")
    if batch.magic != MAGIC:
        code = INVALID_RECORD if batch.magic in OLDER_MAGICS else CORRUPT_MESSAGE
        raise Refused(code, f"record batch with magic {batch.magic}, expected {MAGIC}")
    if not batch.is_valid_crc:
        raise Refused(CORRUPT_MESSAGE, "record batch whose checksum does not match its bytes")
    if batch.size < len(buffer):
        raise Refused(INVALID_RECORD, "more than one record batch for a partition, expected exactly one")
    if batch.base_offset:
        raise Refused(INVALID_RECORD, f"record batch with base offset {batch.base_offset}, expected 0")
    if batch.codec > CODEC_MAX:
        raise Refused(UNSUPPORTED_COMPRESSION_TYPE, f"compression codec {batch.codec}, expected 0 to {CODEC_MAX}")
    if batch.is_control:
        raise Refused(INVALID_RECORD, "a client may not write control batches")
    if batch.record_count <= 0 or batch.record_count != batch.last_offset_delta + 1:
        raise Refused(
            INVALID_RECORD,
            f"record batch with {batch.record_count} records and last offset delta {batch.last_offset_delta}",
        )
    if batch.has_producer and (batch.base_sequence < 0 or batch.producer_epoch < 0):
        raise Refused(
            INVALID_RECORD,
            f"producer {batch.producer_id} with epoch {batch.producer_epoch} and sequence {batch.base_sequence}",
        )
    return batch
