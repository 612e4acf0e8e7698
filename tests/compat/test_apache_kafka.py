"""Apache Kafka starts from the locked jars, serves a client, and its tools read what it wrote."""

from __future__ import annotations

from pathlib import Path

import confluent_kafka
import pytest

from tools import apache_kafka, kafka_jars

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]

RECORD_COUNT = 100


def produce(bootstrap: str, topic: str) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap})
    for number in range(RECORD_COUNT):
        producer.produce(topic, key=b"%d" % number, value=b"value %d" % number)
    assert producer.flush(30) == 0


def consume(bootstrap: str, topic: str) -> list[bytes]:
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "readers", "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    values: list[bytes] = []
    try:
        while len(values) < RECORD_COUNT:
            messages = consumer.consume(RECORD_COUNT, timeout=30)
            assert messages, f"only {len(values)} of {RECORD_COUNT} records came"
            for message in messages:
                assert message.error() is None
                values.append(message.value())
    finally:
        consumer.close()
    return values


def test_starts_serves_and_its_tools_read_the_log(tmp_path: Path) -> None:
    with apache_kafka.ApacheKafka(tmp_path) as kafka:
        kafka.run_tool("org.apache.kafka.tools.TopicCommand", "--create", "--topic", "mill")
        produce(kafka.bootstrap, "mill")
        assert consume(kafka.bootstrap, "mill") == [b"value %d" % number for number in range(RECORD_COUNT)]
        cost = kafka.usage()
        assert cost.cpu_s > 0
        assert cost.rss_bytes > 50_000_000
        log_file = kafka.log_dir / "mill-0" / "00000000000000000000.log"
        dump = apache_kafka.run_tool(
            "org.apache.kafka.tools.DumpLogSegments", "--files", str(log_file), "--deep-iteration"
        )
    assert dump.count("| offset: ") == RECORD_COUNT
    assert not kafka.running()


def test_a_tool_that_fails_says_so(tmp_path: Path) -> None:
    with pytest.raises(apache_kafka.ToolFailed, match="StorageTool"):
        apache_kafka.run_tool(
            "kafka.tools.StorageTool", "format", "--cluster-id", "x", "--config", str(tmp_path / "none")
        )


def test_the_lock_table_names_each_jar_once() -> None:
    jars = kafka_jars.locked_jars()
    assert len({jar.file_name for jar in jars}) == len(jars)
    assert any(jar.artifact == "kafka_2.13" and jar.version == kafka_jars.KAFKA_VERSION for jar in jars)
    assert [path.name for path in kafka_jars.jar_paths()] == [jar.file_name for jar in jars]
