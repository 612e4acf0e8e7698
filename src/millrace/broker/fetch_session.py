"""Fetch sessions (KIP-227): what a consumer reads, kept at the broker, so that a fetch costs what has changed.

A session watches its partitions; one whose high watermark moves is put among the *changed*, and only these are looked
at. So one session over 10,000 partitions with one active costs about what a session with one does, which Kafka's own
(it walks all of them) does not offer. A fetch without a session is a session of one request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from millrace.base.errors import Refused
from millrace.broker.partition import Partition
from millrace.kafka.codes import FETCH_SESSION_ID_NOT_FOUND, INVALID_FETCH_SESSION_EPOCH
from millrace.storage.log import LogPosition

if TYPE_CHECKING:
    from millrace.base.ports import Random
    from millrace.broker.waiting import WaitingRoom

NO_SESSION = 0
INITIAL_EPOCH = 0
FINAL_EPOCH = -1
EVICTION_MS_MIN = 120_000  # a session that was used within this time is not evicted for another


class FetchPartition:
    """One partition of a session: where it is read from, and what was last told about it."""

    __slots__ = (
        "fetch_offset",
        "index",
        "last_fetched_epoch",
        "leader_epoch",
        "max_bytes",
        "partition",
        "seen",
        "told_high_watermark",
        "told_log_start_offset",
        "topic",
        "topic_id",
    )

    def __init__(self, topic: str, topic_id: bytes, index: int) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.partition: Partition | None = None
        self.seen: LogPosition | None = None  # the high watermark when the wait began, to count what came since
        self.told_high_watermark = -1
        self.told_log_start_offset = -1

    def update(self, wanted: Any) -> None:
        self.fetch_offset: int = wanted.fetch_offset
        self.max_bytes: int = wanted.partition_max_bytes
        self.leader_epoch: int = wanted.current_leader_epoch
        self.last_fetched_epoch: int = wanted.last_fetched_epoch


class FetchSession:
    """See the module. ``waiting_for_bytes`` is set while a fetch of this session waits."""

    __slots__ = (
        "_by_partition",
        "_waiting",
        "changed",
        "epoch",
        "id",
        "is_full",
        "partitions",
        "used_ms",
        "waiting_for_bytes",
    )

    def __init__(self, session_id: int, waiting: WaitingRoom, now_ms: int) -> None:
        self.id = session_id
        self.epoch = INITIAL_EPOCH
        self.is_full = True  # the next answer names every partition
        self.used_ms = now_ms
        self.partitions: dict[tuple[str | bytes, int], FetchPartition] = {}
        self.changed: dict[FetchPartition, None] = {}
        self.waiting_for_bytes = 0
        self._by_partition: dict[Partition, FetchPartition] = {}
        self._waiting = waiting

    def want(self, topic: str, topic_id: bytes, wanted: Any) -> None:
        """The consumer reads this partition, from this offset."""
        key = (topic or topic_id, wanted.partition)
        found = self.partitions.get(key)
        if found is None:
            found = self.partitions[key] = FetchPartition(topic, topic_id, wanted.partition)
        found.update(wanted)
        self.changed[found] = None

    def forget(self, topic: str, topic_id: bytes, index: int) -> None:
        found = self.partitions.pop((topic or topic_id, index), None)
        if found is not None:
            self.changed.pop(found, None)
            self.bind(found, None)

    def bind(self, wanted: FetchPartition, partition: Partition | None) -> None:
        """This is the partition behind the name now (None: there is none)."""
        before = wanted.partition
        if before is partition:
            return
        if before is not None:
            before.unwatch(self)
            self._by_partition.pop(before, None)
        wanted.partition = partition
        if partition is not None:
            partition.watch(self)
            self._by_partition[partition] = wanted

    def on_advance(self, partition: Partition) -> None:
        wanted = self._by_partition.get(partition)
        if wanted is None:
            return
        self.changed[wanted] = None
        if self.waiting_for_bytes <= 0:
            return
        before, now = wanted.seen, partition.high_watermark
        if before is None or before.segment_base != now.segment_base:
            self.waiting_for_bytes = 0
        else:
            self.waiting_for_bytes -= now.position - before.position
        wanted.seen = now
        if self.waiting_for_bytes <= 0 or partition.failed is not None:
            self._waiting.wake(self)

    def begin_wait(self, missing_bytes: int) -> None:
        """From now on count what comes; the session is woken when ``missing_bytes`` have."""
        self.waiting_for_bytes = missing_bytes
        for wanted in self.partitions.values() if self.is_full else ():
            if wanted.partition is not None:
                wanted.seen = wanted.partition.high_watermark

    def close(self) -> None:
        for partition in self._by_partition:
            partition.unwatch(self)
        self._by_partition = {}
        self.partitions = {}
        self.changed = {}


class FetchSessions:
    """The broker's sessions, at most ``slots`` of them; the longest unused makes room, if it is unused long enough."""

    __slots__ = ("_random", "_sessions", "_waiting", "evictions", "slots")

    def __init__(self, slots: int, random: Random, waiting: WaitingRoom) -> None:
        self.slots = slots
        self._random = random
        self._waiting = waiting
        self._sessions: dict[int, FetchSession] = {}  # the least recently used first
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, request: Any, now_ms: int) -> FetchSession:
        """The session a request is for. Raises Refused when it names one that is not there, or is out of step."""
        session_id, epoch = request.session_id, request.session_epoch
        if epoch in (INITIAL_EPOCH, FINAL_EPOCH):
            self._remove(session_id)
            if epoch == INITIAL_EPOCH and self._has_room(now_ms):
                return self._create(now_ms)
            return FetchSession(NO_SESSION, self._waiting, now_ms)
        session = self._sessions.pop(session_id, None)
        if session is None:
            raise Refused(FETCH_SESSION_ID_NOT_FOUND, f"fetch session {session_id} is not here")
        self._sessions[session_id] = session
        if epoch != session.epoch:
            raise Refused(
                INVALID_FETCH_SESSION_EPOCH,
                f"fetch session {session_id} is at epoch {session.epoch}, the request at {epoch}",
            )
        session.used_ms = now_ms
        session.epoch = 1 if epoch == 0x7FFFFFFF else epoch + 1
        session.is_full = False
        return session

    def _create(self, now_ms: int) -> FetchSession:
        session_id = 0
        while session_id == NO_SESSION or session_id in self._sessions:
            session_id = self._random.getrandbits(31)
        session = FetchSession(session_id, self._waiting, now_ms)
        session.epoch = 1
        self._sessions[session_id] = session
        return session

    def _has_room(self, now_ms: int) -> bool:
        if len(self._sessions) < self.slots:
            return True
        oldest = next(iter(self._sessions.values()), None)
        if oldest is None or now_ms - oldest.used_ms < EVICTION_MS_MIN:
            return False
        self._remove(oldest.id)
        self.evictions += 1
        return True

    def _remove(self, session_id: int) -> None:
        session = self._sessions.pop(session_id, None)
        if session is not None:
            session.close()
