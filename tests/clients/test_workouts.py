"""Clients that users have, unmodified, at work: each call of a workout checks its own answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from millrace import Broker
from tools import kafka_jars, workouts


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(config={"group.initial.rebalance.delay.ms": "0"}) as running:
        yield running


def test_kafka_python(broker: Broker) -> None:
    workouts.kafka_python(broker.bootstrap_servers)


def test_librdkafka(broker: Broker) -> None:
    workouts.confluent_kafka(broker.bootstrap_servers)


def test_aiokafka(broker: Broker) -> None:
    workouts.aiokafka(broker.bootstrap_servers)


@pytest.mark.slow
@pytest.mark.oracle
def test_java(broker: Broker) -> None:
    try:
        kafka_jars.jar_paths()
    except kafka_jars.JarMissing as missing:
        pytest.skip(str(missing))
    workouts.java(broker.bootstrap_servers)
