"""CreateTopics (19): new topics, with partitions and replicas counted or assigned by hand, and configs.

Versions: 2 to 7.
Behaviour: decided by the controller (``state/cluster_topics``), answered when the logs are on disk and can be produced
to, or at the request's time-out; the topics are there then too, in a moment. ``validate_only`` checks everything and
creates nothing. Topics of one request stand and fall alone. There is no create.topic.policy: it names a Java class.
Version notes: 4 allows -1 for the broker's defaults (KIP-464; here every version does, as in Kafka 4), 5 flexible, with
the topic's configs in the answer (KIP-525), 6 quotas (KIP-599: no quota is built, nothing is throttled), 7 topic ids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.broker import topic_creation
from millrace.broker.api import CONTROLLER, Api, Context, Resource
from millrace.kafka import codes, messages

Response = messages.CreateTopicsResponse
Result = messages.CreateTopicsResponse.CreatableTopicResult


def handle(context: Context, request: Any) -> Any:
    return topic_creation.create(context, request)


def resources(request: Any) -> list[Resource]:
    return [Resource("create", "topic", topic.name) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        response.topics += [
            _failed(name, codes.TOPIC_AUTHORIZATION_FAILED, f"{context.principal} may not create '{name}'")
            for name in sorted(names)
        ]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    names = dict.fromkeys(topic.name for topic in request.topics) if request is not None else ()
    return Response(topics=[_failed(name, code, message) for name in names])


def _failed(name: str, code: int, message: str) -> Any:
    return Result(name=name, error_code=code, error_message=message or None, configs=[])


API = Api(19, "CreateTopics", (2, 7), handle, who=CONTROLLER, resources=resources, deny=deny, fail=fail)
