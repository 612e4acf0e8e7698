"""OffsetForLeaderEpoch (23): where a leader epoch ends, so that a reader notices that the log was cut (KIP-320).

Versions: 2 to 4.
Behaviour: the answer is the largest epoch not above the one asked for, and the offset where the next one begins (the
end of the log for the newest). Without such an epoch: -1 and -1.
Version notes: 3 adds the replica id, 4 is flexible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError
from millrace.broker.api import PARTITION_LEADER, Api, Context, Resource
from millrace.broker.partition import code_of
from millrace.kafka import codes, messages

Response = messages.OffsetForLeaderEpochResponse
Topic = messages.OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult
Outcome = messages.OffsetForLeaderEpochResponse.EpochEndOffset


def handle(context: Context, request: Any) -> Any:
    return Response(
        topics=[
            Topic(topic=topic.topic, partitions=[_end_of(context, topic.topic, each) for each in topic.partitions])
            for topic in request.topics
        ]
    )


def _end_of(context: Context, topic: str, wanted: Any) -> Any:
    outcome = Outcome(partition=wanted.partition)
    try:
        partition = context.broker.partition_named(topic, b"", wanted.partition)
        partition.check_leader_epoch(wanted.current_leader_epoch)
        if partition.failed is not None:
            raise partition.failed
        outcome.leader_epoch, outcome.end_offset = partition.log.epochs.end_offset_for(wanted.leader_epoch)
    except MillraceError as error:
        outcome.error_code = code_of(error)
    return outcome


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "topic", topic.topic) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.topic in names]
    request.topics = [topic for topic in request.topics if topic.topic not in names]

    def restore(response: Any) -> None:
        for topic in removed:
            outcomes = [
                Outcome(partition=each.partition, error_code=codes.TOPIC_AUTHORIZATION_FAILED)
                for each in topic.partitions
            ]
            response.topics.append(Topic(topic=topic.topic, partitions=outcomes))

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    topics = [
        Topic(
            topic=topic.topic,
            partitions=[Outcome(partition=each.partition, error_code=code) for each in topic.partitions],
        )
        for topic in request.topics
    ]
    return Response(topics=topics)


API = Api(23, "OffsetForLeaderEpoch", (2, 4), handle, who=PARTITION_LEADER, resources=resources, deny=deny, fail=fail)
