"""Data folders between the two brokers: Kafka's DumpLogSegments over a folder, and partition folders moved across.

    python -m tools.interchange DATA-FOLDER      every file of a broker's folder through DumpLogSegments

Exit code 0 if Kafka's tool reads every file without a complaint. The folder should be that of a stopped broker.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import confluent_kafka
from confluent_kafka.admin import AdminClient, NewTopic

from tools.apache_kafka import try_tool
from tools.broker_process import BrokerProcess

DUMP_TOOL = "org.apache.kafka.tools.DumpLogSegments"
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
# Topics with record schemas of their own; they are compacted too, so gaps are meant there.
DECODERS = {
    "__consumer_offsets": "--offsets-decoder",
    "__cluster_metadata": "--cluster-metadata-decoder",
    "__transaction_state": "--transaction-log-decoder",
    "__share_group_state": "--share-group-state-decoder",
}
# A segment without a decoder of its own still has its records walked and its keys and values printed.
PLAIN_DECODER = "--print-data-log"
FILES_A_RUN = 400
COMPLAINT = re.compile(
    r"Mismatches in|timestamp mismatch in|out of order timestamp|isvalid: false|Found \d+ invalid bytes|^Error"
    r"|Exception|could not be decoded|Non-consecutive offsets|failed|is corrupt|Unable to|Could not deserialize",
    re.MULTILINE,
)
GAPS_IN = "Non-consecutive offsets in"
GAP = re.compile(r"^ +(?P<before>-?\d+) is followed by (?P<after>\d+)$")
PARTITION_FOLDER = re.compile(r"^(?P<topic>.+)-(?P<partition>\d+)$")
# What is of the broker a folder stands in, and not of the records.
STAYS_BEHIND = "partition.metadata"
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Dump:
    """What DumpLogSegments said of one kind of files: how many were read, the records, and each line of complaint."""

    files: int
    records: int
    complaints: tuple[str, ...]


def partition_folders(log_dir: Path) -> list[Path]:
    return sorted(path for path in log_dir.iterdir() if path.is_dir() and PARTITION_FOLDER.match(path.name))


def topic_of(folder: Path) -> str:
    found = PARTITION_FOLDER.match(folder.name)
    assert found is not None, f"{folder} is no partition folder"
    return found["topic"]


def dump_data_folder(log_dir: Path) -> Dump:
    """Every segment with deep iteration and the decoder of its topic; every index checked; every snapshot decoded."""
    by_decoder: dict[str, list[Path]] = {}
    others: list[Path] = []
    for folder in partition_folders(log_dir):
        decoder = DECODERS.get(topic_of(folder), PLAIN_DECODER)
        by_decoder.setdefault(decoder, []).extend(sorted(folder.glob("*.log")))
        others += sorted(path for path in folder.iterdir() if path.suffix in {".snapshot", ".txnindex"})
    parts = [run_dump(files, "--deep-iteration", decoder) for decoder, files in by_decoder.items()]
    parts.append(run_dump(others))
    indexes = [path for folder in partition_folders(log_dir) for path in sorted(folder.glob("*index"))]
    indexes = [path for path in indexes if path.suffix in {".index", ".timeindex"}]
    # the first pass compares each entry with the segment, the second is the check that Kafka does on loading
    parts += [run_dump(indexes), run_dump(indexes, "--index-sanity-check")]
    return Dump(
        files=sum(part.files for part in parts[:-1]),
        records=sum(part.records for part in parts),
        complaints=tuple(complaint for part in parts for complaint in part.complaints),
    )


def complaints_in(told: str) -> list[str]:
    """What DumpLogSegments says on stderr, apart from what it says of every sound folder.

    It calls the step from -1 to a segment's first offset a gap unless that is 0; in compacted topics gaps are meant.
    """
    complaints, gaps_in = [], ""
    for line in told.splitlines():
        if line.startswith(GAPS_IN):
            gaps_in = line.removeprefix(GAPS_IN).strip()
        elif gaps_in and (gap := GAP.match(line)):
            segment = Path(gaps_in)
            is_start = gap["before"] == "-1" and int(gap["after"]) == int(segment.stem)
            if not is_start and topic_of(segment.parent) not in DECODERS:
                complaints.append(f"{gaps_in}: {line.strip()}")
        elif line.strip() and not line.startswith("WARNING:"):
            gaps_in = ""
            complaints.append(line)
    return complaints


def run_dump(files: Sequence[Path], *options: str) -> Dump:
    records, complaints = 0, []
    for first in range(0, len(files), FILES_A_RUN):
        some = files[first : first + FILES_A_RUN]
        finished = try_tool(DUMP_TOOL, "--files", ",".join(str(path) for path in some), *options)
        output = finished.stdout
        # what is wrong with an index is told on stderr, and the exit code is 0 all the same
        complaints += complaints_in(finished.stderr)
        if finished.returncode:
            complaints.append(f"DumpLogSegments ended with {finished.returncode}")
        records += len(re.findall(r"^\| offset: ", output, re.MULTILINE))
        current = ""
        for line in output.splitlines():
            if line.startswith("Dumping "):
                current = line.removeprefix("Dumping ")
            if not line.startswith("| ") and COMPLAINT.search(line):
                complaints.append(f"{current}: {line[:300]}")
        told = output.count("Dumping ")
        if told != len(some):
            complaints.append(f"{len(some)} files were given, {told} were read: {output[-300:]}")
    return Dump(len(files), records, tuple(complaints))


@dataclass(frozen=True, slots=True)
class Record:
    """One record as a consumer sees it."""

    offset: int
    timestamp: tuple[int, int]
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


def create_topic(broker: BrokerProcess, topic: str, config: Mapping[str, str]) -> None:
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    for outcome in admin.create_topics([NewTopic(topic, 1, 1, config=dict(config))]).values():
        outcome.result(TIMEOUT_S)


def topic_for(codec: str) -> str:
    return f"moved-{codec}"


def fill(broker: BrokerProcess, topic: str, codec: str, record_count: int, seed: int = 1) -> set[int]:
    """Records of all shapes in several segments, all acknowledged by acks=all; the offsets that were acknowledged."""
    chance = random.Random(seed)
    acknowledged: set[int] = set()

    def on_delivery(error: confluent_kafka.KafkaError | None, message: confluent_kafka.Message) -> None:
        assert error is None, f"{topic}: {error}"
        offset = message.offset()
        assert offset is not None
        acknowledged.add(offset)

    producer = confluent_kafka.Producer(
        {
            "bootstrap.servers": broker.bootstrap,
            "compression.type": codec,
            "enable.idempotence": True,
            "linger.ms": 2,
            "batch.size": 30_000,
        }
    )
    timestamp_ms = 1_700_000_000_000
    for number in range(record_count):
        timestamp_ms += chance.choice((0, 0, 1, 7, 1000))
        key = None if number % 5 == 0 else b"key %d" % (number % 97)
        value = None if number % 11 == 0 else chance.randbytes(300) + b"millrace " * 40
        headers = [("number", b"%d" % number), ("nothing", None)] if number % 3 == 0 else []
        producer.produce(topic, value, key, timestamp=timestamp_ms, headers=headers, on_delivery=on_delivery)
        producer.poll(0)
        if number % 64 == 0:
            producer.flush(TIMEOUT_S)  # many batches of different sizes, not a few large ones
    assert producer.flush(TIMEOUT_S) == 0
    assert len(acknowledged) == record_count
    return acknowledged


def read_topic(broker: BrokerProcess, topic: str) -> list[Record]:
    """All records of partition 0, from the log's start to its end."""
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": broker.bootstrap, "group.id": "interchange", "enable.auto.commit": False}
    )
    start, end = consumer.get_watermark_offsets(confluent_kafka.TopicPartition(topic, 0), timeout=TIMEOUT_S)
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, start)])
    records: list[Record] = []
    following = start
    while following < end:
        # consume() waits until it has as many as it was asked for
        messages = consumer.consume(min(5_000, end - following), timeout=TIMEOUT_S)
        assert messages, f"{topic} ends at {end}, but nothing came after {len(records)} records"
        for message in messages:
            assert message.error() is None, message.error()
            headers = tuple((name, value) for name, value in message.headers() or [])
            offset = message.offset()
            assert offset is not None
            following = offset + 1
            records.append(Record(offset, message.timestamp(), message.key(), message.value(), headers))
    consumer.close()
    return records


