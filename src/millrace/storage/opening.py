"""Opens a log: what was closed cleanly is taken as it is, what was not is checked, cut and made safe.

After a crash the scan begins at the log's checkpoint: everything below it was flushed, with the indexes up to there and
a producer snapshot. Behind it every batch's length, offsets and checksum are checked; the first that is wrong ends the
log, as does a segment that does not begin where the one before it ends: what was acknowledged from a flush is always
before such a place. What remains is flushed before anything is read from it, because after ``kill -9`` it may be in the
page cache only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from millrace.base.errors import StorageFault
from millrace.base.ports import Ticket, all_done
from millrace.kafka.batch import HEADER, HEADER_BYTES, Batch
from millrace.storage import swapping
from millrace.storage.header_walk import HeaderWalk
from millrace.storage.names import (
    CLEANED,
    DELETED,
    LEADER_EPOCHS,
    LOG,
    OFFSET_INDEX,
    SNAPSHOT,
    SWAP,
    TIME_INDEX,
    offsets_with,
    stem,
)
from millrace.storage.position import LogPosition
from millrace.storage.producer_snapshot import decode_snapshot
from millrace.storage.replay import LEADER_EPOCH, MAX_TIMESTAMP, PRODUCER_ID, is_marker, replay_header, replay_marker
from millrace.storage.retention import doom
from millrace.storage.scan import scan_segment
from millrace.storage.segment import NO_TIMESTAMP, UNKNOWN_TIMESTAMP, Segment
from millrace.storage.sparse_index import SparseIndex
from millrace.storage.steps import run_here

if TYPE_CHECKING:
    from millrace.storage.log import Log


@dataclass(slots=True)
class Recovered:
    """What an unclean start found."""

    from_offset: int  # where the scan began
    scanned_bytes: int = 0
    batches: int = 0
    cut_bytes: int = 0  # of a torn tail; segments behind it included
    reason: str = ""  # why the log ends where it does, if something was cut


def load(
    log: Log,
    now_ms: int,
    *,
    recovery_point: int,
    clean: bool,
    log_start_offset: int,
    flushes: list[Ticket[int]] | None,
) -> None:
    """Fill a new ``Log`` from its folder, which is made if it is not there; what has to be flushed goes to ``flushes``.

    Without ``flushes`` it is flushed here.
    """
    disk, folder = log.disk, log.folder
    names = disk.list(folder)
    is_new = not names and not disk.is_folder(folder)
    if is_new:
        disk.make_folder(folder)
    if any(name.endswith((CLEANED, SWAP, DELETED)) for name in names):
        swapping.finish_swaps(log, names)
        names = disk.list(folder)
    log.snapshots = offsets_with(names, SNAPSHOT)
    if LEADER_EPOCHS in names:
        log.epochs.decode(f"{folder}/{LEADER_EPOCHS}", disk.read_whole(f"{folder}/{LEADER_EPOCHS}"))
    bases = offsets_with(names, LOG)
    if bases:
        log.segments = [Segment(disk, folder, base, log.cache, now_ms, is_new=False) for base in bases]
    else:
        log.segments = [Segment(disk, folder, log_start_offset, log.cache, now_ms, is_new=True)]
    log.log_start_offset = max(log_start_offset, log.segments[0].base_offset)
    while len(log.segments) > 1 and log.segments[1].base_offset <= log.log_start_offset:
        doom(log, log.segments.pop(0))  # it was dropped, and the crash came before its files had other names
    if not (clean or is_new) or not _load_clean(log):
        _recover(log, recovery_point)
        _rebuild_indexes(log, disk.list(folder))
        if log.unflushed:
            _flush(log, flushes)
    elif names:
        _rebuild_indexes(log, names)
        log.names_safe = log.names_changed
    if log.log_end_offset < log.log_start_offset:
        _begin_anew(log, now_ms)
    _complete_epochs(log)
    log.recovery_point = log.log_end_offset
    log.end = LogPosition(log.log_end_offset, log.active.base_offset, log.active.size)
    _drop_snapshots_above(log, log.log_end_offset)


def _drop_snapshots_above(log: Log, offset: int) -> None:
    for each in [each for each in log.snapshots if each > offset]:
        log.snapshots.remove(each)
        log.disk.finish(log.disk.remove(f"{log.folder}/{stem(each)}{SNAPSHOT}"))


def _complete_epochs(log: Log) -> None:
    """The epochs begin where the log does; how they began is in the batch there, if the file has forgotten it."""
    log.epochs.truncate_start(log.log_start_offset)
    entries = log.epochs.entries()
    if log.segments[0].size and (not entries or entries[0][1] > log.log_start_offset):
        header = log.segments[0].file.read_now(0, HEADER_BYTES)
        if len(header) == HEADER_BYTES:
            log.epochs.begin_with(HEADER.unpack(header)[LEADER_EPOCH], log.log_start_offset)


# -- after a clean end ------------------------------------------------------------------------------------------------


def _load_clean(log: Log) -> bool:
    """Take the files as they are; false when the end of the log does not look like a clean one after all."""
    segment = log.active
    next_offset = segment.base_offset
    if segment.size:
        last = segment.offsets.last()
        position = last[1] if last is not None else 0
        if position >= segment.size:
            return False
        segment.largest_timestamp()
        try:
            next_offset = _walk(segment, position, None)
        except StorageFault:
            return False
    else:
        _forget(segment)  # what indexes may be there were of batches that were cut off
    log.log_end_offset = log.checkpointed_offset = next_offset
    if log.snapshots:
        rebuild_producers(log, next_offset)
    else:
        log.producers.restore({}, next_offset)  # as Kafka: after a clean end without a snapshot there were none
    return True


def _walk(segment: Segment, position: int, end_offset: int | None) -> int:
    """Walk the headers from an index entry to ``end_offset``, or to the end of the file; the offset behind the last.

    The segment's largest timestamp and distance from the last index entry are right then. Raises StorageFault when the
    batches do not fill the file, or do not reach the end offset.
    """
    next_offset = segment.base_offset
    segment.bytes_since_index = 0
    walk = HeaderWalk(segment.file, position, waits_here=True)
    while next_offset != end_offset and run_here(walk.more()):
        if walk.base_offset < next_offset or walk.position + walk.size > segment.size:
            raise StorageFault(segment.file.path, f"holds no sound batch at position {walk.position}")
        timestamp = walk.fields()[MAX_TIMESTAMP]
        if timestamp > segment.max_timestamp:
            segment.max_timestamp, segment.max_timestamp_offset = timestamp, walk.last_offset
        next_offset = walk.last_offset + 1
        segment.bytes_since_index += walk.size
        walk.skip()
    if end_offset is not None and next_offset != end_offset:
        raise StorageFault(segment.file.path, f"ends at offset {next_offset}, expected {end_offset}")
    return next_offset


def rebuild_producers(log: Log, end_offset: int) -> None:
    """The producers as they were at ``end_offset``: the newest sound snapshot, and the headers behind it."""
    log.producers.restore({}, log.segments[0].base_offset)
    # A snapshot from before the first segment is no use: what came between it and the segment is gone.
    sound = [offset for offset in log.snapshots if log.segments[0].base_offset <= offset <= end_offset]
    for offset in sorted(sound, reverse=True):
        path = f"{log.folder}/{stem(offset)}{SNAPSHOT}"
        try:
            log.producers.restore(decode_snapshot(path, log.disk.read_whole(path)), offset)
            break
        except StorageFault:
            continue  # torn: an older one will do
    begin = log.producers.end_offset
    if begin >= end_offset:
        return
    segment: Segment | None = log.segment_for(begin)
    while segment is not None and segment.base_offset < end_offset:
        _replay_segment(log, segment, begin, end_offset)
        segment = log.segment_after(segment)
    log.producers.end_offset = end_offset


def _replay_segment(log: Log, segment: Segment, begin: int, end_offset: int) -> None:
    relative = max(begin - segment.base_offset, 0)
    segment.offsets.load_now()
    walk = HeaderWalk(segment.file, segment.offsets.position_for(relative), waits_here=True)
    # What is behind the end offset was not checked yet and may be anything: it is not even looked at.
    while walk.last_offset + 1 < end_offset and run_here(walk.more()):
        if walk.last_offset >= begin:
            fields = walk.fields()
            if fields[PRODUCER_ID] < 0:
                pass
            elif is_marker(fields):
                replay_marker(log.producers, Batch(segment.file.read_now(walk.position, walk.size)))
            else:
                replay_header(log.producers, fields)
        walk.skip()


# -- after a crash ----------------------------------------------------------------------------------------------------


def _recover(log: Log, recovery_point: int) -> None:
    """See the module."""
    begin = max(recovery_point, log.segments[0].base_offset)
    first = log.segments.index(log.segment_for(begin))
    segment = log.segments[first]
    begin, position = _trusted_part(log, segment, begin)
    log.checkpointed_offset = begin
    _drop_snapshots_above(log, begin)  # they may be of batches that are not there
    rebuild_producers(log, begin)
    log.epochs.truncate_end(begin)
    recovered = log.recovered = Recovered(begin)
    # Compaction leaves gaps between segments, but only below the checkpoint: behind it one means that something is
    # missing. Where there is no checkpoint (its file was lost) a compacted log gets the benefit of the doubt.
    gaps_are_right = not recovery_point and "compact" in log.config.cleanup_policy
    next_offset = begin
    for index in range(first, len(log.segments)):
        segment = log.segments[index]
        if index > first:
            if segment.base_offset < next_offset or (segment.base_offset > next_offset and not gaps_are_right):
                recovered.reason = f"segment {segment.base_offset} does not begin at {next_offset}"
                _drop_from(log, index, recovered)
                break
            _forget(segment)
            position = 0
            next_offset = segment.base_offset  # a gap that is right; the log never ends before its last segment
        segment.flushed_bytes = position
        found = scan_segment(log, segment, position, next_offset)
        next_offset = found.next_offset
        recovered.batches += found.batches
        recovered.scanned_bytes += found.position - position
        log.unflushed.append(segment)
        if found.reason:
            recovered.reason = f"{found.reason} at position {found.position} of segment {segment.base_offset}"
            recovered.cut_bytes += segment.size - found.position
            segment.file.truncate(found.position)
            _drop_from(log, index + 1, recovered)
            break
    log.log_end_offset = next_offset
    log.producers.end_offset = next_offset
    log.epochs.truncate_end(next_offset)
    if first and begin == log.segments[first].base_offset:
        _complete_indexes(log, log.segments[first - 1], begin)
    log.unchecked_bytes = recovered.scanned_bytes
    _close_scanned(log, first, recovered)


def _complete_indexes(log: Log, segment: Segment, end_offset: int) -> None:
    """The segment may have been closed after its indexes were written, or cut before: they are not quite right then."""
    _walk(segment, _keep_below(segment, end_offset), None)
    segment.finish_times()
    _write_indexes(log, [segment])  # also when they seem complete: they may be in the page cache only
    log.disk.finish(log.disk.sync_folder(log.folder))


def _rebuild_indexes(log: Log, names: list[str]) -> None:
    """Closed segments whose indexes are missing get new ones, from their headers, as in Kafka."""
    known = set(names)
    rebuilt: list[Segment] = []
    for segment in log.segments[:-1]:
        path = stem(segment.base_offset)
        if path + OFFSET_INDEX in known and path + TIME_INDEX in known:
            continue
        _forget(segment)
        walk = HeaderWalk(segment.file, 0, waits_here=True)
        while run_here(walk.more()):
            timestamp = walk.fields()[MAX_TIMESTAMP]
            segment.on_batch(walk.position, walk.size, walk.last_offset, timestamp, log.config.index_interval_bytes)
            walk.skip()
        segment.finish_times()
        rebuilt.append(segment)
    if rebuilt:
        _write_indexes(log, rebuilt)
        log.disk.finish(log.disk.sync_folder(log.folder))


def _write_indexes(log: Log, segments: list[Segment]) -> None:
    files = [file for segment in segments for file in segment.write_indexes()]
    log.disk.finish(all_done([file.flush() for file in files]))
    for file in files:
        file.close()


def _begin_anew(log: Log, now_ms: int) -> None:
    """What DeleteRecords had left was never flushed, and is lost: the log is empty, at its start (as in Kafka)."""
    _drop_from(log, 0, Recovered(0))
    log.segments = [Segment(log.disk, log.folder, log.log_start_offset, log.cache, now_ms, is_new=True)]
    log.names_changed += 1
    log.unflushed.clear()
    log.epochs.clear()
    log.log_end_offset = log.checkpointed_offset = log.log_start_offset
    log.producers.restore({}, log.log_end_offset)


def _trusted_part(log: Log, segment: Segment, begin: int) -> tuple[int, int]:
    """Offset and position in ``segment`` from which to scan; what its indexes have behind it is forgotten.

    That is ``begin`` if the index and the headers lead there, else the start of the segment.
    """
    if begin > segment.base_offset:
        position = _keep_below(segment, begin)
        try:
            _walk(segment, position, begin)
            return begin, position + segment.bytes_since_index
        except StorageFault:
            pass  # the folder is not the one that the checkpoint is of, or the disk lost what it had promised to keep
    _forget(segment)
    return segment.base_offset, 0


def _keep_below(segment: Segment, offset: int) -> int:
    """Forget index entries that are not of batches below ``offset``; the position of the last one that stays."""
    relative = offset - segment.base_offset
    segment.offsets.keep_sound()
    segment.times.keep_sound()
    size = segment.size
    _forget_last(segment.offsets, lambda entry: entry[0] >= relative or entry[1] >= size)
    _forget_last(segment.times, lambda entry: entry[1] >= relative)
    segment.max_timestamp = UNKNOWN_TIMESTAMP
    segment.largest_timestamp()
    last = segment.offsets.last()
    return last[1] if last is not None else 0


def _forget_last(index: SparseIndex, is_wrong: Callable[[tuple[int, ...]], bool]) -> None:
    """Drop entries from the end as long as they are wrong: few are, of hundreds of thousands."""
    while (last := index.last()) is not None and is_wrong(last):
        index.keep(index.count - 1)


def _forget(segment: Segment) -> None:
    """Nothing that is derived from the batches is known."""
    segment.offsets.keep(0)
    segment.times.keep(0)
    segment.bytes_since_index = 0
    segment.max_timestamp = segment.first_timestamp = NO_TIMESTAMP
    segment.max_timestamp_offset = segment.base_offset


def _drop_from(log: Log, index: int, recovered: Recovered) -> None:
    """Remove the segments from ``index`` on."""
    for segment in log.segments[index:]:
        recovered.cut_bytes += segment.size
        segment.file.close()
        segment.offsets.drop()
        segment.times.drop()
        for path in segment.paths():
            log.disk.finish(log.disk.remove(path))
    if log.segments[index:]:
        log.disk.finish(log.disk.sync_folder(log.folder))  # else they may be back after a clean end
    del log.segments[index:]


def _close_scanned(log: Log, first: int, recovered: Recovered) -> None:
    """Closed segments among those that were scanned get their indexes; if nothing was found none has to be flushed."""
    if not recovered.scanned_bytes and not recovered.cut_bytes:
        log.unflushed.clear()
        if log.checkpointed_offset > log.segments[0].base_offset:
            log.names_safe = log.names_changed  # its checkpoint was written after its names were safe
        return
    for segment in log.segments[first:-1]:
        segment.finish_times()
    _write_indexes(log, log.segments[first:-1])


def _flush(log: Log, flushes: list[Ticket[int]] | None) -> None:
    """What was found is on stable storage before it is read."""
    if flushes is None:
        log.disk.finish(log.flush())
    else:
        flushes.append(log.flush())
