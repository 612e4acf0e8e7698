"""InitProducerId (22): an id for an idempotent producer.

Versions: 0 to 5.
Behaviour: without a transactional id every call gets a new id with epoch 0, also one that names an id it had (KIP-360);
ids come from blocks that the controller commits (``broker/producer_ids``).
A transactional id is refused with UNSUPPORTED_VERSION: transactions are not built yet. Clients hardly come so far, they
are refused already when they ask for the transaction's coordinator.
Version notes: 2 flexible, 3 the producer's former id and epoch (KIP-360), 4 PRODUCER_FENCED, 5 TRANSACTION_ABORTABLE
(KIP-890); 6 is for two-phase commit (KIP-939) and not offered by Kafka 4.3 either.
"""

from __future__ import annotations

from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import CLUSTER_NAME, Api, Context, Resource
from millrace.kafka import codes, messages

Response = messages.InitProducerIdResponse

NO_ID, NO_EPOCH = -1, -1


def handle(context: Context, request: Any) -> Any:
    if (request.producer_id == NO_ID) != (request.producer_epoch == NO_EPOCH):
        raise Refused(codes.INVALID_REQUEST, "a producer id goes with its epoch: both, or neither")
    if request.transactional_id is not None:
        if not request.transactional_id:
            raise Refused(codes.INVALID_REQUEST, "a transactional id may not be empty")
        raise Refused(codes.UNSUPPORTED_VERSION, "transactions are not built yet")
    return context.broker.producer_ids.take(
        context, lambda producer_id: Response(producer_id=producer_id, producer_epoch=0)
    )


def resources(request: Any) -> list[Resource]:
    if request.transactional_id is not None:
        return [Resource("write", "transactional_id", request.transactional_id)]
    return [Resource("idempotent_write", "cluster", CLUSTER_NAME)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    if code in (codes.NOT_CONTROLLER, codes.KAFKA_STORAGE_ERROR):
        code = codes.COORDINATOR_LOAD_IN_PROGRESS  # what Kafka says, and producers understand, when no ids can be had
    return Response(error_code=code, producer_id=NO_ID, producer_epoch=NO_EPOCH)


API = Api(22, "InitProducerId", (0, 5), handle, resources=resources, fail=fail)
