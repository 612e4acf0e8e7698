"""What the cluster machine decides about topics: creation, removal, more partitions.

Each function takes the image of all that was replayed and a request, and gives the records of its decision and the
answer. Checks and codes are Apache Kafka's controller's in KRaft mode, in its order; where one request names a topic
twice, that topic is refused and the others go on.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.describe import describe_topic
from millrace.base.errors import Refused
from millrace.base.ports import Random
from millrace.kafka import codes, messages
from millrace.kafka.removal_marks import METADATA_TOPIC
from millrace.state import cluster_configs, cluster_records, topic_name
from millrace.state.cluster_image import RESOURCE_TOPIC, ZERO_ID, ClusterImage, TopicImage
from millrace.state.machine import Record

# One decision is one batch in memory. Kafka's limit is 10,000 records; ours lets 10,000 partitions through in one
# request. Beyond it the topic is refused with Kafka's code for that, POLICY_VIOLATION.
RECORDS_PER_DECISION_MAX: Final = 50_000

Replicas = list[int]
Topics = Sequence["messages.CreateTopicsRequest.CreatableTopic"]


def create_topics(
    image: ClusterImage, config: BrokerConfig, request: messages.CreateTopicsRequest, random: Random
) -> tuple[list[Record], messages.CreateTopicsResponse]:
    """Decide a CreateTopics request; with ``validate_only`` the answer says what would be, without records."""
    response = messages.CreateTopicsResponse()
    decided: list[Record] = []
    counts = Counter(topic.name for topic in request.topics)
    rows = _ConfigRows(image, config)
    taken: dict[str, str] = {}  # collision key -> name, of the topics of this request
    for topic in request.topics:
        if counts[topic.name] > 1 or topic.name == METADATA_TOPIC:
            continue
        try:
            _check_new_name(image, topic.name, taken)
            result, created = _create_topic(image, config, topic, rows, random, RECORDS_PER_DECISION_MAX - len(decided))
        except Refused as refusal:
            result = _not_created(topic.name, refusal.code, refusal.message)
        else:
            decided += created
        response.topics.append(result)
    for name, count in counts.items():
        if count > 1:
            response.topics.append(_not_created(name, codes.INVALID_REQUEST, f"topic '{name}' is named more than once"))
        elif name == METADATA_TOPIC:
            text = f"'{name}' holds the cluster's metadata and cannot be created"
            response.topics.append(_not_created(name, codes.INVALID_REQUEST, text))
    return ([] if request.validate_only else decided), response


def _not_created(name: str, code: int, message: str) -> messages.CreateTopicsResponse.CreatableTopicResult:
    return messages.CreateTopicsResponse.CreatableTopicResult(
        name=name, error_code=code, error_message=message, configs=[]
    )


def _check_new_name(image: ClusterImage, name: str, taken: dict[str, str]) -> None:
    if image.topic(name) is not None:
        raise Refused(codes.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    # Unlike Kafka, which looks only at topics that exist, a collision within the request is refused too.
    colliding = image.colliding_topic(name) or taken.get(name.replace(".", "_"))
    if colliding is not None:
        raise Refused(
            codes.INVALID_TOPIC_EXCEPTION,
            f"Topic '{name}' collides with existing topics: {colliding} (metric names hold '.' and '_' to be the same)",
        )
    fault = topic_name.fault_in(name)
    if fault is not None:
        raise Refused(codes.INVALID_TOPIC_EXCEPTION, fault)
    taken[name.replace(".", "_")] = name


def _create_topic(
    image: ClusterImage,
    config: BrokerConfig,
    topic: messages.CreateTopicsRequest.CreatableTopic,
    rows: _ConfigRows,
    random: Random,
    records_max: int,
) -> tuple[messages.CreateTopicsResponse.CreatableTopicResult, list[Record]]:
    overrides = _creation_configs(topic)
    cluster_configs.check_topic(config, image, overrides)
    if topic.assignments:
        assignment = _manual_assignment(image, topic)
    else:
        assignment = _automatic_assignment(image, config, topic, random, records_max)
    if 1 + len(overrides) + len(assignment) > records_max:
        raise Refused(
            codes.POLICY_VIOLATION,
            f"topic '{topic.name}' with {len(assignment)} partitions: the request asks for more than "
            f"{RECORDS_PER_DECISION_MAX} records of metadata",
        )
    topic_id = new_topic_id(random)
    decided = [cluster_records.topic(topic.name, topic_id)]
    decided += [cluster_records.config(RESOURCE_TOPIC, topic.name, name, value) for name, value in overrides.items()]
    decided += _partition_records(image, topic_id, 0, assignment)
    result = messages.CreateTopicsResponse.CreatableTopicResult(
        name=topic.name,
        topic_id=topic_id,
        error_message=None,
        num_partitions=len(assignment),
        replication_factor=len(assignment[0]),
        configs=rows.of(overrides),
    )
    return result, decided


class _ConfigRows:
    """The configs that a created topic's result shows; made once for all topics of a request that set the same."""

    __slots__ = ("_broker", "_made")

    def __init__(self, image: ClusterImage, config: BrokerConfig) -> None:
        self._broker = cluster_configs.effective(config, image)
        self._made: dict[tuple[tuple[str, str], ...], list[Any]] = {}

    def of(self, overrides: dict[str, str]) -> list[Any]:
        key = tuple(overrides.items())
        if key not in self._made:
            self._made[key] = [
                messages.CreateTopicsResponse.CreatableTopicConfigs(
                    name=row.name,
                    value=row.value,
                    read_only=row.is_read_only,
                    config_source=row.source,
                    is_sensitive=row.is_sensitive,
                )
                for row in sorted(describe_topic(overrides, self._broker), key=lambda row: row.name)
            ]
        return self._made[key]


