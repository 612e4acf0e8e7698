"""Compaction: which log is cleaned when, and how what the cleaner wrote takes its place.

One cleaning runs at a time, in whatever the :class:`Cleaner` port is (a child process; inline in the simulator). While
there is work the next one follows at once, and runs while the last one's files are put in place; else the logs are
looked at again after ``log.cleaner.backoff.ms``, those of our own machines every second. A log that cannot be cleaned
(a broken batch in it) is left alone until the next start after three tries, in Kafka after one; reads and appends go
on. A full disk is no such case: it is tried again and again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from millrace.base.errors import DiskFull, MillraceError, StorageFault
from millrace.base.limits import EAGER_SEGMENT_BYTES
from millrace.base.ports import Disk, Ticket
from millrace.broker.partition import Partition
from millrace.storage.checkpoint import encode_offsets, parse_offsets
from millrace.storage.cleaner import CleanedGroup, CleanJob, CleanStats
from millrace.storage.cleaner_choice import FOREVER_MS, Candidate, Cleanable, cleanable, job_for
from millrace.storage.names import CLEANED, CLEANER_OFFSETS, SEGMENT_FILES, stem
from millrace.storage.retention import remove_due

if TYPE_CHECKING:
    from millrace.broker.broker import Broker
    from millrace.storage.folder import LogFolder
    from millrace.storage.log import Log

log = logging.getLogger("millrace.compaction")

PARTITIONS_A_TURN: Final = 100
EAGER_LOOK_MS: Final = 1_000
KEEP_OFFSETS_MS: Final = 2_000
FAILURES_MAX: Final = 3
REST_AFTER_FAILURE_MS: Final = 15_000


@dataclass(frozen=True, slots=True)
class CleanEnd:
    """How a cleaning ended: up to where the log is clean now, or with which error."""

    end_offset: int
    stats: CleanStats
    error: MillraceError | None = None


class Cleaner(Protocol):
    """Runs one :class:`CleanJob` after the other; the callbacks come on the loop's thread, in order."""

    def start(
        self, disk: Disk, job: CleanJob, on_group: Callable[[CleanedGroup], None], on_end: Callable[[CleanEnd], None]
    ) -> None: ...

    def stop(self) -> None:
        """End what runs; no callback comes any more."""


class _Running:
    """A cleaning whose files are being written or put in place."""

    __slots__ = ("bases", "end", "error", "groups", "is_swapping", "log", "partition")

    def __init__(self, partition: Partition, bases: set[int]) -> None:
        self.partition = partition
        self.log = partition.log
        self.bases = bases  # of the segments that are to be replaced and are not yet
        self.groups: deque[CleanedGroup] = deque()
        self.is_swapping = False
        self.end: CleanEnd | None = None
        self.error: MillraceError | None = None

    @property
    def is_outdated(self) -> bool:
        """DeleteRecords, retention, a truncation or the topic's end came between."""
        log_ = self.log
        return log_.is_closed or not self.bases <= {segment.base_offset for segment in log_.segments[:-1]}


