"""Fetch (1): record batches from each partition, as slices of the files they stand in.

Versions: 4 to 18. Below 4 older record formats would be asked for (removed in Kafka 4.0).
Behaviour: waits until ``min_bytes`` are there or ``max_wait_ms`` have passed; at least one whole batch is sent even if
it is larger than the limits; a slice may end inside a batch, as in Kafka. Errors stand at their partition and are
answered at once. Cold data is read by the disk's threads; what is in memory is sent meanwhile.
Version notes: 7 sessions (KIP-227), 9 leader epochs (KIP-320), 11 rack (KIP-392: one broker is always the nearest),
12 flexible and diverging epochs (KIP-595), 13 topic ids (KIP-516), 15 replica state (KIP-903: this is a client's
fetch only, followers come with the second broker), 18 the replica's high watermark (KIP-1166).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError, Refused
from millrace.base.ports import Ticket
from millrace.broker.api import PARTITION_LEADER, Api, Context, Resource
from millrace.broker.fetch_session import NO_SESSION, FetchPartition, FetchSession
from millrace.broker.partition import Partition, code_of
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages

Response = messages.FetchResponse
Topic = messages.FetchResponse.FetchableTopicResponse
Outcome = messages.FetchResponse.PartitionData
EpochEndOffset = messages.FetchResponse.EpochEndOffset

READ_COMMITTED = 1
NO_RECORDS = b""


def handle(context: Context, request: Any) -> Any:
    if request.replica_id >= 0 or request.replica_state.replica_id >= 0:
        raise Refused(codes.UNSUPPORTED_VERSION, "this broker has no followers yet")
    broker = context.broker
    session = broker.fetch_sessions.open(request, context.mono_ms)
    for topic in request.forgotten_topics_data:
        for index in topic.partitions:
            session.forget(topic.topic, topic.topic_id, index)
    for topic in request.topics:
        for wanted in topic.partitions:
            session.want(topic.topic, topic.topic_id, wanted)
    fetch = _Fetch(context, request, session)
    return fetch.answer(may_wait=request.max_wait_ms > 0)


class _Fetch:
    """One fetch request, from its first look at the partitions to its answer."""

    __slots__ = ("bytes_read", "cold", "context", "deadline_ms", "found", "has_error", "request", "session")

    def __init__(self, context: Context, request: Any, session: FetchSession) -> None:
        self.context = context
        self.request = request
        self.session = session
        self.deadline_ms = context.mono_ms + max(request.max_wait_ms, 0)
        self._reset()

    def _reset(self) -> None:
        self.found: list[tuple[FetchPartition, Any]] = []
        self.bytes_read = 0
        self.has_error = False
        self.cold: list[Ticket[Any]] = []

    def answer(self, *, may_wait: bool) -> Any:
        """The response, or a Waiting when there is not enough yet."""
        self._look()
        session = self.session
        is_enough = self.bytes_read >= max(self.request.min_bytes, 0) or self.has_error or not session.partitions
        if self.cold and not self.bytes_read and not self.has_error:
            return self._wait_for_disk()
        if is_enough or not may_wait:
            return self._respond()
        missing = max(self.request.min_bytes - self.bytes_read, 1)
        self._release()
        session.begin_wait(missing)
        for wanted, _ in self.found:
            wanted.seen = wanted.partition.high_watermark if wanted.partition is not None else None
        return Waiting((session,), self.deadline_ms, self._woken, on_cancel=self._close)

    def _woken(self, timed_out: bool) -> Any:
        self.session.waiting_for_bytes = 0
        self._reset()
        return self.answer(may_wait=not timed_out)

    def _wait_for_disk(self) -> Waiting:
        """Nothing is in memory: wait for the disk's threads, then look again."""
        waiting = self.context.broker.waiting
        for ticket in self.cold:
            ticket.then(lambda _, key=self: waiting.wake(key))  # type: ignore[misc]
        key_is_done = any(ticket.done for ticket in self.cold)
        deadline_ms = self.context.mono_ms if key_is_done else None
        self._release()
        return Waiting((self,), deadline_ms, self._look_again, on_cancel=self._close)

    def _look_again(self, timed_out: bool) -> Any:
        self._reset()
        return self.answer(may_wait=self.context.broker.mono_ms() < self.deadline_ms)

    def _close(self) -> None:
        self.session.waiting_for_bytes = 0
        if self.session.id == NO_SESSION:
            self.session.close()

    # -- looking -----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Read the partitions that may have something, until the limit of the request."""
        session = self.session
        room = min(self.request.max_bytes, self.context.broker.fetch_bytes_max)
        for wanted in list(session.changed):
            if self.bytes_read >= room and not session.is_full:
                break
            outcome = self._look_at(wanted, room - self.bytes_read)
            if outcome is None:
                continue
            size = len(outcome.records)
            self.bytes_read += size
            self.has_error |= outcome.error_code != 0
            self.found.append((wanted, outcome))
            del session.changed[wanted]
            # what the limit of bytes left unread is not asked for again by name, so it must stay among the changed
            if size or outcome.error_code or wanted.fetch_offset < outcome.high_watermark:
                session.changed[wanted] = None  # last in line next time, so that all have their turn

    def _look_at(self, wanted: FetchPartition, room: int) -> Any:
        """One partition's outcome; None when there is nothing to tell about it."""
        try:
            partition = self._partition(wanted)
            partition.check_leader_epoch(wanted.leader_epoch)
            diverging = self._diverging(wanted, partition)
            records = None
            if diverging is None and (room > 0 or not self.bytes_read):
                records = partition.read(
                    wanted.fetch_offset, min(wanted.max_bytes, max(room, 0)), at_least_one=self.bytes_read == 0
                )
            if isinstance(records, Ticket):
                self.cold.append(records)
                return None
        except MillraceError as error:
            self.context.broker.counters.apis[1].error(code_of(error))
            return Outcome(
                partition_index=wanted.index,
                error_code=code_of(error),
                high_watermark=-1,
                records=NO_RECORDS,
                aborted_transactions=None,
            )
        high_watermark = partition.high_watermark.offset
        log_start_offset = partition.log.log_start_offset
        if records is None and diverging is None and not self.session.is_full:
            is_told = wanted.told_high_watermark == high_watermark
            if is_told and wanted.told_log_start_offset == log_start_offset:
                del self.session.changed[wanted]
                return None
        outcome = Outcome(
            partition_index=wanted.index,
            high_watermark=high_watermark,
            last_stable_offset=partition.last_stable_offset,
            log_start_offset=log_start_offset,
            aborted_transactions=[] if self.request.isolation_level == READ_COMMITTED else None,
            records=NO_RECORDS if records is None else records,
        )
        if diverging is not None:
            outcome.diverging_epoch = diverging
        return outcome

    def _partition(self, wanted: FetchPartition) -> Partition:
        broker = self.context.broker
        partition = wanted.partition
        if partition is None or not broker.is_current(partition):
            self.session.bind(wanted, None)
            partition = broker.partition_named(wanted.topic, wanted.topic_id, wanted.index)
            self.session.bind(wanted, partition)
        if not self.context.allows("read", "topic", partition.topic):  # by id, or in a session that was begun before
            raise Refused(
                codes.TOPIC_AUTHORIZATION_FAILED, f"{self.context.principal} may not read from {partition.topic}"
            )
        return partition

    @staticmethod
    def _diverging(wanted: FetchPartition, partition: Partition) -> Any:
        """Where the reader's log and ours part, if they do (KIP-595); it then truncates and asks again."""
        if wanted.last_fetched_epoch < 0:
            return None
        epoch, end_offset = partition.log.epochs.end_offset_for(wanted.last_fetched_epoch)
        if epoch == -1 or end_offset < 0:
            raise Refused(
                codes.OFFSET_OUT_OF_RANGE, f"{partition} has no epoch up to {wanted.last_fetched_epoch} any more"
            )
        if epoch < wanted.last_fetched_epoch or end_offset < wanted.fetch_offset:
            return EpochEndOffset(epoch=epoch, end_offset=end_offset)
        return None

    # -- answering ---------------------------------------------------------------------------------------------------

    def _respond(self) -> Any:
        topics: dict[str | bytes, Any] = {}
        for wanted, outcome in self.found:
            key = wanted.topic or wanted.topic_id
            topic = topics.get(key)
            if topic is None:
                topic = topics[key] = Topic(topic=wanted.topic, topic_id=wanted.topic_id)
            topic.partitions.append(outcome)
            wanted.told_high_watermark = outcome.high_watermark
            wanted.told_log_start_offset = outcome.log_start_offset
        session = self.session
        session.is_full = False
        self.context.broker.counters.bytes_consumed += self.bytes_read
        if session.id == NO_SESSION:
            session.close()
        return Response(session_id=session.id, responses=list(topics.values()))

    def _release(self) -> None:
        for wanted, outcome in self.found:
            if len(outcome.records):
                outcome.records.release()
            self.session.changed[wanted] = None


def resources(request: Any) -> list[Resource]:
    return [Resource("read", "topic", topic.topic) for topic in request.topics if topic.topic]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.topic in names]
    request.topics = [topic for topic in request.topics if topic.topic not in names]

    def restore(response: Any) -> None:
        for topic in removed:
            outcomes = [
                Outcome(
                    partition_index=each.partition,
                    error_code=codes.TOPIC_AUTHORIZATION_FAILED,
                    high_watermark=-1,
                    records=NO_RECORDS,
                )
                for each in topic.partitions
            ]
            response.responses.append(Topic(topic=topic.topic, topic_id=topic.topic_id, partitions=outcomes))

    return restore


API = Api(1, "Fetch", (4, 18), handle, who=PARTITION_LEADER, resources=resources, deny=deny)