def _creation_configs(topic: messages.CreateTopicsRequest.CreatableTopic) -> dict[str, str]:
    nulls = [config.name for config in topic.configs if config.value is None]
    if nulls:
        raise Refused(codes.INVALID_CONFIG, f"a topic config needs a value: {', '.join(nulls)}")
    return {config.name: config.value for config in topic.configs if config.value is not None}


def _manual_assignment(image: ClusterImage, topic: messages.CreateTopicsRequest.CreatableTopic) -> list[Replicas]:
    if topic.replication_factor != -1:
        raise Refused(
            codes.INVALID_REQUEST,
            f"topic '{topic.name}' comes with assignments, so its replication factor must be -1",
        )
    if topic.num_partitions != -1:
        raise Refused(
            codes.INVALID_REQUEST,
            f"topic '{topic.name}' comes with assignments, so its number of partitions must be -1",
        )
    by_index: dict[int, Replicas] = {}
    replication_factor: int | None = None
    for assignment in topic.assignments:
        if assignment.partition_index in by_index:
            raise Refused(
                codes.INVALID_REPLICA_ASSIGNMENT, f"partition {assignment.partition_index} is assigned more than once"
            )
        replicas = list(assignment.broker_ids)
        _check_replicas(image, assignment.partition_index, replicas, replication_factor)
        replication_factor = len(replicas)
        by_index[assignment.partition_index] = replicas
    if set(by_index) != set(range(len(by_index))):
        raise Refused(codes.INVALID_REPLICA_ASSIGNMENT, "partitions must be numbered from 0 without gaps")
    return [by_index[index] for index in range(len(by_index))]


def _check_replicas(image: ClusterImage, index: int, replicas: Replicas, replication_factor: int | None) -> None:
    """A manual assignment of one partition: brokers that are registered, each once, as many as the others have."""
    if not replicas:
        raise Refused(codes.INVALID_REPLICA_ASSIGNMENT, f"partition {index} is assigned to no broker")
    for broker_id in sorted(replicas):
        if broker_id not in image.brokers:
            raise Refused(
                codes.INVALID_REPLICA_ASSIGNMENT,
                f"partition {index} is assigned to broker {broker_id}, which is not registered",
            )
    if len(set(replicas)) != len(replicas):
        raise Refused(codes.INVALID_REPLICA_ASSIGNMENT, f"partition {index} is assigned twice to one broker")
    if replication_factor is not None and len(replicas) != replication_factor:
        raise Refused(
            codes.INVALID_REPLICA_ASSIGNMENT,
            f"partition {index} is assigned to {len(replicas)} brokers, the others to {replication_factor}",
        )
    if not any(image.brokers[broker_id].is_active for broker_id in replicas):
        raise Refused(codes.INVALID_REPLICA_ASSIGNMENT, f"no broker that partition {index} is assigned to is active")


def _automatic_assignment(
    image: ClusterImage,
    config: BrokerConfig,
    topic: messages.CreateTopicsRequest.CreatableTopic,
    random: Random,
    records_max: int,
) -> list[Replicas]:
    if topic.replication_factor < -1 or topic.replication_factor == 0:
        raise Refused(
            codes.INVALID_REPLICATION_FACTOR,
            f"replication factor {topic.replication_factor}: expected more than 0, or -1 for the default",
        )
    if topic.num_partitions < -1 or topic.num_partitions == 0:
        raise Refused(
            codes.INVALID_PARTITIONS,
            f"{topic.num_partitions} partitions: expected more than 0, or -1 for the default",
        )
    count = config.integer("num.partitions") if topic.num_partitions == -1 else topic.num_partitions
    if count >= records_max:
        raise Refused(
            codes.POLICY_VIOLATION,
            f"topic '{topic.name}' with {count} partitions: the request asks for more than "
            f"{RECORDS_PER_DECISION_MAX} records of metadata",
        )
    factor = topic.replication_factor
    if factor == -1:
        factor = config.integer("default.replication.factor")
    return place(image, 0, count, factor, random)


