"""One partition's log: segments on a Disk, appended to at the end, read from anywhere, made safe by flushes.

All of it runs on the event loop's thread; what may block comes as a :class:`~millrace.base.ports.Ticket`. Offsets say
how safe the log is::

    log_start_offset ... checkpointed_offset ... recovery_point ... log_end_offset
                         a restart scans from here   flushed up to here   in the page cache

``flush`` moves ``recovery_point``. ``advance_checkpoint`` then writes the indexes and a producer snapshot, so that a
restart after a crash scans only what is behind it; it begins by itself every few MB. As in Kafka the snapshot's name
and the folder's ``recovery-point-offset-checkpoint`` say up to where; Kafka's own recovery can go on from both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter
from typing import Protocol

from millrace.base.checksum import crc32c
from millrace.base.errors import MillraceError, StorageFault
from millrace.base.limits import RECOVERY_BYTES_MAX
from millrace.base.ports import Buffer, Disk, File, Ticket, all_done, done
from millrace.kafka.batch import Batch
from millrace.storage import cutting, opening, retention, swapping
from millrace.storage.epochs import LeaderEpochs
from millrace.storage.file_slice import FileSlice
from millrace.storage.names import LEADER_EPOCHS, SNAPSHOT, TEMPORARY, stem
from millrace.storage.opening import Recovered
from millrace.storage.position import LogPosition
from millrace.storage.producer_snapshot import encode_snapshot
from millrace.storage.producers import ProducerStates
from millrace.storage.reading import Found, Reader
from millrace.storage.retention import Doomed
from millrace.storage.segment import Segment
from millrace.storage.settings import LogConfig
from millrace.storage.sparse_index import IndexCache

__all__ = ["Log", "LogPosition", "Owner"]

_BASE = attrgetter("base_offset")


class Owner(Protocol):
    """Who keeps offsets for a log across restarts: its folder, in checkpoint files."""

    def keep_offsets(self, log: Log) -> Ticket[None]:
        """``checkpointed_offset`` or ``log_start_offset`` has changed; done when that is on stable storage."""

    @property
    def recovery_bytes(self) -> int:
        """How much the log may append before its checkpoint moves."""

    def when_free(self, begin: Callable[[], Ticket[None]]) -> None:
        """Call ``begin`` now, or when fewer checkpoints are being written; it is over when its ticket is done."""


class Log:
    """See the module. Made by :meth:`open`. The methods are for everyone, the fields for the rooms of this floor."""

    __slots__ = (
        "_checkpoint",
        "_closed_segments",
        "_next_checkpoint",
        "_reader",
        "cache",
        "checkpointed_offset",
        "config",
        "cuts",
        "disk",
        "doomed",
        "dropped",
        "end",
        "epochs",
        "folder",
        "is_closed",
        "is_deleted",
        "is_dropping",
        "log_end_offset",
        "log_start_offset",
        "names_changed",
        "names_safe",
        "owner",
        "producers",
        "recovered",
        "recovery_point",
        "segments",
        "snapshots",
        "topic_id",
        "unchecked_bytes",
        "unflushed",
    )

    def __init__(
        self,
        disk: Disk,
        folder: str,
        config: LogConfig,
        *,
        cache: IndexCache,
        owner: Owner | None,
        topic_id: bytes | None,
    ) -> None:
        self.disk = disk
        self.folder = folder
        self.config = config
        self.topic_id = topic_id
        self.owner = owner
        self.cache = cache
        self.segments: list[Segment] = []
        self.log_start_offset = 0
        self.log_end_offset = 0
        self.end = LogPosition(0, 0, 0)
        self.recovery_point = 0
        self.checkpointed_offset = 0
        self.producers = ProducerStates(folder)
        self.epochs = LeaderEpochs(self)
        self.recovered: Recovered | None = None  # what an unclean start found; None after a clean one
        self.is_closed = False
        self.is_deleted = False
        self.is_dropping = False  # dropped segments are being renamed one by one
        self.unflushed: list[Segment] = []  # segments with bytes that are not flushed
        self.unchecked_bytes = 0  # appended since the last checkpoint began
        self.snapshots: list[int] = []  # offsets of the producer snapshots in the folder
        self.dropped: list[Segment] = []  # below the start; their files have their names until the start is safe
        self.doomed: list[Doomed] | None = None  # dropped segments whose files are not removed yet
        self.cuts = 0  # how often the log was truncated
        self.names_changed = 1  # counts changes of names in the folder; up to names_safe they are synced
        self.names_safe = 0
        self._reader = Reader(self)
        self._closed_segments: list[Segment] | None = None  # whose indexes are not safe yet
        self._checkpoint: Ticket[None] | None = None  # the one that is going on
        self._next_checkpoint: Ticket[None] | None = None

    @classmethod
    def open(
        cls,
        disk: Disk,
        folder: str,
        config: LogConfig,
        *,
        now_ms: int,
        recovery_point: int = 0,
        clean: bool = False,
        log_start_offset: int = 0,
        topic_id: bytes | None = None,
        owner: Owner | None = None,
        cache: IndexCache | None = None,
        flushes: list[Ticket[int]] | None = None,
    ) -> Log:
        """Open a log, or create it when it has no folder. At start-up only: it waits for the disk.

        ``clean``: the last process closed everything, so the files are right as they are. Else everything behind
        ``recovery_point`` is checked, what is torn is cut off, and what remains is flushed: here, or by tickets that
        are added to ``flushes`` and must be done before the log is read.
        """
        log = cls(disk, folder, config, cache=cache or IndexCache(), owner=owner, topic_id=topic_id)
        opening.load(
            log,
            now_ms,
            recovery_point=recovery_point,
            clean=clean,
            log_start_offset=log_start_offset,
            flushes=flushes,
        )
        return log

    def __repr__(self) -> str:
        return f"<log {self.folder} from {self.log_start_offset} to {self.log_end_offset}>"

    # -- segments ----------------------------------------------------------------------------------------------------

    @property
    def active(self) -> Segment:
        return self.segments[-1]

    @property
    def start_position(self) -> LogPosition | Ticket[LogPosition]:
        """Where the first batch that can be read begins."""
        return self.position_of(self.log_start_offset)

    @property
    def size_bytes(self) -> int:
        return sum(segment.size for segment in self.segments)

    def segment_for(self, offset: int) -> Segment:
        """The segment whose range holds ``offset``; the first when it is before all."""
        segments = self.segments
        if len(segments) == 1 or offset >= segments[-1].base_offset:
            return segments[-1]
        return segments[max(bisect_right(segments, offset, key=_BASE) - 1, 0)]

    def segment_after(self, segment: Segment) -> Segment | None:
        index = bisect_right(self.segments, segment.base_offset, key=_BASE)
        return self.segments[index] if index < len(self.segments) else None

    # -- writing -----------------------------------------------------------------------------------------------------

    def append(self, batch: Batch, leader_epoch: int, now_ms: int) -> LogPosition:
        """Append one batch, whose buffer is patched with its offset and epoch; returns where it begins.

        Raises DiskFull or StorageFault with nothing changed.
        """
        offset = self.log_end_offset
        segment = self._room_for(batch, offset, now_ms)
        batch.assign(offset, leader_epoch)
        return self._write(segment, batch)

    def append_replica(self, batch: Batch, now_ms: int) -> LogPosition:
        """Append a batch as its leader wrote it: offsets and epoch stay; there may be a gap before it."""
        assert batch.base_offset >= self.log_end_offset, f"{self} was given a batch at offset {batch.base_offset}"
        return self._write(self._room_for(batch, batch.base_offset, now_ms), batch)

    def _room_for(self, batch: Batch, offset: int, now_ms: int) -> Segment:
        """The segment that takes the batch: the active one, or a new one when that is full or too old (as Kafka)."""
        segment = self.segments[-1]
        if not segment.file.size:
            return segment
        config = self.config
        if segment.is_full(
            len(batch.buffer), offset + batch.last_offset_delta, config.segment_bytes, config.segment_index_bytes
        ) or self._is_old(segment, now_ms, batch.max_timestamp):
            return self.roll(now_ms, offset)
        return segment

    def _is_old(self, segment: Segment, now_ms: int, timestamp: int) -> bool:
        config = self.config
        limit_ms = config.segment_ms
        if config.segment_jitter_ms:
            # Kafka draws this; a number from the segment's name spreads the logs as well and stays the same.
            chance = crc32c(f"{self.folder}/{segment.base_offset}".encode())
            limit_ms -= chance % min(config.segment_jitter_ms, limit_ms)
        return segment.waited_ms(now_ms, timestamp) > limit_ms

    def _write(self, segment: Segment, batch: Batch) -> LogPosition:
        size = len(batch.buffer)
        position = segment.file.append((batch.buffer,))
        begin = self.end
        last_offset = batch.base_offset + batch.last_offset_delta
        if segment.flushed_bytes == position or not self.unflushed:
            self._on_dirty(segment)
        segment.on_batch(position, size, last_offset, batch.max_timestamp, self.config.index_interval_bytes)
        if batch.producer_id >= 0:
            self.producers.update(batch)
        if batch.leader_epoch > self.epochs.latest:
            self.epochs.assign(batch.leader_epoch, batch.base_offset)
        self.log_end_offset = last_offset + 1
        self.end = LogPosition(last_offset + 1, segment.base_offset, position + size)
        self.unchecked_bytes += size
        if self.unchecked_bytes >= (self.owner.recovery_bytes if self.owner is not None else RECOVERY_BYTES_MAX):
            self.advance_checkpoint()
        return begin

    def _on_dirty(self, segment: Segment) -> None:
        if segment not in self.unflushed:
            self.unflushed.append(segment)

    def maybe_roll(self, now_ms: int) -> bool:
        """Close the active segment if it is older than ``segment.ms``, by the clock where its batches have no time."""
        segment = self.active
        if not segment.size or not self._is_old(segment, now_ms, now_ms):
            return False
        self.roll(now_ms)
        return True

    def roll(self, now_ms: int, offset: int | None = None) -> Segment:
        """Close the active segment and begin a new one; an empty one stays. Raises DiskFull, changing nothing."""
        old = self.active
        if not old.size:
            return old
        if self.is_deleted:
            raise StorageFault(self.folder, "the log was deleted")
        offset = self.log_end_offset if offset is None else offset
        segment = Segment(self.disk, self.folder, offset, self.cache, now_ms, is_new=True)
        old.finish_times()
        if self._closed_segments is None:
            self._closed_segments = []
        self._closed_segments.append(old)
        self.names_changed += 1
        self.segments.append(segment)
        self.end = LogPosition(self.log_end_offset, offset, 0)
        self.advance_checkpoint()
        return segment

    # -- making it safe ----------------------------------------------------------------------------------------------

    def flush(self) -> Ticket[int]:
        """All that was appended before is on stable storage when the ticket is done; its value is up to where."""
        end, names, cuts = self.log_end_offset, self.names_changed, self.cuts
        segments = [(segment, segment.size) for segment in self.unflushed]
        tickets = [segment.file.flush() for segment, _ in segments]
        if names != self.names_safe:
            tickets.append(self.disk.sync_folder(self.folder))
            if not self.names_safe:  # the folder itself is new, or may be after a crash
                tickets.append(self.disk.sync_folder(self.folder.rpartition("/")[0]))
        if not tickets:
            return done(end)
        whole: Ticket[int] = Ticket()

        def finish(ticket: Ticket[None]) -> None:
            if ticket.error is not None:
                whole.fail(ticket.error)
                return
            self.names_safe = max(self.names_safe, names)
            if cuts == self.cuts:
                for segment, size in segments:
                    segment.flushed_bytes = max(segment.flushed_bytes, size)
                self.unflushed = [each for each in self.unflushed if each.flushed_bytes < each.size]
                self.recovery_point = max(self.recovery_point, end)
            whole.complete(min(end, self.log_end_offset))

        (tickets[0] if len(tickets) == 1 else all_done(tickets)).then(finish)
        return whole

    def advance_checkpoint(self) -> Ticket[None]:
        """Move the point from which a restart would scan up to the end of the log.

        Indexes, producer snapshot and epochs up to there are written and flushed with the log itself, then the owner
        keeps the offset. One runs at a time: who asks while it does gets the next, which begins at its end.
        """
        if self._checkpoint is not None:
            if self._next_checkpoint is None:
                self._next_checkpoint = Ticket()
            return self._next_checkpoint
        whole: Ticket[None] = Ticket()
        self._begin_checkpoint(whole)
        return whole

    def _begin_checkpoint(self, whole: Ticket[None]) -> None:
        self.unchecked_bytes = 0
        if self.is_checkpointed:
            whole.complete()
            return
        self._checkpoint = whole
        if self.owner is None:
            self._run_checkpoint(whole)
        else:
            self.owner.when_free(lambda: self._run_checkpoint(whole))

    @property
    def is_checkpointed(self) -> bool:
        """Whether a restart would have nothing to scan or to rebuild."""
        has_snapshot = self.log_end_offset in self.snapshots or not (self.snapshots or len(self.producers))
        is_at_end = self.checkpointed_offset == self.log_end_offset
        return is_at_end and has_snapshot and not self.epochs.is_changed and not self._closed_segments

    def _run_checkpoint(self, whole: Ticket[None]) -> Ticket[None]:
        offset, cuts = self.log_end_offset, self.cuts
        try:
            if self.is_deleted:
                raise StorageFault(self.folder, "the log was deleted")
            files = self._write_checkpoint(offset)
        except StorageFault as fault:  # no room, or the folder is offline: a restart scans more
            self._on_checkpoint(whole, fault)
            return whole
        closed_count = len(self._closed_segments or ())
        tickets = [file.flush() for file in files]
        tickets.append(self.disk.sync_folder(self.folder))
        had_epochs, self.epochs.is_changed = self.epochs.is_changed, False

        def finish(ticket: Ticket[None]) -> None:
            for file in files:
                file.close()
            if ticket.error is None and not self.is_deleted:
                # Not before: a checkpoint that found no room after some were written leaves them to the next. One may
                # be there twice: closed, open again after a truncation, and closed again behind these.
                self._closed_segments = (self._closed_segments or [])[closed_count:] or None
                self._keep_checkpoint(whole, offset, cuts, had_epochs)
                return
            self.epochs.is_changed |= had_epochs
            self._on_checkpoint(whole, ticket.error)

        all_done([self.flush(), *tickets]).then(finish)
        return whole

    def _keep_checkpoint(self, whole: Ticket[None], offset: int, cuts: int, had_epochs: bool) -> None:
        """All files of a checkpoint are flushed: it counts, unless the log was cut meanwhile."""
        if had_epochs:
            path = f"{self.folder}/{LEADER_EPOCHS}"
            try:
                self.disk.rename(path + TEMPORARY, path)
            except StorageFault as fault:
                self.epochs.is_changed = True
                self._on_checkpoint(whole, fault)
                return
        tickets = [self.disk.sync_folder(self.folder)] if had_epochs else []

        def keep(ticket: Ticket[None]) -> None:
            if ticket.error is not None or cuts != self.cuts or self.is_deleted:
                self._on_checkpoint(whole, ticket.error)
                return
            self.checkpointed_offset = max(self.checkpointed_offset, offset)
            retention.drop_snapshots(self, offset)
            kept: Ticket[None] = done() if self.owner is None else self.owner.keep_offsets(self)
            kept.then(lambda ticket: self._on_checkpoint(whole, ticket.error))

        all_done(tickets).then(keep)

    def _write_checkpoint(self, offset: int) -> list[File]:
        """Write indexes and snapshot; the files to flush."""
        files: list[File] = []
        for segment in self._closed_segments or ():
            if not segment.is_gone:
                files += segment.write_indexes()
        if self.active.size or self.active.offsets.is_unwritten or self.active.times.is_unwritten:
            files += self.active.write_indexes()
        files.append(self._write_anew(f"{self.folder}/{stem(offset)}{SNAPSHOT}", encode_snapshot(self.producers)))
        if offset not in self.snapshots:
            self.snapshots.append(offset)
        if self.epochs.is_changed:
            files.append(self._write_anew(f"{self.folder}/{LEADER_EPOCHS}{TEMPORARY}", self.epochs.encode()))
        return files

    def _write_anew(self, path: str, content: Buffer) -> File:
        """A small file with that content and nothing else; flush it yourself."""
        file = self.disk.open(path, create=True)
        if file.size:
            file.truncate(0)
        file.append((content,))
        return file

    def _on_checkpoint(self, whole: Ticket[None], error: MillraceError | None) -> None:
        self._checkpoint = None
        following, self._next_checkpoint = self._next_checkpoint, None
        if following is not None:
            self._begin_checkpoint(following)
        if error is not None:
            whole.fail(error)
        else:
            whole.complete()

    def close(self, now_ms: int, clean: bool = True) -> Ticket[None]:
        """Bring everything to where the next start needs no scan (unless not ``clean``), and give the files back."""
        self.is_closed = True
        if not clean:
            self._close_files()
            return done()
        active = self.active
        if active.size and active.max_timestamp >= 0:
            active.finish_times()
        if active.times.is_unwritten or active.offsets.is_unwritten:
            self._closed_segments = [*(self._closed_segments or ()), active]
        whole: Ticket[None] = Ticket()

        def finish(ticket: Ticket[None]) -> None:
            self._close_files()
            if ticket.error is not None:
                whole.fail(ticket.error)
            else:
                whole.complete()

        self.advance_checkpoint().then(finish)
        return whole

    def _close_files(self) -> None:
        for segment in self.segments:
            segment.file.close()
            segment.offsets.drop()
            segment.times.drop()

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(
        self, offset: int, max_bytes: int, limit: LogPosition, at_least_one: bool
    ) -> FileSlice | Ticket[FileSlice | None] | None:
        """Batches from the one that holds ``offset``, of one segment, at most ``max_bytes`` and never past ``limit``.

        The last one may be cut off, as in Kafka; but the first is whole, even if it is larger than ``max_bytes`` when
        ``at_least_one`` is set; else None. None also when there is nothing before the limit. The slice is pinned.
        Raises Refused(OFFSET_OUT_OF_RANGE).
        """
        return self._reader.read(offset, max_bytes, limit, at_least_one)

    def position_of(self, offset: int) -> LogPosition | Ticket[LogPosition]:
        """Where the batch that holds ``offset`` begins. Raises Refused(OFFSET_OUT_OF_RANGE)."""
        return self._reader.position_of(offset)

    def offset_for_time(self, timestamp_ms: int) -> Ticket[Found | None]:
        """(offset, timestamp, leader epoch) of the first record whose timestamp is not below ``timestamp_ms``."""
        return self._reader.offset_for_time(timestamp_ms)

    def max_timestamp(self) -> Ticket[Found | None]:
        """The same of the first record with the largest timestamp (KIP-734)."""
        return self._reader.max_timestamp()

    def forget_places(self) -> None:
        """Remembered positions are not true any more."""
        self._reader.forget()

    # -- getting shorter, and being replaced: each in a room of its own -----------------------------------------------

    def truncate_to(self, offset: int) -> Ticket[None]:
        """Cut off the batch that holds ``offset`` and all behind it; append again only when the ticket is done."""
        return cutting.truncate_to(self, offset)

    def truncate_fully_and_start_at(self, offset: int) -> Ticket[None]:
        """Drop everything; the log goes on at ``offset``. Append again only when the ticket is done."""
        return cutting.truncate_fully_and_start_at(self, offset)

    def delete_records_before(self, offset: int) -> Ticket[None]:
        """Move the log's start up; whole segments below it are dropped. Done when that survives a crash."""
        return retention.delete_records_before(self, offset)

    def retain(self, now_ms: int, high_watermark: int | None = None) -> int:
        """Drop segments that are too old or too much, and below the log's start; how many. Removes what was due."""
        return retention.retain(self, now_ms, high_watermark)

    def segments_for_cleaning(self) -> list[Segment]:
        """Closed segments that are wholly on stable storage, with their indexes."""
        return [
            segment
            for segment, following in zip(self.segments, self.segments[1:], strict=False)
            if following.base_offset <= self.checkpointed_offset
        ]

    def swap_cleaned(self, old_bases: list[int], new_base: int) -> Ticket[None]:
        """Put what the cleaner wrote (``.cleaned`` files, flushed) in the place of segments."""
        return swapping.swap_cleaned(self, old_bases, new_base)

    def delete(self) -> Ticket[None]:
        """Remove the log with its folder."""
        self.is_closed = self.is_deleted = True
        for segment in self.segments:
            segment.on_cut(0)
        self._close_files()
        return self.disk.remove(self.folder)
