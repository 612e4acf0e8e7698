"""The requests of the crash tests, one function each; what is refused for a moment after a start is asked again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from millrace.kafka import codes, messages
from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch, iter_records
from tests.clients.wire import Wire

PASSING = frozenset({codes.COORDINATOR_LOAD_IN_PROGRESS, codes.COORDINATOR_NOT_AVAILABLE, codes.NOT_COORDINATOR})
PASSING_S_MAX = 20.0
NOW_MS = 1_700_000_000_000


class Answered(NamedTuple):
    """A code and what else the answer tells."""

    code: int
    value: Any = None


def patiently(ask: Callable[[], Answered]) -> Any:
    """The value of an answer without an error; a coordinator that is loading is asked until it is through."""
    deadline = time.monotonic() + PASSING_S_MAX
    answered = ask()
    while answered.code in PASSING and time.monotonic() < deadline:
        answered = ask()
    assert answered.code == 0, f"answered with error code {answered.code}"
    return answered.value


def produce(
    wire: Wire, topic: str, values: list[bytes], acks: int, producer: tuple[int, int, int] | None = None
) -> Answered:
    """Append one batch to partition 0; ``producer`` is its id, epoch and first sequence. The value is its offset."""
    producer_id, epoch, sequence = producer or (-1, -1, -1)
    batch = build_batch(
        [NewRecord(None, value) for value in values],
        timestamp_ms=NOW_MS,
        producer_id=producer_id,
        producer_epoch=epoch,
        base_sequence=sequence,
    )
    request = messages.ProduceRequest
    partition = request.PartitionProduceData(index=0, records=bytes(batch))
    answer = wire.ask(
        request(
            acks=acks,
            timeout_ms=10_000,
            topic_data=[request.TopicProduceData(name=topic, partition_data=[partition])],
        ),
        9,
    )
    (outcome,) = answer.responses[0].partition_responses
    return Answered(outcome.error_code, outcome.base_offset)


def new_producer_id(wire: Wire) -> tuple[int, int]:
    def ask() -> Answered:
        answer = wire.ask(messages.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1_000), 4)
        return Answered(answer.error_code, (answer.producer_id, answer.producer_epoch))

    found: tuple[int, int] = patiently(ask)
    return found


def create_topic(wire: Wire, name: str, partition_count: int, configs: dict[str, str]) -> Answered:
    request = messages.CreateTopicsRequest
    settings = [request.CreatableTopicConfig(name=key, value=value) for key, value in configs.items()]
    topic = request.CreatableTopic(name=name, num_partitions=partition_count, replication_factor=1, configs=settings)
    answer = wire.ask(request(topics=[topic], timeout_ms=10_000), 7)
    return Answered(answer.topics[0].error_code)


def delete_topic(wire: Wire, name: str) -> Answered:
    answer = wire.ask(messages.DeleteTopicsRequest(topic_names=[name], timeout_ms=10_000), 5)
    return Answered(answer.responses[0].error_code)


def partition_counts(wire: Wire) -> dict[str, int]:
    """All topics."""
    answer = wire.ask(messages.MetadataRequest(topics=None, allow_auto_topic_creation=False), 12)
    return {topic.name: len(topic.partitions) for topic in answer.topics if not topic.error_code}


def set_config(wire: Wire, topic: str, key: str, value: str) -> Answered:
    request = messages.IncrementalAlterConfigsRequest
    config = request.AlterableConfig(name=key, config_operation=0, value=value)
    resource = request.AlterConfigsResource(resource_type=2, resource_name=topic, configs=[config])
    return Answered(wire.ask(request(resources=[resource]), 1).responses[0].error_code)


def get_config(wire: Wire, topic: str, key: str) -> str:
    request = messages.DescribeConfigsRequest
    resource = request.DescribeConfigsResource(resource_type=2, resource_name=topic, configuration_keys=[key])
    (result,) = wire.ask(request(resources=[resource]), 4).results
    assert result.error_code == 0, f"answered with error code {result.error_code}"
    (config,) = result.configs
    value: str = config.value
    return value


def delete_records(wire: Wire, topic: str, offset: int) -> Answered:
    request = messages.DeleteRecordsRequest
    partition = request.DeleteRecordsPartition(partition_index=0, offset=offset)
    answer = wire.ask(
        request(topics=[request.DeleteRecordsTopic(name=topic, partitions=[partition])], timeout_ms=10_000), 2
    )
    outcome = answer.topics[0].partitions[0]
    return Answered(outcome.error_code, outcome.low_watermark)


def commit_offset(wire: Wire, group: str, topic: str, offset: int) -> Answered:
    request = messages.OffsetCommitRequest
    partition = request.OffsetCommitRequestPartition(partition_index=0, committed_offset=offset, committed_metadata="")
    wanted = request.OffsetCommitRequestTopic(name=topic, partitions=[partition])
    answer = wire.ask(request(group_id=group, topics=[wanted]), 8)
    return Answered(answer.topics[0].partitions[0].error_code)


def committed_offset(wire: Wire, group: str, topic: str) -> int:
    def ask() -> Answered:
        request = messages.OffsetFetchRequest
        wanted = request.OffsetFetchRequestTopic(name=topic, partition_indexes=[0])
        answer = wire.ask(request(group_id=group, topics=[wanted]), 7)
        if answer.error_code:
            return Answered(answer.error_code)
        outcome = answer.topics[0].partitions[0]
        return Answered(outcome.error_code, outcome.committed_offset)

    offset: int = patiently(ask)
    return offset


def find_coordinator(wire: Wire, group: str) -> Answered:
    """Asked before anything of a group, as clients do: the first time it makes the topic of the offsets."""
    answer = wire.ask(messages.FindCoordinatorRequest(key=group, key_type=0), 2)
    return Answered(answer.error_code)


def offset_at(wire: Wire, topic: str, timestamp: int) -> int:
    """-2 is the log's start, -1 its end."""
    request = messages.ListOffsetsRequest
    partition = request.ListOffsetsPartition(partition_index=0, timestamp=timestamp)
    answer = wire.ask(request(replica_id=-1, topics=[request.ListOffsetsTopic(name=topic, partitions=[partition])]), 7)
    outcome = answer.topics[0].partitions[0]
    assert outcome.error_code == 0, f"the offset at {timestamp} of {topic}: error code {outcome.error_code}"
    offset: int = outcome.offset
    return offset


