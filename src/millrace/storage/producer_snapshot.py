"""The ``.snapshot`` file of a log: its producers at one offset, in Kafka's format.

    version i16 = 1 | crc u32 (CRC-32C of what follows) | count i32 | entries:
    producer id i64 | epoch i16 | last sequence i32 | last offset i64 | offset delta i32 | timestamp i64 |
    coordinator epoch i32 | first offset of the open transaction i64

The file's name is the offset: everything below it is in the state. Kafka keeps a producer's last batch only, so that
after its restart a producer that sends again what was in flight is refused as out of order. We keep the four before it
too, behind Kafka's entries, where its reader does not look (the checksum covers them):

    "MILL" | count i32 | entries: producer id i64 | batches u8 | (last sequence i32 | last offset i64 | delta i32 |
    timestamp i64) each, oldest first
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Final

from millrace.base.checksum import crc32c
from millrace.base.errors import StorageFault
from millrace.storage.producers import Producer, ProducerStates

_HEAD: Final = Struct(">hIi")
_CRC_COVERS_FROM: Final = 6
_ENTRY: Final = Struct(">qhiqiqiq")
_OLDER_MARK: Final = b"MILL"
_OLDER_HEAD: Final = Struct(">4si")
_OLDER_PRODUCER: Final = Struct(">qB")
_OLDER_BATCH: Final = Struct(">iqiq")
VERSION: Final = 1


def encode_snapshot(producers: ProducerStates) -> bytearray:
    count = len(producers)
    content = bytearray(_HEAD.size + count * _ENTRY.size)
    position = _HEAD.size
    for producer_id, producer in producers.items():
        _ENTRY.pack_into(content, position, producer_id, *producer.fields())
        position += _ENTRY.size
    content += _encode_older(producers)
    _HEAD.pack_into(content, 0, VERSION, 0, count)
    _HEAD.pack_into(content, 0, VERSION, crc32c(memoryview(content)[_CRC_COVERS_FROM:]), count)
    return content


def decode_snapshot(path: str, content: bytes) -> dict[int, Producer]:
    """The producers of a snapshot; raises StorageFault when it is torn or of another version."""
    try:
        version, crc, count = _HEAD.unpack_from(content)
    except StructError:
        raise StorageFault(path, f"a producer snapshot of {len(content)} bytes") from None
    if version != VERSION:
        raise StorageFault(path, f"a producer snapshot of version {version}, expected {VERSION}")
    end = _HEAD.size + count * _ENTRY.size
    if crc32c(memoryview(content)[_CRC_COVERS_FROM:]) != crc or len(content) < end:
        raise StorageFault(path, "a producer snapshot whose checksum does not match")
    entries = _ENTRY.iter_unpack(memoryview(content)[_HEAD.size : end])
    producers = {producer_id: Producer(*fields) for producer_id, *fields in entries}
    if len(content) > end:
        _decode_older(path, content, end, producers)
    return producers


def _encode_older(producers: ProducerStates) -> bytes:
    """The batches before the last of those producers who have any; nothing if nobody has."""
    older = [(producer_id, producer.older) for producer_id, producer in producers.items() if producer.older]
    if not older:
        return b""
    parts = [_OLDER_HEAD.pack(_OLDER_MARK, len(older))]
    for producer_id, batches in older:
        parts.append(_OLDER_PRODUCER.pack(producer_id, len(batches) // 4))
        parts.extend(_OLDER_BATCH.pack(*batches[index : index + 4]) for index in range(0, len(batches), 4))
    return b"".join(parts)


def _decode_older(path: str, content: bytes, position: int, producers: dict[int, Producer]) -> None:
    try:
        mark, count = _OLDER_HEAD.unpack_from(content, position)
        if mark != _OLDER_MARK:
            raise StorageFault(path, f"a producer snapshot with {len(content) - position} bytes too many")
        position += _OLDER_HEAD.size
        for _ in range(count):
            producer_id, batches = _OLDER_PRODUCER.unpack_from(content, position)
            position += _OLDER_PRODUCER.size
            older: tuple[int, ...] = ()
            for _ in range(batches):
                older += _OLDER_BATCH.unpack_from(content, position)
                position += _OLDER_BATCH.size
            producers[producer_id].older = older
    except (StructError, KeyError):
        raise StorageFault(path, "a producer snapshot whose older batches are torn") from None
