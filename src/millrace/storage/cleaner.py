"""Compaction of one log: what is needed of its sealed segments is written anew, the rest is left out.

Kafka's rules, batch by batch, checked byte for byte against Kafka's cleaner:

1. The *dirty* part (from where the last cleaning ended) is read into a :class:`KeyTable`: each key's latest offset.
   When the table is full, this pass ends there and the next one goes on.
2. All segments up to there are read again, in groups that together fit one segment, and written as ``.cleaned`` files:
   a record stays if no later one of its key is in the table. Offsets, order, codec and producer fields stay.
3. A tombstone stays until the *delete horizon* of its batch, set when it is first cleaned (KIP-534), so that a reader
   who is under way sees it. Markers of transactions likewise, and in the metadata log the marks of removal.
4. A batch left without records goes, unless it is the last one of a producer that is still active (its sequence would
   be forgotten) or the last one of the round (the log's end would move): then its header stays.

Here only files are read and written; the log swaps each group in (``Log.swap_cleaned``). All of it holds the GIL for
long, so it runs in a child process (``runtime/cleaning``), on the Disk port like everything in storage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from millrace.base.errors import Refused, StorageFault
from millrace.base.limits import DECOMPRESSED_BYTES_MAX
from millrace.base.ports import Disk, File, Ticket, all_done
from millrace.kafka.batch import DELETE_HORIZON_BIT, HEADER_BYTES, Batch, batch_size
from millrace.kafka.record import Record, iter_records, rebuild_batch, record_keys
from millrace.kafka.removal_marks import is_removal_mark
from millrace.storage import names
from millrace.storage.cleaner_map import KeyTable
from millrace.storage.cleaner_transactions import (
    AbortedTransaction,
    TransactionFilter,
    decode_transaction_index,
    encode_transaction_index,
)
from millrace.storage.indexes import RELATIVE_OFFSET_MAX, OffsetIndex, TimeIndex
from millrace.storage.sparse_index import IndexCache

_WRITE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class SealedSegment:
    """A segment that is no longer written, as the cleaner sees it."""

    base_offset: int
    size_bytes: int
    offset_index_bytes: int = 0
    time_index_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LastBatch:
    """Where an active producer's state hangs: its last data batch, or (-1) its last marker by epoch."""

    producer_id: int
    producer_epoch: int
    last_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanJob:
    """All that one cleaning needs to know; plain values, so that it can cross to another process."""

    folder: str
    segments: tuple[SealedSegment, ...]  # all from the log's first to the one before the first that may not be cleaned
    first_dirty_offset: int
    end_offset: int  # base offset of the first segment that may not be cleaned
    now_ms: int
    delete_retention_ms: int
    segment_bytes: int
    segment_index_bytes: int
    index_interval_bytes: int
    table_bytes_max: int
    table_load_factor: float = 0.9
    read_bytes: int = 1 << 20
    transaction_indexes: tuple[int, ...] = ()  # base offsets of all segments of the log that have one
    last_batches: tuple[LastBatch, ...] = ()
    has_removal_marks: bool = False  # the metadata log: see kafka/removal_marks


@dataclass(frozen=True, slots=True)
class CleanedGroup:
    """One group of segments that was written anew as ``<new_base>*.cleaned``; the bytes are on stable storage."""

    old_bases: tuple[int, ...]
    new_base: int
    size_bytes: int
    has_transaction_index: bool


@dataclass(slots=True)
class CleanStats:
    """What a cleaning did, for its log line and the metrics."""

    map_records: int = 0
    read_bytes: int = 0
    read_records: int = 0
    kept_bytes: int = 0
    kept_records: int = 0
    keyless_records: int = 0
    table_was_full: bool = False


