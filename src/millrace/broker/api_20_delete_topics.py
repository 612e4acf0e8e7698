"""DeleteTopics (20): remove topics, by name or by id.

Versions: 1 to 6.
Behaviour: decided by the controller (``state/cluster_topics``); answered when the removal is committed. From then on
no request finds the topic; its files are renamed at once and removed a little later. A topic named twice, or by name
and by id, is refused. Internal topics can be deleted, as in Kafka: who may do so is the authorizer's business.
Kafka shuffles the results so that their order tells nothing about what exists; here they come in the order: refused,
then deleted.
Version notes: 3 brought TOPIC_DELETION_DISABLED (KIP-322), 4 flexible, 5 messages (KIP-599), 6 ids (KIP-516).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.broker.api import CONTROLLER, Api, Context, Resource
from millrace.broker.topic_creation import ask_controller, check_timeout, then
from millrace.kafka import codes, messages
from millrace.state.cluster_image import ZERO_ID

Response = messages.DeleteTopicsResponse
Result = messages.DeleteTopicsResponse.DeletableTopicResult


def handle(context: Context, request: Any) -> Any:
    check_timeout(request.timeout_ms)
    refused = _refused_ids(context, request)
    request.topics = [topic for topic in request.topics if topic.topic_id not in refused or topic.name is not None]

    def with_refused(response: Any) -> Any:
        response.responses += [
            _failed(name, topic_id, codes.TOPIC_AUTHORIZATION_FAILED, f"{context.principal} may not delete the topic")
            for topic_id, name in refused.items()
        ]
        return response

    return then(ask_controller(context, request), with_refused)


def _refused_ids(context: Context, request: Any) -> dict[bytes, str | None]:
    """Topics given by id that the asker may not delete, with their name if it may know that."""
    image = context.broker.image
    refused: dict[bytes, str | None] = {}
    for wish in request.topics:
        topic = image.topic_by_id(wish.topic_id) if wish.name is None else None
        if topic is not None and not context.allows("delete", "topic", topic.name):
            refused[topic.id] = topic.name if context.allows("describe", "topic", topic.name) else None
    return refused


def resources(request: Any) -> list[Resource]:
    names = [*request.topic_names, *(topic.name for topic in request.topics if topic.name is not None)]
    return [Resource("delete", "topic", name) for name in names]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.topic_names = [name for name in request.topic_names if name not in names]
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        response.responses += [
            _failed(name, ZERO_ID, codes.TOPIC_AUTHORIZATION_FAILED, f"{context.principal} may not delete '{name}'")
            for name in sorted(names)
        ]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    if request is None:
        return Response()
    failed = [_failed(name, ZERO_ID, code, message) for name in request.topic_names]
    failed += [_failed(topic.name, topic.topic_id, code, message) for topic in request.topics]
    return Response(responses=failed)


def _failed(name: str | None, topic_id: bytes, code: int, message: str) -> Any:
    return Result(name=name, topic_id=topic_id, error_code=code, error_message=message or None)


API = Api(20, "DeleteTopics", (1, 6), handle, who=CONTROLLER, resources=resources, deny=deny, fail=fail)
