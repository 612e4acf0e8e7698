"""Kafka reads our files and serves our partition folders, and we serve Kafka's: clean and after kill -9, all codecs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import confluent_kafka
import pytest

from tools import interchange
from tools.apache_kafka import ApacheKafka
from tools.broker_process import BrokerProcess
from tools.interchange import CODECS, Record, topic_for
from tools.our_broker import OurBroker

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow, pytest.mark.timeout(600)]

RECORD_COUNT = 4_000
# the smallest segments Kafka allows, so that each topic has several
TOPIC_CONFIG = {"segment.bytes": "1048576", "retention.ms": "-1"}
Make = Callable[[Path], BrokerProcess]


def make_ours(folder: Path) -> BrokerProcess:
    return OurBroker(folder)


def make_apache(folder: Path) -> BrokerProcess:
    return ApacheKafka(folder)


def filled(broker: BrokerProcess) -> None:
    for codec in CODECS:
        interchange.create_topic(broker, topic_for(codec), TOPIC_CONFIG)
        interchange.fill(broker, topic_for(codec), codec, RECORD_COUNT)
        assert len(list((broker.log_dir / f"{topic_for(codec)}-0").glob("*.log"))) > 1


def read_all(broker: BrokerProcess) -> dict[str, list[Record]]:
    return {codec: interchange.read_topic(broker, topic_for(codec)) for codec in CODECS}


def times_of(broker: BrokerProcess, records: dict[str, list[Record]]) -> dict[str, dict[int, int]]:
    return {
        codec: interchange.look_up_times(broker, topic_for(codec), interchange.times_to_ask(records[codec]))
        for codec in CODECS
    }


def expected_times(records: list[Record]) -> dict[int, int]:
    """By definition: the first record whose timestamp is not before the one asked for."""
    return {
        asked: next((record.offset for record in records if record.timestamp[1] >= asked), -1)
        for asked in interchange.times_to_ask(records)
    }


@pytest.mark.parametrize(
    ("source", "target"), [(make_ours, make_apache), (make_apache, make_ours)], ids=["ours-to-kafka", "kafka-to-ours"]
)
@pytest.mark.parametrize("ending", ["clean", "killed"])
def test_a_partition_folder_is_served_by_the_other(tmp_path: Path, source: Make, target: Make, ending: str) -> None:
    with source(tmp_path / "source") as from_broker:
        filled(from_broker)
        records = read_all(from_broker)
        if ending == "killed":
            from_broker.kill()
        else:
            from_broker.stop()
        folders = {codec: from_broker.log_dir / f"{topic_for(codec)}-0" for codec in CODECS}
        with target(tmp_path / "target") as to_broker:
            for codec in CODECS:
                interchange.create_topic(to_broker, topic_for(codec), TOPIC_CONFIG)
            to_broker.stop()
            for codec in CODECS:
                interchange.move_partition(folders[codec], to_broker.log_dir / f"{topic_for(codec)}-0")
            if ending == "killed":
                # the files come without the word of a clean stop, so the new owner has to recover them
                (to_broker.log_dir / ".kafka_cleanshutdown").unlink(missing_ok=True)
            to_broker.start()
            assert read_all(to_broker) == records
            assert times_of(to_broker, records) == {codec: expected_times(records[codec]) for codec in CODECS}
            # and it goes on where the other stopped
            interchange.fill(to_broker, topic_for("lz4"), "lz4", 10, seed=3)
            more = interchange.read_topic(to_broker, topic_for("lz4"))
            assert more[:-10] == records["lz4"]


class Loader(threading.Thread):
    """Produces small batches with acks=all until told to stop; keeps what was acknowledged."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        super().__init__(daemon=True)
        self.topic = topic
        self.acknowledged: dict[int, bytes] = {}
        self.stopping = threading.Event()
        self._producer = confluent_kafka.Producer(
            {"bootstrap.servers": bootstrap, "linger.ms": 0, "message.timeout.ms": 2_000, "log_level": 0}
        )

    def run(self) -> None:
        number = 0
        while not self.stopping.is_set():
            try:
                self._producer.produce(self.topic, b"%d" % number, on_delivery=self._on_delivery)
                number += 1
            except BufferError:
                self._producer.poll(0.01)
            self._producer.poll(0)
        self._producer.flush(10)

    def _on_delivery(self, error: confluent_kafka.KafkaError | None, message: confluent_kafka.Message) -> None:
        offset, value = message.offset(), message.value()
        if error is None and offset is not None and value is not None:
            self.acknowledged[offset] = value


