"""What the commands ask of any cluster, answered in plain objects: a thin layer over librdkafka's admin client.

Every failure is a :class:`ClientError` with one line that says what was asked for and why it failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    TopicPartition,
)
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ConfigSource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)

from millrace.client.errors import ClientError

T = TypeVar("T")
TIMEOUT_S: Final = 30.0
TOPIC: Final = "topic"
BROKER: Final = "broker"


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition of a topic; offsets are -1 where they were not asked for."""

    index: int
    leader: int
    replicas: list[int]
    isr: list[int]
    start_offset: int = -1
    end_offset: int = -1


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as Metadata tells it."""

    name: str
    is_internal: bool
    partitions: list[Partition]

    @property
    def replication_factor(self) -> int:
        return max((len(each.replicas) for each in self.partitions), default=0)


@dataclass(frozen=True, slots=True)
class Setting:
    """One configuration value."""

    name: str
    value: str | None
    source: str
    is_default: bool
    is_read_only: bool
    is_sensitive: bool


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a group."""

    id: str
    client_id: str
    host: str
    instance_id: str | None
    partitions: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Group:
    """A group; members only where it was described."""

    id: str
    state: str
    kind: str
    assignor: str = ""
    coordinator: int = -1
    members: Sequence[Member] = ()


def reason(error: KafkaError) -> str:
    """What an error of librdkafka says, without its own prefixes."""
    text = error.str() or error.name()
    return text.removeprefix("Broker: ").removeprefix("Local: ")


