"""Starting: new leader epochs after a crash, and no start on less than there was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from millrace import Broker
from millrace.runtime.supervisor import NotStarted


def produce(broker: Broker, topic: str, value: bytes) -> None:
    errors: list[object] = []
    producer = Producer({"bootstrap.servers": broker.bootstrap_servers, "acks": "all"})
    producer.produce(topic, value, on_delivery=lambda error, message: errors.append(error))
    producer.flush(10)
    assert errors == [None]


def leader_epochs(broker: Broker, topic: str) -> list[int]:
    node = broker._host._service.node  # type: ignore[attr-defined]
    return [partition.leader_epoch for (name, _), partition in sorted(node.broker.partitions.items()) if name == topic]


def test_after_a_crash_logs_with_records_begin_a_new_leader_epoch(tmp_path: Path) -> None:
    with Broker(data_dir=tmp_path) as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
        admin.create_topics([NewTopic("orders", 1), NewTopic("empty", 1)])["orders"].result(10)
        produce(broker, "orders", b"1")
        broker.kill()
        broker.restart()
        assert leader_epochs(broker, "orders") == [1]
        assert leader_epochs(broker, "empty") == [0]
        produce(broker, "orders", b"2")
        broker.stop()
        broker.restart()
        assert leader_epochs(broker, "orders") == [1]


def test_a_start_without_the_folder_of_the_metadata_is_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    config = {"log.dirs": f"{first},{second}"}
    with Broker(config=config) as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
        admin.create_topics([NewTopic("orders", 8)])["orders"].result(10)
    shutil.rmtree(first / "broker-1" / "__cluster_metadata-0")
    with pytest.raises(NotStarted, match="no cluster metadata, but there are logs"):
        Broker(config=config).start()
    assert list((second / "broker-1").glob("orders-*"))


def test_a_start_without_one_of_the_folders_is_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with Broker(config={"log.dirs": f"{first},{second}"}) as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
        admin.create_topics([NewTopic("orders", 8)])["orders"].result(10)
    with pytest.raises(NotStarted, match="lacks 1 of the folders that it had"):
        Broker(config={"log.dirs": str(first)}).start()


def test_the_metadata_is_flushed_even_where_records_are_not(tmp_path: Path) -> None:
    """A power cut may take the records of who wants it so, but a folder of logs without metadata could not start."""
    with Broker(data_dir=tmp_path, config={"millrace.flush.on.ack": "never"}) as broker:
        produce(broker, "orders", b"1")
        inside = broker._host._service.node.broker  # type: ignore[attr-defined]
        assert inside.controller.partition.config.flush_on_ack == "alone"
        assert inside.partitions["orders", 0].config.flush_on_ack == "never"
