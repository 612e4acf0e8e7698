"""One partition at its leader: appends with acknowledgements that mean something, and reads up to the high watermark.

The high watermark (design D10): with this broker as the only in-sync replica it stops before the first record that
waits for a flush (acks=all records, and records of machines); when none waits it is the end of the log. So no acks=all
record is shown before it is safe, and no committed offset points past what a power cut leaves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from millrace.base.errors import MillraceError, Refused, StorageFault
from millrace.base.ports import Ticket
from millrace.kafka.batch import TIMESTAMP_TYPE_BIT, Batch
from millrace.kafka.codes import (
    FENCED_LEADER_EPOCH,
    INVALID_TIMESTAMP,
    KAFKA_STORAGE_ERROR,
    MESSAGE_TOO_LARGE,
    NOT_LEADER_OR_FOLLOWER,
    RECORD_LIST_TOO_LARGE,
    UNKNOWN_LEADER_EPOCH,
)
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log, LogPosition

if TYPE_CHECKING:
    from millrace.base.config import TopicConfig
    from millrace.broker.flusher import Flusher
    from millrace.broker.records_check import RecordsCheck

ACKS_ALL = -1
LOG_APPEND_TIME = "LogAppendTime"


class Watcher(Protocol):
    """Who wants to know that a partition has more to read: a fetch session, a machine's host."""

    def on_advance(self, partition: Partition) -> None: ...


class Appended:
    """What an append led to; ``base_offset`` is that of the first time for a duplicate."""

    __slots__ = ("base_offset", "end_offset", "is_duplicate", "timestamp_ms")

    def __init__(self, base_offset: int, end_offset: int, timestamp_ms: int, *, is_duplicate: bool = False) -> None:
        self.base_offset = base_offset
        self.end_offset = end_offset
        self.timestamp_ms = timestamp_ms  # LogAppendTime's, else -1
        self.is_duplicate = is_duplicate


Done = Callable[[MillraceError | None], None]


class _Pending:
    """An append that waits for a flush: where it begins, where it ends, whom to tell."""

    __slots__ = ("begin", "done", "end_offset")

    def __init__(self, begin: LogPosition | None, end_offset: int, done: Done) -> None:
        self.begin = begin  # None: a duplicate, whose first copy keeps the high watermark back
        self.end_offset = end_offset
        self.done = done


