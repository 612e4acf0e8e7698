"""DescribeTopicPartitions (75): topics by name, in pages that bound the answer.

Versions: 0.
Behaviour: KIP-966. Topics come sorted; when the limit of partitions is reached the answer ends with a cursor, from
which the next request goes on. No topics asks for all. The limit is the lesser one of the request's and
``max.request.partition.size.limit``, and at least 1. Eligible leader replicas are not kept here: their lists are empty,
as in a Kafka cluster without the feature. No topic is created.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.authorized_operations import topic_operations
from millrace.broker.listings import reachable_brokers
from millrace.kafka import codes, messages
from millrace.state import topic_name
from millrace.state.cluster_image import INTERNAL_TOPICS, PartitionImage

Response = messages.DescribeTopicPartitionsResponse
Cursor = messages.DescribeTopicPartitionsResponse.Cursor
Topic = messages.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic
Partition = messages.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition


def handle(context: Context, request: Any) -> Any:
    names, first_index = _wanted(context, request)
    limit_max = context.broker.config.integer("max.request.partition.size.limit")
    room = max(min(request.response_partition_limit, limit_max), 1)
    reachable = set(reachable_brokers(context))
    response = Response()
    for name in names:
        if room == 0:
            response.next_cursor = Cursor(topic_name=name, partition_index=0)
            break
        found = context.broker.image.topic(name)
        if found is None:
            if request.topics:
                response.topics.append(_absent(context, name))
            continue
        start = first_index if request.cursor is not None and name == request.cursor.topic_name else 0
        end = min(found.partition_count, start + room)
        response.topics.append(
            Topic(
                name=name,
                topic_id=found.id,
                is_internal=found.is_internal,
                partitions=[_described(index, found.partitions[index], reachable) for index in range(start, end)],
                topic_authorized_operations=topic_operations(context, name),
            )
        )
        if end < found.partition_count:
            response.next_cursor = Cursor(topic_name=name, partition_index=end)
            break
        room -= max(end - start, 0)
    return response


def _wanted(context: Context, request: Any) -> tuple[list[str], int]:
    """The topics from the cursor on, sorted, and the first partition of the cursor's topic."""
    cursor = request.cursor
    if request.topics:
        names = {topic.name for topic in request.topics}
    else:
        names = {name for name in context.broker.image.topics if context.allows("describe", "topic", name)}
    if cursor is None:
        return sorted(names), 0
    if request.topics and cursor.topic_name not in names:
        raise Refused(codes.INVALID_REQUEST, f"the cursor's topic '{cursor.topic_name}' is not among the topics")
    if cursor.partition_index < 0:
        raise Refused(codes.INVALID_REQUEST, f"the cursor's partition {cursor.partition_index} is negative")
    return sorted(name for name in names if name >= cursor.topic_name), cursor.partition_index


def _absent(context: Context, name: str) -> Any:
    is_legal = topic_name.fault_in(name) is None
    return Topic(
        error_code=codes.UNKNOWN_TOPIC_OR_PARTITION if is_legal else codes.INVALID_TOPIC_EXCEPTION,
        name=name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=topic_operations(context, name),
    )


def _described(index: int, partition: PartitionImage, reachable: set[int]) -> Any:
    return Partition(
        partition_index=index,
        leader_id=partition.leader if partition.leader in reachable else -1,
        leader_epoch=partition.leader_epoch,
        replica_nodes=partition.replicas,
        isr_nodes=partition.isr,
        eligible_leader_replicas=[],
        last_known_elr=[],
        offline_replicas=[each for each in partition.replicas if each not in reachable],
    )


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "topic", topic.name) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    kept = [topic for topic in request.topics if topic.name not in names]
    # An empty list would ask for all topics: one that cannot exist stands in for none.
    request.topics = kept or [messages.DescribeTopicPartitionsRequest.TopicRequest(name="")]
    if request.cursor is not None and request.cursor.topic_name in names:
        request.cursor = None

    def restore(response: Any) -> None:
        response.topics = [topic for topic in response.topics if topic.name]
        response.topics += [Topic(error_code=codes.TOPIC_AUTHORIZATION_FAILED, name=name) for name in sorted(names)]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    names = [topic.name for topic in request.topics] if request is not None else []
    return Response(topics=[Topic(error_code=code, name=name) for name in names])


API = Api(75, "DescribeTopicPartitions", (0, 0), handle, resources=resources, deny=deny, fail=fail)