@dataclass(slots=True)
class Cleaning:
    """One cleaning: swap in what :meth:`groups` yields, then store ``end_offset`` as the cleaner's checkpoint."""

    disk: Disk
    job: CleanJob
    stats: CleanStats = field(default_factory=CleanStats)
    end_offset: int = -1
    _table: KeyTable | None = None

    def groups(self) -> Iterator[CleanedGroup]:
        """Clean; each group is yielded as soon as its files are flushed."""
        job = self.job
        assert job.segments, "a cleaning has at least one sealed segment"
        keys = max(0, job.end_offset - job.first_dirty_offset)
        table = self._table = KeyTable(keys, job.table_bytes_max, job.table_load_factor)
        aborted = self._aborted_transactions()
        self._fill(table, aborted)
        self.end_offset = table.latest_offset + 1
        transactions = TransactionFilter(aborted)
        segments = [segment for segment in job.segments if segment.base_offset < self.end_offset]
        for group in group_segments(segments, job):
            yield self._clean_group(group, table, transactions)

    def _aborted_transactions(self) -> list[AbortedTransaction]:
        found: list[AbortedTransaction] = []
        for base in self.job.transaction_indexes:
            path = _path(self.job.folder, base, names.TRANSACTION_INDEX)
            found += decode_transaction_index(self.disk.read_whole(path), path)
        return found

    def _fill(self, table: KeyTable, aborted: Sequence[AbortedTransaction]) -> None:
        """The latest offset of each key of the dirty part, as far as the table has room."""
        job = self.job
        start = job.first_dirty_offset
        transactions = TransactionFilter(each for each in aborted if each.last_offset >= start)
        ends = [segment.base_offset for segment in job.segments[1:]] + [job.end_offset]
        for segment, next_base in zip(job.segments, ends, strict=True):
            if next_base <= start:
                continue
            path = _path(job.folder, segment.base_offset, names.LOG)
            for batch in self._batches(path, segment.size_bytes):
                if batch.last_offset < start:
                    continue
                if transactions.can_discard(batch) or batch.is_control:
                    table.advance(batch.last_offset)
                    continue
                for offset, key, _ in self._keys(batch, path):
                    if key is None or offset < start:
                        continue
                    if not table.put(key, offset):
                        self.stats.table_was_full = True
                        return
                self.stats.map_records += batch.record_count
                table.advance(batch.last_offset)
            table.advance(next_base - 1)  # offsets may be missing at a segment's end

    def _clean_group(
        self, group: Sequence[SealedSegment], table: KeyTable, transactions: TransactionFilter
    ) -> CleanedGroup:
        job = self.job
        transactions.kept = []
        writer = CleanedSegment(self.disk, job.folder, group[0].base_offset, job.index_interval_bytes)
        last_batches = {each.producer_id: each for each in job.last_batches}
        for segment in group:
            path = _path(job.folder, segment.base_offset, names.LOG)
            for batch in self._batches(path, segment.size_bytes):
                self.stats.read_bytes += batch.size
                self._clean_batch(batch, path, table, transactions, last_batches, writer)
        size_bytes = writer.finish(transactions.kept)
        self.stats.kept_bytes += size_bytes
        return CleanedGroup(
            tuple(segment.base_offset for segment in group),
            group[0].base_offset,
            size_bytes,
            bool(transactions.kept),
        )

    def _clean_batch(
        self,
        batch: Batch,
        path: str,
        table: KeyTable,
        transactions: TransactionFilter,
        last_batches: dict[int, LastBatch],
        writer: CleanedSegment,
    ) -> None:
        """Write what is left of one batch."""
        job = self.job
        horizon_ms = batch.base_timestamp if batch.attributes & DELETE_HORIZON_BIT else None
        discard = transactions.can_discard(batch)
        is_empty_marker = discard and batch.is_control
        if is_empty_marker:
            discard = horizon_ms is not None and horizon_ms <= job.now_ms
        keep_header = _is_last_of_producer(batch, last_batches) or batch.next_offset == job.end_offset
        if discard and not keep_header:
            return
        self.stats.read_records += batch.record_count
        if discard:
            kept: list[int] = []
            has_tombstones = False
        elif batch.is_control:
            kept = list(range(batch.record_count))
            has_tombstones = False
        else:
            keep_tombstones = horizon_ms is None or job.now_ms < horizon_ms
            kept, has_tombstones = self._kept(self._keys(batch, path), table, keep_tombstones)
        self.stats.kept_records += len(kept)
        if not kept:
            if keep_header:
                writer.append(rebuild_batch(batch, []))
            return
        new_horizon_ms = None
        if horizon_ms is None and (is_empty_marker or has_tombstones):
            new_horizon_ms = job.now_ms + job.delete_retention_ms
        if new_horizon_ms is None and len(kept) == batch.record_count:
            writer.append(batch.buffer)
            return
        records = self._records(batch, path)
        writer.append(rebuild_batch(batch, [records[index] for index in kept], delete_horizon_ms=new_horizon_ms))

    def _kept(
        self, facts: list[tuple[int, bytes | None, bool]], table: KeyTable, keep_tombstones: bool
    ) -> tuple[list[int], bool]:
        """Which records of a batch stay, by index; and whether there is a tombstone among them."""
        latest_offset = table.latest_offset
        kept: list[int] = []
        has_tombstones = False
        for index, (offset, key, has_value) in enumerate(facts):
            if offset > latest_offset:
                pass
            elif key is None:
                # Written before the topic was compacted: nothing can ever replace it, so Kafka drops it at once.
                self.stats.keyless_records += 1
                continue
            elif offset < table.get(key) or not (has_value or keep_tombstones):
                continue
            kept.append(index)
            if not has_value:
                has_tombstones = True
        return kept, has_tombstones

    def _keys(self, batch: Batch, path: str) -> list[tuple[int, bytes | None, bool]]:
        if self.job.has_removal_marks:
            records = self._records(batch, path)
            return [(record.offset, record.key, not is_removal_mark(record.value)) for record in records]
        try:
            return record_keys(batch, DECOMPRESSED_BYTES_MAX)
        except Refused as refused:
            raise _unreadable(path, refused) from refused

    def _records(self, batch: Batch, path: str) -> list[Record]:
        try:
            return list(iter_records(batch, DECOMPRESSED_BYTES_MAX))
        except Refused as refused:
            raise _unreadable(path, refused) from refused

    def _batches(self, path: str, size_bytes: int) -> Iterator[Batch]:
        return read_batches(self.disk.open(path), size_bytes, self.job.read_bytes)


