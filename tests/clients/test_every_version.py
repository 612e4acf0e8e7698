"""Every version of every request that is advertised gets an answer of that version, filled in as far as it goes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from millrace import Broker
from millrace.broker.apis import APIS
from millrace.kafka import codes, messages
from millrace.kafka.record import NewRecord, build_batch
from tests.clients.wire import Wire, error_codes

PAIRS = [(api.key, version) for api in APIS for version in range(api.min_version, api.max_version + 1)]
WAIT_MS = 10_000
TOPIC = "versions"
numbers = itertools.count()

m = messages


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(config={"group.initial.rebalance.delay.ms": "0", "offsets.topic.num.partitions": "1"}) as running:
        yield running


@pytest.fixture(scope="module")
def wire(broker: Broker) -> Iterator[Wire]:
    with Wire(broker.bootstrap_servers) as connection:
        created = connection.ask(create_topic(TOPIC, partitions=2))
        assert error_codes(created) == {0}
        assert error_codes(produce(connection, 9)) == {0}
        wait_for_coordinator(connection)
        yield connection


def wait_for_coordinator(wire: Wire) -> None:
    """The first who asks makes the broker create the topic of offsets; until it is led, clients ask again."""
    deadline = time.monotonic() + WAIT_MS / 1000
    while find_coordinator(wire, 0).error_code:
        assert time.monotonic() < deadline, "the coordinator did not come"


def create_topic(name: str, partitions: int = 1, **fields: Any) -> Any:
    topic = m.CreateTopicsRequest.CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    return m.CreateTopicsRequest(topics=[topic], timeout_ms=WAIT_MS, **fields)


def topic_id(wire: Wire, name: str = TOPIC) -> bytes:
    answer = wire.ask(m.MetadataRequest(topics=[m.MetadataRequest.MetadataRequestTopic(name=name)]))
    found: bytes = answer.topics[0].topic_id
    return found


def produce(wire: Wire, version: int) -> Any:
    r = m.ProduceRequest
    batch = build_batch([NewRecord(key=None, value=b"value")], timestamp_ms=1)
    data = r.TopicProduceData(partition_data=[r.PartitionProduceData(index=0, records=bytes(batch))])
    if version >= 13:
        data.topic_id = topic_id(wire)
    else:
        data.name = TOPIC
    return wire.ask(r(acks=-1, timeout_ms=WAIT_MS, topic_data=[data]), version)


def fetch(wire: Wire, version: int) -> Any:
    r = m.FetchRequest
    partition = r.FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    topic = r.FetchTopic(partitions=[partition])
    if version >= 13:
        topic.topic_id = topic_id(wire)
    else:
        topic.topic = TOPIC
    request = r(
        max_wait_ms=WAIT_MS, min_bytes=1, max_bytes=1 << 20, topics=[topic], session_epoch=0 if version >= 7 else -1
    )
    answer = wire.ask(request, version)
    assert answer.responses[0].partitions[0].records
    assert answer.session_id or version < 7
    return answer


def list_offsets(wire: Wire, version: int) -> Any:
    r = m.ListOffsetsRequest
    partition = r.ListOffsetsPartition(partition_index=0, timestamp=0)
    answer = wire.ask(r(replica_id=-1, topics=[r.ListOffsetsTopic(name=TOPIC, partitions=[partition])]), version)
    assert answer.topics[0].partitions[0].offset == 0
    return answer


def metadata(wire: Wire, version: int) -> Any:
    answer = wire.ask(m.MetadataRequest(topics=[m.MetadataRequest.MetadataRequestTopic(name=TOPIC)]), version)
    assert [len(topic.partitions) for topic in answer.topics] == [2]
    assert answer.brokers
    return answer


def offset_commit(wire: Wire, version: int) -> Any:
    r = m.OffsetCommitRequest
    partition = r.OffsetCommitRequestPartition(partition_index=0, committed_offset=1, committed_metadata="note")
    topic = r.OffsetCommitRequestTopic(partitions=[partition])
    if version >= 10:
        topic.topic_id = topic_id(wire)
    else:
        topic.name = TOPIC
    return wire.ask(r(group_id="alone", topics=[topic]), version)


def offset_fetch(wire: Wire, version: int) -> Any:
    assert error_codes(offset_commit(wire, 2)) == {0}
    r = m.OffsetFetchRequest
    if version < 8:
        topics = [r.OffsetFetchRequestTopic(name=TOPIC, partition_indexes=[0])]
        answer = wire.ask(r(group_id="alone", topics=topics), version)
        assert answer.topics[0].partitions[0].committed_offset == 1
        return answer
    topic = r.OffsetFetchRequestTopics(partition_indexes=[0])
    if version >= 10:
        topic.topic_id = topic_id(wire)
    else:
        topic.name = TOPIC
    answer = wire.ask(r(groups=[r.OffsetFetchRequestGroup(group_id="alone", topics=[topic])]), version)
    assert answer.groups[0].topics[0].partitions[0].committed_offset == 1
    return answer


def find_coordinator(wire: Wire, version: int) -> Any:
    many = {"coordinator_keys": ["alone"]} if version >= 4 else {"key": "alone"}
    return wire.ask(m.FindCoordinatorRequest(**many), version)


def join(wire: Wire, version: int, group: str | None = None) -> tuple[Any, str]:
    """Join as the only member; from version 4 on the broker asks to come again with the id that it gave."""
    r = m.JoinGroupRequest
    group = group or f"group-{next(numbers)}"
    request = r(
        group_id=group,
        session_timeout_ms=10_000,
        rebalance_timeout_ms=10_000,
        protocol_type="consumer",
        protocols=[r.JoinGroupRequestProtocol(name="range", metadata=b"\0\0")],
    )
    answer = wire.ask(request, version)
    if version >= 4:
        assert answer.error_code == codes.MEMBER_ID_REQUIRED
        request.member_id = answer.member_id
        answer = wire.ask(request, version)
    assert answer.leader == answer.member_id
    assert len(answer.members) == 1
    return answer, group


def sync(wire: Wire, version: int) -> Any:
    joined, group = join(wire, 9)
    return _sync(wire, joined, group, version)


def _sync(wire: Wire, joined: Any, group: str, version: int = 5) -> Any:
    r = m.SyncGroupRequest
    assignment = r.SyncGroupRequestAssignment(member_id=joined.member_id, assignment=b"all")
    request = r(
        group_id=group, generation_id=joined.generation_id, member_id=joined.member_id, assignments=[assignment]
    )
    if version >= 5:
        request.protocol_type, request.protocol_name = "consumer", "range"
    answer = wire.ask(request, version)
    assert answer.assignment == b"all"
    return answer


def heartbeat(wire: Wire, version: int) -> Any:
    joined, group = join(wire, 9)
    _sync(wire, joined, group)
    request = m.HeartbeatRequest(group_id=group, generation_id=joined.generation_id, member_id=joined.member_id)
    return wire.ask(request, version)


def leave(wire: Wire, version: int) -> Any:
    joined, group = join(wire, 9)
    r = m.LeaveGroupRequest
    if version < 3:
        return wire.ask(r(group_id=group, member_id=joined.member_id), version)
    answer = wire.ask(r(group_id=group, members=[r.MemberIdentity(member_id=joined.member_id)]), version)
    assert [each.member_id for each in answer.members] == [joined.member_id]
    return answer


def describe_groups(wire: Wire, version: int) -> Any:
    joined, group = join(wire, 9)
    _sync(wire, joined, group)
    fields = {"include_authorized_operations": True} if version >= 3 else {}
    answer = wire.ask(m.DescribeGroupsRequest(groups=[group], **fields), version)
    assert [each.group_state for each in answer.groups] == ["Stable"]
    assert [each.member_id for each in answer.groups[0].members] == [joined.member_id]
    return answer


def list_groups(wire: Wire, version: int) -> Any:
    _, group = join(wire, 9)
    answer = wire.ask(m.ListGroupsRequest(), version)
    assert group in {each.group_id for each in answer.groups}
    return answer


def api_versions(wire: Wire, version: int) -> Any:
    fields = {"client_software_name": "test", "client_software_version": "1"} if version >= 3 else {}
    answer = wire.ask(m.ApiVersionsRequest(**fields), version)
    assert {each.api_key for each in answer.api_keys} == {api.key for api in APIS}
    return answer


def create_topics(wire: Wire, version: int) -> Any:
    return wire.ask(create_topic(f"created-{version}"), version)


def delete_topics(wire: Wire, version: int) -> Any:
    name = f"deleted-{version}"
    assert error_codes(wire.ask(create_topic(name))) == {0}
    r = m.DeleteTopicsRequest
    fields = {"topics": [r.DeleteTopicState(name=name)]} if version >= 6 else {"topic_names": [name]}
    return wire.ask(r(timeout_ms=WAIT_MS, **fields), version)


def delete_records(wire: Wire, version: int) -> Any:
    r = m.DeleteRecordsRequest
    name = f"cut-{version}"
    assert error_codes(wire.ask(create_topic(name))) == {0}
    topic = r.DeleteRecordsTopic(name=name, partitions=[r.DeleteRecordsPartition(partition_index=0, offset=-1)])
    answer = wire.ask(r(topics=[topic], timeout_ms=WAIT_MS), version)
    assert answer.topics[0].partitions[0].low_watermark == 0
    return answer


def init_producer_id(wire: Wire, version: int) -> Any:
    answer = wire.ask(m.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000), version)
    assert (answer.producer_id >= 0, answer.producer_epoch) == (True, 0)
    return answer


def offset_for_leader_epoch(wire: Wire, version: int) -> Any:
    r = m.OffsetForLeaderEpochRequest
    topic = r.OffsetForLeaderTopic(topic=TOPIC, partitions=[r.OffsetForLeaderPartition(partition=0, leader_epoch=0)])
    answer = wire.ask(r(topics=[topic]), version)
    assert answer.topics[0].partitions[0].end_offset > 0
    return answer


def describe_configs(wire: Wire, version: int) -> Any:
    r = m.DescribeConfigsRequest
    resource = r.DescribeConfigsResource(resource_type=2, resource_name=TOPIC, configuration_keys=None)
    answer = wire.ask(r(resources=[resource], include_synonyms=True), version)
    assert "retention.ms" in {each.name for each in answer.results[0].configs}
    return answer


def alter_configs(wire: Wire, version: int) -> Any:
    r = m.AlterConfigsRequest
    config = r.AlterableConfig(name="retention.ms", value="-1")
    resource = r.AlterConfigsResource(resource_type=2, resource_name=TOPIC, configs=[config])
    return wire.ask(r(resources=[resource]), version)


def incremental_alter_configs(wire: Wire, version: int) -> Any:
    r = m.IncrementalAlterConfigsRequest
    config = r.AlterableConfig(name="segment.ms", config_operation=0, value="100000")
    resource = r.AlterConfigsResource(resource_type=2, resource_name=TOPIC, configs=[config])
    return wire.ask(r(resources=[resource]), version)


def describe_log_dirs(wire: Wire, version: int) -> Any:
    answer = wire.ask(m.DescribeLogDirsRequest(topics=None), version)
    assert TOPIC in {topic.name for each in answer.results for topic in each.topics}
    return answer


def create_partitions(wire: Wire, version: int) -> Any:
    name = f"grown-{version}"
    assert error_codes(wire.ask(create_topic(name))) == {0}
    r = m.CreatePartitionsRequest
    return wire.ask(
        r(topics=[r.CreatePartitionsTopic(name=name, count=2, assignments=None)], timeout_ms=WAIT_MS), version
    )


def delete_groups(wire: Wire, version: int) -> Any:
    joined, group = join(wire, 9)
    wire.ask(m.LeaveGroupRequest(group_id=group, member_id=joined.member_id), 2)
    return wire.ask(m.DeleteGroupsRequest(groups_names=[group]), version)


def offset_delete(wire: Wire, version: int) -> Any:
    assert error_codes(offset_commit(wire, 2)) == {0}
    r = m.OffsetDeleteRequest
    topic = r.OffsetDeleteRequestTopic(name=TOPIC, partitions=[r.OffsetDeleteRequestPartition(partition_index=0)])
    return wire.ask(r(group_id="alone", topics=[topic]), version)


def describe_cluster(wire: Wire, version: int) -> Any:
    answer = wire.ask(m.DescribeClusterRequest(include_cluster_authorized_operations=True), version)
    assert answer.brokers
    assert answer.cluster_id
    return answer


def list_config_resources(wire: Wire, version: int) -> Any:
    return wire.ask(m.ListConfigResourcesRequest(), version)


def describe_topic_partitions(wire: Wire, version: int) -> Any:
    r = m.DescribeTopicPartitionsRequest
    answer = wire.ask(r(topics=[r.TopicRequest(name=TOPIC)]), version)
    assert len(answer.topics[0].partitions) == 2
    return answer


WAYS: dict[int, Callable[[Wire, int], Any]] = {
    0: produce,
    1: fetch,
    2: list_offsets,
    3: metadata,
    8: offset_commit,
    9: offset_fetch,
    10: find_coordinator,
    11: lambda wire, version: join(wire, version)[0],
    12: heartbeat,
    13: leave,
    14: sync,
    15: describe_groups,
    16: list_groups,
    18: api_versions,
    19: create_topics,
    20: delete_topics,
    21: delete_records,
    22: init_producer_id,
    23: offset_for_leader_epoch,
    32: describe_configs,
    33: alter_configs,
    35: describe_log_dirs,
    37: create_partitions,
    42: delete_groups,
    44: incremental_alter_configs,
    47: offset_delete,
    60: describe_cluster,
    74: list_config_resources,
    75: describe_topic_partitions,
}


@pytest.mark.parametrize(("key", "version"), PAIRS, ids=lambda value: str(value))
def test_an_advertised_version_works(wire: Wire, key: int, version: int) -> None:
    answer = WAYS[key](wire, version)
    assert error_codes(answer) <= {0}


def test_versions_are_those_of_kafka() -> None:
    """Nothing is advertised that Kafka does not offer, and no version of what is advertised is left out."""
    for api in APIS:
        assert (api.min_version, api.max_version) == messages.stable_versions(api.key), api.name
