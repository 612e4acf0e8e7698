"""From metadata to disk: the logs of this broker's partitions, made, configured and removed as the image says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.config import TopicConfig, topic_config
from millrace.base.errors import Refused
from millrace.base.ports import Ticket
from millrace.broker.log_making import LogMaking
from millrace.broker.machine_host import MachineHost
from millrace.broker.partition import Partition
from millrace.kafka import codes
from millrace.state.cluster_image import RESOURCE_TOPIC, TopicImage
from millrace.state.groups import Groups, TopicsDeleted
from millrace.state.groups_rebalance import GroupLimits

if TYPE_CHECKING:
    from millrace.broker.broker import Broker
    from millrace.storage.folder import LogFolder
    from millrace.storage.log import Log

OFFSETS_TOPIC = "__consumer_offsets"
METADATA_TOPIC = "__cluster_metadata"
# What was decided is flushed whatever the broker's topics do: a folder that has logs but no metadata cannot start.
METADATA_CONFIG = {
    "cleanup.policy": "compact",
    "segment.bytes": str(16 << 20),
    "millrace.flush.on.ack": "alone",
}


class TopicLogs:
    """See the module."""

    __slots__ = ("_broker", "_configs", "_making", "folder_of", "loading")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._making = LogMaking(broker, self._add)
        self._configs: dict[str, TopicConfig] = {}  # of topics with values of their own: one for all partitions
        self.folder_of: dict[Partition, LogFolder] = {}
        self.loading: list[MachineHost] = []  # hosts whose machine still replays its log

    def is_ready(self, topic_id: bytes) -> bool:
        """Whether all partitions of the topic here can be used."""
        return self._making.is_ready(topic_id)

    def config_of(self, topic: str) -> TopicConfig:
        overrides = self._broker.image.configs(RESOURCE_TOPIC, topic)
        if not overrides:
            return self._broker.config.topic_defaults()
        found = self._configs.get(topic)
        if found is None:
            found = self._configs[topic] = topic_config(overrides, self._broker.config)
        return found

    def metadata_config(self) -> TopicConfig:
        """The metadata log's own: compacted, in small segments, always as safe as acks=all."""
        return topic_config(METADATA_CONFIG, self._broker.config)

    # -- at start ----------------------------------------------------------------------------------------------------

    def adopt(self, found: dict[tuple[str, int], tuple[LogFolder, Log]]) -> None:
        """At start: what was found on disk becomes partitions; what metadata has and disk has not is made, what disk
        has and metadata has not is removed (its topic was deleted while the folder was away)."""
        for topic in list(self._broker.image.topics.values()):
            missing = []
            for index in range(topic.partition_count):
                here = found.pop((topic.name, index), None)
                if here is not None and here[1].topic_id in (None, topic.id):
                    self._add(topic, index, here[0], here[1])
                    continue
                if here is not None:
                    here[0].delete_log(here[1])
                missing.append(index)
            self._making.make(topic, missing)
        for folder, log in found.values():
            folder.delete_log(log)

    # -- while running -----------------------------------------------------------------------------------------------

    def create(self, topic: TopicImage, first_index: int) -> None:
        """A topic, or more partitions of one, was committed."""
        self._making.make(topic, range(first_index, topic.partition_count))

    def _add(self, topic: TopicImage, index: int, folder: LogFolder, log: Log) -> Partition:
        broker = self._broker
        config = self.config_of(topic.name)
        image = topic.partitions[index]
        log.config = config
        partition = Partition(
            topic.name,
            topic.id,
            index,
            log,
            config,
            leader_id=broker.node_id,
            leader_epoch=max(image.leader_epoch, 0),
            flusher=broker.flusher,
            check=broker.check,
        )
        broker.partitions[topic.name, index] = partition
        self.folder_of[partition] = folder
        folder.watch_faults(log, partition.on_failed)
        if topic.name == OFFSETS_TOPIC:
            host = MachineHost(broker, Groups(self._group_limits()), partition)
            broker.coordinators["group", index] = host
            self.loading.append(host)
            broker.defer(self.load_some)
        return partition

    def _group_limits(self) -> GroupLimits:
        config = self._broker.config
        return GroupLimits(
            group_size_max=config.integer("group.max.size"),
            initial_rebalance_delay_ms=config.integer("group.initial.rebalance.delay.ms"),
            offset_metadata_length_max=config.integer("offset.metadata.max.bytes"),
            offsets_retention_ms=config.integer("offsets.retention.minutes") * 60_000,
            offsets_retention_check_interval_ms=config.integer("offsets.retention.check.interval.ms"),
        )

    def load_some(self) -> None:
        """Replay a slice of one machine's log, and come back for the next at the loop's next turn."""
        while self.loading:
            host = self.loading[0]
            done = host.load_slice()
            if isinstance(done, Ticket):
                done.then(lambda _: self._broker.defer(self.load_some))
                return
            if done:
                self.loading.pop(0)
                self._broker.deadlines.set(host, host.machine.next_deadline())
                continue
            self._broker.defer(self.load_some)
            return

    def remove(self, topic: TopicImage) -> None:
        """A topic was deleted: its partitions are gone at once, their files a little later."""
        broker = self._broker
        self._making.forget(topic)
        self._configs.pop(topic.name, None)
        gone = Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"topic {topic.name} was deleted")
        for index in range(topic.partition_count):
            partition = broker.partitions.pop((topic.name, index), None)
            if partition is None:
                continue
            host = broker.coordinators.pop(("group", index), None) if topic.name == OFFSETS_TOPIC else None
            if host in self.loading:
                self.loading.remove(host)
            partition.close_down(gone)
            self.folder_of.pop(partition).delete_log(partition.log)
        for host in broker.coordinators.values():
            if host.loaded and not host.failed:  # what groups committed for it is worth nothing now
                host.tell(TopicsDeleted([(topic.name, topic.id)]))

    def configure(self, topic: str) -> None:
        """A topic's configs, or the defaults it inherits, changed."""
        image = self._broker.image.topic(topic)
        self._configs.pop(topic, None)
        if image is None:
            return
        config = self.config_of(topic)
        for index in range(image.partition_count):
            partition = self._broker.partitions.get((topic, index))
            if partition is not None:
                partition.config = config
                partition.log.config = config
