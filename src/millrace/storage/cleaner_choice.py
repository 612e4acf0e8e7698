"""Which log the cleaner takes next, and what it may clean of it: Kafka's rules.

- Cleaned is from the log's start to the first offset that must stay as it is: the active segment's, that of the first
  segment with a record younger than ``min.compaction.lag.ms``, or the last stable offset.
- A log is taken when its dirty part is more than ``min.cleanable.dirty.ratio`` of that, or when its dirty part has
  records older than ``max.compaction.lag.ms`` (KIP-354). The dirtiest is first.
- *Eager* logs, those of our own machines, are read back at every start, so they are kept short: they count as dirty
  when their dirty part is larger than a fixed size and than their clean part, whatever the ratio says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from millrace.base.limits import CLEANER_TABLE_LOAD
from millrace.kafka.batch import HEADER, HEADER_BYTES
from millrace.kafka.removal_marks import METADATA_TOPIC
from millrace.storage.cleaner import CleanJob, LastBatch, SealedSegment
from millrace.storage.indexes import OffsetIndex, TimeIndex
from millrace.storage.log import Log
from millrace.storage.names import TRANSACTION_INDEX, stem
from millrace.storage.segment import Segment
from millrace.storage.settings import LogConfig

FOREVER_MS = (1 << 63) - 1


class CompactionConfig(LogConfig, Protocol):
    """What the cleaner reads of a topic's configuration beyond what the log reads."""

    @property
    def delete_retention_ms(self) -> int: ...
    @property
    def max_compaction_lag_ms(self) -> int: ...
    @property
    def min_cleanable_dirty_ratio(self) -> float: ...
    @property
    def min_compaction_lag_ms(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A compacted log. ``clean_offset`` is the cleaner's checkpoint, None when it was never cleaned.

    ``eager_bytes`` makes it an eager one: so much dirty is worth a cleaning.
    """

    log: Log
    config: CompactionConfig
    clean_offset: int | None
    last_stable_offset: int
    eager_bytes: int | None = None

    @property
    def is_eager(self) -> bool:
        return self.eager_bytes is not None


@dataclass(frozen=True, slots=True)
class Cleanable:
    """What can be cleaned of a candidate now."""

    candidate: Candidate
    segments: list[Segment]  # from the log's first up to where cleaning must stop
    first_dirty_offset: int
    end_offset: int
    clean_bytes: int
    dirty_bytes: int
    is_overdue: bool  # max.compaction.lag.ms has passed

    @property
    def dirty_ratio(self) -> float:
        total = self.clean_bytes + self.dirty_bytes
        return self.dirty_bytes / total if total else 0.0

    @property
    def urgency(self) -> float:
        """What is larger is cleaned first, among eager logs and among the others."""
        return self.dirty_bytes if self.candidate.is_eager else self.dirty_ratio

    @property
    def is_worth_it(self) -> bool:
        if not self.dirty_bytes:
            return False
        if self.candidate.eager_bytes is not None:
            return self.dirty_bytes >= max(self.candidate.eager_bytes, self.clean_bytes)
        return self.is_overdue or self.dirty_ratio > self.candidate.config.min_cleanable_dirty_ratio


def choose(candidates: Iterable[Candidate], now_ms: int) -> Cleanable | None:
    """The dirtiest of the logs that are worth it; None when there is none."""
    best: Cleanable | None = None
    for candidate in candidates:
        found = cleanable(candidate, now_ms)
        if found is None or not found.is_worth_it:
            continue
        if best is None or found.urgency > best.urgency:
            best = found
    return best


def cleanable(candidate: Candidate, now_ms: int) -> Cleanable | None:
    """What may be cleaned of a log; None when no segment may."""
    log = candidate.log
    sealed = log.segments_for_cleaning()
    if not sealed:
        return None
    first_dirty = _first_dirty_offset(candidate)
    following = [segment.base_offset for segment in log.segments[1 : len(sealed) + 1]]
    lag_ms = max(candidate.config.min_compaction_lag_ms, 0)
    count = 0
    for segment, next_base in zip(sealed, following, strict=True):
        if next_base > candidate.last_stable_offset:
            break
        if lag_ms and next_base > first_dirty and segment.largest_timestamp() > now_ms - lag_ms:
            break
        count += 1
    segments = sealed[:count]
    if not segments:
        return None
    end_offset = following[count - 1]
    clean_bytes = dirty_bytes = 0
    for segment, next_base in zip(segments, following, strict=False):
        if next_base <= first_dirty:
            clean_bytes += segment.size
        else:
            dirty_bytes += segment.size
    dirty = [segment for segment, next_base in zip(segments, following, strict=False) if next_base > first_dirty]
    return Cleanable(
        candidate, segments, first_dirty, end_offset, clean_bytes, dirty_bytes, _is_overdue(candidate, dirty, now_ms)
    )


def _first_dirty_offset(candidate: Candidate) -> int:
    """The checkpoint, unless it is outside of the log: DeleteRecords or a truncation has passed it."""
    log = candidate.log
    clean_offset = candidate.clean_offset
    if clean_offset is None or not log.log_start_offset <= clean_offset <= log.log_end_offset:
        return log.log_start_offset
    return clean_offset


def _is_overdue(candidate: Candidate, dirty: list[Segment], now_ms: int) -> bool:
    lag_ms = candidate.config.max_compaction_lag_ms
    if lag_ms == FOREVER_MS:
        return False
    times = [time for time in map(_first_timestamp, dirty) if time > 0]
    return bool(times) and min(times) < now_ms - max(lag_ms, 0)


def _first_timestamp(segment: Segment) -> int:
    """The largest timestamp of the segment's first batch, -1 when it has none."""
    header = segment.file.read_now(0, HEADER_BYTES)
    return int(HEADER.unpack(header)[8]) if len(header) == HEADER_BYTES else -1


def job_for(found: Cleanable, now_ms: int, *, table_bytes_max: int, table_load: float = CLEANER_TABLE_LOAD) -> CleanJob:
    """What the cleaner must be told to clean it."""
    log, config = found.candidate.log, found.candidate.config
    return CleanJob(
        folder=log.folder,
        segments=tuple(
            SealedSegment(
                segment.base_offset,
                segment.size,
                segment.offsets.count * OffsetIndex.ENTRY.size,
                segment.times.count * TimeIndex.ENTRY.size,
            )
            for segment in found.segments
        ),
        first_dirty_offset=found.first_dirty_offset,
        end_offset=found.end_offset,
        now_ms=now_ms,
        delete_retention_ms=config.delete_retention_ms,
        segment_bytes=config.segment_bytes,
        segment_index_bytes=config.segment_index_bytes,
        index_interval_bytes=config.index_interval_bytes,
        table_bytes_max=table_bytes_max,
        table_load_factor=table_load,
        transaction_indexes=tuple(
            segment.base_offset
            for segment in log.segments
            if log.disk.exists(f"{log.folder}/{stem(segment.base_offset)}{TRANSACTION_INDEX}")
        ),
        last_batches=tuple(
            LastBatch(producer_id, producer.epoch, producer.last_offset)
            for producer_id, producer in log.producers.items()
        ),
        has_removal_marks=log.folder.rpartition("-")[0] == METADATA_TOPIC,
    )