def _path(folder: str, base_offset: int, ending: str) -> str:
    return f"{folder}/{names.stem(base_offset)}{ending}"


def _unreadable(path: str, refused: Refused) -> StorageFault:
    return StorageFault(path, f"cannot be cleaned: {refused.message}")


def _is_last_of_producer(batch: Batch, last_batches: dict[int, LastBatch]) -> bool:
    if not batch.has_producer:
        return False
    last = last_batches.get(batch.producer_id)
    if last is None:
        return False
    if last.last_offset >= 0:
        return batch.last_offset == last.last_offset
    return batch.is_control and batch.producer_epoch == last.producer_epoch


def read_batches(file: File, size_bytes: int, read_bytes: int) -> Iterator[Batch]:
    """Every batch in the first ``size_bytes`` of a log file, read in pieces; what is not right is a StorageFault."""
    position = 0
    wanted_bytes = read_bytes
    try:
        while position < size_bytes:
            asked_bytes = min(wanted_bytes, size_bytes - position)
            piece = file.read_now(position, asked_bytes)
            if len(piece) < asked_bytes:
                raise StorageFault(file.path, f"ends at {position + len(piece)}, expected {size_bytes} bytes")
            wanted_bytes = read_bytes
            consumed = 0
            while consumed < len(piece):
                remaining = size_bytes - position - consumed
                size = batch_size(piece, consumed) or HEADER_BYTES
                if not HEADER_BYTES <= size <= remaining:
                    raise StorageFault(
                        file.path, f"a batch at position {position + consumed} announces {size} bytes of {remaining}"
                    )
                if size > len(piece) - consumed:
                    wanted_bytes = max(size, read_bytes)
                    break
                batch = Batch(piece, consumed)
                if not batch.is_valid_crc:
                    raise StorageFault(file.path, f"the batch at position {position + consumed} has a wrong checksum")
                yield batch
                consumed += size
            position += consumed
    finally:
        file.close()


