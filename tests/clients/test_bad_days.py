"""What clients see when time passes, when the broker is away, and when they ask for more than there is."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import kafka
import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, ResourceType
from confluent_kafka.serialization import IntegerDeserializer, IntegerSerializer

from millrace import Broker
from tests.clients.test_semantics import WAIT_S, Client, read, until

DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker(config={"group.initial.rebalance.delay.ms": "0", "group.min.session.timeout.ms": "1000"}) as running:
        yield running


@pytest.fixture
def client(broker: Broker) -> Client:
    return Client(broker)


def set_topic(client: Client, topic: str, name: str, value: str) -> None:
    entry = ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    for future in client.admin.incremental_alter_configs([resource]).values():
        future.result(WAIT_S)


def first_offset(client: Client, topic: str) -> int:
    with closing(client.consumer()) as consumer:
        low, _ = consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=WAIT_S)
        return int(low)


def test_retention_is_a_topics_own_and_changes_while_it_is_in_use(broker: Broker, client: Client) -> None:
    short, long = client.topic(), client.topic()
    for topic in (short, long):
        client.produce(topic, [(None, b"old")])
    set_topic(client, short, "retention.ms", str(DAY_MS))
    broker.advance(2 * DAY_MS)
    deadline = time.monotonic() + WAIT_S
    while first_offset(client, short) != 1:
        assert time.monotonic() < deadline, "the old record is still there"
        broker.advance(300_000)  # until the next look at what is too old
    assert first_offset(client, long) == 0


def test_a_topic_may_be_compacted_and_deleted_from(client: Client) -> None:
    topic = client.topic(cleanup_policy="compact,delete")
    resource = ConfigResource(ResourceType.TOPIC, topic)
    (described,) = [future.result(WAIT_S) for future in client.admin.describe_configs([resource]).values()]
    assert set(described["cleanup.policy"].value.split(",")) == {"compact", "delete"}
    client.produce(topic, [(b"key", b"value")])
    with pytest.raises(AssertionError, match="INVALID_RECORD"):
        client.produce(topic, [(None, b"no key")])


def test_records_are_kept_while_the_broker_is_away(broker: Broker, client: Client) -> None:
    topic = client.topic()
    errors: list[object] = []
    producer = Producer({**client.servers, "reconnect.backoff.max.ms": 100, "linger.ms": 0})
    producer.produce(topic, b"before", on_delivery=lambda error, _: errors.append(error))
    assert producer.flush(WAIT_S) == 0
    broker.stop()
    for number in range(10):
        producer.produce(topic, b"%d" % number, on_delivery=lambda error, _: errors.append(error))
    broker.start()
    assert producer.flush(WAIT_S) == 0
    assert errors == [None] * 11
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert [message.value() for message in read(consumer, 11)] == [b"before", *(b"%d" % n for n in range(10))]


def test_a_producers_buffer_has_an_end(broker: Broker, client: Client) -> None:
    topic = client.topic()
    producer = Producer({**client.servers, "queue.buffering.max.messages": 10})
    broker.pause()
    for _ in range(10):
        producer.produce(topic, b"value")
    with pytest.raises(BufferError):
        producer.produce(topic, b"one too many")
    broker.resume()
    assert producer.flush(WAIT_S) == 0


def test_closing_frees_everything(broker: Broker, client: Client) -> None:
    producer = kafka.KafkaProducer(bootstrap_servers=broker.bootstrap_servers)
    producer.send(client.topic(), b"value").get(WAIT_S)
    threads = [thread for thread in threading.enumerate() if "kafka" in thread.name.lower()]
    assert threads
    producer.close()
    assert not any(thread.is_alive() for thread in threads)


def test_the_present_is_the_default_timestamp(client: Client) -> None:
    topic = client.topic()
    before_ms = int(time.time() * 1000)
    client.produce(topic, [(None, b"value")])
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        (message,) = read(consumer, 1)
    assert before_ms <= message.timestamp()[1] <= int(time.time() * 1000)


def test_at_most_once(client: Client) -> None:
    """Who commits before it works loses what it had not done when it fell, and sees nothing twice."""
    topic = client.topic()
    client.produce(topic, [(None, b"%d" % number) for number in range(10)])
    group = "at-most-once"
    done = []
    with closing(client.consumer(group)) as consumer:
        consumer.subscribe([topic])
        messages = read(consumer, 6)
        consumer.commit(offsets=[TopicPartition(topic, 0, 6)], asynchronous=False)
        done += [message.offset() for message in messages[:4]]  # and here it falls
    with closing(client.consumer(group)) as consumer:
        consumer.subscribe([topic])
        done += [message.offset() for message in read(consumer, 4)]
    assert done == [0, 1, 2, 3, 6, 7, 8, 9]


def test_a_key_stays_with_one_member_at_a_time(client: Client) -> None:
    topic = client.topic(partitions=4)
    group = "by-key"
    keys = [b"key-%d" % number for number in range(20)]

    def who_reads_what(consumers: list[object]) -> dict[bytes, set[int]]:
        """Which members see which key of one round of records."""
        client.produce(topic, [(key, b"value") for key in keys for _ in range(3)])
        seen: dict[bytes, set[int]] = {}
        count = 0
        deadline = time.monotonic() + WAIT_S
        while count < 3 * len(keys):
            assert time.monotonic() < deadline, f"{count} records came"
            for index, consumer in enumerate(consumers):
                for message in consumer.consume(100, timeout=0.1):  # type: ignore[attr-defined]
                    assert message.error() is None
                    seen.setdefault(message.key(), set()).add(index)
                    count += 1
        for consumer in consumers:
            if consumer.assignment():  # type: ignore[attr-defined]
                consumer.commit(asynchronous=False)  # type: ignore[attr-defined]
        return seen

    with closing(client.consumer(group)) as first, closing(client.consumer(group)) as second:
        first.subscribe([topic])
        until(lambda: len(first.assignment()) == 4, first)
        assert set(map(len, who_reads_what([first]).values())) == {1}
        second.subscribe([topic])
        until(lambda: len(first.assignment()) == len(second.assignment()) == 2, first, second)
        shared = who_reads_what([first, second])
        assert set(map(len, shared.values())) == {1}
        assert set().union(*shared.values()) == {0, 1}


def test_the_keys_of_producers_and_consumers_that_books_name(client: Client) -> None:
    topic = client.topic(retention_ms=str(7 * DAY_MS), retention_bytes="1000000")
    producing = {
        "acks": "all", "batch.size": 16_384, "linger.ms": 1, "retries": 3, "compression.type": "lz4",
        "partitioner": "murmur2_random", "request.timeout.ms": 5000, "queue.buffering.max.kbytes": 32_768,
    }  # fmt: skip
    assert (
        len(client.produce(topic, [(b"key", b"value")], **{k.replace(".", "_"): v for k, v in producing.items()})) == 1
    )
    consuming = {"fetch_min_bytes": 1, "session_timeout_ms": 6000, "max_partition_fetch_bytes": 1 << 20}
    with closing(client.consumer(**consuming)) as consumer:
        consumer.subscribe([topic])
        assert read(consumer, 1)[0].value() == b"value"
    admin: AdminClient = client.admin
    resource = ConfigResource(ResourceType.TOPIC, topic)
    (described,) = [future.result(WAIT_S) for future in admin.describe_configs([resource]).values()]
    assert (described["retention.ms"].value, described["retention.bytes"].value) == (str(7 * DAY_MS), "1000000")
    assert len(admin.list_topics(topic, timeout=WAIT_S).topics[topic].partitions[0].replicas) == 1


def test_an_integer_is_serialized_and_not_multiplied(client: Client) -> None:
    """bytes(5) is five zero bytes, which a deck takes for the number: a serializer, or int.to_bytes, is right."""
    assert bytes(5) == b"\0" * 5
    topic = client.topic()
    value = IntegerSerializer()(5)
    assert value == (5).to_bytes(4, "big")
    client.produce(topic, [(None, value)])
    with closing(client.consumer()) as consumer:
        consumer.subscribe([topic])
        assert IntegerDeserializer()(read(consumer, 1)[0].value()) == 5
