"""Finds records in a log by offset and by time, at constant cost: an index look-up, then a short walk over headers.

What is not in memory makes a ticket. Readers that go on where they stopped find their place without any look-up: the
last few places where a slice ended are remembered.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from millrace.base.errors import Refused, StorageFault
from millrace.base.limits import DECOMPRESSED_BYTES_MAX
from millrace.base.ports import Ticket
from millrace.kafka.batch import OVERHEAD_BYTES, Batch
from millrace.kafka.codes import OFFSET_OUT_OF_RANGE
from millrace.kafka.record import iter_records
from millrace.storage.file_slice import FileSlice
from millrace.storage.header_walk import HeaderWalk
from millrace.storage.position import LogPosition
from millrace.storage.segment import Segment
from millrace.storage.steps import Steps, run, run_ticket

if TYPE_CHECKING:
    from millrace.storage.log import Log

PLACES_KEPT: Final = 16
_PREFIX: Final = Struct(">qi")
_MAX_TIMESTAMP: Final = 8  # its place among the fields of a header
_LEADER_EPOCH: Final = 2

Found = tuple[int, int, int]  # offset, timestamp, leader epoch


class Reader:
    """The reading side of one log."""

    __slots__ = ("_log", "_places")

    def __init__(self, log: Log) -> None:
        self._log = log
        self._places: dict[int, tuple[Segment, int]] | None = None

    # -- by offset ---------------------------------------------------------------------------------------------------

    def read(
        self, offset: int, max_bytes: int, limit: LogPosition, at_least_one: bool
    ) -> FileSlice | Ticket[FileSlice | None] | None:
        log = self._log
        if offset >= limit.offset or offset < log.log_start_offset:
            if not log.log_start_offset <= offset <= log.log_end_offset:
                raise Refused(
                    OFFSET_OUT_OF_RANGE,
                    f"offset {offset} of {log.folder}, which has {log.log_start_offset} to {log.log_end_offset}",
                )
            if offset == limit.offset:
                self._remember(offset, limit.segment_base, limit.position)
            return None
        place = self._places.get(offset) if self._places is not None else None
        if place is not None:
            segment, position = place
            available = self._end_in(segment, limit) - position
            if 0 < available <= max_bytes:
                return self._slice(segment, position, available, limit)
        return run(self._read(offset, max_bytes, limit, at_least_one))

    def _read(self, offset: int, max_bytes: int, limit: LogPosition, at_least_one: bool) -> Steps[FileSlice | None]:
        segment, position = yield from self._locate(offset)
        available = self._end_in(segment, limit) - position
        if available <= 0:
            return None
        if available > max_bytes:
            prefix = segment.file.read(position, _PREFIX.size)
            if isinstance(prefix, Ticket):
                prefix = yield prefix
            if len(prefix) < _PREFIX.size:
                return None  # the log was cut meanwhile
            size = _PREFIX.unpack(prefix)[1] + OVERHEAD_BYTES
            if size > max_bytes and not at_least_one:
                return None
            available = min(available, max(max_bytes, size))
        return self._slice(segment, position, available, limit)

    def _slice(self, segment: Segment, position: int, length: int, limit: LogPosition) -> FileSlice:
        if limit.segment_base == segment.base_offset and position + length == limit.position:
            self._remember(limit.offset, limit.segment_base, limit.position)
        return FileSlice(segment.file, position, length, segment)

    @staticmethod
    def _end_in(segment: Segment, limit: LogPosition) -> int:
        """Where a reader must stop in that segment."""
        if segment.base_offset == limit.segment_base:
            return limit.position
        return segment.size if segment.base_offset < limit.segment_base else 0

    def _remember(self, offset: int, segment_base: int, position: int) -> None:
        places = self._places
        if places is None:
            places = self._places = {}
        if offset in places:
            return
        segment = self._log.segment_for(offset)
        if segment.base_offset != segment_base:
            return
        if len(places) >= PLACES_KEPT:
            del places[next(iter(places))]
        places[offset] = (segment, position)

    def forget(self) -> None:
        """Positions have changed, or segments are gone."""
        self._places = None

    def _locate(self, offset: int) -> Steps[tuple[Segment, int]]:
        """Where the batch that holds ``offset`` begins; the next one that is there if compaction took it."""
        log = self._log
        if self._places is not None and offset in self._places:
            place = self._places[offset]
            # The end of a segment was a place while it was the active one; what came next began another.
            if place[1] < place[0].size or place[0] is log.active:
                return place
            del self._places[offset]
        segment: Segment | None = log.segment_for(offset)
        while segment is not None:
            relative = offset - segment.base_offset
            if relative <= 0 and (segment.size or segment is log.active):  # compaction may leave one without a batch
                return segment, 0
            relative = max(relative, 0)
            yield from segment.offsets.load(relative)
            walk = HeaderWalk(segment.file, segment.offsets.position_for(relative))
            while (yield from walk.more()):
                if walk.last_offset >= offset:
                    return segment, walk.position
                walk.skip()
            segment = log.segment_after(segment)
        end = log.end
        return log.active, end.position

    def position_of(self, offset: int) -> LogPosition | Ticket[LogPosition]:
        log = self._log
        if offset == log.log_end_offset:
            return log.end
        if not log.log_start_offset <= offset <= log.log_end_offset:
            raise Refused(
                OFFSET_OUT_OF_RANGE,
                f"offset {offset} of {log.folder}, which has {log.log_start_offset} to {log.log_end_offset}",
            )
        return run(self._position_of(offset))

    def _position_of(self, offset: int) -> Steps[LogPosition]:
        segment, position = yield from self._locate(offset)
        walk = HeaderWalk(segment.file, position)
        if not (yield from walk.more()):
            return self._log.end
        return LogPosition(walk.base_offset, segment.base_offset, position)

    # -- by time -----------------------------------------------------------------------------------------------------

    def offset_for_time(self, timestamp: int) -> Ticket[Found | None]:
        return run_ticket(self._offset_for_time(timestamp))

    def _offset_for_time(self, timestamp: int) -> Steps[Found | None]:
        log = self._log
        for segment in list(log.segments):
            if segment.largest_timestamp() < timestamp or segment.is_gone:
                continue
            found = yield from self._first_in(segment, timestamp)
            if found is not None:
                return found
        return None

    def _first_in(self, segment: Segment, timestamp: int) -> Steps[Found | None]:
        """The first record of a segment, not before the log's start, whose timestamp is not below ``timestamp``."""
        log_start_offset = self._log.log_start_offset
        # Entries say that up to their offset all timestamps are at most theirs: so one just below ours is looked for.
        yield from segment.times.load(timestamp - 1)
        relative = max(segment.times.offset_for(timestamp - 1), log_start_offset - segment.base_offset)
        yield from segment.offsets.load(relative)
        walk = HeaderWalk(segment.file, segment.offsets.position_for(relative))
        while (yield from walk.more()):
            if walk.last_offset >= log_start_offset and walk.fields()[_MAX_TIMESTAMP] >= timestamp:
                batch = yield from self._batch(segment, walk)
                for record in iter_records(batch, DECOMPRESSED_BYTES_MAX):
                    if record.timestamp >= timestamp and record.offset >= log_start_offset:
                        return record.offset, record.timestamp, batch.leader_epoch
            walk.skip()
        return None

    @staticmethod
    def _batch(segment: Segment, walk: HeaderWalk) -> Steps[Batch]:
        content = segment.file.read(walk.position, walk.size)
        if isinstance(content, Ticket):
            content = yield content
        if len(content) < walk.size:
            raise StorageFault(segment.file.path, f"ends inside the batch at position {walk.position}")
        return Batch(content)

    def max_timestamp(self) -> Ticket[Found | None]:
        return run_ticket(self._max_timestamp())

    def _max_timestamp(self) -> Steps[Found | None]:
        """The first record with the largest timestamp (KIP-734)."""
        segments = [segment for segment in self._log.segments if segment.largest_timestamp() >= 0]
        if not segments:
            return None
        segment = max(segments, key=Segment.largest_timestamp)
        return (yield from self._first_in(segment, segment.max_timestamp))
