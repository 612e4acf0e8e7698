"""Which metadata records only say that their thing is gone: what a tombstone says in other compacted topics.

``__cluster_metadata-0`` has no tombstones, because Kafka's DumpLogSegments reports a record without a value as an
error. The cleaner treats these marks as it treats tombstones: they replace what stood under their key, and go
themselves after ``delete.retention.ms``.
"""

from __future__ import annotations

from typing import Final

from millrace.kafka import records
from millrace.schema.wire import Buffer

METADATA_TOPIC: Final = "__cluster_metadata"

# How the frame of a record that is always a mark begins: version of the frame, number of the record.
_REMOVE_TOPIC: Final = b"\x01\x09"
_UNREGISTER_BROKER: Final = b"\x01\x01"
_NO_OP: Final = b"\x01\x14"
_CONFIG: Final = b"\x01\x04"
_FEATURE_LEVEL: Final = b"\x01\x0c"


def is_removal_mark(value: Buffer | None) -> bool:
    """Whether a record of the metadata log says nothing but that the thing under its key is gone."""
    if value is None:
        return True
    begin = bytes(value[:2])
    if begin in (_REMOVE_TOPIC, _UNREGISTER_BROKER, _NO_OP):
        return True
    if begin == _CONFIG:
        return records.decode_metadata(value).value is None
    if begin == _FEATURE_LEVEL:
        return bool(records.decode_metadata(value).feature_level == 0)
    return False
