"""The ``.snapshot`` file of a log: its producers at one offset, in Kafka's format.

    version i16 = 1 | crc u32 (CRC-32C of what follows) | count i32 | entries:
    producer id i64 | epoch i16 | last sequence i32 | last offset i64 | offset delta i32 | timestamp i64 |
    coordinator epoch i32 | first offset of the open transaction i64

The file's name is the offset: everything below it is in the state. As in Kafka only a producer's last batch is kept, so
after a restart a duplicate of an older one is refused as out of order instead of answered.
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
VERSION: Final = 1


def encode_snapshot(producers: ProducerStates) -> bytearray:
    count = len(producers)
    content = bytearray(_HEAD.size + count * _ENTRY.size)
    position = _HEAD.size
    for producer_id, producer in producers.items():
        _ENTRY.pack_into(content, position, producer_id, *producer.fields())
        position += _ENTRY.size
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
    if crc32c(memoryview(content)[_CRC_COVERS_FROM:]) != crc or len(content) != _HEAD.size + count * _ENTRY.size:
        raise StorageFault(path, "a producer snapshot whose checksum does not match")
    return {
        producer_id: Producer(*fields) for producer_id, *fields in _ENTRY.iter_unpack(memoryview(content)[_HEAD.size :])
    }
