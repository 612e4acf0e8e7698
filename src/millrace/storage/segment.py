"""One segment of a log: its file, its two indexes, the largest timestamp in it, who is reading from it.

The file's name is the offset at which the segment begins. Only the last segment of a log is written to. As in Kafka,
an index entry is added before a batch when more than ``index.interval.bytes`` were written since the last one.
"""

from __future__ import annotations

import weakref
from typing import Final

from millrace.base.ports import Disk, File
from millrace.kafka.batch import HEADER, HEADER_BYTES
from millrace.storage.file_slice import FileSlice
from millrace.storage.indexes import RELATIVE_OFFSET_MAX, OffsetIndex, TimeIndex
from millrace.storage.names import LOG, OFFSET_INDEX, SEGMENT_FILES, TIME_INDEX, stem
from millrace.storage.sparse_index import IndexCache

NO_TIMESTAMP: Final = -1
UNKNOWN_TIMESTAMP: Final = -2


class Segment:
    """See the module."""

    __slots__ = (
        "_readers",
        "base_offset",
        "bytes_since_index",
        "created_ms",
        "file",
        "first_timestamp",
        "flushed_bytes",
        "folder",
        "is_gone",
        "max_timestamp",
        "max_timestamp_offset",
        "offsets",
        "times",
    )

    def __init__(
        self, disk: Disk, folder: str, base_offset: int, cache: IndexCache, now_ms: int, *, is_new: bool
    ) -> None:
        path = f"{folder}/{stem(base_offset)}"
        self.folder = folder
        self.base_offset = base_offset
        self.file: File = disk.open(path + LOG, create=is_new)
        self.offsets = OffsetIndex(disk, path + OFFSET_INDEX, cache, is_new=is_new)
        self.times = TimeIndex(disk, path + TIME_INDEX, cache, is_new=is_new)
        self.max_timestamp = NO_TIMESTAMP if is_new else UNKNOWN_TIMESTAMP
        self.max_timestamp_offset = base_offset  # the last offset of the batch that has it
        self.first_timestamp = NO_TIMESTAMP if is_new else UNKNOWN_TIMESTAMP  # of the first batch: rolling by time
        self.created_ms = now_ms
        self.bytes_since_index = 0
        self.flushed_bytes = 0 if is_new else self.file.size
        self.is_gone = False
        self._readers: dict[int, weakref.ref[FileSlice]] | None = None

    def __repr__(self) -> str:
        return f"<segment {self.base_offset} of {self.folder}, {self.size} bytes>"

    @property
    def size(self) -> int:
        return self.file.size

    def paths(self, ending: str = "") -> list[str]:
        """The paths of all files that the segment may have."""
        path = f"{self.folder}/{stem(self.base_offset)}"
        return [path + kind + ending for kind in SEGMENT_FILES]

    # -- writing -----------------------------------------------------------------------------------------------------

    def on_batch(
        self, position: int, size: int, last_offset: int, max_timestamp: int, index_interval_bytes: int
    ) -> None:
        """A batch was written at ``position``, or found there by recovery."""
        base_offset = self.base_offset
        if max_timestamp > self.max_timestamp:
            self.max_timestamp = max_timestamp
            self.max_timestamp_offset = last_offset
        if not position:
            self.first_timestamp = max_timestamp
        if self.bytes_since_index > index_interval_bytes:
            self.offsets.add(last_offset - base_offset, position)
            self.times.maybe_add(self.max_timestamp, self.max_timestamp_offset - base_offset)
            self.bytes_since_index = 0
        self.bytes_since_index += size

    def is_full(self, size: int, last_offset: int, segment_bytes: int, index_bytes: int) -> bool:
        """Whether ``size`` bytes more, up to ``last_offset``, must go to a segment of their own."""
        return (
            self.file.size + size > segment_bytes
            or last_offset - self.base_offset > RELATIVE_OFFSET_MAX
            or self._indexes_are_full(index_bytes)
        )

    def _indexes_are_full(self, index_bytes: int) -> bool:
        if self.file.size < index_bytes:  # an entry stands for at least as many bytes of batches as it has itself
            return False
        return (
            self.offsets.count >= index_bytes // OffsetIndex.ENTRY.size
            or self.times.count >= index_bytes // TimeIndex.ENTRY.size - 1
        )

    def waited_ms(self, now_ms: int, timestamp: int) -> int:
        """How old the segment is for rolling by time: by its first batch's timestamp, else by when it was made."""
        if self.first_timestamp == UNKNOWN_TIMESTAMP:
            self._read_first_timestamp()
        if self.first_timestamp >= 0:
            return timestamp - self.first_timestamp
        return now_ms - self.created_ms

    def _read_first_timestamp(self) -> None:
        header = self.file.read_now(0, HEADER_BYTES)
        self.first_timestamp = HEADER.unpack(header)[8] if len(header) == HEADER_BYTES else NO_TIMESTAMP

    def finish_times(self) -> None:
        """The segment is closed: its time index ends with its largest timestamp, as Kafka's does."""
        if self.max_timestamp >= 0:
            self.times.maybe_add(self.max_timestamp, self.max_timestamp_offset - self.base_offset)

    def write_indexes(self) -> list[File]:
        """Write what the indexes have in memory only; the files to flush."""
        return [self.offsets.write(), self.times.write()]

    # -- looking -----------------------------------------------------------------------------------------------------

    def largest_timestamp(self) -> int:
        """The largest timestamp in the segment; that of the file's last change when no batch has one."""
        if self.max_timestamp == UNKNOWN_TIMESTAMP:
            last = self.times.last()
            self.max_timestamp = last[0] if last is not None else NO_TIMESTAMP
            self.max_timestamp_offset = self.base_offset + (last[1] if last is not None else 0)
        return self.max_timestamp

    # -- who reads ---------------------------------------------------------------------------------------------------

    @property
    def is_pinned(self) -> bool:
        return bool(self._readers)

    def on_pinned(self, slice_: FileSlice) -> None:
        if self._readers is None:
            self._readers = {}
        self._readers[id(slice_)] = weakref.ref(slice_)

    def on_released(self, slice_: FileSlice) -> None:
        readers = self._readers
        if readers is not None:
            readers.pop(id(slice_), None)
            if not readers:
                self._readers = None

    def on_cut(self, position: int) -> None:
        """The file ends at ``position`` now: tell those who read past it."""
        for reference in list((self._readers or {}).values()):
            slice_ = reference()
            if slice_ is not None and slice_.position + slice_.length > position:
                slice_.is_cut = True
                if slice_.on_cut is not None:
                    slice_.on_cut(slice_)
