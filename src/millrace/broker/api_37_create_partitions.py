"""CreatePartitions (37): more partitions for topics that exist.

Versions: 0 to 3.
Behaviour: ``count`` is the new total. Decided by the controller (``state/cluster_topics``), answered when the new logs
are on disk, or at the request's time-out. Keys hash differently from then on: that is the asker's to know.
Version notes: 2 flexible, 3 quotas (KIP-599: no quota is built, nothing is throttled).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.broker.api import CONTROLLER, Api, Context, Resource
from millrace.broker.topic_creation import ask_controller, check_timeout, then, usable
from millrace.kafka import codes, messages

Response = messages.CreatePartitionsResponse
Result = messages.CreatePartitionsResponse.CreatePartitionsTopicResult


def handle(context: Context, request: Any) -> Any:
    check_timeout(request.timeout_ms)

    def when_decided(response: Any) -> Any:
        if request.validate_only:
            return response
        image = context.broker.image
        topics = [image.topic(each.name) for each in response.results if each.error_code == codes.NONE]
        topic_ids = [topic.id for topic in topics if topic is not None]
        return usable(context, topic_ids, request.timeout_ms, lambda timed_out: response)

    return then(ask_controller(context, request), when_decided)


def resources(request: Any) -> list[Resource]:
    return [Resource("alter", "topic", topic.name) for topic in request.topics]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    request.topics = [topic for topic in request.topics if topic.name not in names]

    def restore(response: Any) -> None:
        response.results += [_failed(name, codes.TOPIC_AUTHORIZATION_FAILED, None) for name in sorted(names)]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    names = dict.fromkeys(topic.name for topic in request.topics) if request is not None else ()
    return Response(results=[_failed(name, code, message or None) for name in names])


def _failed(name: str, code: int, message: str | None) -> Any:
    return Result(name=name, error_code=code, error_message=message)


API = Api(37, "CreatePartitions", (0, 3), handle, who=CONTROLLER, resources=resources, deny=deny, fail=fail)
