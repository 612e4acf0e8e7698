"""Kafka's own command-line tools, run in one fixed order against both brokers, their outputs compared.

What differs by nature (times, ids, ports, folders, rates) is masked; all else must be equal, error messages and exit
codes included. These runs are the Java client's producer, consumer, admin client and groups as users meet them.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compat.brokers import make
from tools.apache_kafka import try_tool
from tools.broker_process import BrokerProcess

TOOLS = "org.apache.kafka.tools."
GROUPS = "consumer.group.ConsumerGroupCommand"
RECORD_COUNT = 200
RANDOM_GROUPS = ("perf-consumer-", "console-consumer-")
STEP_TIMEOUT_S = 60.0
MASKS = (
    (re.compile(r"\b1\d{12}\b"), "<ms>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<broker>"),
    (re.compile(r"localhost:\d+"), "<broker>"),
    (re.compile(r"(TopicId|Cluster ID): \S+"), r"\1: <uuid>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "<member>"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[:,.]\d+"), "<time>"),
    # the broker's sentences are its own: what is compared is which error it was
    (re.compile(r"(Error while executing topic command :|Exception:) .*"), r"\1 <message>"),
    (re.compile(r"[ \t]+"), " "),
)

Masking = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Step:
    """One run of a tool. ``shape`` turns its masked output into what is compared."""

    name: str
    main_class: str
    arguments: tuple[str, ...]
    standard_input: str | None = None
    shape: Masking = str.strip
    subset: bool = False  # ours may say less: each of its lines must be in the other's


@dataclass(frozen=True, slots=True)
class Difference:
    """A step whose outputs differ, with the reason if the list of what is allowed has one."""

    command: str
    ours: str
    apache: str
    explained: str


def masked(text: str) -> str:
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def sorted_lines(text: str) -> str:
    return "\n".join(sorted(text.splitlines()))


def table(text: str) -> str:
    """A table of the group command without the columns that hold client ids and hosts, in one order."""
    return sorted_lines(re.sub(r"(console-consumer|consumer)-\S+", "<client>", text))


def events(text: str) -> str:
    """The verifiable clients tell JSON events: which came, and the sums of what they count."""
    names: dict[str, int] = {}
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        event = json.loads(line.replace("<ms>", "0"))
        name = event["name"]
        names[name] = names.get(name, 0) + int(event.get("count", 0) or event.get("acked", 0))
    names.pop("producer_send_success", None)
    return json.dumps(names, sort_keys=True)


def first_number(text: str) -> str:
    """Of a performance tool only how much went through is the same twice."""
    found = re.search(r"^(\d+) records sent", text, re.MULTILINE)
    return found[1] if found else text


def consumed_count(text: str) -> str:
    columns = text.splitlines()[-1].split(",") if text else []
    return columns[4].strip() if len(columns) > 4 else text


def log_sizes(text: str) -> str:
    """The partitions in the log folders, without where these are."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    if not lines:
        return text
    found = []
    for broker in json.loads(lines[-1])["brokers"]:
        for folder in broker["logDirs"]:
            # a size depends on how the producer's batches fell; that there is one does not
            sizes = {one["partition"]: "has records" if one["size"] else "empty" for one in folder["partitions"]}
            found += [f"{partition} {size}" for partition, size in sizes.items()]
    return "\n".join(sorted(found))


def usable(text: str) -> str:
    """One line an API, without the broker's line."""
    return "\n".join(line.rstrip(",") for line in text.splitlines() if "usable" in line)


def topic_steps() -> list[Step]:
    topics = TOOLS + "TopicCommand"
    create = ("--create", "--topic")
    return [
        Step("topics --create", topics, (*create, "orders", "--partitions", "3", "--config", "segment.bytes=1048576")),
        Step("topics --create (exists)", topics, (*create, "orders")),
        Step("topics --create (bad name)", topics, (*create, "or ders")),
        Step("topics --create (bad config)", topics, (*create, "other", "--config", "segment.bytes=1")),
        Step("topics --create (factor 3)", topics, (*create, "other", "--replication-factor", "3")),
        Step("topics --create (compacted)", topics, (*create, "latest", "--config", "cleanup.policy=compact")),
        Step("topics --create (one partition)", topics, (*create, "line")),
        Step("topics --list", topics, ("--list",), shape=sorted_lines),
        Step("topics --describe", topics, ("--describe", "--topic", "orders")),
        Step("topics --describe (none)", topics, ("--describe", "--topic", "nowhere")),
        Step("topics --alter", topics, ("--alter", "--topic", "orders", "--partitions", "4")),
        Step("topics --alter (fewer)", topics, ("--alter", "--topic", "orders", "--partitions", "2")),
        Step("topics --describe (altered)", topics, ("--describe", "--topic", "orders")),
    ]


def many_records(topic: str) -> tuple[str, ...]:
    return ("--topic", topic, "--num-records", "5000", "--record-size", "200", "--throughput", "-1")


