"""FindCoordinator (10): which broker coordinates a group.

Versions: 0 to 6.
Behaviour: the leader of the group's partition of ``__consumer_offsets``, which the first who asks makes come into
being; until it is there the answer is COORDINATOR_NOT_AVAILABLE. A kind of coordinator that this broker has not got is
INVALID_REQUEST, as Kafka answers for its share coordinator where that is off: clients fail at once and say why, they
would ask for ever otherwise. Not here yet: transactions (1) and share groups (2).
Version notes: 1 kinds, 3 flexible, 4 several keys (KIP-699), 5 TRANSACTION_ABORTABLE, 6 share groups (KIP-932).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context, Resource
from millrace.broker.broker import OFFSETS_TOPIC, partition_for_key
from millrace.broker.listings import ReachableBroker, reachable_brokers
from millrace.kafka import codes, messages

SEVERAL_KEYS_FROM: Final = 4
GROUP_KIND: Final = 0
TRANSACTION_KIND: Final = 1
KIND_NAMES: Final = {1: "transaction", 2: "share"}
RESOURCE_TYPES: Final = {0: "group", 1: "transactional_id"}
NO_NODE: Final = -1
NO_ERROR_MESSAGE: Final = "NONE"  # what Kafka says when nothing is wrong, up to version 3


def handle(context: Context, request: Any) -> Any:
    if context.api_version >= SEVERAL_KEYS_FROM:
        found = [_coordinator(context, request.key_type, key) for key in request.coordinator_keys]
        return messages.FindCoordinatorResponse(coordinators=found)
    found_one = _coordinator(context, request.key_type, request.key)
    return messages.FindCoordinatorResponse(
        error_code=found_one.error_code,
        error_message=found_one.error_message if found_one.error_code else NO_ERROR_MESSAGE,
        node_id=found_one.node_id,
        host=found_one.host,
        port=found_one.port,
    )


def _coordinator(context: Context, kind: int, key: str) -> Any:
    try:
        leader = _leader(context, kind, key)
    except Refused as error:
        return _no_coordinator(key, error.code, error.message)
    return messages.FindCoordinatorResponse.Coordinator(key=key, node_id=leader.id, host=leader.host, port=leader.port)


def _leader(context: Context, kind: int, key: str) -> ReachableBroker:
    if kind != GROUP_KIND:
        name = KIND_NAMES.get(kind)
        reason = f"this broker has no {name} coordinator yet" if name else f"there is no coordinator type {kind}"
        raise Refused(codes.INVALID_REQUEST, reason)
    broker = context.broker
    topic = broker.image.topic(OFFSETS_TOPIC) if broker.ensure_internal_topic(OFFSETS_TOPIC) else None
    if topic is None:
        raise Refused(codes.COORDINATOR_NOT_AVAILABLE, f"{OFFSETS_TOPIC} is being created")
    partition = topic.partitions[partition_for_key(key, topic.partition_count)]
    leader = reachable_brokers(context).get(partition.leader)
    if leader is None:
        raise Refused(
            codes.COORDINATOR_NOT_AVAILABLE, f"the coordinator cannot be reached through listener {context.listener}"
        )
    return leader


def _no_coordinator(key: str, code: int, message: str) -> Any:
    return messages.FindCoordinatorResponse.Coordinator(
        key=key, node_id=NO_NODE, host="", port=NO_NODE, error_code=code, error_message=message
    )


def resources(request: Any) -> list[Resource]:
    kind = RESOURCE_TYPES.get(request.key_type)
    if kind is None:
        return []
    return [Resource("describe", kind, key) for key in request.coordinator_keys or [request.key]]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    is_transaction = request.key_type == TRANSACTION_KIND
    code = codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED if is_transaction else codes.GROUP_AUTHORIZATION_FAILED
    names = {each.name for each in refused}
    if context.api_version < SEVERAL_KEYS_FROM:
        raise Refused(code, f"{context.principal} may not describe {request.key}")
    request.coordinator_keys = [key for key in request.coordinator_keys if key not in names]

    def restore(response: Any) -> None:
        response.coordinators += [_no_coordinator(name, code, code.message) for name in sorted(names)]

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    response = messages.FindCoordinatorResponse(
        error_code=code, error_message=message or None, node_id=NO_NODE, port=NO_NODE
    )
    if request is not None:
        response.coordinators = [_no_coordinator(key, code, message) for key in request.coordinator_keys]
    return response


API = Api(10, "FindCoordinator", (0, 6), handle, resources=resources, deny=deny, fail=fail)
