"""The cluster machine: decides and replays ``__cluster_metadata-0``, the log of all cluster metadata.

It keeps two images. ``replayed`` is what its log holds to the end, and what it decides from; ``image`` is what is
committed, and what everybody else reads. The host calls ``commit`` when the high watermark has moved; that brings
``image`` forward and tells what changed, so that the broker can make, grow and remove logs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from millrace.base.config import BrokerConfig
from millrace.state import cluster_brokers, cluster_configs, cluster_records, cluster_topics
from millrace.state.cluster_image import ClusterImage, Delta, Sharing, apply_all
from millrace.state.cluster_partitions import RaiseLeaderEpochs, raise_leader_epochs
from millrace.state.machine import Call, Decision, Effect, Entry, Env, Record


class ClusterMachine:
    """See the module. ``config`` gives the defaults of what requests leave open."""

    __slots__ = ("_sharing", "_uncommitted", "config", "image", "replayed")

    def __init__(self, config: BrokerConfig) -> None:
        self.config = config
        self.image = ClusterImage()
        self.replayed = ClusterImage()
        self._sharing = Sharing()
        self._uncommitted: deque[tuple[int, Any]] = deque()

    def decide(self, request: Any, token: Any, env: Env) -> Decision:
        """Decide a request; raises Refused when it fails as a whole."""
        if isinstance(request, RaiseLeaderEpochs):
            return Decision(raise_leader_epochs(self.replayed, request), [(token, None)])
        call = request if isinstance(request, Call) else Call(request, 0)
        decided, response = _DECIDERS[type(call.request).__name__](self, call, env)
        return Decision(decided, [(token, response)])

    def replay(self, entry: Entry) -> None:
        record = cluster_records.read(entry)
        if record is not None:
            change = self._sharing.prepared(record)
            self.replayed.apply(change)
            self._uncommitted.append((entry.offset, change))

    def commit(self, high_watermark: int) -> Delta:
        """Bring ``image`` forward to ``high_watermark``; what that changed."""
        uncommitted = self._uncommitted
        changes = []
        while uncommitted and uncommitted[0][0] < high_watermark:
            changes.append(uncommitted.popleft()[1])
        return apply_all(self.image, changes)

    def expire(self, env: Env) -> Decision:
        """Nothing here has a deadline yet: sessions of brokers live in the root."""
        return Decision()

    def next_deadline(self) -> int | None:
        return None

    def outbox(self) -> Iterable[Effect]:
        """What follows from metadata is done by whoever applies the deltas of ``commit``."""
        return ()

    # One function a request: (call, env) -> (records, response)

    def _create_topics(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_topics.create_topics(self.replayed, self.config, call.request, env.random)

    def _delete_topics(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_topics.delete_topics(self.replayed, self.config, call.request, call.api_version)

    def _create_partitions(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_topics.create_partitions(self.replayed, call.request, env.random)

    def _alter_configs(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_configs.alter(self.replayed, self.config, call.request)

    def _incremental_alter_configs(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_configs.incremental_alter(self.replayed, self.config, call.request)

    def _allocate_producer_ids(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_brokers.allocate_producer_ids(self.replayed, call.request)

    def _register_broker(self, call: Call, env: Env) -> tuple[list[Record], Any]:
        return cluster_brokers.register(self.replayed, call.request)


_DECIDERS: Final[dict[str, Callable[[ClusterMachine, Call, Env], tuple[list[Record], Any]]]] = {
    "CreateTopicsRequest": ClusterMachine._create_topics,
    "DeleteTopicsRequest": ClusterMachine._delete_topics,
    "CreatePartitionsRequest": ClusterMachine._create_partitions,
    "AlterConfigsRequest": ClusterMachine._alter_configs,
    "IncrementalAlterConfigsRequest": ClusterMachine._incremental_alter_configs,
    "AllocateProducerIdsRequest": ClusterMachine._allocate_producer_ids,
    "BrokerRegistrationRequest": ClusterMachine._register_broker,
}
