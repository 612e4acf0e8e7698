"""OffsetFetch (9): how far groups have read.

Versions: 1 to 10.
Behaviour: of each group the partitions that are asked for, or all that it has committed. What was not committed, and a
group that is not there, answer -1. Offsets of open transactions make their partitions UNSTABLE_OFFSET_COMMIT for who
asks with require_stable. A partition need not exist (any more).
Version notes: 1 fails partition by partition, 2 takes null for all and fails as a whole, 5 leader epochs (KIP-320),
6 flexible, 7 require_stable (KIP-447), 8 several groups (KIP-709), 9 member epochs of the consumer protocol (KIP-848,
not here yet: they are not looked at), 10 topic ids (KIP-516): an offset committed to another topic of the name is not
given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.coordination import GROUP, ask_all, coordinator_code
from millrace.broker.machine_host import MachineHost
from millrace.kafka import codes, messages

WHOLE_ERROR_FROM: Final = 2
SEVERAL_GROUPS_FROM: Final = 8
TOPIC_IDS_FROM: Final = 10
NO_OFFSET: Final = -1


def handle(context: Context, request: Any) -> Any:
    groups = _groups_of(context, request)
    answers: list[Any] = [None] * len(groups)
    refused: list[list[Any]] = [[] for _ in groups]
    places: dict[MachineHost, list[int]] = {}
    for place, group in enumerate(groups):
        try:
            host = context.broker.coordinator(GROUP, group.group_id)
        except Refused as error:
            answers[place] = _failed(group, error.code, context.api_version)
            continue
        refused[place] = _resolve_ids(context, group)
        places.setdefault(host, []).append(place)

    def combine(outcomes: list[Any]) -> Any:
        for host_places, outcome in zip(places.values(), outcomes, strict=True):
            for position, place in enumerate(host_places):
                if isinstance(outcome, Refused):
                    answers[place] = _failed(groups[place], outcome.code, context.api_version)
                    continue
                answer = answers[place] = outcome.groups[position]
                _show_allowed(context, groups[place], answer)
                answer.topics += refused[place]
        return _respond(context, answers)

    request_type = messages.OffsetFetchRequest
    asked = [
        (host, request_type(groups=[groups[place] for place in host_places], require_stable=request.require_stable))
        for host, host_places in places.items()
    ]
    return ask_all(context, asked, combine)


def _groups_of(context: Context, request: Any) -> list[Any]:
    """The request in the form of version 8, whatever its own is."""
    if context.api_version >= SEVERAL_GROUPS_FROM:
        return list(request.groups)
    topics = messages.OffsetFetchRequest.OffsetFetchRequestTopics
    wanted = None
    if request.topics is not None:
        wanted = [topics(name=topic.name, partition_indexes=topic.partition_indexes) for topic in request.topics]
    return [messages.OffsetFetchRequest.OffsetFetchRequestGroup(group_id=request.group_id, topics=wanted)]


def _resolve_ids(context: Context, group: Any) -> list[Any]:
    """Give topics their names; those that are not there are taken out: their answers."""
    if context.api_version < TOPIC_IDS_FROM or group.topics is None:
        return []
    image = context.broker.image
    known = []
    refused = []
    for topic in group.topics:
        named = image.topic_by_id(topic.topic_id)
        if named is None:
            refused.append(_refused_topic(topic, codes.UNKNOWN_TOPIC_ID))
            continue
        if not context.allows("describe", "topic", named.name):
            refused.append(_refused_topic(topic, codes.TOPIC_AUTHORIZATION_FAILED))
            continue
        topic.name = named.name
        known.append(topic)
    group.topics = known
    return refused


def _show_allowed(context: Context, group: Any, answer: Any) -> None:
    """An answer with all topics of a group: those that the asker may see, by id where the version wants ids. A topic
    that was deleted has none and is left out then."""
    if group.topics is not None:
        return
    answer.topics = [topic for topic in answer.topics if context.allows("describe", "topic", topic.name)]
    if context.api_version < TOPIC_IDS_FROM:
        return
    image = context.broker.image
    named = []
    for topic in answer.topics:
        known = image.topic(topic.name)
        if known is not None:
            topic.topic_id = known.id
            named.append(topic)
    answer.topics = named


def _respond(context: Context, answers: list[Any]) -> Any:
    response = messages.OffsetFetchResponse
    if context.api_version >= SEVERAL_GROUPS_FROM:
        return response(groups=answers)
    group = answers[0]
    topics = [
        response.OffsetFetchResponseTopic(
            name=topic.name,
            partitions=[
                response.OffsetFetchResponsePartition(
                    partition_index=each.partition_index,
                    committed_offset=each.committed_offset,
                    committed_leader_epoch=each.committed_leader_epoch,
                    metadata=each.metadata,
                    error_code=each.error_code,
                )
                for each in topic.partitions
            ],
        )
        for topic in group.topics
    ]
    return response(error_code=group.error_code, topics=topics)


def _failed(group: Any, code: int, version: int) -> Any:
    """Clients before 3.9 do not know COORDINATOR_NOT_AVAILABLE here; NOT_COORDINATOR makes them look again."""
    code = coordinator_code(code)
    if code == codes.COORDINATOR_NOT_AVAILABLE:
        code = codes.NOT_COORDINATOR
    answer = messages.OffsetFetchResponse.OffsetFetchResponseGroup(group_id=group.group_id, error_code=code)
    if version < WHOLE_ERROR_FROM:
        answer.topics = [_refused_topic(topic, code) for topic in group.topics or ()]
    return answer


def _refused_topic(topic: Any, code: int) -> Any:
    response = messages.OffsetFetchResponse
    return response.OffsetFetchResponseTopics(
        name=topic.name,
        topic_id=topic.topic_id,
        partitions=[
            response.OffsetFetchResponsePartitions(
                partition_index=index, committed_offset=NO_OFFSET, metadata="", error_code=code
            )
            for index in topic.partition_indexes
        ],
    )


def resources(request: Any) -> list[Resource]:
    """Topics by id, and all topics of a group, are looked at by the handler, which knows their names."""
    groups = request.groups or [request]
    found = [Resource("describe", "group", group.group_id) for group in groups]
    for group in groups:
        found += [Resource("describe", "topic", topic.name) for topic in group.topics or () if topic.name]
    return found


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    group_ids = {each.name for each in refused if each.type == "group"}
    names = {each.name for each in refused if each.type == "topic"}
    is_single = context.api_version < SEVERAL_GROUPS_FROM
    if is_single and group_ids:
        raise Refused(codes.GROUP_AUTHORIZATION_FAILED, f"{context.principal} may not describe {request.group_id}")
    denied = [group for group in request.groups if group.group_id in group_ids]
    request.groups = [group for group in request.groups if group.group_id not in group_ids]
    removed: list[tuple[str, Any]] = []
    for group in [request] if is_single else request.groups:
        if group.topics is not None:
            removed += [(group.group_id, topic) for topic in group.topics if topic.name in names]
            group.topics = [topic for topic in group.topics if topic.name not in names]

    def restore(response: Any) -> None:
        code = codes.TOPIC_AUTHORIZATION_FAILED
        if is_single:
            refused_topics = messages.OffsetFetchRequest.OffsetFetchRequestTopics
            answers = [
                _refused_topic(refused_topics(name=each.name, partition_indexes=each.partition_indexes), code)
                for _, each in removed
            ]
            single = messages.OffsetFetchResponse.OffsetFetchResponseGroup(topics=answers)
            response.topics += _respond(context, [single]).topics
            return
        by_id = {group.group_id: group for group in response.groups}
        for group_id, topic in removed:
            by_id[group_id].topics.append(_refused_topic(topic, code))
        response.groups += [_failed(group, codes.GROUP_AUTHORIZATION_FAILED, context.api_version) for group in denied]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    if request is None:
        return messages.OffsetFetchResponse(error_code=code)
    groups = _groups_of(context, request)
    return _respond(context, [_failed(group, code, context.api_version) for group in groups])


API = Api(9, "OffsetFetch", (1, 10), handle, resources=resources, deny=deny, fail=fail)
