"""What makes a log shorter at its start: retention by time and size, DeleteRecords; and how dropped segments go.

Only whole segments are dropped. As in Kafka the largest timestamp in a segment decides about its age, the active
segment is closed first if it is past too, and a dropped segment's files are renamed to ``.deleted`` and removed after
``file.delete.delay.ms``, or later if somebody still reads from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.errors import DiskFull, Refused
from millrace.base.ports import Ticket, done
from millrace.kafka.codes import OFFSET_OUT_OF_RANGE
from millrace.storage.names import DELETED, SNAPSHOT, stem
from millrace.storage.segment import Segment
from millrace.storage.steps import Steps, run_ticket

if TYPE_CHECKING:
    from millrace.storage.log import Log


class Doomed:
    """A dropped segment. ``due_ms`` is when its files may go; None until the next look at the clock."""

    __slots__ = ("due_ms", "paths", "segment")

    def __init__(self, segment: Segment, paths: list[str]) -> None:
        self.segment = segment
        self.paths = paths
        self.due_ms: int | None = None


def retain(log: Log, now_ms: int, high_watermark: int | None) -> int:
    """See ``Log.retain``. Nothing at or above the high watermark is dropped."""
    if log.is_deleted:
        return 0
    remove_due(log, now_ms)
    limit = log.log_end_offset if high_watermark is None else min(high_watermark, log.log_end_offset)
    count = _past_start(log)
    if "delete" in log.config.cleanup_policy:
        count = max(count, _past_size(log, limit), _past_time(log, now_ms, limit))
    if not count:
        return 0
    if count == len(log.segments):
        log.roll(now_ms)
    _move_start(log, log.segments[count].base_offset)
    _drop_first(log, count)
    return count


def _ends(log: Log) -> list[tuple[Segment, int]]:
    """Each segment with the offset behind it."""
    bases = [segment.base_offset for segment in log.segments[1:]]
    return list(zip(log.segments, [*bases, log.log_end_offset], strict=True))


def _past_start(log: Log) -> int:
    """How many of the first segments end at or below the log's start."""
    count = 0
    while count + 1 < len(log.segments) and log.segments[count + 1].base_offset <= log.log_start_offset:
        count += 1
    return count


def _is_unused(log: Log, segment: Segment) -> bool:
    """Whether nothing was ever written to it; a closed segment without a byte is what compaction left of one."""
    return segment is log.active and not segment.size


def _past_size(log: Log, limit: int) -> int:
    """How many may go so that ``retention.bytes`` still remain."""
    retention_bytes = log.config.retention_bytes
    if retention_bytes < 0:
        return 0
    surplus = log.size_bytes - retention_bytes
    count = 0
    for segment, end_offset in _ends(log):
        if end_offset > limit or _is_unused(log, segment) or surplus < segment.size:
            break
        surplus -= segment.size
        count += 1
    return count


def _past_time(log: Log, now_ms: int, limit: int) -> int:
    """How many have no record younger than ``retention.ms``."""
    retention_ms = log.config.retention_ms
    if retention_ms < 0:
        return 0
    count = 0
    for segment, end_offset in _ends(log):
        if end_offset > limit or _is_unused(log, segment):
            break
        if not segment.size:
            count += 1
            continue
        timestamp = segment.largest_timestamp()
        if timestamp < 0:
            timestamp = log.disk.modified_ms(segment.file.path)
        if now_ms - timestamp <= retention_ms:
            break
        count += 1
    return count


def delete_records_before(log: Log, offset: int) -> Ticket[None]:
    """See ``Log.delete_records_before``."""
    if offset > log.log_end_offset:
        raise Refused(OFFSET_OUT_OF_RANGE, f"offset {offset} of {log.folder}, which ends at {log.log_end_offset}")
    _move_start(log, offset)  # if it is there already, it may not be safe yet
    return _drop_first(log, _past_start(log))


def _move_start(log: Log, offset: int) -> None:
    if offset <= log.log_start_offset:
        return
    log.log_start_offset = offset
    log.recovery_point = max(log.recovery_point, offset)


def _drop_first(log: Log, count: int) -> Ticket[None]:
    """Drop segments below the log's start, which is kept safe first: a crash must not leave a gap between segments."""
    kept = log.owner.keep_offsets(log) if log.owner is not None else done()
    dropped = log.segments[:count]
    del log.segments[:count]
    log.dropped += dropped
    log.forget_places()

    def on_kept(ticket: Ticket[None]) -> None:
        if ticket.error is None:
            while dropped and log.dropped and log.dropped[0].base_offset <= dropped[-1].base_offset:
                doom_next(log)
            _end_drop(log)
        elif isinstance(ticket.error, DiskFull) and not log.is_dropping:
            run_ticket(_doom_in_order(log))

    kept.then(on_kept)
    return kept


def _doom_in_order(log: Log) -> Steps[None]:
    """There is no room to keep the new start: segments go one by one, each safely before the next, to make room."""
    log.is_dropping = True
    try:
        while log.dropped:
            doom_next(log)
            yield log.disk.sync_folder(log.folder)
        _end_drop(log)
    finally:
        log.is_dropping = False


def doom_next(log: Log) -> None:
    """Rename the oldest dropped segment away. Until now it was flushed with the others: a crash would have brought it
    back, and without a gap."""
    segment = log.dropped.pop(0)
    log.unflushed = [each for each in log.unflushed if each is not segment]
    if not log.is_deleted:  # else another log may have its name by now
        doom(log, segment)


def _end_drop(log: Log) -> None:
    if not log.is_deleted:
        drop_snapshots(log, log.segments[0].base_offset)
        log.epochs.truncate_start(log.log_start_offset)


def doom(log: Log, segment: Segment) -> None:
    """Rename a segment's files out of the way; they are removed later. Who reads from them goes on."""
    if segment.is_gone:
        return
    segment.is_gone = True
    paths = [path for path in segment.paths() if log.disk.exists(path)]
    for path in paths:
        log.disk.rename(path, path + DELETED, [segment.file] if path == segment.file.path else [])
    segment.offsets.path += DELETED
    segment.times.path += DELETED
    if log.doomed is None:
        log.doomed = []
    log.doomed.append(Doomed(segment, [path + DELETED for path in paths]))


def remove_due(log: Log, now_ms: int) -> None:
    """Remove the files of dropped segments whose time has come and that nobody reads."""
    remaining: list[Doomed] = []
    for each in log.doomed or ():
        if each.due_ms is None:
            each.due_ms = now_ms + log.config.file_delete_delay_ms
        if now_ms < each.due_ms or each.segment.is_pinned or each.segment in log.segments:  # still being swapped
            remaining.append(each)
            continue
        each.segment.file.close()
        each.segment.offsets.drop()
        each.segment.times.drop()
        for path in each.paths:
            log.disk.remove(path)
    log.doomed = remaining or None


def drop_snapshots(log: Log, offset: int) -> None:
    """Remove producer snapshots that nothing needs, now that there is one at ``offset`` or the log begins there.

    Those where a segment begins stay, as in Kafka, and the newest.
    """
    if len(log.snapshots) < 2:
        return
    bases = {segment.base_offset for segment in log.segments}
    newest = max(log.snapshots)
    for each in [each for each in log.snapshots if each < min(offset, newest) and each not in bases]:
        log.snapshots.remove(each)
        log.disk.remove(f"{log.folder}/{stem(each)}{SNAPSHOT}")
