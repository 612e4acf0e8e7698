"""What Apache Kafka 4.3.1 answers to requests that need logs: DeleteRecords, DescribeLogDirs; see ``admin_checks``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.kafka import codes, messages
from millrace.kafka.record import NewRecord, build_batch
from tests.broker.admin_checks import Ask, create, describe_topic, new_topic

NOW_MS = 1_700_000_000_000


def produce(ask: Ask, name: str, count: int) -> None:
    batch = build_batch([NewRecord(b"key", b"value") for _ in range(count)], timestamp_ms=NOW_MS)
    request = messages.ProduceRequest
    partition = request.PartitionProduceData(index=0, records=bytes(batch))
    topic = request.TopicProduceData(name=name, partition_data=[partition])
    response = ask(request(acks=-1, timeout_ms=10_000, topic_data=[topic]), 9)
    assert response.responses[0].partition_responses[0].error_code == 0


def check_records_are_named(ask: Ask) -> None:
    """A batch is refused as a whole, with the index of each record that is not acceptable (KIP-467)."""
    create(ask, new_topic("keyed", configs={"cleanup.policy": "compact"}))
    records = [NewRecord(b"key", b"1"), NewRecord(None, b"2"), NewRecord(b"key", b"3"), NewRecord(None, b"4")]
    request = messages.ProduceRequest
    partition = request.PartitionProduceData(index=0, records=bytes(build_batch(records, timestamp_ms=NOW_MS)))
    topic = request.TopicProduceData(name="keyed", partition_data=[partition])
    for version, expected in ((7, []), (8, [1, 3]), (9, [1, 3])):
        answer = ask(request(acks=-1, timeout_ms=10_000, topic_data=[topic]), version)
        outcome = answer.responses[0].partition_responses[0]
        assert outcome.error_code == codes.INVALID_RECORD
        assert [each.batch_index for each in outcome.record_errors] == expected
        assert all(each.batch_index_error_message for each in outcome.record_errors)
        assert bool(outcome.error_message) == (version >= 8)


def delete_records(ask: Ask, *partitions: tuple[str, int, int], timeout_ms: int = 10_000) -> list[tuple[int, int]]:
    """(code, low watermark) for each (topic, partition, offset), each in a topic entry of its own."""
    request = messages.DeleteRecordsRequest
    topics = [
        request.DeleteRecordsTopic(
            name=name, partitions=[request.DeleteRecordsPartition(partition_index=index, offset=offset)]
        )
        for name, index, offset in partitions
    ]
    response = ask(request(topics=topics, timeout_ms=timeout_ms), 2)
    outcomes = {
        (topic.name, each.partition_index): (int(each.error_code), each.low_watermark)
        for topic in response.topics
        for each in topic.partitions
    }
    return [outcomes[name, index] for name, index, _ in partitions]


def check_deleted_records(ask: Ask) -> None:
    create(ask, new_topic("cut"))
    produce(ask, "cut", 10)
    assert delete_records(ask, ("cut", 0, 3)) == [(0, 3)]
    assert delete_records(ask, ("cut", 0, 2)) == [(0, 3)]
    assert delete_records(ask, ("cut", 0, 3)) == [(0, 3)]
    for offset in (11, -2):
        assert delete_records(ask, ("cut", 0, offset)) == [(codes.OFFSET_OUT_OF_RANGE, -1)]
    assert delete_records(ask, ("cut", 0, 4), ("cut", 0, 5)) == [(0, 5)] * 2
    assert delete_records(ask, ("cut", 0, -1)) == [(0, 10)]
    wanted = messages.ListOffsetsRequest
    partition = wanted.ListOffsetsPartition(partition_index=0, timestamp=-2)
    response = ask(wanted(replica_id=-1, topics=[wanted.ListOffsetsTopic(name="cut", partitions=[partition])]), 7)
    assert response.topics[0].partitions[0].offset == 10
    unknown = delete_records(ask, ("cut", 5, 0), ("not-there", 0, 0))
    assert unknown == [(codes.UNKNOWN_TOPIC_OR_PARTITION, -1)] * 2


def check_deleted_records_by_policy(ask: Ask) -> None:
    for policy, expected in (("compact", (codes.POLICY_VIOLATION, -1)), ("compact,delete", (0, 3)), ("", (0, 3))):
        name = f"policy-{len(policy)}"
        create(ask, new_topic(name, configs={"cleanup.policy": policy}))
        produce(ask, name, 10)
        assert delete_records(ask, (name, 0, 3)) == [expected]
    describe_topic(ask, "__consumer_offsets", auto_create=True)
    create(ask, new_topic("after-offsets"))
    assert delete_records(ask, ("__consumer_offsets", 0, 0)) == [(codes.INVALID_TOPIC_EXCEPTION, -1)]


def log_dirs(ask: Ask, wanted: dict[str, list[int]] | None, version: int) -> Any:
    topic = messages.DescribeLogDirsRequest.DescribableLogDirTopic
    topics = None if wanted is None else [topic(topic=name, partitions=indexes) for name, indexes in wanted.items()]
    response = ask(messages.DescribeLogDirsRequest(topics=topics), version)
    assert response.error_code == 0
    (result,) = response.results
    return result


def check_log_dirs(ask: Ask) -> None:
    create(ask, new_topic("stored", 2))
    produce(ask, "stored", 10)
    for version in range(1, 6):
        result = log_dirs(ask, {"stored": [0, 1, 7], "not-there": [0]}, version)
        assert result.error_code == 0
        assert result.log_dir.startswith("/")
        (topic,) = result.topics
        sizes = {each.partition_index: each.partition_size for each in topic.partitions}
        assert sizes.keys() == {0, 1}
        assert sizes[0] > 61 > sizes[1] == 0
        assert {(each.offset_lag, each.is_future_key) for each in topic.partitions} == {(0, False)}
        assert (result.total_bytes > result.usable_bytes > 0) == (version >= 4)
    assert log_dirs(ask, {}, 4).topics == []
    names = {topic.name for topic in log_dirs(ask, None, 4).topics}
    assert "stored" in names
    assert "__cluster_metadata" not in names


CHECKS: list[Callable[[Ask], None]] = [value for name, value in list(globals().items()) if name.startswith("check_")]
