"""ListOffsets (2): offsets by time, and the ends of a partition.

Versions: 1 to 11.
Behaviour: a timestamp asks for the first record at or after it. Special ones: -1 the end (the high watermark, or the
last stable offset for read_committed), -2 the start, -3 the record with the largest timestamp (KIP-734), -4 the start
on local disk (KIP-405), -5 the end of tiered storage (KIP-1005) and -6 the earliest offset that is still to be
uploaded (KIP-1023): there is no tiered storage here, -5 and -6 answer -1 as Kafka does without it.
Version notes: 2 isolation level, 4 leader epochs (KIP-320), 6 flexible, 7 -3, 8 -4, 9 -5, 10 the time-out, 11 -6.
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

Response = messages.ListOffsetsResponse
Topic = messages.ListOffsetsResponse.ListOffsetsTopicResponse
Outcome = messages.ListOffsetsResponse.ListOffsetsPartitionResponse

LATEST, EARLIEST, MAX_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING_UPLOAD = -1, -2, -3, -4, -5, -6
FIRST_WITH_LEADER_EPOCH = 4
# The first version that knows a special timestamp; before it the answer is UNSUPPORTED_VERSION, as in Kafka.
KNOWN_SINCE = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}
READ_COMMITTED = 1


class _Searches:
    """The partitions of one request whose record is still being looked for; a key of the waiting room."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


def handle(context: Context, request: Any) -> Any:
    searches = _Searches()
    topics = []
    seen: set[tuple[str, int]] = set()
    twice: set[tuple[str, int]] = set()
    for topic in request.topics:
        for wanted in topic.partitions:
            key = (topic.name, wanted.partition_index)
            (twice if key in seen else seen).add(key)
    for topic in request.topics:
        outcomes = []
        for wanted in topic.partitions:
            outcome = Outcome(partition_index=wanted.partition_index)
            try:
                if (topic.name, wanted.partition_index) in twice:
                    raise Refused(codes.INVALID_REQUEST, "a partition is named twice")
                partition = context.broker.partition_named(topic.name, b"", wanted.partition_index)
                partition.check_leader_epoch(wanted.current_leader_epoch)
                _look_up(context, request, partition, wanted.timestamp, outcome, searches)
            except MillraceError as error:
                _fail(outcome, error)
            outcomes.append(outcome)
        topics.append(Topic(name=topic.name, partitions=outcomes))
    response = Response(topics=topics)
    if not searches.count:
        return _answer(context, response)
    return Waiting((searches,), None, lambda timed_out: _answer(context, response))


def _answer(context: Context, response: Any) -> Any:
    """Before version 4 an answer has no place for a leader epoch, and Kafka's schema does not let it fall away."""
    if context.api_version < FIRST_WITH_LEADER_EPOCH:
        for topic in response.topics:
            for outcome in topic.partitions:
                outcome.leader_epoch = -1
    return response


def _look_up(
    context: Context, request: Any, partition: Partition, timestamp: int, outcome: Any, searches: _Searches
) -> None:
    if partition.failed is not None:
        raise partition.failed
    log = partition.log
    if timestamp < 0 and (timestamp < EARLIEST_PENDING_UPLOAD or context.api_version < KNOWN_SINCE.get(timestamp, 0)):
        raise Refused(codes.UNSUPPORTED_VERSION, f"timestamp {timestamp} in ListOffsets version {context.api_version}")
    if timestamp == LATEST:
        is_committed = request.isolation_level == READ_COMMITTED
        outcome.offset = partition.last_stable_offset if is_committed else partition.high_watermark.offset
        outcome.leader_epoch = partition.leader_epoch
    elif timestamp in (EARLIEST, EARLIEST_LOCAL):
        outcome.offset = log.log_start_offset
        outcome.leader_epoch = log.epochs.epoch_of(log.log_start_offset)
    elif timestamp in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
        outcome.offset = -1
    else:
        search = log.max_timestamp() if timestamp == MAX_TIMESTAMP else log.offset_for_time(timestamp)
        searches.count += 1

        def found(ticket: Ticket[Any]) -> None:
            searches.count -= 1
            if ticket.error is not None:
                _fail(outcome, ticket.error)
            elif ticket.value is not None and ticket.value[0] < partition.high_watermark.offset:
                outcome.offset, outcome.timestamp, outcome.leader_epoch = ticket.value
            if not searches.count:
                context.broker.waiting.wake(searches)

        search.then(found)


def _fail(outcome: Any, error: MillraceError) -> None:
    outcome.error_code = code_of(error)
    outcome.offset = -1
    outcome.timestamp = -1
    outcome.leader_epoch = -1


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "topic", topic.name) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.name in names]
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        for topic in removed:
            response.topics.append(
                Topic(
                    name=topic.name,
                    partitions=[
                        Outcome(partition_index=each.partition_index, error_code=codes.TOPIC_AUTHORIZATION_FAILED)
                        for each in topic.partitions
                    ],
                )
            )

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return Response(
        topics=[
            Topic(
                name=topic.name,
                partitions=[
                    Outcome(partition_index=each.partition_index, error_code=code) for each in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


API = Api(2, "ListOffsets", (1, 11), handle, who=PARTITION_LEADER, resources=resources, deny=deny, fail=fail)
