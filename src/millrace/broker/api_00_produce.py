"""Produce (0): append one record batch to each partition that is named.

Versions: 3 to 13. Below 3 record formats older than v2 would come (removed in Kafka 4.0).
Behaviour: each partition succeeds or fails on its own. acks=0 gets no answer; if something failed its connection is
closed, which is the only sign that such a client understands. acks=1 is answered when the records are in the log,
acks=all when they are on stable storage (design D10). The time-out of the request does not apply: with this broker as
the only in-sync replica nothing but the flush is waited for.
Version notes: zstd is allowed from 7 on (KIP-110); 8 names the records that are not acceptable (KIP-467); 9 flexible;
10 adds the leader's end points (KIP-951), needed with several brokers only; 11 and 12 are for transactions (KIP-890),
which are not served yet: transactional records are refused; 13 names topics by id (KIP-516).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError, Refused
from millrace.broker.api import PARTITION_LEADER, Api, Context, Resource
from millrace.broker.partition import ACKS_ALL, code_of
from millrace.broker.waiting import Waiting
from millrace.kafka import codes, messages
from millrace.kafka.batch import Batch, check_produced
from millrace.kafka.compression import ZSTD
from millrace.kafka.record import RecordsRefused

Response = messages.ProduceResponse
Topic = messages.ProduceResponse.TopicProduceResponse
Outcome = messages.ProduceResponse.PartitionProduceResponse
RecordError = messages.ProduceResponse.BatchIndexAndErrorMessage

ZSTD_VERSION_MIN = 7


class _Pending:
    """The partitions of one request that wait for their flush; a key of the waiting room."""

    __slots__ = ("count", "is_waiting")

    def __init__(self) -> None:
        self.count = 0
        self.is_waiting = False


def handle(context: Context, request: Any) -> Any:
    acks = request.acks
    pending = _Pending()
    has_failed = False
    topics = []
    for topic in request.topic_data:
        outcomes = []
        for each in topic.partition_data:
            outcome = _append(context, topic, each, acks, pending, request.transactional_id)
            has_failed |= outcome.error_code != 0
            outcomes.append(outcome)
        topics.append(Topic(name=topic.name, topic_id=topic.topic_id, partition_responses=outcomes))
    if acks == 0:
        if has_failed:
            context.close_connection("a produce request with acks=0 failed, which is told by closing")
        return None
    response = Response(responses=topics)
    if not pending.count:
        return response
    pending.is_waiting = True
    return Waiting((pending,), None, lambda timed_out: response)


def _checked(context: Context, each: Any, transactional_id: str | None) -> Batch:
    """The one batch for a partition, right in itself and allowed in this version."""
    if each.records is None:
        raise Refused(codes.INVALID_RECORD, f"no records for partition {each.index}")
    batch = check_produced(each.records)
    if batch.codec == ZSTD and context.api_version < ZSTD_VERSION_MIN:
        raise Refused(
            codes.UNSUPPORTED_COMPRESSION_TYPE,
            f"zstd in version {context.api_version} of Produce, expected {ZSTD_VERSION_MIN} or later",
        )
    if batch.is_transactional and transactional_id is None:
        raise Refused(
            codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "transactional records in a request without a transactional id"
        )
    if batch.is_transactional or transactional_id is not None:
        raise Refused(codes.INVALID_TXN_STATE, "transactions are not served yet")
    return batch


def _append(context: Context, topic: Any, each: Any, acks: int, pending: _Pending, transactional_id: str | None) -> Any:
    outcome = Outcome(index=each.index)
    broker = context.broker
    try:
        if acks not in (0, 1, ACKS_ALL):
            raise Refused(codes.INVALID_REQUIRED_ACKS, f"acks={acks}, expected 0, 1 or -1 (all)")
        partition = broker.partition_named(topic.name, topic.topic_id, each.index)
        if not topic.name and not context.allows("write", "topic", partition.topic):
            raise Refused(codes.TOPIC_AUTHORIZATION_FAILED, f"{context.principal} may not write to {partition.topic}")
        if partition.is_internal and context.client_id != "__admin_client":
            raise Refused(codes.INVALID_TOPIC_EXCEPTION, f"{partition.topic} is internal: clients may not write to it")
        batch = _checked(context, each, transactional_id)
        if acks == ACKS_ALL and partition.config.min_insync_replicas > 1:
            raise Refused(
                codes.NOT_ENOUGH_REPLICAS,
                f"{partition} has 1 in-sync replica, min.insync.replicas is {partition.config.min_insync_replicas}",
            )
        record_count, size = batch.record_count, batch.size
        is_settled = False

        def done(error: MillraceError | None) -> None:
            nonlocal is_settled
            is_settled = True
            if error is not None:
                outcome.error_code = code_of(error)
                outcome.error_message = str(error)
                outcome.base_offset = -1
            if pending.is_waiting:
                pending.count -= 1
                if not pending.count:
                    broker.waiting.wake(pending)

        appended = partition.append(batch, acks, context.wall_ms, done)
    except MillraceError as error:
        outcome.error_code = code_of(error)
        outcome.error_message = str(error)
        outcome.base_offset = -1
        if isinstance(error, RecordsRefused):
            outcome.record_errors = [
                RecordError(batch_index=index, batch_index_error_message=reason)
                for index, reason in error.record_errors
            ]
        broker.counters.apis[0].error(outcome.error_code)
        return outcome
    if not is_settled:
        pending.count += 1
    outcome.base_offset = appended.base_offset
    outcome.log_append_time_ms = appended.timestamp_ms
    outcome.log_start_offset = partition.log.log_start_offset
    if not appended.is_duplicate:
        broker.counters.bytes_produced += size
        broker.counters.records_produced += record_count
    return outcome


def resources(request: Any) -> list[Resource]:
    return [Resource("write", "topic", topic.name) for topic in request.topic_data if topic.name]


def deny(context: Context, request: Any, refused: set[Resource]) -> Callable[[Any], None]:
    names = {each.name for each in refused}
    kept: list[Any] = []
    removed: list[Any] = []
    for topic in request.topic_data:
        (removed if topic.name in names else kept).append(topic)
    request.topic_data = kept

    def restore(response: Any) -> None:
        for topic in removed:
            outcomes = [
                Outcome(index=each.index, error_code=codes.TOPIC_AUTHORIZATION_FAILED, base_offset=-1)
                for each in topic.partition_data
            ]
            response.responses.append(Topic(name=topic.name, topic_id=topic.topic_id, partition_responses=outcomes))

    return restore


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    topics = [
        Topic(
            name=topic.name,
            topic_id=topic.topic_id,
            partition_responses=[
                Outcome(index=each.index, error_code=code, error_message=message, base_offset=-1)
                for each in topic.partition_data
            ],
        )
        for topic in request.topic_data
    ]
    return Response(responses=topics)


API = Api(0, "Produce", (3, 13), handle, who=PARTITION_LEADER, resources=resources, deny=deny, fail=fail)