def place(image: ClusterImage, first_index: int, count: int, replication_factor: int, random: Random) -> list[Replicas]:
    """Replicas for ``count`` partitions: leaders go round the active brokers, followers are the next ones, one step
    further apart each time round, so that a broker's partitions do not all follow the same other one."""
    active = image.active_brokers()
    if not active:
        raise Refused(codes.INVALID_REPLICATION_FACTOR, "no broker is active that could hold a partition")
    if replication_factor > len(image.brokers):
        raise Refused(
            codes.INVALID_REPLICATION_FACTOR,
            f"Unable to replicate the partition {replication_factor} time(s): "
            f"only {len(image.brokers)} broker(s) are registered.",
        )
    # With fewer active brokers than registered ones, fenced ones hold the rest, as in Kafka.
    others = sorted(broker_id for broker_id in image.brokers if broker_id not in active)
    start = random.getrandbits(32) % len(active)
    placed = []
    for index in range(first_index, first_index + count):
        rounds, leader = divmod(start + index, len(active))
        rest = active[leader + 1 :] + active[:leader]
        if rest:
            shift = rounds % len(rest)
            rest = rest[shift:] + rest[:shift]
        placed.append([active[leader], *rest, *others][:replication_factor])
    return placed


def _partition_records(
    image: ClusterImage, topic_id: bytes, first_index: int, assignment: Iterable[Replicas]
) -> list[Record]:
    decided = []
    for index, replicas in enumerate(assignment, first_index):
        isr = [broker_id for broker_id in replicas if image.brokers[broker_id].is_active]
        directories = [_directory(image, broker_id) for broker_id in replicas]
        decided.append(cluster_records.partition(topic_id, index, replicas, isr, isr[0], 0, 0, directories))
    return decided


def _directory(image: ClusterImage, broker_id: int) -> bytes:
    """A broker's only directory, else "not assigned": a broker with several chooses itself (KIP-858)."""
    directories = image.brokers[broker_id].directories
    return directories[0] if len(directories) == 1 else ZERO_ID


