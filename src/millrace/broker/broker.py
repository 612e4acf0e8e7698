"""The broker: what handlers, machines and upkeep share, and how a name leads to a partition or a coordinator.

It is plain state over ports: ``runtime/node`` gives it a real disk, clock and loop, the simulator gives it its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.base.ports import Clock, Random, Root
from millrace.broker.api import Authorizer
from millrace.broker.counters import Counters
from millrace.broker.deadlines import Deadlines
from millrace.broker.fetch_session import FetchSessions
from millrace.broker.flusher import Flusher
from millrace.broker.machine_host import MachineHost
from millrace.broker.partition import Partition
from millrace.broker.producer_ids import ProducerIds
from millrace.broker.records_check import RecordsCheck
from millrace.broker.topic_creation import creatable
from millrace.broker.topic_logs import TopicLogs
from millrace.broker.waiting import Waiting, WaitingRoom
from millrace.kafka import codes, messages
from millrace.state.cluster import ClusterMachine
from millrace.state.cluster_image import RESOURCE_BROKER, RESOURCE_TOPIC, ClusterImage, Delta
from millrace.state.machine import Call, Env

if TYPE_CHECKING:
    from millrace.storage.folder import LogFolder

OFFSETS_TOPIC: Final = "__consumer_offsets"
NO_ID: Final = bytes(16)


class Broker:
    """See the module."""

    def __init__(
        self,
        config: BrokerConfig,
        *,
        node_id: int,
        cluster_id: str,
        clock: Clock,
        random: Random,
        defer: Callable[[Callable[[], None]], None],
        folders: list[LogFolder],
        root: Root,
        alarm: Callable[[int], None] | None = None,
    ) -> None:
        """``defer`` calls its argument at the end of the loop's turn; ``alarm`` is told of every deadline."""
        self.config = config
        self.node_id = node_id
        self.cluster_id = cluster_id
        self.clock = clock
        self.random = random
        self.defer = defer
        self.folders = folders
        self.root = root
        self.waiting = WaitingRoom(alarm)
        self.deadlines = Deadlines(alarm)
        self.counters = Counters()
        self.flusher = Flusher(defer)
        self.check = RecordsCheck()
        self.fetch_sessions = FetchSessions(
            config.integer("max.incremental.fetch.session.cache.slots"), random, self.waiting
        )
        self.cluster = ClusterMachine(config)
        self.partitions: dict[tuple[str, int], Partition] = {}
        self.topic_logs = TopicLogs(self)
        self.controller: MachineHost | None = None
        self.coordinators: dict[tuple[str, int], MachineHost] = {}  # (kind, partition of its topic)
        self.api_versions: dict[int, tuple[int, int]] = {}
        self.endpoints: dict[str, tuple[str, int]] = {}
        self.fetch_bytes_max = config.integer("fetch.max.bytes")
        self.on_config_changed: list[Callable[[BrokerConfig], None]] = []
        self.producer_ids = ProducerIds()
        self.authorizer: Authorizer | None = None  # nobody is asked: everything is allowed
        self.is_serving = False

    # -- time and chance ---------------------------------------------------------------------------------------------

    def wall_ms(self) -> int:
        return self.clock.wall_ms()

    def mono_ms(self) -> int:
        return self.clock.mono_ms()

    def env(self) -> Env:
        return Env(self.clock.wall_ms(), self.clock.mono_ms(), self.random, self.image)

    def next_deadline(self) -> int | None:
        """When ``expire`` has something to do next (monotonic ms)."""
        first, second = self.waiting.next_deadline(), self.deadlines.next_deadline()
        if first is None or second is None:
            return second if first is None else first
        return min(first, second)

    def expire(self) -> None:
        now_ms = self.clock.mono_ms()
        self.waiting.expire(now_ms)
        self.deadlines.expire(now_ms)

    # -- names -------------------------------------------------------------------------------------------------------

    @property
    def image(self) -> ClusterImage:
        """The committed cluster metadata."""
        return self.cluster.image

    def partition(self, topic: str, index: int) -> Partition:
        """The partition, or Refused with UNKNOWN_TOPIC_OR_PARTITION, or the fault that took it offline."""
        found = self.partitions.get((topic, index))
        if found is not None:
            return found
        if self.image.partition(topic, index) is not None:
            raise Refused(codes.NOT_LEADER_OR_FOLLOWER, f"{topic}-{index} is not ready on this broker yet")
        raise Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"there is no partition {topic}-{index}")

    def partition_named(self, topic: str, topic_id: bytes, index: int) -> Partition:
        """The same for a request that may name its topic by id."""
        if topic or topic_id == NO_ID or not topic_id:
            return self.partition(topic, index)
        image = self.image.topic_by_id(topic_id)
        if image is None:
            raise Refused(codes.UNKNOWN_TOPIC_ID, f"there is no topic with id {topic_id.hex()}")
        return self.partition(image.name, index)

    def is_current(self, partition: Partition) -> bool:
        """Whether this object still is what its name means: a deleted topic's is not."""
        return self.partitions.get((partition.topic, partition.index)) is partition

    # -- machines ----------------------------------------------------------------------------------------------------

    def check_controller(self) -> None:
        if self.controller is None or not self.controller.loaded:
            raise Refused(codes.NOT_CONTROLLER, "the controller is not ready yet")

    def check_coordinator(self, kind: str, key: str) -> None:
        self.coordinator(kind, key)

    def coordinator(self, kind: str, key: str) -> MachineHost:
        """The host that coordinates ``key``; Refused while it is made or loaded."""
        if kind != "group":
            raise Refused(codes.COORDINATOR_NOT_AVAILABLE, f"there is no {kind} coordinator here yet")
        if not self.ensure_internal_topic(OFFSETS_TOPIC):
            raise Refused(codes.COORDINATOR_NOT_AVAILABLE, f"{OFFSETS_TOPIC} is being created")
        topic = self.image.topic(OFFSETS_TOPIC)
        assert topic is not None
        return self._loaded(kind, partition_for_key(key, topic.partition_count))

    def coordinators_of(self, kind: str) -> list[MachineHost]:
        """All loaded hosts of a kind; Refused while one is still loading."""
        hosts = [host for (each, _), host in sorted(self.coordinators.items()) if each == kind]
        for host in hosts:
            if not host.loaded:
                raise Refused(codes.COORDINATOR_LOAD_IN_PROGRESS, f"{host.partition} is being loaded")
        return hosts

    def _loaded(self, kind: str, index: int) -> MachineHost:
        host = self.coordinators.get((kind, index))
        if host is None:
            raise Refused(codes.COORDINATOR_NOT_AVAILABLE, f"{kind} coordinator {index} is not ready")
        if not host.loaded:
            raise Refused(codes.COORDINATOR_LOAD_IN_PROGRESS, f"{host.partition} is being loaded")
        return host

    def ensure_internal_topic(self, name: str) -> bool:
        """Whether the internal topic is there and ready; if it is not there, its creation begins."""
        topic = self.image.topic(name)
        if topic is not None:
            return self.topic_logs.is_ready(topic.id)
        if self.cluster.replayed.topic(name) is None and self.controller is not None and self.controller.loaded:
            wanted = creatable(name, self.config, self.image)
            self.controller.tell(Call(messages.CreateTopicsRequest(topics=[wanted]), 7))
        topic = self.image.topic(name)
        return topic is not None and self.topic_logs.is_ready(topic.id)

    # -- metadata that was committed ---------------------------------------------------------------------------------

    def on_metadata_committed(self) -> None:
        """The controller's host: the high watermark of the metadata log moved."""
        assert self.controller is not None
        delta = self.cluster.commit(self.controller.partition.high_watermark.offset)
        if delta:
            self._apply(delta)

    def _apply(self, delta: Delta) -> None:
        for topic in delta.topics_removed:
            self.topic_logs.remove(topic)
        for topic in delta.topics_created:
            self.topic_logs.create(topic, 0)
        for topic, first in delta.partitions_added:
            self.topic_logs.create(topic, first)
        for kind, name in delta.configs:
            if kind == RESOURCE_TOPIC:
                self.topic_logs.configure(name)
            elif kind == RESOURCE_BROKER:
                self.reconfigure()

    def reconfigure(self) -> None:
        """A dynamic broker config changed: everything that reads the config sees it from now on."""
        image = self.image
        self.config = self.config.with_dynamic(
            image.configs(RESOURCE_BROKER, ""), image.configs(RESOURCE_BROKER, str(self.node_id))
        )
        self.cluster.config = self.config
        self.fetch_bytes_max = self.config.integer("fetch.max.bytes")
        for topic in image.topics:
            self.topic_logs.configure(topic)
        for listener in self.on_config_changed:
            listener(self.config)

    def when_ready(self, topic_ids: Iterable[bytes], timeout_ms: int, finish: Callable[[bool], Any]) -> Any:
        """``finish(timed_out)`` once these topics' partitions can be used: its result now, or a Waiting."""
        missing = dict.fromkeys(topic_id for topic_id in topic_ids if not self.topic_logs.is_ready(topic_id))
        if not missing:
            return finish(False)

        def woken(key: Any) -> bool:
            missing.pop(key[1], None)
            return not missing

        keys = [("topic ready", topic_id) for topic_id in missing]
        return Waiting(keys, self.mono_ms() + max(timeout_ms, 0), finish, woken=woken)


def partition_for_key(key: str, count: int) -> int:
    """Which partition of an internal topic coordinates ``key``: Java's ``String.hashCode``, as in Kafka."""
    hashed = 0
    encoded = key.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(encoded), 2):
        hashed = (31 * hashed + (encoded[index] << 8 | encoded[index + 1])) & 0xFFFFFFFF
    return (hashed & 0x7FFFFFFF) % count if hashed != 0x80000000 else 0