def record_steps() -> list[Step]:
    producer, consumer = TOOLS + "ConsoleProducer", TOOLS + "consumer.ConsoleConsumer"
    keyed = ("--reader-property", "parse.key=true", "--reader-property", "key.separator=:")
    shown = ("--formatter-property", "print.key=true", "--formatter-property", "print.offset=true")
    steps = []
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        lines = "".join(f"{codec}{number}:value {number} of {codec}\n" for number in range(20))
        arguments = ("--topic", "line", "--compression-codec", codec, *keyed)
        steps.append(Step(f"console-producer ({codec})", producer, arguments, lines))
    reading = ("--topic", "line", "--from-beginning", "--max-messages", "100", *shown)
    steps.append(Step("console-consumer", consumer, (*reading, "--group", "console")))
    at = ("--topic", "line", "--partition", "0", "--offset", "50", "--max-messages", "5", *shown)
    steps.append(Step("console-consumer --offset", consumer, at))
    steps += [
        Step(
            "verifiable-producer",
            TOOLS + "VerifiableProducer",
            ("--topic", "counted", "--max-messages", str(RECORD_COUNT)),
            shape=events,
        ),
        Step(
            "verifiable-consumer",
            TOOLS + "VerifiableConsumer",
            ("--topic", "counted", "--group-id", "checkers", "--max-messages", str(RECORD_COUNT)),
            shape=events,
        ),
        Step(
            "producer-perf",
            TOOLS + "ProducerPerformance",
            many_records("latest"),
            shape=first_number,
        ),
        Step(
            "producer-perf acks=all",
            TOOLS + "ProducerPerformance",
            (*many_records("bulk"), "--command-property", "acks=all"),
            shape=first_number,
        ),
        Step(
            "consumer-perf",
            TOOLS + "ConsumerPerformance",
            ("--topic", "bulk", "--num-records", "5000", "--hide-header"),
            shape=consumed_count,
        ),
    ]
    return steps


def group_steps() -> list[Step]:
    groups = TOOLS + GROUPS
    console = ("--group", "console")
    reset = ("--reset-offsets", *console, "--topic", "line")
    internal = ("--topic", "__consumer_offsets", "--from-beginning", "--timeout-ms", "5000")
    return [
        Step(
            "console-consumer __consumer_offsets",
            TOOLS + "consumer.ConsoleConsumer",
            (*internal, "--formatter", TOOLS + "consumer.OffsetsMessageFormatter"),
            shape=committed_offsets,
        ),
        Step("consumer-groups --list", groups, ("--list",), shape=named_groups),
        Step("consumer-groups --describe", groups, ("--describe", *console), shape=table),
        Step("consumer-groups --describe --state", groups, ("--describe", *console, "--state"), shape=table),
        Step("consumer-groups --describe --members", groups, ("--describe", *console, "--members"), shape=table),
        Step("consumer-groups --describe (none)", groups, ("--describe", "--group", "nobody")),
        Step("consumer-groups --reset-offsets (dry)", groups, (*reset, "--to-earliest", "--dry-run"), shape=table),
        Step("consumer-groups --reset-offsets", groups, (*reset, "--to-offset", "7", "--execute"), shape=table),
        Step("consumer-groups --describe (reset)", groups, ("--describe", *console), shape=table),
        Step("consumer-groups --reset-offsets (by -1)", groups, (*reset, "--shift-by", "-1", "--execute"), shape=table),
        Step(
            "consumer-groups --delete-offsets", groups, ("--delete-offsets", *console, "--topic", "line"), shape=table
        ),
        Step("consumer-groups --delete", groups, ("--delete", "--group", "checkers")),
        Step("consumer-groups --delete (none)", groups, ("--delete", "--group", "nobody")),
        Step(
            "groups --list",
            TOOLS + "GroupsCommand",
            ("--list",),
            shape=named_groups,
        ),
    ]


def named_groups(text: str) -> str:
    """Without the groups to which tools give random names."""
    return "\n".join(line for line in sorted_lines(text).splitlines() if not line.startswith(RANDOM_GROUPS))


def committed_offsets(text: str) -> str:
    """The last commit of each key: how often a client commits on its way is chance."""
    last: dict[str, str] = {}
    decoder, position = json.JSONDecoder(), text.find("{")
    plain = text.replace("<ms>", "0")
    while position >= 0:  # the tool writes objects without anything between them
        record, end = decoder.raw_decode(plain, position)
        position = plain.find("{", end)
        key = record["key"].get("data") or {}
        if str(key.get("group", "")).startswith(RANDOM_GROUPS):
            continue
        value = record["value"] and record["value"].get("data")
        offset = value and {name: value[name] for name in ("offset", "metadata") if name in value}
        last[json.dumps(key, sort_keys=True)] = json.dumps(offset, sort_keys=True)
    return "\n".join(f"{key} {value}" for key, value in sorted(last.items()))