class Compaction:
    """See the module. The counts are for the metrics."""

    def __init__(self, broker: Broker, cleaner: Cleaner, *, eager_bytes: int = EAGER_SEGMENT_BYTES) -> None:
        """``eager_bytes``: in pieces of which size the logs of our machines are closed and cleaned."""
        self.cleanings = 0
        self.read_bytes = 0
        self.kept_bytes = 0
        self.uncleanable: dict[Log, MillraceError] = {}
        self._broker = broker
        self._cleaner = cleaner
        self._eager_bytes = eager_bytes
        self._clean_offsets: dict[Log, tuple[int, int]] = {}  # and how often the log had been cut then
        self._failures: dict[Log, int] = {}
        self._resting: dict[Log, int] = {}  # until when a log that was not cleaned is left alone
        self._unkept: set[LogFolder] = set()  # whose checkpoint file is behind
        self._keep_at_ms = 0
        self._running: dict[Log, _Running] = {}
        self._is_cleaning = False
        self._rest: list[Partition] = []  # partitions that this look has not come to
        self._best: dict[bool, tuple[Partition, Cleanable]] = {}  # of our machines' logs (True), of all others
        self._last_was_eager = False
        self._full_look_at_ms = 0
        self._is_full_look = True
        self._is_stopped = False

    # -- life --------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Read the cleaner's checkpoints and begin to look."""
        by_name: dict[tuple[LogFolder, str, int], Log] = {}
        for partition, folder in self._broker.topic_logs.folder_of.items():
            by_name[folder, partition.topic, partition.index] = partition.log
        for folder in self._broker.folders:
            if folder.failed is not None or not folder.disk.exists(CLEANER_OFFSETS):
                continue
            try:
                offsets = parse_offsets(CLEANER_OFFSETS, folder.disk.read_whole(CLEANER_OFFSETS))
            except StorageFault as fault:  # everything counts as dirty once more
                log.warning("%s", fault)
                continue
            for (topic, index), offset in offsets.items():
                found = by_name.get((folder, topic, index))
                if found is not None:
                    self._clean_offsets[found] = (offset, found.cuts)
        self._schedule()

    def stop(self) -> None:
        self._is_stopped = True
        self._running.clear()
        self._broker.deadlines.set(self, None)
        self._cleaner.stop()
        self._keep_offsets()

    def _schedule(self) -> None:
        broker = self._broker
        delay_ms = min(max(broker.config.integer("log.cleaner.backoff.ms"), 1), EAGER_LOOK_MS)
        broker.deadlines.set(self, broker.mono_ms() + delay_ms)

    # -- looking -----------------------------------------------------------------------------------------------------

    def expire(self) -> None:
        """It is time to look: at our machines' logs every time, at all others after the backoff."""
        if self._is_stopped or self._is_cleaning or self._rest:
            return
        broker = self._broker
        if not broker.config.flag("log.cleaner.enable"):
            self._schedule()
            return
        now_ms = broker.mono_ms()
        if self._unkept and now_ms >= self._keep_at_ms:
            self._keep_at_ms = now_ms + KEEP_OFFSETS_MS
            self._keep_offsets()
        self._is_full_look = now_ms >= self._full_look_at_ms
        self._best = {}
        self._rest = list(self._eager_partitions())
        if self._is_full_look:
            self._rest += [each for each in broker.topic_logs.folder_of if each.config.is_compacted]
            if any(log_.is_closed for log_ in self._clean_offsets):
                self._unkept.update(broker.folders)  # another topic of that name must not begin with its checkpoint
            self._resting = {log_: until_ms for log_, until_ms in self._resting.items() if until_ms > now_ms}
        self._look()

    def _eager_partitions(self) -> dict[Partition, None]:
        """Those that our machines replay at every start; in order, so that a simulation repeats."""
        broker = self._broker
        hosts = [host for host in (broker.controller, *broker.coordinators.values()) if host is not None]
        return {host.partition: None for host in hosts if host.loaded}

    def _look(self) -> None:
        if self._is_stopped:
            return
        now_ms = self._broker.wall_ms()
        eager = self._eager_partitions()
        for _ in range(min(PARTITIONS_A_TURN, len(self._rest))):
            partition = self._rest.pop()
            try:
                found = self._cleanable(partition, now_ms, is_eager=partition in eager)
            except StorageFault as fault:
                self._on_failed(partition.log, fault)
                continue
            if found is None or not found.is_worth_it:
                continue
            is_eager = found.candidate.is_eager
            best = self._best.get(is_eager)
            if best is None or found.urgency > best[1].urgency:
                self._best[is_eager] = (partition, found)
        if self._rest:
            self._broker.defer(self._look)
            return
        if not self._best:
            if self._is_full_look:
                self._full_look_at_ms = self._broker.mono_ms() + self._broker.config.integer("log.cleaner.backoff.ms")
            self._schedule()
            return
        # In turns, so that neither kind waits for as long as there is work for the other.
        self._last_was_eager = not self._last_was_eager if len(self._best) > 1 else True in self._best
        self._begin(*self._best[self._last_was_eager])

    def _cleanable(self, partition: Partition, now_ms: int, *, is_eager: bool) -> Cleanable | None:
        log_ = partition.log
        if partition.failed is not None or log_.is_closed:
            return None
        if log_ in self.uncleanable or log_ in self._running or log_ in self._resting:
            return None
        if log_.doomed:
            remove_due(log_, now_ms)  # retention looks seldom, and what is often cleaned leaves much behind
        self._maybe_roll(partition, now_ms, is_eager=is_eager)
        if len(log_.segments) == 1:
            return None
        clean_offset, cuts = self._clean_offsets.get(log_, (None, log_.cuts))
        stable_offset = min(
            (
                producer.transaction_first_offset
                for _, producer in log_.producers.items()
                if producer.transaction_first_offset >= 0
            ),
            default=partition.high_watermark.offset,
        )
        return cleanable(
            Candidate(
                log_,
                partition.config,
                clean_offset if cuts == log_.cuts else None,  # what was cut off may have been cleaned
                min(stable_offset, partition.high_watermark.offset),
                self._eager_bytes if is_eager else None,
            ),
            now_ms,
        )

    def _maybe_roll(self, partition: Partition, now_ms: int, *, is_eager: bool) -> None:
        """Close the active segment, which is never cleaned, so that what is in it can be."""
        log_, lag_ms = partition.log, partition.config.max_compaction_lag_ms
        if is_eager:
            if log_.active.size >= self._eager_bytes:
                log_.roll(now_ms)
        elif lag_ms != FOREVER_MS and log_.active.size and log_.active.waited_ms(now_ms, now_ms) > lag_ms:
            log_.roll(now_ms)  # KIP-354

    # -- cleaning ----------------------------------------------------------------------------------------------------

    def _begin(self, partition: Partition, found: Cleanable) -> None:
        self._best = {}
        running = _Running(partition, {segment.base_offset for segment in found.segments})
        self._running[running.log] = running
        self._is_cleaning = True

        def on_group(group: CleanedGroup) -> None:
            if not self._is_stopped:
                running.groups.append(group)
                self._swap_next(running)

        def on_end(end: CleanEnd) -> None:
            if not self._is_stopped:
                self._is_cleaning = False
                running.end = end
                self._swap_next(running)
                self._broker.defer(self.expire)

        try:
            job = job_for(
                found,
                self._broker.wall_ms(),
                table_bytes_max=self._broker.config.integer("log.cleaner.dedupe.buffer.size"),
            )
        except StorageFault as fault:
            on_end(CleanEnd(-1, CleanStats(), fault))
            return
        self._cleaner.start(partition.log.disk, job, on_group, on_end)

    def _swap_next(self, running: _Running) -> None:
        """Groups are swapped in one after the other; after the last one the checkpoint moves."""
        if running.is_swapping:
            return
        if not running.groups:
            if running.end is not None:
                self._finish(running, running.error or running.end.error)
            return
        group, log_ = running.groups.popleft(), running.log
        if running.error is not None or running.is_outdated:
            self._discard(log_, group)
            self._swap_next(running)
            return
        running.is_swapping = True
        log_.swap_cleaned(list(group.old_bases), group.new_base).then(
            lambda ticket: self._on_swapped(running, group, ticket)
        )

    def _on_swapped(self, running: _Running, group: CleanedGroup, ticket: Ticket[None]) -> None:
        running.is_swapping = False
        if self._is_stopped:
            return
        running.bases.difference_update(group.old_bases)
        if ticket.error is not None:
            running.error = ticket.error
        elif running.partition in self._eager_partitions():
            self._remove_now(running)
        self._swap_next(running)

    def _remove_now(self, running: _Running) -> None:
        """Nobody but us reads our machines' logs, so what was replaced need not wait for ``file.delete.delay.ms``."""
        now_ms = self._broker.wall_ms()
        for doomed in running.log.doomed or ():
            doomed.due_ms = now_ms
        remove_due(running.log, now_ms)

    def _discard(self, log_: Log, group: CleanedGroup) -> None:
        if log_.is_closed:
            return  # a restart removes it, or the folder is being removed
        for ending in SEGMENT_FILES:
            log_.disk.remove(f"{log_.folder}/{stem(group.new_base)}{ending}{CLEANED}")

    def _finish(self, running: _Running, error: MillraceError | None) -> None:
        end, log_ = running.end, running.log
        del self._running[log_]
        self.cleanings += 1
        if end is not None:
            self.read_bytes += end.stats.read_bytes
            self.kept_bytes += end.stats.kept_bytes
        if running.is_outdated:
            pass  # what is still dirty is found at the next look
        elif error is None and end is not None and running.partition in self._broker.topic_logs.folder_of:
            self._failures.pop(log_, None)
            self._clean_offsets[log_] = (end.end_offset, log_.cuts)
            log.debug(
                "cleaned %s up to offset %d: %d of %d bytes are left",
                log_.folder, end.end_offset, end.stats.kept_bytes, end.stats.read_bytes,
            )  # fmt: skip
            self._unkept.add(self._broker.topic_logs.folder_of[running.partition])
        elif error is not None and running.partition.failed is None:
            self._on_failed(log_, error)

    def _on_failed(self, log_: Log, error: MillraceError) -> None:
        self._resting[log_] = self._broker.mono_ms() + REST_AFTER_FAILURE_MS
        failures = self._failures.get(log_, 0) + (0 if isinstance(error, DiskFull) else 1)
        self._failures[log_] = failures
        if failures < FAILURES_MAX:
            log.warning("%s was not cleaned: %s", log_.folder, error)
            return
        self.uncleanable[log_] = error
        log.error("%s is not cleaned any more until the next start: %s", log_.folder, error)

    def _keep_offsets(self) -> None:
        """Write the checkpoint files of the folders where something was cleaned; what is gone is left out.

        One that is lost costs another cleaning and nothing else, so nobody waits for it.
        """
        folder_of = self._broker.topic_logs.folder_of
        here = {partition.log for partition in folder_of}
        self._clean_offsets = {log_: clean for log_, clean in self._clean_offsets.items() if log_ in here}
        for folder in self._unkept:
            if folder.failed is not None:
                continue
            offsets = {
                (partition.topic, partition.index): self._clean_offsets[partition.log][0]
                for partition, each in folder_of.items()
                if each is folder and partition.log in self._clean_offsets
            }
            folder.disk.replace(CLEANER_OFFSETS, encode_offsets(offsets)).then(_report)
        self._unkept.clear()


def _report(ticket: Ticket[None]) -> None:
    if ticket.error is not None:
        log.warning("the cleaner's checkpoint was not written: %s", ticket.error)
