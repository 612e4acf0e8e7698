"""Every record of Kafka's internal logs as a class, such as ``records.OffsetCommitValue``, and their frames.

Declared like messages (see ``kafka/messages``), one file each in ``declarations/records/``. There are three frames:

- Coordinators (``__consumer_offsets``, ``__transaction_state``, ``__share_group_state``): a key is its record's number
  as int16 and then the fields; a value is its version as int16 and then the fields. What a value is, its key tells.
- Metadata (``__cluster_metadata``): one varint each for the version of the frame (1), the record's number and its
  version, then the fields; there is no typed key.
- Control records and the consumer protocol's blobs: the version as int16 and then the fields.
"""

from __future__ import annotations

import os
from typing import Any

from millrace.base.errors import PeerError
from millrace.schema.classes import Body, M
from millrace.schema.compile import decode, decoder, encode, encoder, source_of
from millrace.schema.library import Declared, Library
from millrace.schema.wire import Buffer, read_varint, varint

__all__ = [
    "GROUP",
    "METADATA",
    "NAMES",
    "REMOTE",
    "SHARE",
    "TRANSACTION",
    "decode",
    "decode_key",
    "decode_metadata",
    "decode_value",
    "decode_versioned",
    "decoder",
    "encode",
    "encode_key",
    "encode_metadata",
    "encode_versioned",
    "encoder",
    "key_type",
    "metadata_type",
    "source_of",
    "value_type",
]

GROUP: str = "group"
"""The log of groups and their offsets, ``__consumer_offsets``."""
TRANSACTION: str = "transaction"
"""The log of transactional ids, ``__transaction_state``."""
SHARE: str = "share"
"""The log of share partitions, ``__share_group_state``."""
METADATA: str = "metadata"
"""The log of the cluster, ``__cluster_metadata``."""
REMOTE: str = "remote"
"""The log of segments in remote storage, ``__remote_log_metadata``."""

_KEYED = (GROUP, TRANSACTION, SHARE)
_FRAME_VERSION = 1


def _sections(declared: Declared) -> tuple[str, ...]:
    return ("Key", "Value") if declared.log in _KEYED else ("",)


_LIBRARY = Library(os.path.join(os.path.dirname(__file__), "declarations", "records"), __name__, _sections)

NAMES: tuple[str, ...] = tuple(sorted(_LIBRARY.by_name))
"""The names of all classes."""


def __getattr__(name: str) -> type[Body]:
    if name not in _LIBRARY.by_name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = _LIBRARY.message_class(name)
    return found


def __dir__() -> list[str]:
    return sorted(globals().keys() | _LIBRARY.by_name.keys())


def key_type(log: str, number: int) -> type[Body] | None:
    """The class of a coordinator's keys with this number, or None if there is none."""
    declared = _LIBRARY.by_key.get((log, number))
    return _LIBRARY.message_class(declared.name + "Key") if declared else None


def value_type(log: str, number: int) -> type[Body] | None:
    """The class of the values under such keys, or None if there is none."""
    declared = _LIBRARY.by_key.get((log, number))
    return _LIBRARY.message_class(declared.name + "Value") if declared else None


def metadata_type(number: int) -> type[Body] | None:
    """The class of the metadata records with this number, or None if there is none."""
    declared = _LIBRARY.by_key.get((METADATA, number))
    return _LIBRARY.message_class(declared.name) if declared else None


def encode_key(key: Body) -> bytes:
    """A coordinator's key: its number, then its fields."""
    assert key.KEY is not None, f"{key.NAME} has no number"
    return key.KEY.to_bytes(2, "big") + encode(key, key.VERSIONS[0])


def decode_key(log: str, buffer: Buffer) -> Body | None:
    """A coordinator's key; None if its number is not known, which a reader passes over as Kafka does."""
    if len(buffer) < 2:
        raise PeerError(f"a key of the {log} log has {len(buffer)} bytes, expected at least 2")
    cls = key_type(log, int.from_bytes(buffer[:2], "big"))
    return None if cls is None else _whole(cls, cls.VERSIONS[0], buffer, 2)


def encode_versioned(message: Body, version: int) -> bytes:
    """The version as int16, then the fields: coordinators' values, control records, the consumer protocol's blobs."""
    return version.to_bytes(2, "big") + encode(message, version)


def decode_versioned(cls: type[M], buffer: Buffer, *, newer: bool = False) -> tuple[M, int]:
    """What ``encode_versioned`` wrote: (message, version); bytes that follow are passed over, as Kafka does.

    ``newer``: a version that is not known yet is read as the newest that is. So Kafka reads the consumer protocol's
    blobs, which come from clients of any age.
    """
    if len(buffer) < 2:
        raise PeerError(f"a {cls.NAME} of {len(buffer)} bytes, expected at least 2")
    version = int.from_bytes(buffer[:2], "big", signed=True)
    low, high = cls.VERSIONS
    if newer and version > high:
        version = high
    if not low <= version <= high:
        raise PeerError(f"a {cls.NAME} of version {version}, expected {low} to {high}")
    message, _ = decode(cls, version, buffer, 2)
    return message, version


def decode_value(key: Body, buffer: Buffer | None) -> Any:
    """The value under a coordinator's key; None for a tombstone."""
    if buffer is None:
        return None
    cls = _LIBRARY.message_class(key.NAME.removesuffix("Key") + "Value")
    message, _ = decode_versioned(cls, buffer)
    return message


def encode_metadata(record: Body, version: int) -> bytes:
    """A metadata record in its frame."""
    assert record.KEY is not None, f"{record.NAME} has no number"
    return varint(_FRAME_VERSION) + varint(record.KEY) + varint(version) + encode(record, version)


def decode_metadata(buffer: Buffer) -> Any:
    """A metadata record from its frame."""
    frame, pos = read_varint(buffer, 0)
    if frame != _FRAME_VERSION:
        raise PeerError(f"a metadata record in a frame of version {frame}, expected {_FRAME_VERSION}")
    number, pos = read_varint(buffer, pos)
    version, pos = read_varint(buffer, pos)
    cls = metadata_type(number)
    if cls is None:
        raise PeerError(f"a metadata record with number {number}, which is not known")
    low, high = cls.VERSIONS
    if not low <= version <= high:
        raise PeerError(f"a {cls.NAME} of version {version}, expected {low} to {high}")
    return _whole(cls, version, buffer, pos)


def _whole(cls: type[Body], version: int, buffer: Buffer, pos: int) -> Any:
    message, end = decode(cls, version, buffer, pos)
    if end != len(buffer):
        raise PeerError(f"{len(buffer) - end} bytes follow a {cls.NAME} of version {version}")
    return message
