"""OffsetDelete (47): forget committed offsets of a group (KIP-496).

Versions: 0.
Behaviour: topics and partitions that are not there are refused on their own; the rest is decided by the group's
coordinator (``state/groups_offsets``): GROUP_SUBSCRIBED_TO_TOPIC while a member is subscribed to a topic,
NON_EMPTY_GROUP for a living group of another protocol than the consumers', GROUP_ID_NOT_FOUND.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_in_time, coordinator_code
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages


def handle(context: Context, request: Any) -> Any:
    if not request.group_id:
        return messages.OffsetDeleteResponse(error_code=codes.INVALID_GROUP_ID)
    refused = _take_unknown(context, request)
    return _with_refused(ask_in_time(context, request.group_id, request), refused)


def _take_unknown(context: Context, request: Any) -> list[Any]:
    """Take topics and partitions that are not there out of the request: their answers."""
    image = context.broker.image
    refused = []
    known = []
    for topic in request.topics:
        named = image.topic(topic.name)
        count = named.partition_count if named is not None else 0
        absent = [each for each in topic.partitions if not 0 <= each.partition_index < count]
        if absent:
            refused.append(_refused(topic.name, absent, codes.UNKNOWN_TOPIC_OR_PARTITION))
            topic.partitions = [each for each in topic.partitions if 0 <= each.partition_index < count]
        if topic.partitions:
            known.append(topic)
    request.topics = known
    return refused


def _with_refused(outcome: Any, refused: list[Any]) -> Any:
    if isinstance(outcome, Waiting):
        finish = outcome.finish
        outcome.finish = lambda timed_out: _with_refused(finish(timed_out), refused)
        return outcome
    if outcome.error_code != codes.NONE:
        return outcome
    answered = {topic.name: topic for topic in outcome.topics}
    for topic in refused:
        known = answered.get(topic.name)
        if known is None:
            outcome.topics.append(topic)
        else:
            known.partitions += topic.partitions
    return outcome


def _refused(name: str, partitions: list[Any], code: int) -> Any:
    response = messages.OffsetDeleteResponse
    return response.OffsetDeleteResponseTopic(
        name=name,
        partitions=[
            response.OffsetDeleteResponsePartition(partition_index=each.partition_index, error_code=code)
            for each in partitions
        ],
    )


def resources(request: Any) -> list[Resource]:
    topics = [Resource("read", "topic", topic.name) for topic in request.topics]
    return [Resource("delete", "group", request.group_id), *topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    if any(each.type == "group" for each in refused):
        raise Refused(codes.GROUP_AUTHORIZATION_FAILED, f"{context.principal} may not delete {request.group_id}")
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.name in names]
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        if response.error_code == codes.NONE:
            code = codes.TOPIC_AUTHORIZATION_FAILED
            response.topics += [_refused(topic.name, topic.partitions, code) for topic in removed]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    return messages.OffsetDeleteResponse(error_code=coordinator_code(code))


API = Api(47, "OffsetDelete", (0, 0), handle, who=GROUP_OF_REQUEST, resources=resources, deny=deny, fail=fail)
