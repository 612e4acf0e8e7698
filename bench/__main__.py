"""The command: run rows in alternating rounds, show the table, leave JSON and a plot; exit 1 if a budget is missed."""

from __future__ import annotations

import argparse
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import confluent_kafka

from bench import load, plot, report, rows_latency, rows_life, rows_log, rows_scale, rows_throughput
from bench.lab import APACHE, OURS, Lab
from bench.model import ROWS, Row
from tools.apache_kafka import ToolFailed
from tools.broker_process import BrokerFailed

# in the order of the table; within a shared broker's life the memory comes after the loads
ROOMS_OF_ROWS = (rows_throughput, rows_latency, rows_life, rows_scale, rows_log)
# What a broken broker or load may raise: it fails its row, the others go on.
ROW_FAILURES = (
    AssertionError,
    BrokerFailed,
    confluent_kafka.KafkaException,
    OSError,
    struct.error,
    subprocess.SubprocessError,
    TimeoutError,
    ToolFailed,
)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Millrace beside Apache Kafka 4.3.1")
    parser.add_argument("--rows", default="", help="names, with commas between; without it all rows")
    parser.add_argument("--list", action="store_true", help="show the rows and their budgets, run nothing")
    parser.add_argument("--rounds", type=int, default=3, help="rounds a row is measured in (default 3)")
    parser.add_argument(
        "--quick", action="store_true", help="one round of small loads: shows that it runs, not figures"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the large loads (20 GB, 10 M commits, …)")
    parser.add_argument("--brokers", default=f"{OURS},{APACHE}", help="which brokers, e.g. ours or apache alone")
    parser.add_argument(
        "--kafka-heap-mb", type=int, default=1024, help="Kafka's heap (default that of its start script)"
    )
    parser.add_argument("--work", type=Path, help="where brokers keep their files (default a temporary folder)")
    parser.add_argument(
        "--out", type=Path, default=Path("bench-results"), help="folder for results.json and results.svg"
    )
    parsed = parser.parse_args(argv)
    if parsed.quick:
        parsed.rounds = 1
    return parsed


def ordered_rows() -> list[Row]:
    rooms = [room.__name__ for room in ROOMS_OF_ROWS]
    return sorted(ROWS.values(), key=lambda row: rooms.index(row.run.__module__))


def chosen_rows(names: str) -> list[Row]:
    if not names:
        return ordered_rows()
    wanted = names.split(",")
    unknown = [name for name in wanted if name not in ROWS]
    if unknown:
        raise SystemExit(f"no such row: {', '.join(unknown)}; there are {', '.join(ROWS)}")
    return [row for row in ordered_rows() if row.name in wanted]


class Run:
    """One run of the bench: its rounds, and what they gave."""

    def __init__(self, options: argparse.Namespace, work_dir: Path) -> None:
        self.options = options
        self.work_dir = work_dir
        self.rows = chosen_rows(options.rows)
        self.kinds = options.brokers.split(",")
        self.outcomes: dict[tuple[str, str], list[Mapping[str, float]]] = defaultdict(list)
        self.notes: dict[str, object] = {}
        self.failures: dict[str, str] = {}

    def run(self) -> None:
        for number in range(self.options.rounds):
            # who comes first changes, so that a machine that warms or tires favours neither
            for kind in self.kinds if number % 2 == 0 else reversed(self.kinds):
                self.say(f"round {number + 1} of {self.options.rounds}: {kind}")
                self.round_of(kind)

    def round_of(self, kind: str) -> None:
        lab = Lab(
            kind,
            self.work_dir,
            scale=self.options.scale,
            quick=self.options.quick,
            kafka_heap_mb=self.options.kafka_heap_mb,
        )
        shared = [row for row in self.rows if row.shared]
        if shared:
            with lab.fresh_broker() as broker:
                lab.shared_broker = broker
                warm_up(lab)
                for row in shared:
                    self.measure(row, lab)
                    lab.notes["loaded"] = True
        lab.shared_broker = None
        for row in self.rows:
            if not row.shared and (row.compared or lab.is_ours or self.kinds == [kind]):
                self.measure(row, lab)
        self.notes[kind] = {**lab.notes}

    def measure(self, row: Row, lab: Lab) -> None:
        try:
            values = row.run(lab)
        except ROW_FAILURES as failure:
            self.failures[f"{row.name} on {lab.kind}"] = f"{type(failure).__name__}: {failure}"
            self.say(f"  {row.name}: failed, {type(failure).__name__}: {str(failure)[:1500]}")
            return
        self.outcomes[row.name, lab.kind].append(values)
        shown = ", ".join(f"{report.figure(value)} {name}" for name, value in values.items())
        self.say(f"  {row.name}: {shown}")

    def say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


def warm_up(lab: Lab) -> None:
    """A first load that is not counted: the JVM compiles, page cache and connections are as in a longer life."""
    topic = lab.topic()
    load.create_topic(lab.broker, topic)
    record_count = lab.count(300_000, 50_000)
    load.produce_java(lab.broker, topic, record_count, 1024, acks=1, batch_size=131072, linger_ms=5)
    load.consume_librdkafka(lab.broker, topic, record_count, 1024)
    load.delete_topic(lab.broker, topic)


def list_rows() -> None:
    for row in ordered_rows():
        budgets = "; ".join(f"{measure.name} {measure.budget_text()}".rstrip() for measure in row.measures)
        print(f"{row.name:24} {row.title}\n{'':24} {budgets}")


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(argv)
    if options.list:
        list_rows()
        return 0
    facts = {**report.machine(), "quick": options.quick, "scale": options.scale, "rounds": options.rounds}
    facts["kafka_heap_mb"] = options.kafka_heap_mb
    work_dir = Path(tempfile.mkdtemp(prefix="millrace-bench-", dir=options.work))
    try:
        run = Run(options, work_dir)
        run.run()
    finally:
        shutil.rmtree(work_dir, ignore_errors=True)
    results = report.verdicts(run.rows, run.outcomes)
    options.out.mkdir(parents=True, exist_ok=True)
    report.write_json(options.out / "results.json", facts, run.outcomes, results, run.notes, run.failures)
    caption = f"{facts['cpu']}, {facts['cores']} cores, medians of {options.rounds} rounds, dashes: budget"
    plot.write(options.out / "results.svg", results, caption)
    report.print_table(results, run.failures)
    print(f"written: {options.out / 'results.json'}, {options.out / 'results.svg'}", file=sys.stderr)
    return 1 if run.failures or any(verdict.met is False for verdict in results) else 0


if __name__ == "__main__":
    sys.exit(main())
