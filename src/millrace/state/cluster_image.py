"""The cluster's metadata as one image: topics, partitions, configs, brokers, features, the next producer id.

An image is made by applying metadata records one at a time. What it holds does not depend on the order of records that
stand under different keys, because compaction keeps only the newest of each key: a partition may be met before its
topic, and is then kept aside, unnamed and unseen, until the topic record comes.

The cluster machine keeps two images: one of all that was replayed (its decisions read that) and one of what is
committed (everybody else reads that). A partition's state is made once for both (:class:`Sharing`): it is replaced,
never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from millrace.kafka import records

RESOURCE_TOPIC: Final = 2
RESOURCE_BROKER: Final = 4
RESOURCE_BROKER_LOGGER: Final = 8
RESOURCE_CLIENT_METRICS: Final = 16
RESOURCE_GROUP: Final = 32

INTERNAL_TOPICS: Final = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})

ZERO_ID: Final = bytes(16)
NO_LEADER: Final = -1

NO_CONFIGS: Final[Mapping[str, str]] = {}


class PartitionImage:
    """One partition as the controller has it; immutable by convention, so that images share it."""

    __slots__ = ("directories", "isr", "leader", "leader_epoch", "partition_epoch", "replicas")

    def __init__(
        self,
        replicas: list[int],
        isr: list[int],
        leader: int,
        leader_epoch: int,
        partition_epoch: int,
        directories: tuple[bytes, ...] = (),
    ) -> None:
        self.replicas = replicas
        self.isr = isr
        self.leader = leader
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories = directories

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.replicas, self.isr, self.leader, self.leader_epoch, self.partition_epoch, self.directories)


# Stands at an index whose record has not been replayed yet: partitions are numbered without gaps, records may not come
# in order.
ABSENT: Final = PartitionImage([], [], NO_LEADER, -1, -1)


class PartitionChange:
    """A partition record, made ready to be applied to more than one image."""

    __slots__ = ("partition", "partition_id", "topic_id")

    def __init__(self, topic_id: bytes, partition_id: int, partition: PartitionImage) -> None:
        self.topic_id = topic_id
        self.partition_id = partition_id
        self.partition = partition


class Sharing:
    """Makes one object of what many partitions have alike: their replicas and directories."""

    __slots__ = ("_directories", "_replicas")

    def __init__(self) -> None:
        self._replicas: dict[tuple[int, ...], list[int]] = {}
        self._directories: dict[tuple[bytes, ...], tuple[bytes, ...]] = {}

    def prepared(self, record: Any) -> Any:
        """A partition record as a change of the image, other records as they are."""
        if type(record).__name__ != "PartitionRecord":
            return record
        directories = tuple(record.directories)
        partition = PartitionImage(
            self._replicas.setdefault(tuple(record.replicas), record.replicas),
            self._replicas.setdefault(tuple(record.isr), record.isr),
            record.leader,
            record.leader_epoch,
            record.partition_epoch,
            self._directories.setdefault(directories, directories),
        )
        return PartitionChange(record.topic_id, record.partition_id, partition)


class TopicImage:
    """One topic: its name, its id, its partitions by index."""

    __slots__ = ("id", "name", "partitions")

    def __init__(self, name: str, topic_id: bytes) -> None:
        self.name = name
        self.id = topic_id
        self.partitions: list[PartitionImage] = []

    @property
    def is_internal(self) -> bool:
        return self.name in INTERNAL_TOPICS

    @property
    def partition_count(self) -> int:
        return len(self.partitions)

    @property
    def replication_factor(self) -> int:
        return len(self.partitions[0].replicas) if self.partitions else 0

    def __repr__(self) -> str:
        return f"TopicImage({self.name!r}, {self.id.hex()}, {len(self.partitions)} partitions)"


class Endpoint(NamedTuple):
    """Where one listener of a broker is reached."""

    listener: str
    host: str
    port: int
    security_protocol: int


class BrokerImage(NamedTuple):
    """One registered broker."""

    id: int
    incarnation_id: bytes
    epoch: int
    endpoints: tuple[Endpoint, ...]
    features: tuple[tuple[str, int, int], ...]  # name, lowest and highest level it supports
    rack: str | None
    fenced: bool
    shutting_down: bool
    directories: tuple[bytes, ...]

    def endpoint(self, listener: str) -> Endpoint | None:
        for endpoint in self.endpoints:
            if endpoint.listener == listener:
                return endpoint
        return None

    @property
    def is_active(self) -> bool:
        """May it be given partitions and lead them?"""
        return not self.fenced and not self.shutting_down


class ClusterImage:
    """All cluster metadata at one moment; see the module. Read it through its methods, write it through ``apply``."""

    __slots__ = ("_by_collision_key", "_by_id", "_configs", "brokers", "features", "next_producer_id", "topics")

    def __init__(self) -> None:
        self.topics: dict[str, TopicImage] = {}
        self.brokers: dict[int, BrokerImage] = {}
        self.features: dict[str, int] = {}
        self.next_producer_id = 0
        self._by_id: dict[bytes, TopicImage] = {}
        self._by_collision_key: dict[str, str] = {}
        self._configs: dict[tuple[int, str], dict[str, str]] = {}

    # Reading

    def topic(self, name: str) -> TopicImage | None:
        return self.topics.get(name)

    def topic_by_id(self, topic_id: bytes) -> TopicImage | None:
        topic = self._by_id.get(topic_id)
        return topic if topic is not None and topic.name else None

    def partition(self, name: str, index: int) -> PartitionImage | None:
        topic = self.topics.get(name)
        if topic is None or not 0 <= index < len(topic.partitions):
            return None
        return topic.partitions[index]

    def colliding_topic(self, name: str) -> str | None:
        """The topic whose name differs from ``name`` only in '.' and '_', which metric names cannot tell apart."""
        return self._by_collision_key.get(collision_key(name)) if has_collision_characters(name) else None

    def configs(self, resource_type: int, name: str) -> Mapping[str, str]:
        """What was set on this resource itself, not what it inherits."""
        return self._configs.get((resource_type, name), NO_CONFIGS)

    def configured(self, resource_type: int) -> list[str]:
        """Names of the resources of a type that have configs, sorted."""
        return sorted(name for kind, name in self._configs if kind == resource_type)

    def active_brokers(self) -> list[int]:
        return sorted(broker.id for broker in self.brokers.values() if broker.is_active)

    @property
    def partition_count(self) -> int:
        return sum(len(topic.partitions) for topic in self.topics.values())

    def partitions(self) -> Iterator[tuple[TopicImage, int, PartitionImage]]:
        for topic in self.topics.values():
            for index, partition in enumerate(topic.partitions):
                yield topic, index, partition

    def as_plain(self) -> dict[str, Any]:
        """The whole image as plain values, to compare two: unnamed leftovers are not part of it."""
        return {
            "topics": {
                name: (topic.id, [partition.as_tuple() for partition in topic.partitions])
                for name, topic in sorted(self.topics.items())
            },
            "configs": {key: dict(configs) for key, configs in sorted(self._configs.items())},
            "brokers": dict(sorted(self.brokers.items())),
            "features": dict(sorted(self.features.items())),
            "next_producer_id": self.next_producer_id,
        }

    # Writing

    def apply(self, record: Any) -> None:
        """Apply one metadata record that was :meth:`Sharing.prepared`; kinds that are not kept here are left alone."""
        applier = _APPLIERS.get(type(record).__name__)
        if applier is not None:
            applier(self, record)

    def _named_or_new(self, topic_id: bytes) -> TopicImage:
        topic = self._by_id.get(topic_id)
        if topic is None:
            topic = self._by_id[topic_id] = TopicImage("", topic_id)
        return topic

    def _apply_topic(self, record: records.TopicRecord) -> None:
        topic = self._named_or_new(record.topic_id)
        topic.name = record.name
        self.topics[record.name] = topic
        if has_collision_characters(record.name):
            self._by_collision_key[collision_key(record.name)] = record.name

    def _apply_remove_topic(self, record: records.RemoveTopicRecord) -> None:
        topic = self._by_id.pop(record.topic_id, None)
        if topic is None or self.topics.get(topic.name) is not topic:
            return
        del self.topics[topic.name]
        if self._by_collision_key.get(collision_key(topic.name)) == topic.name:
            del self._by_collision_key[collision_key(topic.name)]

    def _apply_partition(self, change: PartitionChange) -> None:
        partitions = self._named_or_new(change.topic_id).partitions
        while len(partitions) <= change.partition_id:
            partitions.append(ABSENT)
        partitions[change.partition_id] = change.partition

    def _apply_config(self, record: records.ConfigRecord) -> None:
        key = (record.resource_type, record.resource_name)
        if record.value is not None:
            self._configs.setdefault(key, {})[record.name] = record.value
            return
        configs = self._configs.get(key)
        if configs is not None and configs.pop(record.name, None) is not None and not configs:
            del self._configs[key]

    def _apply_register_broker(self, record: records.RegisterBrokerRecord) -> None:
        self.brokers[record.broker_id] = BrokerImage(
            record.broker_id,
            record.incarnation_id,
            record.broker_epoch,
            tuple(Endpoint(end.name, end.host, end.port, end.security_protocol) for end in record.end_points),
            tuple((part.name, part.min_supported_version, part.max_supported_version) for part in record.features),
            record.rack,
            record.fenced,
            record.in_controlled_shutdown,
            tuple(record.log_dirs),
        )

    def _apply_unregister_broker(self, record: records.UnregisterBrokerRecord) -> None:
        self.brokers.pop(record.broker_id, None)

    def _apply_feature_level(self, record: records.FeatureLevelRecord) -> None:
        if record.feature_level > 0:
            self.features[record.name] = record.feature_level
        else:
            self.features.pop(record.name, None)

    def _apply_producer_ids(self, record: records.ProducerIdsRecord) -> None:
        self.next_producer_id = record.next_producer_id


_APPLIERS: Final[dict[str, Callable[[ClusterImage, Any], None]]] = {
    "TopicRecord": ClusterImage._apply_topic,
    "RemoveTopicRecord": ClusterImage._apply_remove_topic,
    "PartitionChange": ClusterImage._apply_partition,
    "ConfigRecord": ClusterImage._apply_config,
    "RegisterBrokerRecord": ClusterImage._apply_register_broker,
    "UnregisterBrokerRecord": ClusterImage._apply_unregister_broker,
    "FeatureLevelRecord": ClusterImage._apply_feature_level,
    "ProducerIdsRecord": ClusterImage._apply_producer_ids,
}


class Delta:
    """What one commit changed in the committed image, as those who act on it need it."""

    __slots__ = ("brokers", "configs", "partitions_added", "topics_created", "topics_removed")

    def __init__(self) -> None:
        self.topics_created: list[TopicImage] = []
        self.partitions_added: list[tuple[TopicImage, int]] = []  # the topic and its first new index
        self.topics_removed: list[TopicImage] = []  # as they were
        self.configs: set[tuple[int, str]] = set()  # (resource type, resource name) of living resources
        self.brokers: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self.topics_created or self.partitions_added or self.topics_removed or self.configs or self.brokers)


def apply_all(image: ClusterImage, changes: Iterable[Any]) -> Delta:
    """Apply prepared records to ``image`` and say what that changed. A topic that came and went is not mentioned."""
    delta = Delta()
    before: dict[bytes, tuple[TopicImage | None, int]] = {}
    for record in changes:
        topic_id = getattr(record, "topic_id", None)
        if topic_id is not None and topic_id not in before:
            topic = image.topic_by_id(topic_id)
            before[topic_id] = (topic, topic.partition_count if topic is not None else 0)
        image.apply(record)
        if type(record).__name__ == "ConfigRecord":
            delta.configs.add((record.resource_type, record.resource_name))
        elif getattr(record, "broker_id", None) is not None and type(record).__name__ != "ProducerIdsRecord":
            delta.brokers.add(record.broker_id)
    for topic_id, (old, count) in before.items():
        topic = image.topic_by_id(topic_id)
        if topic is None:
            if old is not None:
                delta.topics_removed.append(old)
        elif old is None:
            delta.topics_created.append(topic)
        elif topic.partition_count > count:
            delta.partitions_added.append((topic, count))
    delta.configs = {
        (kind, name) for kind, name in delta.configs if kind != RESOURCE_TOPIC or image.topic(name) is not None
    }
    return delta


def has_collision_characters(name: str) -> bool:
    return "." in name or "_" in name


def collision_key(name: str) -> str:
    return name.replace(".", "_")
