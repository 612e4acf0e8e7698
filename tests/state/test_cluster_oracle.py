"""Kafka's DumpLogSegments reads the metadata log, marks of removal and all, and finds what we wrote."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from millrace.kafka import records
from millrace.kafka.record import NewRecord, build_batch
from tests.state.test_cluster import busy_cluster
from tools.apache_kafka import run_tool
from tools.kafka_jars import JarMissing, class_path

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module", autouse=True)
def jars() -> None:
    try:
        class_path()
    except JarMissing as error:
        pytest.skip(f"Kafka's jars cannot be had: {error}")


def test_kafka_reads_our_metadata_log(tmp_path: Path) -> None:
    log = busy_cluster(random.Random(11), 80).bench.log
    new = [NewRecord(entry.key, entry.value) for entry in log]
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(build_batch(new, timestamp_ms=1_700_000_000_000))
    printed = run_tool(
        "org.apache.kafka.tools.DumpLogSegments", "--cluster-metadata-decoder", "--deep-iteration", "--files", str(path)
    )
    assert "Error" not in printed
    payloads = [json.loads(line.split("payload: ", 1)[1]) for line in printed.splitlines() if "payload: " in line]
    assert len(payloads) == len(log)
    written = Counter(type(records.decode_metadata(entry.value or b"")).__name__ for entry in log)
    found = Counter("".join(word.capitalize() for word in payload["type"].split("_")) for payload in payloads)
    assert found == written
    assert {"TopicRecord", "PartitionRecord", "RemoveTopicRecord", "NoOpRecord", "ConfigRecord"} <= found.keys()