class Partition:
    """See the module. ``failed`` is the error that took it offline; then everything is refused with it."""

    __slots__ = (
        "_check",
        "_flushed_offset",
        "_flusher",
        "_pending",
        "_unflushed_since_ms",
        "_watchers",
        "config",
        "failed",
        "high_watermark",
        "index",
        "is_internal",
        "leader_epoch",
        "leader_id",
        "log",
        "topic",
        "topic_id",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        log: Log,
        config: TopicConfig,
        *,
        leader_id: int,
        leader_epoch: int,
        flusher: Flusher,
        check: RecordsCheck,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.log = log
        self.config = config
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.failed: StorageFault | None = None
        self.is_internal = topic.startswith("__")
        self._flusher = flusher
        self._check = check
        self._pending: deque[_Pending] = deque()
        self._flushed_offset = log.log_end_offset
        self._unflushed_since_ms: int | None = None  # when the oldest append that is not flushed was made
        self._watchers: dict[Watcher, None] | None = None
        self.high_watermark: LogPosition = log.end

    def __repr__(self) -> str:
        return f"{self.topic}-{self.index}"

    # -- writing -----------------------------------------------------------------------------------------------------

    def append(self, batch: Batch, acks: int, now_ms: int, done: Done | None = None) -> Appended:
        """Append one batch; ``done(error)`` is called, perhaps at once, when it is as safe as ``acks`` asks.

        Raises Refused or StorageFault with nothing changed. The batch is patched in place (offset, epoch, timestamp
        type), or written as a recompressed copy where the topic's ``compression.type`` says so.
        """
        if self.failed is not None:
            raise self.failed
        log = self.log
        if batch.has_producer:
            duplicate = log.producers.check(batch, now_ms)
            if duplicate is not None:
                end_offset = duplicate.last_offset + 1
                self._acknowledge(None, end_offset, acks, done)
                return Appended(duplicate.first_offset, end_offset, -1, is_duplicate=True)
        if not self.is_internal:
            batch = self._admit(batch, now_ms)
        begin = log.append(batch, self.leader_epoch, now_ms)
        end_offset = log.log_end_offset
        if self._unflushed_since_ms is None:
            self._unflushed_since_ms = now_ms
        self._acknowledge(begin, end_offset, acks, done)
        timestamp_ms = now_ms if self.config.message_timestamp_type == LOG_APPEND_TIME else -1
        return Appended(begin.offset, end_offset, timestamp_ms)

    def _admit(self, batch: Batch, now_ms: int) -> Batch:
        """What the topic's configuration asks of a produced batch; the batch to write."""
        config = self.config
        self._check.records(batch, config)
        if config.message_timestamp_type == LOG_APPEND_TIME:
            batch = self._check.recompressed(batch, config)
            self._check_size(batch)
            batch.stamp_append_time(now_ms)
            return batch
        if batch.attributes & TIMESTAMP_TYPE_BIT:
            batch.clear_append_time()
        timestamp = batch.max_timestamp
        if timestamp - now_ms > config.message_timestamp_after_max_ms:
            raise Refused(
                INVALID_TIMESTAMP,
                f"timestamp {timestamp} in {self} is more than {config.message_timestamp_after_max_ms} ms ahead",
            )
        if now_ms - batch.base_timestamp > config.message_timestamp_before_max_ms:
            raise Refused(
                INVALID_TIMESTAMP,
                f"timestamp {batch.base_timestamp} in {self} is older than {config.message_timestamp_before_max_ms} ms",
            )
        batch = self._check.recompressed(batch, config)
        self._check_size(batch)
        return batch

    def _check_size(self, batch: Batch) -> None:
        if batch.size > self.config.max_message_bytes:
            raise Refused(
                MESSAGE_TOO_LARGE,
                f"a record batch of {batch.size} bytes for {self}, "
                f"expected at most {self.config.max_message_bytes} (max.message.bytes)",
            )
        if batch.size > self.config.segment_bytes:
            raise Refused(
                RECORD_LIST_TOO_LARGE,
                f"a record batch of {batch.size} bytes for {self} does not fit a segment of "
                f"{self.config.segment_bytes} bytes",
            )

    def _acknowledge(self, begin: LogPosition | None, end_offset: int, acks: int, done: Done | None) -> None:
        mode = self.config.flush_on_ack
        is_full = end_offset - self._flushed_offset >= self.config.flush_messages
        if mode == "always" or is_full or (acks == ACKS_ALL and mode == "alone"):
            if begin is None and end_offset <= self.high_watermark.offset:
                if done is not None:
                    done(None)
                return
            self._pending.append(_Pending(begin, end_offset, done if done is not None else _nobody))
            self._flusher.request(self)
            return
        if not self._pending:
            self._advance(self.log.end)
        if done is not None:
            done(None)

    def flush(self) -> Ticket[int]:
        """For the flusher: make safe what was appended so far."""
        return self.log.flush()

    def flush_if_old(self, now_ms: int) -> None:
        """Flush what has waited for ``flush.ms``, though nobody waits for it."""
        since_ms = self._unflushed_since_ms
        if since_ms is not None and now_ms - since_ms >= self.config.flush_ms:
            self._flusher.request(self)

    def on_flushed(self, safe_offset: int) -> None:
        """The flusher's word: everything below ``safe_offset`` is on stable storage."""
        self._flushed_offset = safe_offset
        if safe_offset >= self.log.log_end_offset:
            self._unflushed_since_ms = None
        pending = self._pending
        released: list[_Pending] = []
        while pending and pending[0].end_offset <= safe_offset:
            released.append(pending.popleft())
        first = next((each.begin for each in pending if each.begin is not None), None)
        self._advance(first if first is not None else self.log.end)
        for each in released:
            each.done(None)

    def on_failed(self, fault: StorageFault) -> None:
        """The log's folder is offline: nothing that waits is ever acknowledged."""
        if self.failed is None:
            self.failed = fault
        pending, self._pending = self._pending, deque()
        for each in pending:
            each.done(fault)
        for watcher in list(self._watchers or ()):
            watcher.on_advance(self)

    @property
    def is_waiting_for_flush(self) -> bool:
        return bool(self._pending)

    def _advance(self, position: LogPosition) -> None:
        if position.offset <= self.high_watermark.offset:
            return
        self.high_watermark = position
        if self._watchers:
            for watcher in list(self._watchers):
                watcher.on_advance(self)

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, offset: int, max_bytes: int, *, at_least_one: bool) -> FileSlice | Ticket[Any] | None:
        """Records from ``offset`` up to the high watermark, as a slice of the file; None when there is none.

        Raises Refused with OFFSET_OUT_OF_RANGE. Cold data comes as a ticket: ask again when it is done.
        """
        if self.failed is not None:
            raise self.failed
        return self.log.read(offset, max_bytes, self.high_watermark, at_least_one)

    def check_leader_epoch(self, epoch: int) -> None:
        """A client that names an older or newer epoch than ours is told so (KIP-320); -1 names none."""
        if epoch in (-1, self.leader_epoch):
            return
        if epoch < self.leader_epoch:
            raise Refused(FENCED_LEADER_EPOCH, f"leader epoch {epoch} of {self} is older than {self.leader_epoch}")
        raise Refused(UNKNOWN_LEADER_EPOCH, f"leader epoch {epoch} of {self} is newer than {self.leader_epoch}")

    @property
    def last_stable_offset(self) -> int:
        """The end of what read_committed sees. Without open transactions it is the high watermark."""
        return self.high_watermark.offset

    def watch(self, watcher: Watcher) -> None:
        if self._watchers is None:
            self._watchers = {}
        self._watchers[watcher] = None

    def unwatch(self, watcher: Watcher) -> None:
        if self._watchers is not None:
            self._watchers.pop(watcher, None)
            if not self._watchers:
                self._watchers = None

    def close_down(self, error: Refused | None = None) -> None:
        """The partition is going (topic deleted, shutdown): who waits is told that it is not here any more."""
        reason = error or Refused(NOT_LEADER_OR_FOLLOWER, f"{self} is not here any more")
        pending, self._pending = self._pending, deque()
        for each in pending:
            each.done(reason)
        for watcher in list(self._watchers or ()):
            watcher.on_advance(self)


def _nobody(error: MillraceError | None) -> None:
    """The append of somebody who does not ask."""


def code_of(error: MillraceError) -> int:
    """Kafka's code for an error of one partition."""
    return error.code if isinstance(error, Refused) else KAFKA_STORAGE_ERROR
