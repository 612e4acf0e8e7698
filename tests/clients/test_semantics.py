"""What the documents promise of a stream data platform, seen from outside by a client that users have.

Each test is one or a few rows of ``docs/rows.md``.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from millrace import Broker

WAIT_S = 20.0
numbers = itertools.count()


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    config = {"group.initial.rebalance.delay.ms": "0", "group.min.session.timeout.ms": "1000"}
    with Broker(config=config) as running:
        yield running


class Client:
    """Short forms for one broker."""

    def __init__(self, broker: Broker) -> None:
        self.servers = {"bootstrap.servers": broker.bootstrap_servers, "log_level": 0}
        self.admin = AdminClient(self.servers)

    def topic(self, partitions: int = 1, **config: str) -> str:
        name = f"topic-{next(numbers)}"
        settings = {key.replace("_", "."): value for key, value in config.items()}
        self.admin.create_topics([NewTopic(name, partitions, 1, config=settings)])[name].result(WAIT_S)
        return name

    def produce(self, topic: str, records: list[tuple[Any, ...]], **config: Any) -> list[Message]:
        """Records as (key, value[, partition]); what was acknowledged, in the order of the acknowledgements."""
        acknowledged: list[Message] = []

        def on_delivery(error: KafkaError | None, message: Message) -> None:
            assert error is None, error
            acknowledged.append(message)

        settings = {key.replace("_", "."): value for key, value in config.items()}
        producer = Producer({**self.servers, **settings})
        for key, value, *rest in records:
            where = {"partition": rest[0]} if rest else {}
            producer.produce(topic, value, key, on_delivery=on_delivery, **where)
        assert producer.flush(WAIT_S) == 0
        return acknowledged

    def consumer(self, group: str | None = None, **config: Any) -> Consumer:
        settings = {key.replace("_", "."): value for key, value in config.items()}
        defaults = {
            "group.id": group or f"group-{next(numbers)}",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "heartbeat.interval.ms": 100,
            "session.timeout.ms": 2000,
        }
        return Consumer({**self.servers, **defaults, **settings})


@pytest.fixture
def client(broker: Broker) -> Client:
    return Client(broker)


def read(consumer: Consumer, count: int) -> list[Message]:
    """The next ``count`` records, whatever their partition."""
    found: list[Message] = []
    deadline = time.monotonic() + WAIT_S
    while len(found) < count:
        assert time.monotonic() < deadline, f"{len(found)} of {count} records came"
        for message in consumer.consume(count - len(found), timeout=0.2):
            assert message.error() is None, message.error()
            found.append(message)
    return found


def until(true: Callable[[], bool], *consumers: Consumer) -> None:
    """Poll the consumers until something is so."""
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline, "it did not come about"
        for consumer in consumers:
            message = consumer.poll(0.05)
            assert message is None or message.error() is None


def test_any_bytes_come_back_and_null_is_not_empty(client: Client) -> None:
    topic = client.topic()
    values = [bytes(range(256)), b"", None, b'{"a": 1}', "Mühle".encode()]
    client.produce(topic, [(b"key", value) for value in values])
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert [message.value() for message in read(consumer, len(values))] == values


def test_key_headers_and_timestamp_come_back(client: Client) -> None:
    topic = client.topic()
    producer = Producer(client.servers)
    now_ms = int(time.time() * 1000) - 1000
    producer.produce(topic, b"value", b"key", headers=[("a", b"1"), ("a", b"2"), ("b", None)], timestamp=now_ms)
    assert producer.flush(WAIT_S) == 0
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        (message,) = read(consumer, 1)
    assert (message.key(), message.value()) == (b"key", b"value")
    assert message.headers() == [("a", b"1"), ("a", b"2"), ("b", None)]
    assert message.timestamp() == (1, now_ms)


def test_the_broker_may_stamp_the_records(client: Client) -> None:
    topic = client.topic(message_timestamp_type="LogAppendTime")
    producer = Producer(client.servers)
    before_ms = int(time.time() * 1000)
    producer.produce(topic, b"value", timestamp=1)
    assert producer.flush(WAIT_S) == 0
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        (message,) = read(consumer, 1)
    kind, timestamp_ms = message.timestamp()
    assert kind == 2
    assert before_ms <= timestamp_ms <= int(time.time() * 1000)


def test_offsets_are_dense_and_in_the_producers_order(client: Client) -> None:
    topic = client.topic()
    acknowledged = client.produce(topic, [(None, b"%d" % number) for number in range(500)])
    assert [message.offset() for message in acknowledged] == list(range(500))
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        messages = read(consumer, 500)
    assert [(message.offset(), message.value()) for message in messages] == [(n, b"%d" % n) for n in range(500)]


def test_one_key_one_partition_and_a_named_partition_is_used(client: Client) -> None:
    topic = client.topic(partitions=4)
    keys = [b"key-%d" % (number % 10) for number in range(100)]
    places: dict[bytes, set[int]] = {}
    for message in client.produce(topic, [(key, b"value") for key in keys]):
        places.setdefault(message.key(), set()).add(message.partition())
    assert all(len(partitions) == 1 for partitions in places.values())
    assert len(set().union(*places.values())) > 1
    named = client.produce(topic, [(b"key-1", b"value", partition) for partition in range(4)])
    assert sorted(message.partition() for message in named) == [0, 1, 2, 3]


def test_without_a_key_records_are_spread(client: Client) -> None:
    topic = client.topic(partitions=2)
    acknowledged = []
    for number in range(40):  # one batch each: a batch goes to one partition as a whole
        acknowledged += client.produce(topic, [(None, b"%d" % number)])
    assert {message.partition() for message in acknowledged} == {0, 1}


def test_bootstrap_servers_are_tried_in_turn(client: Client) -> None:
    topic = client.topic()
    servers = f"127.0.0.1:1,{client.servers['bootstrap.servers']}"
    assert len(client.produce(topic, [(None, b"value")], bootstrap_servers=servers)) == 1


def test_order_holds_within_each_partition(client: Client) -> None:
    topic = client.topic(partitions=3)
    client.produce(topic, [(b"%d" % (number % 7), b"%d" % number) for number in range(300)])
    last: dict[int, int] = {}
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        for message in read(consumer, 300):
            value = int(message.value() or b"")
            assert value > last.get(message.partition() or 0, -1)
            last[message.partition() or 0] = value


def test_every_group_gets_a_copy_and_a_group_shares(client: Client) -> None:
    topic = client.topic(partitions=2)
    client.produce(topic, [(None, b"%d" % number, number % 2) for number in range(100)])
    for _ in range(2):
        with closing(client.consumer()) as consumer:
            consumer.subscribe([topic])
            assert len({message.value() for message in read(consumer, 100)}) == 100
    group = f"group-{next(numbers)}"
    with closing(client.consumer(group)) as first, closing(client.consumer(group)) as second:
        for consumer in (first, second):
            consumer.subscribe([topic])
        until(lambda: len(first.assignment()) == len(second.assignment()) == 1, first, second)


@pytest.mark.parametrize(("members", "shares"), [(1, [4]), (2, [2, 2]), (4, [1, 1, 1, 1]), (5, [0, 1, 1, 1, 1])])
def test_four_partitions_over_members(client: Client, members: int, shares: list[int]) -> None:
    topic = client.topic(partitions=4)
    group = f"group-{next(numbers)}"
    consumers = [client.consumer(group) for _ in range(members)]
    try:
        for consumer in consumers:
            consumer.subscribe([topic])

        def is_dealt_out() -> bool:
            parts = [consumer.assignment() for consumer in consumers]
            places = {each.partition for part in parts for each in part}
            return sorted(map(len, parts)) == shares and places == {0, 1, 2, 3}

        until(is_dealt_out, *consumers)
    finally:
        for consumer in consumers:
            consumer.close()


@pytest.mark.parametrize("assignor", ["range", "roundrobin", "cooperative-sticky"])
def test_a_member_that_leaves_and_one_that_comes(client: Client, assignor: str) -> None:
    topic = client.topic(partitions=4)
    group = f"group-{next(numbers)}"
    settings = {"partition_assignment_strategy": assignor}
    with closing(client.consumer(group, **settings)) as first:
        first.subscribe([topic])
        until(lambda: len(first.assignment()) == 4, first)
        second = client.consumer(group, **settings)
        second.subscribe([topic])
        until(lambda: len(first.assignment()) == len(second.assignment()) == 2, first, second)
        second.close()
        until(lambda: len(first.assignment()) == 4, first)


def test_a_static_member_comes_back_to_its_partitions(client: Client) -> None:
    topic = client.topic(partitions=2)
    group = f"group-{next(numbers)}"
    revoked: list[Any] = []
    with closing(client.consumer(group, group_instance_id="one", session_timeout_ms=10_000)) as first:
        first.subscribe([topic], on_revoke=lambda _, partitions: revoked.append(partitions))
        second = client.consumer(group, group_instance_id="two", session_timeout_ms=10_000)
        second.subscribe([topic])
        until(lambda: len(first.assignment()) == len(second.assignment()) == 1, first, second)
        revoked.clear()
        place = second.assignment()
        second.close()
        again = client.consumer(group, group_instance_id="two", session_timeout_ms=10_000)
        again.subscribe([topic])
        until(lambda: again.assignment() == place, first, again)
        assert revoked == []
        again.close()


def test_a_listener_hears_before_partitions_go(client: Client) -> None:
    topic = client.topic(partitions=2)
    group = f"group-{next(numbers)}"
    heard: list[tuple[str, int]] = []
    with closing(client.consumer(group, partition_assignment_strategy="range")) as first:
        first.subscribe(
            [topic],
            on_assign=lambda _, partitions: heard.append(("assigned", len(partitions))),
            on_revoke=lambda _, partitions: heard.append(("revoked", len(partitions))),
        )
        until(lambda: heard == [("assigned", 2)], first)
        with closing(client.consumer(group, partition_assignment_strategy="range")) as second:
            second.subscribe([topic])
            until(lambda: len(second.assignment()) == 1, first, second)
    assert heard[:3] == [("assigned", 2), ("revoked", 2), ("assigned", 1)]


def test_several_topics_and_a_pattern(client: Client) -> None:
    prefix = f"pattern-{next(numbers)}"
    names = [f"{prefix}-{letter}" for letter in "ab"]
    client.admin.create_topics([NewTopic(name, 1, 1) for name in names])
    other = client.topic()
    for name in [*names, other]:
        client.produce(name, [(None, name.encode())])
    with closing(client.consumer()) as consumer:
        consumer.subscribe([*names, other])
        assert {message.topic() for message in read(consumer, 3)} == {*names, other}
    with closing(client.consumer(topic_metadata_refresh_interval_ms=100)) as consumer:
        consumer.subscribe([f"^{prefix}-.*"])
        assert {message.topic() for message in read(consumer, 2)} == set(names)
        consumer.commit(asynchronous=False)
        client.produce(f"{prefix}-new", [(None, b"later")])
        assert {message.topic() for message in read(consumer, 1)} == {f"{prefix}-new"}


def test_seek_anywhere_and_replay(client: Client) -> None:
    topic = client.topic()
    client.produce(topic, [(None, b"%d" % number) for number in range(100)])
    with closing(client.consumer()) as consumer:
        consumer.assign([TopicPartition(topic, 0, 0)])
        assert len(read(consumer, 100)) == 100
        for offset in (70, 10, 99):
            consumer.seek(TopicPartition(topic, 0, offset))
            assert read(consumer, 1)[0].offset() == offset
        (at_time,) = consumer.offsets_for_times([TopicPartition(topic, 0, 0)], timeout=WAIT_S)
        assert at_time.offset == 0
        assert consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=WAIT_S) == (0, 100)


def test_a_group_goes_on_where_it_committed(client: Client) -> None:
    topic = client.topic()
    group = f"group-{next(numbers)}"
    client.produce(topic, [(None, b"%d" % number) for number in range(50)])
    with closing(client.consumer(group)) as consumer:
        consumer.subscribe([topic])
        read(consumer, 20)
        consumer.commit(asynchronous=False)
        read(consumer, 10)  # these are not committed: they come again
    with closing(client.consumer(group)) as consumer:
        consumer.subscribe([topic])
        assert read(consumer, 1)[0].offset() == 20
        consumer.commit(offsets=[TopicPartition(topic, 0, 45)], asynchronous=False)
    with closing(client.consumer(group)) as consumer:
        consumer.subscribe([topic])
        assert [message.offset() for message in read(consumer, 5)] == list(range(45, 50))


def test_where_a_consumer_without_a_commit_starts(client: Client) -> None:
    topic = client.topic()
    client.produce(topic, [(None, b"old")])
    with closing(client.consumer(auto_offset_reset="latest")) as consumer:
        consumer.subscribe([topic])
        until(lambda: bool(consumer.assignment()), consumer)
        message, deadline = None, time.monotonic() + WAIT_S
        while message is None and time.monotonic() < deadline:
            client.produce(topic, [(None, b"new")])
            message = consumer.poll(0.2)
        assert message is not None
        assert (message.error(), message.value()) == (None, b"new")
    with closing(client.consumer(auto_offset_reset="error")) as consumer:
        consumer.subscribe([topic])
        deadline = time.monotonic() + WAIT_S
        message = None
        while message is None and time.monotonic() < deadline:
            message = consumer.poll(0.2)
        assert message is not None
        error = message.error()
        assert error is not None
        assert error.code() == KafkaError._AUTO_OFFSET_RESET


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_every_kind_of_acknowledgement(client: Client, acks: str) -> None:
    topic = client.topic()
    client.produce(topic, [(None, b"%d" % number) for number in range(100)], acks=acks)
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert len(read(consumer, 100)) == 100


@pytest.mark.parametrize("stored", ["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"])
def test_the_broker_compresses_anew_when_the_topic_says_so(client: Client, broker: Broker, stored: str) -> None:
    topic = client.topic(compression_type=stored)
    expected = []
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        records = [(b"key", f"{codec} {number}".encode() * 20) for number in range(50)]
        client.produce(topic, records, compression_type=codec, linger_ms=20)
        expected += [value for _, value in records]
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert [message.value() for message in read(consumer, len(expected))] == expected


def test_a_fetch_waits_for_its_bytes(client: Client) -> None:
    """One small record does not fill fetch.min.bytes: it comes when the wait is over, not before."""
    topic = client.topic()
    with closing(client.consumer(fetch_min_bytes=100_000, fetch_wait_max_ms=700)) as consumer:
        consumer.assign([TopicPartition(topic, 0, 0)])
        assert consumer.poll(0.3) is None
        client.produce(topic, [(None, b"small")])
        assert read(consumer, 1)[0].value() == b"small"


def test_topics_are_listed_described_grown_and_deleted(client: Client) -> None:
    topic = client.topic(partitions=1)
    assert topic in client.admin.list_topics(timeout=WAIT_S).topics
    client.admin.create_partitions([NewPartitions(topic, 3)])[topic].result(WAIT_S)
    assert len(client.admin.list_topics(topic, timeout=WAIT_S).topics[topic].partitions) == 3
    client.produce(topic, [(None, b"value", 2)])
    client.admin.delete_topics([topic])[topic].result(WAIT_S)
    assert topic not in client.admin.list_topics(timeout=WAIT_S).topics
    taken = client.topic()
    again = client.admin.create_topics([NewTopic(taken, 1, 1)])[taken]
    with pytest.raises(KafkaException, match="TOPIC_ALREADY_EXISTS"):
        again.result(WAIT_S)


def test_producers_side_by_side_lose_and_double_nothing(client: Client) -> None:
    topic = client.topic(partitions=3)
    producers = [Producer({**client.servers, "enable.idempotence": True, "linger.ms": 1}) for _ in range(4)]
    for number in range(250):
        for index, producer in enumerate(producers):
            producer.produce(topic, b"%d-%d" % (index, number))
    assert [producer.flush(WAIT_S) for producer in producers] == [0, 0, 0, 0]
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        counts = Counter(message.value() for message in read(consumer, 1000))
    assert len(counts) == 1000


def test_records_are_deleted_up_to_an_offset(client: Client) -> None:
    topic = client.topic()
    client.produce(topic, [(None, b"%d" % number) for number in range(10)])
    client.admin.delete_records([TopicPartition(topic, 0, 6)])[TopicPartition(topic, 0)].result(WAIT_S)
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert [message.offset() for message in read(consumer, 4)] == [6, 7, 8, 9]