def look_up_times(broker: BrokerProcess, topic: str, timestamps: Iterable[int]) -> dict[int, int]:
    """The offset that each timestamp gives (-1: none so late)."""
    consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "interchange"})
    found = {}
    for timestamp_ms in timestamps:
        asked = confluent_kafka.TopicPartition(topic, 0, timestamp_ms)
        found[timestamp_ms] = consumer.offsets_for_times([asked], timeout=TIMEOUT_S)[0].offset
    consumer.close()
    return found


def times_to_ask(records: Sequence[Record], count: int = 40) -> list[int]:
    """Timestamps on, between, before and after those of the records."""
    chance = random.Random(2)
    first, last = records[0].timestamp[1], max(record.timestamp[1] for record in records)
    return [first - 1, first, last, last + 1, *sorted(chance.randrange(first, last) for _ in range(count))]


def move_partition(source: Path, target: Path) -> None:
    """Put a partition's files in place of those of another broker's partition; both brokers are stopped.

    ``partition.metadata`` of the target stays: it holds the topic's id there. What the checkpoint files of the target's
    folder say of the partition goes, as it is of the files that went.
    """
    for path in target.iterdir():
        if path.name != STAYS_BEHIND:
            path.unlink()
    for path in source.iterdir():
        if path.name != STAYS_BEHIND:
            shutil.copy2(path, target / path.name)
    for checkpoint in target.parent.glob("*-checkpoint"):
        forget_in_checkpoint(checkpoint, target.name)


def forget_in_checkpoint(path: Path, folder_name: str) -> None:
    """A checkpoint file: a version, a count, then a line a partition with topic, partition and offset."""
    text = path.read_text()
    if not text:  # Kafka makes the file before it has anything to say
        return
    version, _count, *entries = text.splitlines()
    topic, _, partition = folder_name.rpartition("-")
    kept = [entry for entry in entries if entry.split()[:2] != [topic, partition]]
    path.write_text("\n".join([version, str(len(kept)), *kept]) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description="Every file of a data folder through Kafka's DumpLogSegments")
    parser.add_argument("folder", type=Path, help="a log folder, such as millrace-data/broker-1")
    dump = dump_data_folder(parser.parse_args().folder)
    print(f"{dump.files} files, {dump.records} records, {len(dump.complaints)} complaints")
    for complaint in dump.complaints:
        print(f"  {complaint}")
    return 1 if dump.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