def test_a_folder_killed_under_load_is_recovered_by_kafka_as_by_us(tmp_path: Path) -> None:
    with make_ours(tmp_path / "ours") as ours:
        interchange.create_topic(ours, "busy", TOPIC_CONFIG)
        loader = Loader(ours.bootstrap, "busy")
        loader.start()
        while len(loader.acknowledged) < 20_000:
            assert loader.is_alive()
            loader.stopping.wait(0.05)
        ours.kill()
        loader.stopping.set()
        loader.join()
        with make_apache(tmp_path / "kafka") as kafka:
            interchange.create_topic(kafka, "busy", TOPIC_CONFIG)
            kafka.stop()
            interchange.move_partition(ours.log_dir / "busy-0", kafka.log_dir / "busy-0")
            (kafka.log_dir / ".kafka_cleanshutdown").unlink()
            kafka.start()
            there = interchange.read_topic(kafka, "busy")
        ours.start()
        here = interchange.read_topic(ours, "busy")
    assert here == there
    values = {record.offset: record.value for record in here}
    assert {offset: values.get(offset) for offset in loader.acknowledged} == loader.acknowledged


def commit_offsets(broker: BrokerProcess, group: str, topic: str) -> None:
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": broker.bootstrap, "group.id": group, "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    assert len(consumer.consume(100, timeout=30)) == 100
    consumer.commit(asynchronous=False)
    consumer.close()


def test_dump_log_segments_reads_every_file_of_our_folder(tmp_path: Path) -> None:
    with make_ours(tmp_path) as broker:
        filled(broker)
        interchange.create_topic(broker, "appended", {"message.timestamp.type": "LogAppendTime", **TOPIC_CONFIG})
        interchange.fill(broker, "appended", "zstd", 100)
        interchange.create_topic(broker, "latest", {"cleanup.policy": "compact", **TOPIC_CONFIG})
        for number in range(3):
            commit_offsets(broker, f"group-{number}", topic_for("gzip"))
        broker.kill()
        after_kill = interchange.dump_data_folder(broker.log_dir)
        broker.start()
        interchange.fill(broker, topic_for("none"), "none", 50)
        broker.stop()
        dump = interchange.dump_data_folder(broker.log_dir)
    assert after_kill.complaints == ()
    assert dump.complaints == ()
    # besides ours there are those of the internal topics
    assert dump.records > RECORD_COUNT * len(CODECS) + 150
    assert dump.files > 60


@pytest.mark.parametrize("suffix", [".log", ".index", ".timeindex"])
def test_a_damaged_file_is_complained_of(tmp_path: Path, suffix: str) -> None:
    with make_ours(tmp_path) as broker:
        interchange.create_topic(broker, topic_for("none"), TOPIC_CONFIG)
        interchange.fill(broker, topic_for("none"), "none", 1_000)
        broker.stop()
        assert interchange.dump_data_folder(broker.log_dir).complaints == ()
        damaged = broker.log_dir / f"{topic_for('none')}-0" / f"{0:020d}{suffix}"
        content = bytearray(damaged.read_bytes())
        assert content, f"{damaged} is empty"
        content[len(content) // 2] ^= 0x55
        damaged.write_bytes(content)
        assert interchange.dump_data_folder(broker.log_dir).complaints != ()
