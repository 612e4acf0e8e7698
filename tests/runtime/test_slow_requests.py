"""A slow request is one line with its steps; one that waits as it wished is not slow."""

from __future__ import annotations

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from millrace import Broker


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith("slow request: ")]


def test_a_slow_request_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    with Broker(config={"millrace.slow.request.ms": 0}) as broker:
        settings = {"bootstrap.servers": broker.bootstrap_servers, "client.id": "me", "acks": "all", "log_level": 0}
        producer = Producer(settings)
        producer.produce("topic", b"secret")
        assert producer.flush(20) == 0
    (line,) = [line for line in lines(caplog) if line.startswith("slow request: Produce ")]
    assert "of client 'me' at 127.0.0.1 took " in line
    assert "waited in 1 steps" in line
    assert "secret" not in line


def test_a_long_poll_is_not_slow(caplog: pytest.LogCaptureFixture) -> None:
    with Broker(config={"millrace.slow.request.ms": 100}) as broker:
        settings = {"bootstrap.servers": broker.bootstrap_servers, "log_level": 0}
        producer = Producer(settings)
        producer.produce("topic", b"x", partition=0)
        assert producer.flush(20) == 0
        consumer = Consumer({**settings, "group.id": "g", "fetch.wait.max.ms": 300})
        consumer.assign([TopicPartition("topic", 0, 1)])
        assert consumer.poll(0.8) is None
        consumer.close()
    assert [line for line in lines(caplog) if "Fetch" in line] == []


def test_minus_one_tells_of_none(caplog: pytest.LogCaptureFixture) -> None:
    with Broker(config={"millrace.slow.request.ms": -1}) as broker:
        producer = Producer({"bootstrap.servers": broker.bootstrap_servers, "log_level": 0})
        producer.produce("topic", b"x")
        assert producer.flush(20) == 0
    assert lines(caplog) == []
