"""Metadata (3): brokers, controller, topics and who leads each partition.

Versions: 0 to 13.
Behaviour: topics are asked for by name, by id, or all of them. A topic that is not there is created if the request and
``auto.create.topics.enable`` allow it and its name is right. Kafka then answers UNKNOWN_TOPIC_OR_PARTITION once and
lets the client ask again; here the answer waits until the topic can be used, so no client needs to retry. If it cannot
be created the answer has the reason; Kafka keeps it to itself.
Version notes: 0 takes an empty list for all topics and answers REPLICA_NOT_AVAILABLE for replicas that are away, 1
takes null for all, names the controller and internal topics, 2 the cluster id, 4 allow_auto_topic_creation, 5 offline
replicas, 6 LISTENER_NOT_FOUND where older ones get LEADER_NOT_AVAILABLE, 7 leader epochs, 8 authorized operations
(of the cluster to 10 only, KIP-700), 9 flexible, 10 topic ids in the answer, 12 in the request, 13 a code of its own
(KIP-1102; the broker itself has never a reason to use it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker import topic_creation
from millrace.broker.api import Api, Context, Resource
from millrace.broker.authorized_operations import cluster_operations, topic_operations
from millrace.broker.listings import reachable_brokers
from millrace.kafka import codes, messages
from millrace.state import topic_name
from millrace.state.cluster_image import INTERNAL_TOPICS, ZERO_ID, ClusterImage, PartitionImage, TopicImage

Response = messages.MetadataResponse
Broker = messages.MetadataResponse.MetadataResponseBroker
Topic = messages.MetadataResponse.MetadataResponseTopic
Partition = messages.MetadataResponse.MetadataResponsePartition

CREATION_TIMEOUT_MS = 30_000


def handle(context: Context, request: Any) -> Any:
    _check_request(context, request)
    image = context.broker.image
    if _asks_for_all(context, request):
        names = [name for name in image.topics if context.allows("describe", "topic", name)]
        return _respond(context, request, names, {})
    ids = dict.fromkeys(topic.topic_id for topic in request.topics if topic.topic_id != ZERO_ID)
    if ids:  # then names are not looked at, as in Kafka
        return _respond_by_id(context, request, ids)
    names = list(dict.fromkeys(topic.name for topic in request.topics))
    missing = [name for name in names if name not in image.topics and topic_name.fault_in(name) is None]
    config = context.broker.config
    if not missing or not request.allow_auto_topic_creation or not config.flag("auto.create.topics.enable"):
        return _respond(context, request, names, {})
    creatable = [name for name in missing if context.allows("create", "topic", name)]
    refused = dict.fromkeys(set(missing).difference(creatable), int(codes.TOPIC_AUTHORIZATION_FAILED))
    if not creatable:
        return _respond(context, request, names, refused)
    return topic_creation.create_missing(
        context, creatable, CREATION_TIMEOUT_MS, lambda errors: _respond(context, request, names, {**errors, **refused})
    )


def _respond_by_id(context: Context, request: Any, ids: Iterable[bytes]) -> Any:
    names = []
    failed = []
    for topic_id in ids:
        topic = context.broker.image.topic_by_id(topic_id)
        if topic is None:
            failed.append(Topic(error_code=codes.UNKNOWN_TOPIC_ID, name=None, topic_id=topic_id))
        elif not context.allows("describe", "topic", topic.name):
            failed.append(Topic(error_code=codes.TOPIC_AUTHORIZATION_FAILED, name=None, topic_id=topic_id))
        else:
            names.append(topic.name)
    response = _respond(context, request, names, {})
    response.topics = failed + response.topics
    return response


def _check_request(context: Context, request: Any) -> None:
    if request.topics is None:
        return
    for topic in request.topics:
        if topic.name is None and topic.topic_id == ZERO_ID:
            raise Refused(codes.INVALID_REQUEST, "a topic is asked for by name or by id")
        if context.api_version < 12 and (topic.name is None or topic.topic_id != ZERO_ID):
            raise Refused(
                codes.INVALID_REQUEST, f"topics are asked for by name in version {context.api_version} of Metadata"
            )


def _asks_for_all(context: Context, request: Any) -> bool:
    return request.topics is None or (context.api_version == 0 and not request.topics)


def _respond(context: Context, request: Any, names: Iterable[str], errors: dict[str, int]) -> Any:
    broker = context.broker
    image = broker.image
    reachable = reachable_brokers(context)
    topics = []
    for name in names:
        found = image.topic(name)
        if found is None or name in errors:
            topic = _absent(name, errors.get(name))
        else:
            topic = _described(context, image, found, reachable)
        if request.include_topic_authorized_operations:
            topic.topic_authorized_operations = topic_operations(context, name)
        topics.append(topic)
    response = Response(
        brokers=[
            Broker(node_id=each.id, host=each.host, port=each.port, rack=each.rack) for each in reachable.values()
        ],
        cluster_id=broker.cluster_id,
        controller_id=next(iter(reachable), -1),
        topics=topics,
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = cluster_operations(context)
    return response


def _absent(name: str, error: int | None) -> Any:
    if error is None:
        is_legal = topic_name.fault_in(name) is None
        error = codes.UNKNOWN_TOPIC_OR_PARTITION if is_legal else codes.INVALID_TOPIC_EXCEPTION
    return Topic(error_code=error, name=name, is_internal=name in INTERNAL_TOPICS)


def _described(context: Context, image: ClusterImage, topic: TopicImage, reachable: dict[int, Any]) -> Any:
    version = context.api_version
    all_reachable = {broker_id for broker_id in image.brokers if broker_id in reachable}
    partitions = []
    for index, partition in enumerate(topic.partitions):
        if partition.leader in all_reachable and all_reachable.issuperset(partition.replicas):
            described = Partition(
                partition_index=index,
                leader_id=partition.leader,
                leader_epoch=partition.leader_epoch,
                replica_nodes=partition.replicas,
                isr_nodes=partition.isr,
            )
        else:
            described = _degraded(version, image, index, partition, all_reachable)
        partitions.append(described)
    return Topic(name=topic.name, topic_id=topic.id, is_internal=topic.is_internal, partitions=partitions)


def _degraded(version: int, image: ClusterImage, index: int, partition: PartitionImage, reachable: set[int]) -> Any:
    """A partition some of whose replicas are away."""
    replicas = partition.replicas
    isr = partition.isr
    error = codes.NONE
    if version == 0:
        replicas = [each for each in replicas if each in reachable]
        isr = [each for each in isr if each in reachable]
        if len(replicas) < len(partition.replicas) or len(isr) < len(partition.isr):
            error = codes.REPLICA_NOT_AVAILABLE
    leader = partition.leader
    if leader not in reachable:
        is_known = leader in image.brokers and version >= 6
        error = codes.LISTENER_NOT_FOUND if is_known else codes.LEADER_NOT_AVAILABLE
        leader = -1
    return Partition(
        error_code=error,
        partition_index=index,
        leader_id=leader,
        leader_epoch=partition.leader_epoch,
        replica_nodes=replicas,
        isr_nodes=isr,
        offline_replicas=[each for each in partition.replicas if each not in reachable],
    )


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    topics = request.topics if request is not None and request.topics is not None else []
    return Response(
        topics=[Topic(error_code=code, name=topic.name or "", topic_id=topic.topic_id) for topic in topics],
        error_code=code,
    )


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "topic", topic.name) for topic in request.topics or () if topic.name is not None]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.topics = [topic for topic in request.topics if topic.name not in names]
    if context.api_version == 0 and not request.topics:
        # An empty list would ask for all topics: one that cannot exist stands in for none.
        request.topics = [messages.MetadataRequest.MetadataRequestTopic(name="")]

    def restore(response: Any) -> None:
        response.topics = [topic for topic in response.topics if topic.name != ""]
        response.topics += [Topic(error_code=codes.TOPIC_AUTHORIZATION_FAILED, name=name) for name in sorted(names)]

    return restore


API = Api(3, "Metadata", (0, 13), handle, resources=resources, deny=deny, fail=fail)