def new_topic_id(random: Random) -> bytes:
    """A random UUID (version 4) that does not begin with '-' in Kafka's text form, where it would look like an
    option of a command; as Kafka chooses them."""
    while True:
        raw = bytearray(random.randbytes(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        topic_id = bytes(raw)
        if not base64.urlsafe_b64encode(topic_id).startswith(b"-"):
            return topic_id


def delete_topics(
    image: ClusterImage, config: BrokerConfig, request: messages.DeleteTopicsRequest, api_version: int
) -> tuple[list[Record], messages.DeleteTopicsResponse]:
    """Decide a DeleteTopics request: by names (``topic_names`` to v5, ``topics`` from v6) or by ids."""
    if not config.flag("delete.topic.enable"):
        # Version 3 brought the code (KIP-322); older clients do not know it.
        code = codes.INVALID_REQUEST if api_version < 3 else codes.TOPIC_DELETION_DISABLED
        raise Refused(code, "topics cannot be deleted: delete.topic.enable is false")
    answer = _DeletionAnswer()
    names = list(request.topic_names)
    ids = []
    for wish in request.topics:
        if wish.name is None and wish.topic_id == ZERO_ID:
            answer.refuse(None, ZERO_ID, codes.INVALID_REQUEST, "neither a topic's name nor its id")
        elif wish.name is None:
            ids.append(wish.topic_id)
        elif wish.topic_id == ZERO_ID:
            names.append(wish.name)
        else:
            answer.refuse(wish.name, wish.topic_id, codes.INVALID_REQUEST, "both a topic's name and its id")
    doomed = _doomed_by_id(image, ids, answer)
    _add_doomed_by_name(image, names, doomed, answer)
    decided: list[Record] = []
    for topic in doomed.values():
        decided += _removal_records(image, topic)
        answer.results.append(messages.DeleteTopicsResponse.DeletableTopicResult(name=topic.name, topic_id=topic.id))
    return decided, messages.DeleteTopicsResponse(responses=answer.results)


class _DeletionAnswer:
    """The results gathered so far."""

    __slots__ = ("results",)

    def __init__(self) -> None:
        self.results: list[messages.DeleteTopicsResponse.DeletableTopicResult] = []

    def refuse(self, name: str | None, topic_id: bytes, code: int, message: str) -> None:
        self.results.append(
            messages.DeleteTopicsResponse.DeletableTopicResult(
                name=name, topic_id=topic_id, error_code=code, error_message=message
            )
        )


def _doomed_by_id(image: ClusterImage, ids: list[bytes], answer: _DeletionAnswer) -> dict[bytes, TopicImage]:
    doomed: dict[bytes, TopicImage] = {}
    for topic_id, count in Counter(ids).items():
        topic = image.topic_by_id(topic_id)
        if count > 1:
            answer.refuse(None, topic_id, codes.INVALID_REQUEST, "the topic's id is given more than once")
        elif topic is None:
            answer.refuse(None, topic_id, codes.UNKNOWN_TOPIC_ID, "no topic has this id")
        else:
            doomed[topic_id] = topic
    return doomed


def _add_doomed_by_name(
    image: ClusterImage, names: list[str], doomed: dict[bytes, TopicImage], answer: _DeletionAnswer
) -> None:
    for name, count in Counter(names).items():
        topic = image.topic(name)
        if count > 1:
            answer.refuse(name, ZERO_ID, codes.INVALID_REQUEST, f"topic '{name}' is named more than once")
        elif topic is None:
            answer.refuse(name, ZERO_ID, codes.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic '{name}'")
        elif topic.id in doomed:
            # Named by name and by id: neither is done, as in Kafka.
            del doomed[topic.id]
            answer.refuse(name, topic.id, codes.INVALID_REQUEST, f"topic '{name}' is given by name and by id")
        else:
            doomed[topic.id] = topic


def _removal_records(image: ClusterImage, topic: TopicImage) -> list[Record]:
    decided = [cluster_records.topic_removed(topic.id)]
    decided += [
        cluster_records.config(RESOURCE_TOPIC, topic.name, name, None)
        for name in image.configs(RESOURCE_TOPIC, topic.name)
    ]
    decided += [cluster_records.partition_removed(topic.id, index) for index in range(topic.partition_count)]
    return decided


def create_partitions(
    image: ClusterImage, request: messages.CreatePartitionsRequest, random: Random
) -> tuple[list[Record], messages.CreatePartitionsResponse]:
    """Decide a CreatePartitions request: ``count`` is the new total."""
    response = messages.CreatePartitionsResponse()
    decided: list[Record] = []
    counts = Counter(topic.name for topic in request.topics)
    for name in (name for name, count in counts.items() if count > 1):
        response.results.append(
            messages.CreatePartitionsResponse.CreatePartitionsTopicResult(
                name=name, error_code=codes.INVALID_REQUEST, error_message=f"topic '{name}' is named more than once"
            )
        )
    for topic in request.topics:
        if counts[topic.name] > 1:
            continue
        result = messages.CreatePartitionsResponse.CreatePartitionsTopicResult(name=topic.name, error_message=None)
        try:
            decided += _added_partitions(image, topic, random, RECORDS_PER_DECISION_MAX - len(decided))
        except Refused as refusal:
            result.error_code = refusal.code
            result.error_message = refusal.message
        response.results.append(result)
    return ([] if request.validate_only else decided), response


def _added_partitions(
    image: ClusterImage,
    topic: messages.CreatePartitionsRequest.CreatePartitionsTopic,
    random: Random,
    records_max: int,
) -> list[Record]:
    found = image.topic(topic.name)
    if found is None:
        raise Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic '{topic.name}'")
    present = found.partition_count
    if topic.count == present:
        raise Refused(codes.INVALID_PARTITIONS, f"Topic already has {present} partition(s).")
    if topic.count < present:
        raise Refused(
            codes.INVALID_PARTITIONS,
            f"topic '{topic.name}' has {present} partition(s), so {topic.count} would be fewer",
        )
    additional = topic.count - present
    if additional > records_max:
        raise Refused(
            codes.POLICY_VIOLATION,
            f"{additional} more partitions: the request asks for more than {RECORDS_PER_DECISION_MAX} records of "
            "metadata",
        )
    if topic.assignments is None:
        assignment = place(image, present, additional, found.replication_factor, random)
    else:
        if len(topic.assignments) != additional:
            raise Refused(
                codes.INVALID_REPLICA_ASSIGNMENT,
                f"{additional} partition(s) to add, but {len(topic.assignments)} assignment(s)",
            )
        assignment = [list(wish.broker_ids) for wish in topic.assignments]
        for index, replicas in enumerate(assignment, present):
            _check_replicas(image, index, replicas, found.replication_factor)
    return _partition_records(image, found.id, present, assignment)
