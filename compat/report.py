"""What a comparison says, on the terminal and as a section of docs/compatibility.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compat.compare import Comparison
from compat.java_tools import Difference
from compat.suites import Suite
from tools.kafka_jars import KAFKA_VERSION

RESULTS = Path(__file__).with_name("results")
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "compatibility.md"
BEGIN, END = "<!-- client suites, written by python -m compat -->", "<!-- end of client suites -->"


def summary(suite: Suite, result: Comparison) -> list[str]:
    lines = [
        f"{suite.name} {suite.version}: {result.ran} tests, {result.passed} passed, {result.skipped} skipped, "
        f"{len(result.fails_on_both)} fail on Apache Kafka {KAFKA_VERSION} too, {len(result.fails_here)} only here"
    ]
    lines += [f"  fails on both: {test}: {reason}" for test, reason in result.fails_on_both.items()]
    for test, reason in result.fails_here.items():
        lines.append(f"  {'allowed' if test in result.allowed else 'FAILS ONLY HERE'}: {test}: {reason}")
    lines += [f"  fails on Apache Kafka only: {test}" for test in result.fails_there]
    lines += [f"  did not run here: {test}" for test in result.missing]
    lines += [f"  passes, take it off the list: {test}" for test in result.stale]
    return lines


def suite_section(suite: Suite, result: Comparison) -> str:
    lines = [f"### {suite.name} {suite.version}", ""]
    lines += ["| tests run | passed | skipped by the suite | fail on Apache Kafka too | fail only here |"]
    lines += ["|---|---|---|---|---|"]
    counts = (result.ran, result.passed, result.skipped, len(result.fails_on_both), len(result.fails_here))
    lines += ["| " + " | ".join(str(count) for count in counts) + " |", ""]
    lines += [f"Left out: `{path}` ({why})." for path, why in suite.left_out.items()]
    if result.fails_on_both:
        lines += ["", f"On Apache Kafka {KAFKA_VERSION} in the same harness these fail too:", ""]
        lines += [f"- `{test}`: {clean(reason)}" for test, reason in result.fails_on_both.items()]
    if result.fails_here:
        lines += ["", "Only here:", ""]
        lines += [
            f"- `{test}`: {result.allowed.get(test) or clean(reason)}" for test, reason in result.fails_here.items()
        ]
    if result.fails_there:
        lines += ["", "Only on Apache Kafka:", ""]
        lines += [f"- `{test}`: {clean(reason)}" for test, reason in result.fails_there.items()]
    return "\n".join([*lines, ""])


def tools_section(differences: Iterable[Difference], commands: Iterable[str]) -> str:
    names = list(commands)
    lines = ["### Apache Kafka's own command-line tools (the Java clients)", ""]
    lines += [f"{len(names)} runs, outputs compared with the same run on Apache Kafka {KAFKA_VERSION}:", ""]
    lines += ["`" + "`, `".join(names) + "`.", ""]
    found = list(differences)
    lines += ["No difference."] if not found else ["Differences:", ""]
    lines += [f"- `{one.command}`: {one.explained or 'not explained'}" for one in found]
    return "\n".join([*lines, ""])


def clean(reason: str) -> str:
    return " ".join(reason.split())[:160].replace("|", "\\|")


def write_section(name: str, content: str) -> None:
    """Sections are kept apart, so that one suite can be run without the others; the document has all of them."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.md").write_text(content)
    write_document()


def write_document() -> None:
    """Put all sections between their marks in the document, at its end where it has none yet."""
    sections = "\n".join(path.read_text() for path in sorted(RESULTS.glob("*.md")))
    block = f"{BEGIN}\n\n## The clients' own suites\n\n{sections}\n{END}"
    text = DOCUMENT.read_text() if DOCUMENT.exists() else "# Compatibility\n"
    before, found, rest = text.partition(BEGIN)
    after = rest.partition(END)[2] if found else "\n"
    DOCUMENT.write_text(f"{before.rstrip()}\n\n{block}{after}")
