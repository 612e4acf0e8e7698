"""DeleteRecords (21): move the start of partitions up, so that older records are gone.

Versions: 0 to 2.
Behaviour: KIP-107. -1 stands for the high watermark; an offset past it is OFFSET_OUT_OF_RANGE, one below the start
changes nothing. Topics that are only compacted are refused (POLICY_VIOLATION), internal ones too. The answer comes when
the new start survives a crash, or at the request's time-out; with one replica nobody else has to follow.
A partition that is named twice takes the last offset, as in Kafka.
Version notes: 2 flexible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError, Refused
from millrace.base.ports import Ticket
from millrace.broker.api import PARTITION_LEADER, Api, Context, Resource
from millrace.broker.partition import Partition, code_of
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from millrace.state.cluster_image import INTERNAL_TOPICS

Response = messages.DeleteRecordsResponse
Topic = messages.DeleteRecordsResponse.DeleteRecordsTopicResult
Outcome = messages.DeleteRecordsResponse.DeleteRecordsPartitionResult

HIGH_WATERMARK = -1
NO_LOW_WATERMARK = -1


class _Deletions:
    """The partitions of one request whose new start is not safe yet; a key of the waiting room."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0


def handle(context: Context, request: Any) -> Any:
    deletions = _Deletions()
    offsets: dict[str, dict[int, int]] = {}
    for topic in request.topics:
        wanted = offsets.setdefault(topic.name, {})
        wanted.update((each.partition_index, each.offset) for each in topic.partitions)
    topics = [
        Topic(name=name, partitions=[_delete(context, name, *item, deletions) for item in wanted.items()])
        for name, wanted in offsets.items()
    ]
    response = Response(topics=topics)
    if not deletions.left:
        return response
    deadline_ms = context.mono_ms + max(request.timeout_ms, 0)
    return Waiting((deletions,), deadline_ms, lambda timed_out: response)


def _delete(context: Context, name: str, index: int, offset: int, deletions: _Deletions) -> Any:
    outcome = Outcome(partition_index=index)
    try:
        partition = context.broker.partition(name, index)
        offset = _checked(partition, offset)
        if offset <= partition.log.log_start_offset:
            outcome.low_watermark = partition.log.log_start_offset
            return outcome
        ticket = partition.log.delete_records_before(offset)
    except MillraceError as error:
        return _failed(outcome, code_of(error))

    def settled(done: Ticket[None]) -> None:
        if done.error is not None:
            _failed(outcome, code_of(done.error))
        else:
            outcome.error_code = codes.NONE
            outcome.low_watermark = partition.log.log_start_offset
        deletions.left -= 1
        if not deletions.left:
            context.broker.waiting.wake(deletions)

    # Until it is settled it is not done: that is the answer if the time is over before.
    _failed(outcome, codes.REQUEST_TIMED_OUT)
    deletions.left += 1
    ticket.then(settled)
    return outcome


def _checked(partition: Partition, offset: int) -> int:
    """The offset that is meant, if records before it may be deleted."""
    if partition.topic in INTERNAL_TOPICS:
        raise Refused(codes.INVALID_TOPIC_EXCEPTION, f"records of the internal topic {partition.topic} stay")
    if partition.config.is_compacted and not partition.config.is_deleted_from:
        raise Refused(codes.POLICY_VIOLATION, f"topic {partition.topic} is compacted, its records are not deleted")
    if partition.failed is not None:
        raise partition.failed
    end = partition.high_watermark.offset
    if offset == HIGH_WATERMARK:
        return end
    if not 0 <= offset <= end:
        raise Refused(codes.OFFSET_OUT_OF_RANGE, f"offset {offset} in {partition}: expected 0 to {end}")
    return offset


def _failed(outcome: Any, code: int) -> Any:
    outcome.error_code = code
    outcome.low_watermark = NO_LOW_WATERMARK
    return outcome


def resources(request: Any) -> list[Resource]:
    return [Resource("delete", "topic", topic.name) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.name in names]
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        response.topics += _all_failed(removed, codes.TOPIC_AUTHORIZATION_FAILED)

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return Response(topics=_all_failed(request.topics if request is not None else [], code))


def _all_failed(topics: list[Any], code: int) -> list[Any]:
    return [
        Topic(
            name=topic.name,
            partitions=[_failed(Outcome(partition_index=each.partition_index), code) for each in topic.partitions],
        )
        for topic in topics
    ]


API = Api(21, "DeleteRecords", (0, 2), handle, who=PARTITION_LEADER, resources=resources, deny=deny, fail=fail)
