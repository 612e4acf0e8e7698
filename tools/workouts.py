"""What each client does with a broker, from creating a topic to deleting a group: every call checks its own answer.

A workout is a plain function of the bootstrap address that raises when something is not as it must be.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.apache_kafka import run_tool

RECORDS = 200
WAIT_S = 30


def kafka_python(bootstrap: str) -> None:
    import kafka
    from kafka.admin import KafkaAdminClient, NewTopic

    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    topic, group = "workout-kafka-python", "workout-kafka-python-group"
    admin.create_topics([NewTopic(topic, 2, 1)])
    codecs = (None, "gzip", "lz4")  # the others need packages that are not among the tests' own
    for codec in codecs:
        producer = kafka.KafkaProducer(bootstrap_servers=bootstrap, compression_type=codec, acks="all")
        sent = [producer.send(topic, b"value", key=b"%d" % number) for number in range(RECORDS)]
        producer.flush(WAIT_S)
        assert all(future.get(WAIT_S).offset >= 0 for future in sent)
        producer.close()
    consumer = kafka.KafkaConsumer(
        topic,
        bootstrap_servers=bootstrap,
        group_id=group,
        auto_offset_reset="earliest",
        consumer_timeout_ms=WAIT_S * 1000,
    )
    for count, message in enumerate(consumer, start=1):
        assert message.value == b"value"
        if count == len(codecs) * RECORDS:
            break
    consumer.commit()
    partition = kafka.TopicPartition(topic, 0)
    assert consumer.committed(partition) == consumer.position(partition)
    assert consumer.offsets_for_times({partition: 0})[partition].offset == 0
    assert consumer.beginning_offsets([partition])[partition] == 0
    consumer.close()
    _kafka_python_admin(admin, topic, group)
    admin.delete_topics([topic])
    admin.close()


def _kafka_python_admin(admin: Any, topic: str, group: str) -> None:
    import kafka
    from kafka.admin import ConfigResource, ConfigResourceType, NewPartitions

    partition = kafka.TopicPartition(topic, 0)
    admin.create_partitions({topic: NewPartitions(total_count=3)})
    assert len(admin.describe_topics([topic])) == 1
    assert admin.describe_cluster()["cluster_id"]
    assert admin.describe_log_dirs()
    admin.list_config_resources()
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs={"retention.ms": "100000"})])
    described = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    assert "100000" in str(described)
    assert group in str(admin.list_groups())
    assert group in str(admin.describe_groups([group]))
    assert topic in str(admin.list_group_offsets([group]))
    admin.delete_records({partition: 1})
    admin.delete_group_offsets(group, [partition])
    admin.delete_groups([group])


def confluent_kafka(bootstrap: str) -> None:
    import confluent_kafka as client
    from confluent_kafka import admin as admin_module

    topic, group = "workout-confluent", "workout-confluent-group"
    admin = admin_module.AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    _all(admin.create_topics([client.admin.NewTopic(topic, 2, 1, config={"retention.ms": "100000"})]))
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        producer = client.Producer(
            {"bootstrap.servers": bootstrap, "log_level": 0, "compression.type": codec, "enable.idempotence": True}
        )
        _confluent_produce(producer, topic)
    consumer = client.Consumer(
        {
            "bootstrap.servers": bootstrap,
            "log_level": 0,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([topic])
    seen = 0
    while seen < 5 * RECORDS:
        messages = consumer.consume(RECORDS, timeout=WAIT_S)
        assert messages, f"only {seen} records came"
        assert all(message.error() is None for message in messages)
        seen += len(messages)
    committed = consumer.commit(asynchronous=False)
    assert sum(each.offset for each in committed) == 5 * RECORDS
    first = client.TopicPartition(topic, 0)
    assert consumer.get_watermark_offsets(first, timeout=WAIT_S)[0] == 0
    assert consumer.offsets_for_times([client.TopicPartition(topic, 0, 0)], timeout=WAIT_S)[0].offset == 0
    _confluent_admin(admin, admin_module, client, topic, group)
    consumer.close()
    _all(admin.delete_consumer_groups([group]))
    _all(admin.delete_topics([topic]))


def _confluent_produce(producer: Any, topic: str) -> None:
    errors: list[Any] = []
    for number in range(RECORDS):
        producer.produce(topic, b"value", b"%d" % number, on_delivery=lambda error, _: errors.append(error))
    assert producer.flush(WAIT_S) == 0
    assert errors == [None] * RECORDS


def _confluent_admin(admin: Any, admin_module: Any, client: Any, topic: str, group: str) -> None:
    resource = admin_module.ConfigResource(admin_module.ResourceType.TOPIC, topic)
    (config,) = _all(admin.describe_configs([resource]))
    assert config["retention.ms"].value == "100000"
    entry = admin_module.ConfigEntry("retention.ms", "200000", incremental_operation=admin_module.AlterConfigOpType.SET)
    changed = admin_module.ConfigResource(admin_module.ResourceType.TOPIC, topic, incremental_configs=[entry])
    _all(admin.incremental_alter_configs([changed]))
    replaced = admin_module.ConfigResource(
        admin_module.ResourceType.TOPIC, topic, set_config={"retention.ms": "300000"}
    )
    _all(admin.alter_configs([replaced]))
    _all(admin.create_partitions([admin_module.NewPartitions(topic, 3)]))
    assert admin.describe_cluster().result(WAIT_S).controller is not None
    _all(admin.describe_topics(client.TopicCollection([topic])))
    assert group in {each.group_id for each in admin.list_consumer_groups().result(WAIT_S).valid}
    _all(admin.describe_consumer_groups([group]))
    (offsets,) = _all(admin.list_consumer_group_offsets([client.ConsumerGroupTopicPartitions(group)]))
    assert offsets.topic_partitions
    spec = {client.TopicPartition(topic, 0): admin_module.OffsetSpec.latest()}
    assert all(each.offset > 0 for each in _all(admin.list_offsets(spec)))
    _all(admin.delete_records([client.TopicPartition(topic, 0, 10)]))


def _all(futures: dict[Any, Any]) -> list[Any]:
    return [future.result(WAIT_S) for future in futures.values()]


def aiokafka(bootstrap: str) -> None:
    asyncio.run(_aiokafka(bootstrap))


async def _aiokafka(bootstrap: str) -> None:
    import aiokafka as client
    from aiokafka.admin import AIOKafkaAdminClient, NewTopic

    topic, group = "workout-aiokafka", "workout-aiokafka-group"
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    await admin.create_topics([NewTopic(topic, 2, 1)])
    for codec in (None, "gzip", "snappy", "lz4", "zstd"):
        producer = client.AIOKafkaProducer(bootstrap_servers=bootstrap, compression_type=codec, enable_idempotence=True)
        await producer.start()
        for future in [await producer.send(topic, b"value", b"%d" % number) for number in range(RECORDS)]:
            assert (await asyncio.wait_for(future, WAIT_S)).offset >= 0
        await producer.stop()
    consumer = client.AIOKafkaConsumer(topic, bootstrap_servers=bootstrap, group_id=group, auto_offset_reset="earliest")
    await consumer.start()
    for _ in range(5 * RECORDS):
        message = await asyncio.wait_for(consumer.getone(), WAIT_S)
        assert message.value == b"value"
    await consumer.commit()
    await consumer.stop()
    assert group in {name for name, _ in await admin.list_consumer_groups()}
    await admin.describe_consumer_groups([group])
    assert len(await admin.list_consumer_group_offsets(group)) == 2
    await admin.delete_topics([topic])
    await admin.close()


def java(bootstrap: str) -> None:
    """Kafka's own command-line tools, each a program on the Java clients."""
    topic, group = "workout-java", "workout-java-group"

    def tool(name: str, *arguments: str, text: str | None = None) -> str:
        return run_tool(name, "--bootstrap-server", bootstrap, *arguments, standard_input=text)

    tools = "org.apache.kafka.tools"
    tool(f"{tools}.TopicCommand", "--create", "--topic", topic, "--partitions", "2")
    text = "".join(f"value {number}\n" for number in range(RECORDS))
    tool(f"{tools}.ConsoleProducer", "--topic", topic, text=text)
    received = tool(
        f"{tools}.consumer.ConsoleConsumer",
        *("--topic", topic, "--group", group, "--from-beginning", "--max-messages", str(RECORDS)),
    )
    assert sorted(received.splitlines()) == sorted(text.splitlines())
    assert f"{topic}:0:" in tool(f"{tools}.GetOffsetShell", "--topic", topic)
    assert group in tool(f"{tools}.consumer.group.ConsumerGroupCommand", "--list")
    assert topic in tool(f"{tools}.consumer.group.ConsumerGroupCommand", "--describe", "--group", group)
    configs = ("kafka.admin.ConfigCommand", "--entity-type", "topics", "--entity-name", topic)
    tool(*configs, "--alter", "--add-config", "retention.ms=100000")
    assert "retention.ms=100000" in tool(*configs, "--describe")
    tool(f"{tools}.TopicCommand", "--alter", "--topic", topic, "--partitions", "3")
    assert "PartitionCount: 3" in tool(f"{tools}.TopicCommand", "--describe", "--topic", topic)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "offsets.json"
        file.write_text(json.dumps({"version": 1, "partitions": [{"topic": topic, "partition": 0, "offset": 1}]}))
        tool(f"{tools}.DeleteRecordsCommand", "--offset-json-file", str(file))
    assert topic in tool(f"{tools}.LogDirsCommand", "--describe", "--topic-list", topic)
    tool(f"{tools}.consumer.group.ConsumerGroupCommand", "--delete-offsets", "--group", group, "--topic", topic)
    tool(f"{tools}.consumer.group.ConsumerGroupCommand", "--delete", "--group", group)
    assert "Produce(0)" in tool(f"{tools}.BrokerApiVersionsCommand")
    tool(f"{tools}.TopicCommand", "--delete", "--topic", topic)


WORKOUTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "kafka-python": ("kafka-python", kafka_python),
    "librdkafka": ("confluent-kafka", confluent_kafka),
    "aiokafka": ("aiokafka", aiokafka),
    "Java": ("", java),
}