class Admin:
    """See the module."""

    def __init__(self, settings: Mapping[str, Any], timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        try:
            self._client = AdminClient({"log_level": 0, **settings})
        except KafkaException as error:
            raise _failed("the settings cannot be used", error) from None

    def _each(self, what: str, answers: Mapping[T, Future[Any]]) -> dict[T, Any]:
        """All answers of one request; the first failure is raised after all are in."""
        results: dict[T, Any] = {}
        failure: ClientError | None = None
        for key, answer in answers.items():
            try:
                results[key] = answer.result(self._timeout_s + 5)
            except KafkaException as error:
                failure = failure or _failed(what.format(key), error)
            except TimeoutError:
                failure = failure or ClientError(f"{what.format(key)}: no answer within {self._timeout_s:.0f} s")
        if failure is not None:
            raise failure
        return results

    def _ask(self, what: str, request: Callable[[], T]) -> T:
        """One call that may raise by itself, with what it was for."""
        try:
            return request()
        except KafkaException as error:
            raise _failed(what, error) from None
        except (ValueError, TypeError) as wrong:
            raise ClientError(f"{what}: {wrong}") from None

    # -- topics ------------------------------------------------------------------------------------------------------

    def topics(self, names: Iterable[str] | None = None) -> list[Topic]:
        """All topics, or the named ones, by name; ClientError if a named one is not there."""
        found = self._ask("topics", lambda: self._client.list_topics(timeout=self._timeout_s)).topics
        wanted = sorted(found) if names is None else list(names)
        missing = [name for name in wanted if name not in found]
        if missing:
            raise ClientError(f"there is no topic {', '.join(missing)}", "UNKNOWN_TOPIC_OR_PARTITION")
        return [
            Topic(
                name,
                name.startswith("__"),
                [
                    Partition(index, each.leader, list(each.replicas), list(each.isrs))
                    for index, each in sorted(found[name].partitions.items())
                ],
            )
            for name in wanted
        ]

    def topics_with_offsets(self, names: Iterable[str] | None = None) -> list[Topic]:
        """The same with the first and the next offset of each partition."""
        topics = self.topics(names)
        places = [(topic.name, each.index) for topic in topics for each in topic.partitions]
        starts, ends = self.offsets(places, OffsetSpec.earliest()), self.offsets(places, OffsetSpec.latest())
        return [
            replace(
                topic,
                partitions=[
                    replace(each, start_offset=starts[topic.name, each.index], end_offset=ends[topic.name, each.index])
                    for each in topic.partitions
                ],
            )
            for topic in topics
        ]

    def create_topic(
        self,
        name: str,
        partitions: int,
        replication_factor: int,
        configs: Mapping[str, str],
        *,
        validate_only: bool = False,
    ) -> None:
        """-1 stands for the cluster's default, of partitions as of replicas."""
        new = NewTopic(name, num_partitions=partitions, replication_factor=replication_factor, config=dict(configs))
        self._each(
            "topic {}",
            self._ask(
                f"topic {name}",
                lambda: self._client.create_topics(
                    [new], operation_timeout=self._timeout_s, validate_only=validate_only
                ),
            ),
        )

    def delete_topics(self, names: Sequence[str]) -> None:
        self._each("topic {}", self._client.delete_topics(list(names), operation_timeout=self._timeout_s))

    def add_partitions(self, name: str, total: int) -> None:
        """Raise the number of partitions to ``total``."""
        self._each("topic {}", self._client.create_partitions([NewPartitions(name, total)]))

    def offsets(self, places: Iterable[tuple[str, int]], spec: OffsetSpec) -> dict[tuple[str, int], int]:
        """The offset that ``spec`` means in each partition; -1 where there is none."""
        asked = {TopicPartition(topic, index): spec for topic, index in places}
        if not asked:
            return {}
        answers = self._ask("offsets", lambda: self._client.list_offsets(asked))
        return {
            (each.topic, each.partition): result.offset
            for each, result in self._each("offsets of {0.topic}-{0.partition}", answers).items()
        }

    def offsets_at(self, places: Iterable[tuple[str, int]], timestamp_ms: int) -> dict[tuple[str, int], int]:
        """The first offset at or after a time in each partition, its end where all is older."""
        places = list(places)
        found = self.offsets(places, OffsetSpec.for_timestamp(timestamp_ms))
        ends = self.offsets([place for place in places if found[place] < 0], OffsetSpec.latest())
        return {**found, **ends}

    # -- configs -----------------------------------------------------------------------------------------------------

    def configs(self, kind: str, name: str) -> list[Setting]:
        resource = ConfigResource(_KINDS[kind], name)
        answers = self._ask(f"{kind} {name}", lambda: self._client.describe_configs([resource]))
        (entries,) = self._each(f"{kind} {name}", answers).values()
        return [
            Setting(
                each.name,
                each.value,
                _SOURCES.get(ConfigSource(each.source), ConfigSource(each.source).name.lower()),
                bool(each.is_default),
                bool(each.is_read_only),
                bool(each.is_sensitive),
            )
            for each in sorted(entries.values(), key=lambda each: str(each.name))
        ]

    def alter_configs(self, kind: str, name: str, new: Mapping[str, str], unset: Iterable[str] = ()) -> None:
        entries = [ConfigEntry(each, value, incremental_operation=AlterConfigOpType.SET) for each, value in new.items()]
        entries += [ConfigEntry(each, None, incremental_operation=AlterConfigOpType.DELETE) for each in unset]
        resource = ConfigResource(_KINDS[kind], name, incremental_configs=entries)
        answers = self._ask(f"{kind} {name}", lambda: self._client.incremental_alter_configs([resource]))
        self._each(f"{kind} {name or '(default)'}", answers)

    # -- groups ------------------------------------------------------------------------------------------------------

    def groups(self) -> list[Group]:
        listing = self._ask("groups", lambda: self._client.list_consumer_groups().result(self._timeout_s + 5))
        if listing.errors:
            raise _failed("groups", listing.errors[0])
        found = [Group(each.group_id, _word(each.state), _word(each.type)) for each in listing.valid]
        return sorted(found, key=lambda group: group.id)

    def group(self, group_id: str) -> Group:
        """One group with its members; one that is not there has the state Dead."""
        answers = self._ask(f"group {group_id}", lambda: self._client.describe_consumer_groups([group_id]))
        found = self._each("group {}", answers)[group_id]
        members = [
            Member(
                each.member_id,
                each.client_id,
                each.host,
                each.group_instance_id,
                sorted((place.topic, place.partition) for place in each.assignment.topic_partitions),
            )
            for each in found.members
        ]
        coordinator = found.coordinator.id if found.coordinator is not None else -1
        return Group(
            group_id, _word(found.state), _word(found.type), found.partition_assignor or "", coordinator, members
        )

    def group_offsets(self, group_id: str) -> dict[tuple[str, int], int]:
        """What the group has committed; partitions without a commit are left out."""
        request = [ConsumerGroupTopicPartitions(group_id)]
        answers = self._ask(f"group {group_id}", lambda: self._client.list_consumer_group_offsets(request))
        found = self._each("group {}", answers)[group_id].topic_partitions
        for each in found:
            if each.error is not None:
                raise ClientError(f"group {group_id}, {each.topic}-{each.partition}: {reason(each.error)}")
        return {(each.topic, each.partition): each.offset for each in sorted(found) if each.offset >= 0}

    def set_group_offsets(self, group_id: str, offsets: Mapping[tuple[str, int], int]) -> None:
        places = [TopicPartition(topic, index, offset) for (topic, index), offset in offsets.items()]
        request = [ConsumerGroupTopicPartitions(group_id, places)]
        answers = self._ask(f"group {group_id}", lambda: self._client.alter_consumer_group_offsets(request))
        for each in self._each("group {}", answers)[group_id].topic_partitions:
            if each.error is not None:
                raise ClientError(f"group {group_id}, {each.topic}-{each.partition}: {reason(each.error)}")

    def delete_groups(self, group_ids: Sequence[str]) -> None:
        self._each("group {}", self._client.delete_consumer_groups(list(group_ids)))


_KINDS: Final = {TOPIC: ResourceType.TOPIC, BROKER: ResourceType.BROKER}
_SOURCES: Final = {
    ConfigSource.DYNAMIC_TOPIC_CONFIG: "topic",
    ConfigSource.DYNAMIC_BROKER_CONFIG: "broker",
    ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG: "cluster",
    ConfigSource.STATIC_BROKER_CONFIG: "file",
    ConfigSource.DEFAULT_CONFIG: "default",
}


def _word(value: Any) -> str:
    """An enumeration's name as Kafka writes it: PREPARING_REBALANCING becomes PreparingRebalancing."""
    return "".join(part.capitalize() for part in value.name.split("_")) if value is not None else ""


def _failed(what: str, error: Exception | KafkaError) -> ClientError:
    inner = error.args[0] if isinstance(error, KafkaException) and error.args else error
    if isinstance(inner, KafkaError):
        return ClientError(f"{what}: {reason(inner)}", inner.name())
    return ClientError(f"{what}: {inner}")
