"""OffsetCommit (8): keep how far a group has read.

Versions: 2 to 10.
Behaviour: a topic or partition that is not there is refused on its own; the rest goes to the group's coordinator
(``state/groups_offsets``) and is answered once the records are safe. Membership is checked for all or none: a commit
of generation -1 without a member id is from a consumer without membership and is taken while the group has no
members. A commit by a member keeps its session alive.
Version notes: 2 to 4 may name a retention time, 6 leader epochs (KIP-320), 7 static members (KIP-345), 8 flexible,
9 GROUP_ID_NOT_FOUND where older ones get ILLEGAL_GENERATION (KIP-848), 10 topic ids (KIP-516).
Not here yet: member epochs of the consumer protocol (KIP-848).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP_OF_REQUEST, ask_in_time, coordinator_code
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from millrace.state.cluster_image import ZERO_ID

TOPIC_IDS_FROM: Final = 10


def handle(context: Context, request: Any) -> Any:
    known, refused = _split(context, request)
    if not known:
        return messages.OffsetCommitResponse(topics=refused)
    if not refused:
        return ask_in_time(context, request.group_id, request)
    wanted = messages.OffsetCommitRequest(
        group_id=request.group_id,
        generation_id_or_member_epoch=request.generation_id_or_member_epoch,
        member_id=request.member_id,
        group_instance_id=request.group_instance_id,
        retention_time_ms=request.retention_time_ms,
        topics=known,
    )
    return _with_refused(ask_in_time(context, request.group_id, wanted), refused)


def _split(context: Context, request: Any) -> tuple[list[Any], list[Any]]:
    """Topics with the partitions that are there, each with name and id; and the answers for what is not."""
    image = context.broker.image
    known = []
    refused = []
    for topic in request.topics:
        if context.api_version >= TOPIC_IDS_FROM:
            named = image.topic_by_id(topic.topic_id)
            code = codes.UNKNOWN_TOPIC_ID
        else:
            named = image.topic(topic.name)
            code = codes.UNKNOWN_TOPIC_OR_PARTITION
        if named is None:
            refused.append(_refused(topic, topic.partitions, code))
            continue
        if context.api_version >= TOPIC_IDS_FROM and not context.allows("read", "topic", named.name):
            refused.append(_refused(topic, topic.partitions, codes.TOPIC_AUTHORIZATION_FAILED))
            continue
        topic.name, topic.topic_id = named.name, named.id
        count = named.partition_count
        absent = [each for each in topic.partitions if not 0 <= each.partition_index < count]
        if not absent:
            known.append(topic)
            continue
        refused.append(_refused(topic, absent, codes.UNKNOWN_TOPIC_OR_PARTITION))
        present = [each for each in topic.partitions if 0 <= each.partition_index < count]
        if present:
            known.append(
                messages.OffsetCommitRequest.OffsetCommitRequestTopic(
                    name=topic.name, topic_id=topic.topic_id, partitions=present
                )
            )
    return known, refused


def _with_refused(outcome: Any, refused: list[Any]) -> Any:
    """Put the refused into the answer, one entry a topic."""
    if isinstance(outcome, Waiting):
        finish = outcome.finish
        outcome.finish = lambda timed_out: _with_refused(finish(timed_out), refused)
        return outcome
    answered = {(topic.topic_id, topic.name): topic for topic in outcome.topics}
    for topic in refused:
        known = answered.get((topic.topic_id, topic.name))
        if known is None:
            outcome.topics.append(topic)
        else:
            known.partitions += topic.partitions
    return outcome


def _refused(topic: Any, partitions: list[Any], code: int) -> Any:
    response = messages.OffsetCommitResponse
    return response.OffsetCommitResponseTopic(
        name=topic.name,
        topic_id=topic.topic_id,
        partitions=[
            response.OffsetCommitResponsePartition(partition_index=each.partition_index, error_code=code)
            for each in partitions
        ],
    )


def resources(request: Any) -> list[Resource]:
    topics = [Resource("read", "topic", topic.name) for topic in request.topics if topic.topic_id == ZERO_ID]
    return [Resource("read", "group", request.group_id), *topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    if any(each.type == "group" for each in refused):
        raise Refused(codes.GROUP_AUTHORIZATION_FAILED, f"{context.principal} may not read group {request.group_id}")
    names = {each.name for each in refused}
    removed = [topic for topic in request.topics if topic.name in names]
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        response.topics += [_refused(each, each.partitions, codes.TOPIC_AUTHORIZATION_FAILED) for each in removed]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    topics = request.topics if request is not None else []
    failed = [_refused(topic, topic.partitions, coordinator_code(code)) for topic in topics]
    return messages.OffsetCommitResponse(topics=failed)


API = Api(8, "OffsetCommit", (2, 10), handle, who=GROUP_OF_REQUEST, resources=resources, deny=deny, fail=fail)
