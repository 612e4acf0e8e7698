"""A broker without a disk: the cluster machine, whose log is committed at once, and what else handlers need."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.broker.api import Authorizer, Context
from millrace.broker.apis import APIS
from millrace.broker.counters import Counters
from millrace.broker.producer_ids import ProducerIds
from millrace.broker.router import Router
from millrace.broker.waiting import Waiting, WaitingRoom
from millrace.kafka import codes, messages
from millrace.state.cluster import ClusterMachine
from millrace.state.cluster_image import RESOURCE_BROKER, ClusterImage, Delta
from millrace.state.machine import Call, Entry, Env


class StandIn:
    """See the module. It is its own controller; ``hold`` keeps what is decided uncommitted until ``commit``."""

    def __init__(self, config: BrokerConfig | None = None, authorizer: Authorizer | None = None) -> None:
        self.static = config if config is not None else BrokerConfig()
        self.config = self.static
        self.node_id = self.static.integer("node.id")
        self.cluster_id = "a-cluster"
        self.random = random.Random(1)
        self.machine = ClusterMachine(self.static)
        self.log: list[Entry] = []
        self.deltas: list[Delta] = []
        self.controller = self
        self.counters = Counters()
        self.producer_ids = ProducerIds()
        self.waiting = WaitingRoom()
        self.hold = False
        self.refusal: Refused | None = None  # what the controller's host says instead of an answer
        self.authorizer = authorizer
        self.on_config_changed: list[Callable[[BrokerConfig], None]] = []
        self.router = Router(self, APIS, authorizer)  # type: ignore[arg-type]
        self.api_versions = self.router.versions
        listener = messages.BrokerRegistrationRequest.Listener(name="PLAINTEXT", host="here", port=9092)
        self.decide(
            messages.BrokerRegistrationRequest(
                broker_id=self.node_id, incarnation_id=bytes(16), listeners=[listener], log_dirs=[b"\x01" * 16]
            )
        )
        self.commit()

    @property
    def image(self) -> ClusterImage:
        return self.machine.image

    # What handlers ask of a broker

    def check_controller(self) -> None:
        pass

    def partition(self, name: str, index: int) -> Any:
        raise Refused(codes.UNKNOWN_TOPIC_OR_PARTITION, f"{name}-{index}")

    def when_ready(self, topic_ids: Iterable[bytes], timeout_ms: int, finish: Callable[[bool], Any]) -> Any:
        assert all(self.image.topic_by_id(topic_id) is not None for topic_id in topic_ids)
        return finish(False)

    # What handlers ask of a machine's host

    def ask(self, context: Context, request: Any) -> Any:
        if self.refusal is not None:
            raise self.refusal
        response = self.decide(request, context.api_version)
        if not self.hold:
            self.commit()
            return response
        return Waiting((self,), None, lambda timed_out: self._outcome(response))

    def _outcome(self, response: Any) -> Any:
        if self.refusal is not None:
            raise self.refusal
        return response

    def decide(self, request: Any, version: int = 0) -> Any:
        decision = self.machine.decide(Call(request, version), None, Env(0, 0, self.random, self.image))
        for record in decision.records:
            self.log.append(Entry(len(self.log), 0, record.key, record.value))
            self.machine.replay(self.log[-1])
        return decision.replies[0][1]

    def commit(self) -> None:
        delta = self.machine.commit(len(self.log))
        self.deltas.append(delta)
        if any(kind == RESOURCE_BROKER for kind, _ in delta.configs):
            cluster, own = self.image.configs(RESOURCE_BROKER, ""), self.image.configs(RESOURCE_BROKER, "1")
            self.config = self.machine.config = self.static.with_dynamic(cluster, own)
            for listener in self.on_config_changed:
                listener(self.config)
        self.waiting.wake(self)


class AskStandIn:
    """Requests of a client, through their encoded form as over a wire, so that versions matter."""

    is_kafka = False

    def __init__(self, broker: StandIn) -> None:
        self.broker = broker
        self.node_id = broker.node_id

    def __call__(self, request: Any, version: int) -> Any:
        request_type = type(request)
        received, _ = messages.decode(request_type, version, messages.encode(request, version))
        context = Context(self.broker, version, "a client")  # type: ignore[arg-type]
        outcome = self.broker.router.answer(request_type.KEY, context, received)
        assert not isinstance(outcome, Waiting)
        sent, _ = messages.decode(type(outcome), version, messages.encode(outcome, version))
        return sent