def group_segments(segments: Sequence[SealedSegment], job: CleanJob) -> Iterator[list[SealedSegment]]:
    """Neighbours that together make one segment: neither its size nor its indexes nor its offsets get too large."""
    group: list[SealedSegment] = []
    for number, segment in enumerate(segments):
        next_base = segments[number + 1].base_offset if number + 1 < len(segments) else job.end_offset
        if group and not _fits(group, segment, next_base - 1, job):
            yield group
            group = []
        group.append(segment)
    if group:
        yield group


def _fits(group: Sequence[SealedSegment], segment: SealedSegment, last_offset: int, job: CleanJob) -> bool:
    if sum(each.size_bytes for each in group) + segment.size_bytes > job.segment_bytes:
        return False
    if sum(each.offset_index_bytes for each in group) + segment.offset_index_bytes > job.segment_index_bytes:
        return False
    if sum(each.time_index_bytes for each in group) + segment.time_index_bytes > job.segment_index_bytes:
        return False
    return segment.size_bytes == 0 or last_offset - group[0].base_offset <= RELATIVE_OFFSET_MAX


class CleanedSegment:
    """The files of one new segment, named ``.cleaned`` until the log takes them."""

    __slots__ = (
        "_base_offset", "_bytes_since_entry", "_disk", "_index_interval_bytes", "_log", "_max_timestamp",
        "_max_timestamp_offset", "_offset_index", "_pending", "_pending_bytes", "_position", "_stem", "_time_index",
    )  # fmt: skip

    def __init__(self, disk: Disk, folder: str, base_offset: int, index_interval_bytes: int) -> None:
        self._disk = disk
        self._base_offset = base_offset
        self._stem = f"{folder}/{names.stem(base_offset)}"
        for ending in names.SEGMENT_FILES:  # what a cleaning that did not end left behind
            disk.finish(disk.remove(self._stem + ending + names.CLEANED))
        cache = IndexCache()
        self._log = disk.open(self._stem + names.LOG + names.CLEANED, create=True)
        self._offset_index = OffsetIndex(disk, self._stem + names.OFFSET_INDEX + names.CLEANED, cache, is_new=True)
        self._time_index = TimeIndex(disk, self._stem + names.TIME_INDEX + names.CLEANED, cache, is_new=True)
        self._index_interval_bytes = index_interval_bytes
        self._bytes_since_entry = 0
        self._position = 0
        self._max_timestamp = -1
        self._max_timestamp_offset = base_offset
        self._pending: list[bytes | bytearray | memoryview] = []
        self._pending_bytes = 0

    def append(self, buffer: bytes | bytearray | memoryview) -> None:
        batch = Batch(buffer)
        assert batch.size == len(buffer), f"a batch of {batch.size} bytes in {len(buffer)}"
        if batch.max_timestamp > self._max_timestamp:
            self._max_timestamp = batch.max_timestamp
            self._max_timestamp_offset = batch.last_offset
        if self._bytes_since_entry > self._index_interval_bytes:
            self._offset_index.add(batch.last_offset - self._base_offset, self._position)
            self._time_index.maybe_add(self._max_timestamp, self._max_timestamp_offset - self._base_offset)
            self._bytes_since_entry = 0
        self._position += len(buffer)
        self._bytes_since_entry += len(buffer)
        self._pending.append(buffer)
        self._pending_bytes += len(buffer)
        if self._pending_bytes >= _WRITE_BYTES:
            self._write()

    def finish(self, aborted: Sequence[AbortedTransaction]) -> int:
        """Write the rest and the indexes, wait until all is on stable storage; the size of the log file."""
        self._write()
        self._time_index.maybe_add(self._max_timestamp, self._max_timestamp_offset - self._base_offset)
        files: list[File] = [self._log, self._offset_index.write(), self._time_index.write()]
        if aborted:
            file = self._disk.open(self._stem + names.TRANSACTION_INDEX + names.CLEANED, create=True)
            file.append((encode_transaction_index(aborted),))
            files.append(file)
        flushes: list[Ticket[None]] = [file.flush() for file in files]
        self._disk.finish(all_done(flushes))
        for file in files:
            file.close()
        return self._position

    def _write(self) -> None:
        if self._pending:
            self._log.append(self._pending)
            self._pending = []
            self._pending_bytes = 0
