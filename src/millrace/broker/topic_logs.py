"""From metadata to disk: the logs of this broker's partitions, made, configured and removed as the image says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.config import TopicConfig, topic_config
from millrace.base.errors import Refused, StorageFault
from millrace.base.ports import Ticket, all_done
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
METADATA_CONFIG = {"cleanup.policy": "compact", "segment.bytes": str(16 << 20)}


class TopicLogs:
    """See the module. A topic is *ready* when all its partitions here can be used."""

    __slots__ = ("_broker", "_pending", "_ready", "folder_of", "loading")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._ready: set[bytes] = set()
        self._pending: dict[bytes, int] = {}  # creations that are under way, by topic
        self.folder_of: dict[Partition, LogFolder] = {}
        self.loading: list[MachineHost] = []  # hosts whose machine still replays its log

    def is_ready(self, topic_id: bytes) -> bool:
        return topic_id in self._ready

    def config_of(self, topic: str) -> TopicConfig:
        broker = self._broker
        return topic_config(broker.image.configs(RESOURCE_TOPIC, topic), broker.config)

    def metadata_config(self) -> TopicConfig:
        """The metadata log's own: compacted, in small segments, always as safe as acks=all."""
        return topic_config(METADATA_CONFIG, self._broker.config)

    # -- at start ----------------------------------------------------------------------------------------------------

    def adopt(self, found: dict[tuple[str, int], tuple[LogFolder, Log]]) -> None:
        """At start: what was found on disk becomes partitions; what metadata has and disk has not is made, what disk
        has and metadata has not is removed (its topic was deleted while the folder was away)."""
        for topic in list(self._broker.image.topics.values()):
            missing = []
            config = self.config_of(topic.name)
            for index in range(topic.partition_count):
                here = found.pop((topic.name, index), None)
                if here is not None and here[1].topic_id in (None, topic.id):
                    self._add(topic, index, here[0], here[1], config)
                    continue
                if here is not None:
                    here[0].delete_log(here[1])
                missing.append(index)
            if missing:
                self._make(topic, missing)
            else:
                self._ready.add(topic.id)
        for folder, log in found.values():
            folder.delete_log(log)

    # -- while running -----------------------------------------------------------------------------------------------

    def create(self, topic: TopicImage, first_index: int) -> None:
        """A topic, or more partitions of one, was committed."""
        self._make(topic, range(first_index, topic.partition_count))

    def _make(self, topic: TopicImage, indexes: list[int] | range) -> None:
        broker = self._broker
        config = self.config_of(topic.name)
        now_ms = broker.wall_ms()
        made: list[tuple[int, LogFolder, Log]] = []
        tickets: list[Ticket[None]] = []
        self._ready.discard(topic.id)
        for index in indexes:
            folder = self._roomiest_folder()
            if folder is None:
                continue
            log, ticket = folder.create_log(topic.name, index, topic.id, config, now_ms)
            made.append((index, folder, log))
            tickets.append(ticket)
        self._pending[topic.id] = self._pending.get(topic.id, 0) + 1
        all_done(tickets).then(lambda ticket: self._on_made(topic, made, ticket))

    def _on_made(self, topic: TopicImage, made: list[tuple[int, LogFolder, Log]], ticket: Ticket[None]) -> None:
        broker = self._broker
        self._pending[topic.id] -= 1
        if broker.image.topic_by_id(topic.id) is not topic:  # it was deleted meanwhile
            self._pending.pop(topic.id, None)
            for _, folder, log in made:
                folder.delete_log(log)
            return
        config = self.config_of(topic.name)
        for index, folder, log in made:
            partition = self._add(topic, index, folder, log, config)
            if ticket.error is not None:
                error = ticket.error
                partition.on_failed(error if isinstance(error, StorageFault) else StorageFault("?", str(error)))
        if not self._pending[topic.id]:
            del self._pending[topic.id]
            self._ready.add(topic.id)
            broker.waiting.wake(("topic ready", topic.id))

    def _add(self, topic: TopicImage, index: int, folder: LogFolder, log: Log, config: TopicConfig) -> Partition:
        broker = self._broker
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

    def _roomiest_folder(self) -> LogFolder | None:
        """The folder with the fewest logs that is online; None when all are offline."""
        online = [folder for folder in self._broker.folders if folder.failed is None]
        return min(online, key=lambda folder: folder.log_count, default=None)

    def remove(self, topic: TopicImage) -> None:
        """A topic was deleted: its partitions are gone at once, their files a little later."""
        broker = self._broker
        self._ready.discard(topic.id)
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
        if image is None:
            return
        config = self.config_of(topic)
        for index in range(image.partition_count):
            partition = self._broker.partitions.get((topic, index))
            if partition is not None:
                partition.config = config
                partition.log.config = config
