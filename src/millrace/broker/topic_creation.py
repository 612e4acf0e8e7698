"""Topics on their way from a wish to what clients can produce to: ask the controller, wait until they are there.

CreateTopics, Metadata (auto-creation) and whoever needs an internal topic come through here. The answer of the
controller says that a topic is committed; only when its logs are on disk is it of use to a client, so the answer waits
for that too. Kafka answers earlier and lets clients retry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.broker.api import Context
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from millrace.state.cluster_image import ClusterImage, TopicImage

CreatableTopic = messages.CreateTopicsRequest.CreatableTopic
CreatableTopicConfig = messages.CreateTopicsRequest.CreatableTopicConfig

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"


def then(outcome: Any, follow: Callable[[Any], Any], refused: Callable[[Refused], Any] | None = None) -> Any:
    """``follow(response)`` now, or when the Waiting ``outcome`` has its response; it may lead to another Waiting.

    If the Waiting ends with a refusal, ``refused(refusal)`` says what becomes of it; without it, it goes on its way.
    """
    if not isinstance(outcome, Waiting):
        return follow(outcome)
    finish = outcome.finish

    def finish_and_follow(timed_out: bool) -> Any:
        try:
            response = finish(timed_out)
        except Refused as refusal:
            if refused is None:
                raise
            return refused(refusal)
        return then(response, follow, refused)

    outcome.finish = finish_and_follow
    return outcome


# What the host of a machine says when it is not there; asked as the controller it says so in the controller's words.
_HOST_CODES: Final = (codes.COORDINATOR_LOAD_IN_PROGRESS, codes.COORDINATOR_NOT_AVAILABLE, codes.NOT_COORDINATOR)


def ask_controller(context: Context, request: Any) -> Any:
    """The controller's response to ``request``, or a Waiting for it."""

    def refused(refusal: Refused) -> Any:
        if refusal.code in _HOST_CODES:
            raise Refused(codes.NOT_CONTROLLER, refusal.message) from None
        raise refusal

    context.broker.check_controller()
    controller = context.broker.controller
    assert controller is not None
    try:
        outcome = controller.ask(context, request)
    except Refused as refusal:
        return refused(refusal)
    return then(outcome, lambda response: response, refused)


def check_timeout(timeout_ms: int) -> None:
    """A request that allows no time is not begun, as in Kafka."""
    if timeout_ms <= 0:
        raise Refused(codes.REQUEST_TIMED_OUT)


def create(context: Context, request: Any) -> Any:
    """Create what ``request`` (CreateTopics) asks for; the response, when what was created can be used."""

    check_timeout(request.timeout_ms)

    def when_created(response: Any) -> Any:
        if request.validate_only:
            return response
        topic_ids = [result.topic_id for result in response.topics if result.error_code == codes.NONE]
        return usable(context, topic_ids, request.timeout_ms, lambda timed_out: response)

    return then(ask_controller(context, request), when_created)


def usable(context: Context, topic_ids: list[bytes], timeout_ms: int, finish: Callable[[bool], Any]) -> Any:
    """``finish(timed_out)`` when the partitions of all these topics are on disk here, or at the deadline."""
    if not topic_ids:
        return finish(False)
    return context.broker.when_ready(topic_ids, timeout_ms, finish)


def create_missing(
    context: Context, names: Iterable[str], timeout_ms: int, finish: Callable[[dict[str, int]], Any]
) -> Any:
    """Create the topics that are not there, with the broker's defaults or as internal topics need to be.

    ``finish(errors)`` gives the answer when they can be used; ``errors`` has the code of each that cannot. When there
    is no controller that is LEADER_NOT_AVAILABLE: the client asks again, and what else it asked for is answered.
    """
    broker = context.broker
    request = messages.CreateTopicsRequest(
        topics=[creatable(name, broker.config, broker.image) for name in names], timeout_ms=timeout_ms
    )

    def when_created(response: Any) -> Any:
        errors = {}
        found: list[TopicImage] = []
        for result in response.topics:
            topic = broker.image.topic(result.name)
            if topic is not None:  # created now, or by another request in the meantime
                found.append(topic)
            else:
                errors[result.name] = int(result.error_code)

        def when_usable(timed_out: bool) -> Any:
            if timed_out:
                errors.update((topic.name, int(codes.LEADER_NOT_AVAILABLE)) for topic in found)
            return finish(errors)

        return usable(context, [topic.id for topic in found], timeout_ms, when_usable)

    def refused(_: Refused) -> Any:
        return finish(dict.fromkeys((topic.name for topic in request.topics), int(codes.LEADER_NOT_AVAILABLE)))

    try:
        outcome = ask_controller(context, request)
    except Refused as refusal:
        return refused(refusal)
    return then(outcome, when_created, refused)


def creatable(name: str, config: BrokerConfig, image: ClusterImage) -> Any:
    """The entry of a CreateTopics request for a topic that nobody described."""
    if name == CONSUMER_OFFSETS:
        return _internal(
            name,
            image,
            config.integer("offsets.topic.num.partitions"),
            config.integer("offsets.topic.replication.factor"),
            {
                "cleanup.policy": "compact",
                "compression.type": "producer",
                "segment.bytes": str(config.integer("offsets.topic.segment.bytes")),
            },
        )
    if name == TRANSACTION_STATE:
        return _internal(
            name,
            image,
            config.integer("transaction.state.log.num.partitions"),
            config.integer("transaction.state.log.replication.factor"),
            {
                "cleanup.policy": "compact",
                "compression.type": "uncompressed",
                "min.insync.replicas": str(config.integer("transaction.state.log.min.isr")),
                "segment.bytes": str(config.integer("transaction.state.log.segment.bytes")),
                "unclean.leader.election.enable": "false",
            },
        )
    return CreatableTopic(
        name=name,
        num_partitions=config.integer("num.partitions"),
        replication_factor=config.integer("default.replication.factor"),
    )


def _internal(name: str, image: ClusterImage, partitions: int, replicas_max: int, configs: dict[str, str]) -> Any:
    """Internal topics have fewer replicas while there are fewer brokers (design D9); Kafka refuses to create them."""
    replicas = min(replicas_max, max(1, len(image.active_brokers())))
    if "min.insync.replicas" in configs:
        configs["min.insync.replicas"] = str(min(replicas, int(configs["min.insync.replicas"])))
    return CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        configs=[CreatableTopicConfig(name=key, value=value) for key, value in configs.items()],
    )
