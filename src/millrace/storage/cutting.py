"""What makes a log shorter at its end: truncation, as a follower does it, or a log that begins anew.

The offset from which a restart would scan must not stay above the cut: what is appended there next would be trusted
without a check. So it is lowered on stable storage, and the caller appends again when that is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.ports import Ticket, all_done, done
from millrace.storage.header_walk import HeaderWalk
from millrace.storage.names import SNAPSHOT, stem
from millrace.storage.opening import rebuild_producers
from millrace.storage.position import LogPosition
from millrace.storage.retention import doom, doom_next
from millrace.storage.segment import NO_TIMESTAMP, Segment
from millrace.storage.steps import run_here

if TYPE_CHECKING:
    from millrace.storage.log import Log

_MAX_TIMESTAMP = 8  # its place among the fields of a header


def truncate_to(log: Log, offset: int) -> Ticket[None]:
    """See ``Log.truncate_to``."""
    if offset >= log.log_end_offset:
        return done()
    if offset < log.segments[0].base_offset:
        return truncate_fully_and_start_at(log, offset)
    keep = log.segment_for(offset)
    for segment in [each for each in log.segments if each.base_offset > keep.base_offset]:
        _drop_last(log, segment)
    _cut(keep, offset)
    rebuild_producers(log, offset)
    _end_at(log, offset)
    kept = log.owner.keep_offsets(log) if log.owner is not None else done()
    return all_done([keep.file.flush(), log.disk.sync_folder(log.folder), kept])


def truncate_fully_and_start_at(log: Log, offset: int) -> Ticket[None]:
    """See ``Log.truncate_fully_and_start_at``."""
    while log.dropped:
        doom_next(log)
    for segment in list(log.segments):
        _drop_last(log, segment)
    log.segments = [Segment(log.disk, log.folder, offset, log.cache, 0, is_new=True)]
    log.names_changed += 1
    log.log_start_offset = offset
    log.epochs.clear()
    log.producers.restore({}, offset)
    _end_at(log, offset)
    kept = log.owner.keep_offsets(log) if log.owner is not None else done()
    return all_done([log.disk.sync_folder(log.folder), kept])


def _drop_last(log: Log, segment: Segment) -> None:
    """Drop a segment; its names are free when this returns, because a new one may take them."""
    log.segments.remove(segment)
    if segment in log.unflushed:
        log.unflushed.remove(segment)
    segment.on_cut(0)
    doom(log, segment)


def _cut(segment: Segment, offset: int) -> None:
    """Cut a segment off before the batch that holds ``offset``, its indexes with it."""
    relative = offset - segment.base_offset
    segment.offsets.load_now()
    position = segment.offsets.position_for(relative) if relative > 0 else 0
    walk = HeaderWalk(segment.file, position, waits_here=True)
    while run_here(walk.more()):
        if walk.last_offset >= offset:
            break
        walk.skip()
    position = walk.position
    segment.file.truncate(position)
    segment.flushed_bytes = min(segment.flushed_bytes, position)
    entries = segment.offsets.entries()
    segment.offsets.keep(sum(1 for entry in entries if entry[0] < relative and entry[1] < position))
    segment.times.keep(sum(1 for entry in segment.times.entries() if entry[1] < relative))
    segment.bytes_since_index = 0
    _find_max_timestamp(segment)
    segment.on_cut(position)


def _find_max_timestamp(segment: Segment) -> None:
    """The largest timestamp anew: the last entry of the time index, and what is behind it."""
    last = segment.times.last()
    segment.max_timestamp = last[0] if last is not None else NO_TIMESTAMP
    segment.max_timestamp_offset = segment.base_offset + (last[1] if last is not None else 0)
    entry = segment.offsets.last()  # the time index was right there
    walk = HeaderWalk(segment.file, entry[1] if entry is not None else 0, waits_here=True)
    while run_here(walk.more()):
        timestamp = walk.fields()[_MAX_TIMESTAMP]
        if timestamp > segment.max_timestamp:
            segment.max_timestamp = timestamp
            segment.max_timestamp_offset = walk.last_offset
        walk.skip()


def _end_at(log: Log, offset: int) -> None:
    """The log ends at ``offset`` now."""
    log.cuts += 1
    log.forget_places()
    log.log_end_offset = offset
    log.log_start_offset = min(log.log_start_offset, offset)
    log.end = LogPosition(offset, log.active.base_offset, log.active.size)
    log.recovery_point = min(log.recovery_point, offset)
    log.checkpointed_offset = min(log.checkpointed_offset, offset)
    log.epochs.truncate_end(offset)
    for each in [each for each in log.snapshots if each > offset]:
        log.snapshots.remove(each)
        log.disk.finish(log.disk.remove(f"{log.folder}/{stem(each)}{SNAPSHOT}"))
