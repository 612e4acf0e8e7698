"""The two indexes of a segment in Kafka's formats: by offset to position, by timestamp to offset.

- ``.index``: entries of (offset - base offset: i32, position: i32), one about every ``index.interval.bytes``; the
  offset is the last one of the batch that begins at the position.
- ``.timeindex``: entries of (timestamp: i64, offset - base offset: i32): the largest timestamp so far, and the last
  offset of the batch that has it. Timestamps increase strictly.
"""

from __future__ import annotations

from struct import Struct

from millrace.storage.sparse_index import SparseIndex

RELATIVE_OFFSET_MAX = (1 << 31) - 1


class OffsetIndex(SparseIndex):
    """Where to begin to look for an offset."""

    __slots__ = ()
    ENTRY = Struct(">ii")
    KEY = Struct(">i")

    def position_for(self, relative_offset: int) -> int:
        """The position of a batch that begins at or before the offset, and not long before it."""
        found = self.floor(relative_offset)
        return found[1] if found is not None else 0


class TimeIndex(SparseIndex):
    """From which offset on a timestamp may be found."""

    __slots__ = ()
    ENTRY = Struct(">qi")
    KEY = Struct(">q")

    def maybe_add(self, timestamp: int, relative_offset: int) -> None:
        """Add an entry if the timestamp is larger than all before."""
        last = self.last()
        if last is None:
            if timestamp >= 0:
                self.add(timestamp, relative_offset)
            return
        if timestamp > last[0] and relative_offset >= last[1]:
            self.add(timestamp, relative_offset)

    def offset_for(self, timestamp: int) -> int:
        """The relative offset up to which all timestamps are at most ``timestamp``; 0 when none is known."""
        found = self.floor(timestamp)
        return found[1] if found is not None else 0
