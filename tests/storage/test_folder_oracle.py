"""The small files of a log folder, read by Kafka's own classes, and Kafka's read by ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jpype
import pytest

from millrace.runtime.disk import RealDisk
from millrace.storage import names
from millrace.storage.folder import LogFolder
from millrace.storage.identity import encode_uuid
from millrace.storage.settings import PlainLogConfig
from tests.kafka.java_records import java_class
from tests.storage.java_log import log_class
from tests.storage.making import NOW_MS, batch

pytestmark = pytest.mark.oracle

TOPIC_ID = bytes(range(16))
CONFIG = PlainLogConfig(segment_bytes=500)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[RealDisk]:
    opened = RealDisk(tmp_path)
    yield opened
    opened.close()


def checkpoint_class(name: str) -> Any:
    return java_class(f"org.apache.kafka.storage.internals.checkpoint.{name}")


def java_offsets(path: Path) -> dict[tuple[str, int], int]:
    file = checkpoint_class("OffsetCheckpointFile")(java_class("java.io.File")(str(path)), None)
    return {
        (str(entry.getKey().topic()), int(entry.getKey().partition())): int(entry.getValue())
        for entry in file.read().entrySet()
    }


def java_properties(path: Path) -> Any:
    read = java_class("org.apache.kafka.metadata.properties.PropertiesUtils").readPropertiesFile(str(path))
    return java_class("org.apache.kafka.metadata.properties.MetaProperties$Builder")(read).build()


def fill(disk: RealDisk) -> LogFolder:
    folder = LogFolder(disk)
    folder.identify(5, "abcdefghijklmnopqrstuw", TOPIC_ID).result()
    folder.load(lambda topic, partition, topic_id: CONFIG, NOW_MS)
    for partition in range(2):
        log, ticket = folder.create_log("a-topic", partition, TOPIC_ID, CONFIG, NOW_MS)
        ticket.result()
        for index in range(10 * partition + 6):
            log.append(batch(2), index // 4, NOW_MS)
        log.delete_records_before(3 * partition).result()
    return folder


def test_kafka_reads_what_we_keep(disk: RealDisk, tmp_path: Path) -> None:
    fill(disk).close(NOW_MS).result()
    ends = {("a-topic", 0): 12, ("a-topic", 1): 32}
    assert java_offsets(tmp_path / names.RECOVERY_POINTS) == ends
    assert java_offsets(tmp_path / names.HIGH_WATERMARKS) == ends
    assert java_offsets(tmp_path / names.LOG_START_OFFSETS) == {("a-topic", 1): 3}
    mark = checkpoint_class("CleanShutdownFileHandler")(str(tmp_path))
    assert mark.exists()
    assert mark.read().isPresent()
    meta = java_properties(tmp_path / names.META_PROPERTIES)
    assert (int(meta.nodeId().getAsInt()), str(meta.clusterId().get())) == (5, "abcdefghijklmnopqrstuw")
    assert str(meta.directoryId().get()) == encode_uuid(TOPIC_ID)
    partition = java_class("java.io.File")(str(tmp_path / "a-topic-1"))
    file = checkpoint_class("PartitionMetadataFile").newFile(partition)
    failures = log_class("LogDirFailureChannel")(1)
    assert str(checkpoint_class("PartitionMetadataFile")(file, failures).read().topicId()) == encode_uuid(TOPIC_ID)
    epochs = checkpoint_class("LeaderEpochCheckpointFile")
    found = epochs(epochs.newFile(partition), failures).read()
    assert [(int(entry.epoch()), int(entry.startOffset())) for entry in found] == [(0, 3), (1, 8), (2, 16), (3, 24)]


def test_we_read_what_kafka_keeps(disk: RealDisk, tmp_path: Path) -> None:
    fill(disk).close(NOW_MS).result()
    checkpoint_class("CleanShutdownFileHandler")(str(tmp_path)).delete()
    checkpoint_class("CleanShutdownFileHandler")(str(tmp_path)).write(77)
    starts = java_class("java.util.HashMap")()
    starts.put(java_class("org.apache.kafka.common.TopicPartition")("a-topic", 1), java_class("java.lang.Long")(8))
    file = java_class("java.io.File")(str(tmp_path / names.LOG_START_OFFSETS))
    checkpoint_class("OffsetCheckpointFile")(file, None).write(starts)
    builder = java_class("org.apache.kafka.metadata.properties.MetaProperties$Builder")
    version = java_class("org.apache.kafka.metadata.properties.MetaPropertiesVersion").V1
    directory_id = java_class("org.apache.kafka.common.Uuid").randomUuid()
    meta = builder().setVersion(version).setNodeId(jpype.JInt(9)).setClusterId("kafkas").setDirectoryId(directory_id)
    path = str(tmp_path / names.META_PROPERTIES)
    java_class("org.apache.kafka.metadata.properties.PropertiesUtils").writePropertiesFile(
        meta.build().toProperties(), path, True
    )
    folder = LogFolder(disk)
    assert (folder.node_id, folder.cluster_id, encode_uuid(folder.directory_id)) == (9, "kafkas", str(directory_id))
    logs = folder.load(lambda topic, partition, topic_id: CONFIG, NOW_MS)
    assert folder.was_clean
    assert {key: (log.log_start_offset, log.log_end_offset) for key, log in logs.items()} == {
        ("a-topic", 0): (0, 12),
        ("a-topic", 1): (8, 32),
    }