def admin_steps(folder: Path) -> list[Step]:
    configs, topics, offsets = "kafka.admin.ConfigCommand", TOOLS + "TopicCommand", TOOLS + "GetOffsetShell"
    topic = ("--entity-type", "topics", "--entity-name", "orders")
    broker = ("--entity-type", "brokers", "--entity-name", "0")
    deletion = folder / "delete-records.json"
    deletion.write_text(json.dumps({"partitions": [{"topic": "line", "partition": 0, "offset": 30}], "version": 1}))
    beyond = folder / "delete-beyond.json"
    beyond.write_text(json.dumps({"partitions": [{"topic": "line", "partition": 0, "offset": 3000}], "version": 1}))
    add = ("--alter", "--add-config")
    return [
        Step("configs --describe topic", configs, ("--describe", *topic), shape=sorted_lines),
        Step("configs --alter topic", configs, (*add, "retention.ms=1000000,max.message.bytes=2000000", *topic)),
        Step("configs --describe topic (altered)", configs, ("--describe", *topic), shape=sorted_lines),
        Step("configs --describe topic --all", configs, ("--describe", "--all", *topic), shape=sorted_lines),
        Step("configs --alter topic (bad value)", configs, (*add, "retention.ms=soon", *topic)),
        Step("configs --alter topic (bad name)", configs, (*add, "no.such.config=1", *topic)),
        Step("configs --alter topic (delete)", configs, ("--alter", "--delete-config", "retention.ms", *topic)),
        Step("configs --describe topic (deleted)", configs, ("--describe", *topic), shape=sorted_lines),
        Step("configs --alter broker", configs, (*add, "log.retention.ms=7200000", *broker)),
        Step("configs --describe broker", configs, ("--describe", *broker), shape=sorted_lines),
        Step("configs --alter broker (delete)", configs, ("--alter", "--delete-config", "log.retention.ms", *broker)),
        Step("get-offsets", offsets, ("--topic", "line")),
        Step("get-offsets --time earliest", offsets, ("--topic", "line", "--time", "earliest")),
        Step(
            "get-offsets --time max-timestamp", offsets, ("--topic", "line", "--time", "max-timestamp"), shape=no_offset
        ),
        Step("delete-records", TOOLS + "DeleteRecordsCommand", ("--offset-json-file", str(deletion))),
        Step("delete-records (beyond)", TOOLS + "DeleteRecordsCommand", ("--offset-json-file", str(beyond))),
        Step("get-offsets (deleted)", offsets, ("--topic", "line", "--time", "-2")),
        Step(
            "log-dirs", TOOLS + "LogDirsCommand", ("--describe", "--topic-list", "line,orders,counted"), shape=log_sizes
        ),
        Step("cluster cluster-id", TOOLS + "ClusterTool", ("cluster-id",)),
        Step("broker-api-versions", TOOLS + "BrokerApiVersionsCommand", (), shape=usable, subset=True),
        Step("topics --delete", topics, ("--delete", "--topic", "orders")),
        Step("topics --delete (none)", topics, ("--delete", "--topic", "nowhere")),
        Step("topics --list (end)", topics, ("--list",), shape=sorted_lines),
    ]


def no_offset(text: str) -> str:
    """Several records of one batch may share the largest timestamp: only topic and partition are certain."""
    return re.sub(r":\d+$", ":<offset>", text)


def all_steps(folder: Path) -> list[Step]:
    return [*topic_steps(), *record_steps(), *group_steps(), *admin_steps(folder)]


def run_step(step: Step, broker: BrokerProcess) -> str:
    address = ("--bootstrap-server", broker.bootstrap)
    # the cluster tool's action comes before its options
    arguments = (*step.arguments, *address) if step.name.startswith("cluster") else (*address, *step.arguments)
    finished = try_tool(step.main_class, *arguments, standard_input=step.standard_input, timeout_s=STEP_TIMEOUT_S)
    output = step.shape(masked(finished.stdout))
    # of what went wrong, which errors these were; the rest are the tool's log lines and stack frames
    errors = sorted(set(re.findall(r"org\.apache\.[\w.]+(?:Exception|Error)\b", finished.stderr)))
    return f"exit {finished.returncode}\n{output}\n{' '.join(errors)}".strip()


def run_all(kind: str) -> dict[str, str]:
    """What each step said on one kind of broker."""
    said = {}
    with tempfile.TemporaryDirectory(prefix="millrace-compat-") as scratch:
        folder = Path(scratch)
        with make(kind, folder / "broker", {"num.partitions": "1"}) as broker:
            for step in all_steps(folder):
                try:
                    said[step.name] = run_step(step, broker)
                except Exception as failure:  # noqa: BLE001  a tool that hangs or prints nonsense is a difference
                    said[step.name] = f"{type(failure).__name__}: {str(failure)[:300]}"
                print(f"  {kind}: {step.name}: {said[step.name].partition(chr(10))[0]}", file=sys.stderr, flush=True)
    return said


def compare(ours: Mapping[str, str], apache: Mapping[str, str], allowed: Mapping[str, str]) -> list[Difference]:
    with tempfile.TemporaryDirectory() as scratch:
        steps = all_steps(Path(scratch))
    differences = []
    for step in steps:
        here, there = ours[step.name], apache[step.name]
        same = set(here.splitlines()) <= set(there.splitlines()) if step.subset else here == there
        if not same:
            differences.append(Difference(step.name, here, there, allowed.get(step.name, "")))
    return differences