def fetch(wire: Wire, topic: str, offset: int) -> list[Batch]:
    """The whole batches of one answer."""
    request = messages.FetchRequest
    partition = request.FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    answer = wire.ask(
        request(max_wait_ms=0, min_bytes=1, topics=[request.FetchTopic(topic=topic, partitions=[partition])]), 12
    )
    outcome = answer.responses[0].partitions[0]
    assert outcome.error_code == 0, f"{topic} from offset {offset}: error code {outcome.error_code}"
    return list(batches_in(bytes(outcome.records or b"")))


def read_all(wire: Wire, topic: str) -> tuple[int, list[tuple[int, bytes]]]:
    """The log's start, and (offset, value) of every record from it to the end; checksums and order looked at."""
    start, end = offset_at(wire, topic, -2), offset_at(wire, topic, -1)
    offset, found = start, []
    while offset < end:
        batches = fetch(wire, topic, offset)
        assert batches, f"{topic}: nothing is read at {offset} of {end}"
        for batch in batches:
            assert batch.is_valid_crc, f"{topic}: the batch at {batch.base_offset} has a wrong checksum"
            assert batch.base_offset <= offset, f"{topic}: offset {batch.base_offset} came where {offset} was expected"
            found += [(record.offset, bytes(record.value or b"")) for record in iter_records(batch, 1 << 20)]
            offset = batch.next_offset
    return start, [each for each in found if each[0] >= start]
