"""Keys of a broker, one by one, as a client meets them."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from millrace import Broker
from millrace.kafka import codes, messages
from millrace.kafka.record import NewRecord, build_batch
from tests.clients.wire import ANSWER_S, Wire, error_codes

m = messages


def create_topic(wire: Wire, name: str, partitions: int = 1) -> None:
    topic = m.CreateTopicsRequest.CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    assert error_codes(wire.ask(m.CreateTopicsRequest(topics=[topic], timeout_ms=10_000))) == {0}


def metadata(wire: Wire, name: str, *, create: bool = False) -> Any:
    topic = m.MetadataRequest.MetadataRequestTopic(name=name)
    return wire.ask(m.MetadataRequest(topics=[topic], allow_auto_topic_creation=create))


def produce(wire: Wire, name: str, value: bytes) -> None:
    r = m.ProduceRequest
    batch = build_batch([NewRecord(key=None, value=value)], timestamp_ms=1)
    partition = r.PartitionProduceData(index=0, records=bytes(batch))
    request = r(acks=-1, timeout_ms=10_000, topic_data=[r.TopicProduceData(name=name, partition_data=[partition])])
    assert error_codes(wire.ask(request, 9)) == {0}


def fetch(wire: Wire, name: str, max_bytes: int, *, partitions: int = 1) -> Any:
    r = m.FetchRequest
    wanted = [
        r.FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=max_bytes) for index in range(partitions)
    ]
    topic = r.FetchTopic(topic=name, partitions=wanted)
    return wire.ask(r(max_wait_ms=0, min_bytes=0, max_bytes=max_bytes, topics=[topic], session_epoch=0), 12)


def is_turned_away(bootstrap: str) -> bool:
    """A connection that is refused is closed by the broker before a byte is asked for."""
    host, _, port = bootstrap.rpartition(":")
    with socket.create_connection((host, int(port)), ANSWER_S) as peer:
        peer.settimeout(0.5)
        try:
            return peer.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


@pytest.mark.parametrize(
    "limit",
    [
        {"max.connections": 2},
        {"max.connections.per.ip": 2},
        {"max.connections.per.ip.overrides": "127.0.0.1:2,10.0.0.1:50"},
    ],
)
def test_limits_of_connections(limit: dict[str, Any]) -> None:
    with Broker(config=limit) as broker:
        servers = broker.bootstrap_servers
        with Wire(servers) as first, Wire(servers) as second:
            assert metadata(first, "nothing").brokers
            assert metadata(second, "nothing").brokers
            assert is_turned_away(servers)
        with Wire(servers) as third:
            assert metadata(third, "nothing").brokers


def test_a_limit_for_another_address_is_no_limit_here() -> None:
    config = {"max.connections.per.ip": 1, "max.connections.per.ip.overrides": "127.0.0.1:3"}
    with Broker(config=config) as broker, Wire(broker.bootstrap_servers) as first:
        assert metadata(first, "nothing").brokers
        assert not is_turned_away(broker.bootstrap_servers)


def test_automatic_creation() -> None:
    with Broker(config={"num.partitions": 3}) as broker, Wire(broker.bootstrap_servers) as wire:
        assert metadata(wire, "not-asked-for").topics[0].error_code == codes.UNKNOWN_TOPIC_OR_PARTITION
        metadata(wire, "asked-for", create=True)
        assert len(metadata(wire, "asked-for").topics[0].partitions) == 3
    with Broker(config={"auto.create.topics.enable": "false"}) as broker, Wire(broker.bootstrap_servers) as wire:
        assert metadata(wire, "asked-for", create=True).topics[0].error_code == codes.UNKNOWN_TOPIC_OR_PARTITION


def test_deletion_can_be_switched_off() -> None:
    with Broker(config={"delete.topic.enable": "false"}) as broker, Wire(broker.bootstrap_servers) as wire:
        create_topic(wire, "kept")
        r = m.DeleteTopicsRequest
        answer = wire.ask(r(topics=[r.DeleteTopicState(name="kept")], timeout_ms=10_000))
        assert error_codes(answer) == {codes.TOPIC_DELETION_DISABLED}


def test_a_rack_is_told() -> None:
    with Broker(config={"broker.rack": "shelf-3"}) as broker, Wire(broker.bootstrap_servers) as wire:
        assert [each.rack for each in metadata(wire, "nothing").brokers] == ["shelf-3"]


def test_fetch_sessions_have_a_limit() -> None:
    config = {"max.incremental.fetch.session.cache.slots": 1}
    with Broker(config=config) as broker, Wire(broker.bootstrap_servers) as wire:
        create_topic(wire, "orders")
        assert fetch(wire, "orders", 1000).session_id != 0
        assert fetch(wire, "orders", 1000).session_id == 0, "there is one slot, and it is in use"


def test_a_fetch_answers_with_no_more_than_the_broker_allows() -> None:
    with Broker(config={"fetch.max.bytes": 4000}) as broker, Wire(broker.bootstrap_servers) as wire:
        create_topic(wire, "orders", partitions=1)
        for _ in range(10):
            produce(wire, "orders", bytes(1000))
        records = fetch(wire, "orders", 1 << 20).responses[0].partitions[0].records
        assert 0 < len(records) <= 4000


def test_a_description_of_topics_comes_in_pages() -> None:
    config = {"max.request.partition.size.limit": 2}
    with Broker(config=config) as broker, Wire(broker.bootstrap_servers) as wire:
        create_topic(wire, "orders", partitions=5)
        r = m.DescribeTopicPartitionsRequest
        request = r(topics=[r.TopicRequest(name="orders")])
        seen = []
        while True:
            answer = wire.ask(request)
            page = [each.partition_index for topic in answer.topics for each in topic.partitions]
            assert len(page) <= 2
            seen += page
            if answer.next_cursor is None:
                break
            cursor = answer.next_cursor
            request.cursor = r.Cursor(topic_name=cursor.topic_name, partition_index=cursor.partition_index)
        assert seen == [0, 1, 2, 3, 4]


def test_a_request_that_is_too_long_ends_its_connection() -> None:
    with Broker(config={"socket.request.max.bytes": 10_000}) as broker:
        with Wire(broker.bootstrap_servers) as wire:
            create_topic(wire, "orders")
            produce(wire, "orders", bytes(5000))
        host, _, port = broker.bootstrap_servers.rpartition(":")
        with socket.create_connection((host, int(port)), ANSWER_S) as peer:
            peer.sendall((10_001).to_bytes(4, "big"))
            assert peer.recv(1) == b""


def test_a_request_passes_though_it_is_larger_than_what_may_be_queued() -> None:
    """The limit holds back others while it is read; alone it must not wait for ever."""
    with Broker(config={"queued.max.request.bytes": 1000}) as broker, Wire(broker.bootstrap_servers) as wire:
        create_topic(wire, "orders")
        produce(wire, "orders", bytes(100_000))
        assert fetch(wire, "orders", 1 << 20).responses[0].partitions[0].records
