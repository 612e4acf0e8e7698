"""What a run of the bench leaves: a table on the terminal and a JSON file with every round."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.lab import APACHE, OURS
from bench.model import Measure, Row, Verdict, judge

# (row, kind of broker) -> the values of each round
Outcomes = Mapping[tuple[str, str], list[Mapping[str, float]]]


def verdicts(rows: Iterable[Row], outcomes: Outcomes) -> list[Verdict]:
    result = []
    for row in rows:
        ours = outcomes.get((row.name, OURS), [])
        kafka = outcomes.get((row.name, APACHE), [])
        if ours or kafka:
            result += [judge_measure(row, measure, ours, kafka) for measure in row.measures]
    return result


def judge_measure(
    row: Row, measure: Measure, ours: Iterable[Mapping[str, float]], kafka: Iterable[Mapping[str, float]]
) -> Verdict:
    return judge(
        row,
        measure,
        [values[measure.name] for values in ours if measure.name in values],
        [values[measure.name] for values in kafka if measure.name in values],
    )


def figure(value: float | None) -> str:
    if value is None:
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def verdict_text(verdict: Verdict) -> str:
    if verdict.met is None:
        return ""
    return "[green]met[/green]" if verdict.met else "[red]NOT met[/red]"


def print_table(results: list[Verdict], failures: Mapping[str, str]) -> None:
    table = Table(title="Millrace beside Apache Kafka")
    table.add_column("what")
    table.add_column("measure")
    for name in ("ours", "Kafka", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("budget")
    table.add_column("")
    shown = None
    for verdict in results:
        title = verdict.row.title if verdict.row is not shown else ""
        shown = verdict.row
        measure = verdict.measure
        unit = "" if measure.name == measure.unit else f" ({measure.unit})"
        ratio = "–" if verdict.ratio is None else f"{verdict.ratio:.2f} x"
        cells = [figure(verdict.ours), figure(verdict.kafka), ratio, measure.budget_text(), verdict_text(verdict)]
        table.add_row(title, measure.name + unit, *cells)
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(table)
    for name, failure in failures.items():
        console.print(f"[red]{name} failed:[/red] {failure}", markup=True, highlight=False)


def machine() -> dict[str, object]:
    model = next(
        (line.partition(":")[2].strip() for line in read_lines("/proc/cpuinfo") if line.startswith("model name")), ""
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "commit": commit,
        # a figure from a machine that was busy, or from a run that was put before others, must say so
        "load_before": os.getloadavg()[0],
        "nice": os.nice(0),
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def read_lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def write_json(
    path: Path,
    facts: Mapping[str, object],
    outcomes: Outcomes,
    results: list[Verdict],
    notes: Mapping[str, object],
    failures: Mapping[str, str],
) -> None:
    rows = [
        {
            "row": verdict.row.name,
            "title": verdict.row.title,
            "measure": verdict.measure.name,
            "unit": verdict.measure.unit,
            "budget": verdict.measure.budget_text(),
            "ours": verdict.ours,
            "kafka": verdict.kafka,
            "ratio": verdict.ratio,
            "met": verdict.met,
        }
        for verdict in results
    ]
    rounds = [
        {"row": name, "broker": kind, "rounds": [dict(values) for values in all_values]}
        for (name, kind), all_values in outcomes.items()
    ]
    content = {"run": dict(facts), "rows": rows, "rounds": rounds, "notes": dict(notes), "failures": dict(failures)}
    path.write_text(json.dumps(content, indent=1, default=str) + "\n")
