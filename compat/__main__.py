"""The command: run a client's suite here and on Apache Kafka, compare, write the section of the document."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from compat import java_tools, report, suites
from compat.brokers import APACHE, KINDS, OURS
from compat.compare import Outcome, compare, read_allowed

JAVA = "java"
NAMES = (*suites.SUITES, JAVA)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m compat", description="The clients' own suites, here and on Apache Kafka in the same harness"
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"{', '.join(NAMES)}; without one all of them")
    parser.add_argument("--broker", choices=KINDS, help="run on one broker only and show what failed, compare nothing")
    parser.add_argument("--fresh", action="store_true", help="run on Apache Kafka again instead of its kept outcomes")
    parser.add_argument("-k", dest="only", default="", help="only tests that match, as pytest's -k; nothing is written")
    parsed = parser.parse_args(argv)
    unknown = [name for name in parsed.suites if name not in NAMES]
    if unknown:
        parser.error(f"no such suite: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    return parsed


def kept_file(name: str, kind: str) -> Path:
    version = suites.SUITES[name].version if name in suites.SUITES else "tools"
    return suites.compat_cache() / "outcomes" / f"{name}-{version}-{kind}.json"


def outcomes_of(name: str, kind: str, *, only: str = "", fresh: bool = True) -> object:
    """Run a suite, or take the kept outcomes of Apache Kafka: neither it nor the client has changed since."""
    kept = kept_file(name, kind)
    if not fresh and not only and kept.exists():
        return json.loads(kept.read_text())
    result: object = java_tools.run_all(kind) if name == JAVA else suites.run(suites.SUITES[name], kind, only=only)
    if not only:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(result, indent=1))
    return result


def compare_suite(name: str, options: argparse.Namespace) -> bool:
    suite = suites.SUITES[name]
    apache = outcomes_of(name, APACHE, only=options.only, fresh=options.fresh)
    ours = outcomes_of(name, OURS, only=options.only)
    assert isinstance(apache, list)
    assert isinstance(ours, list)
    result = compare(ours, apache, read_allowed(name))
    print("\n".join(report.summary(suite, result)))
    if not options.only:
        report.write_section(name, report.suite_section(suite, result))
    return result.agrees


def compare_java(options: argparse.Namespace) -> bool:
    apache = outcomes_of(JAVA, APACHE, fresh=options.fresh)
    ours = outcomes_of(JAVA, OURS)
    assert isinstance(apache, dict)
    assert isinstance(ours, dict)
    if set(apache) != set(ours):  # the kept outcomes are of an older list of runs
        apache = outcomes_of(JAVA, APACHE)
        assert isinstance(apache, dict)
    allowed = read_allowed(JAVA)
    differences = java_tools.compare(ours, apache, allowed)
    stale = set(allowed) - {one.command for one in differences}
    print(f"Kafka's tools: {len(ours)} runs, {len(differences)} differ")
    for one in differences:
        print(f"  {'allowed' if one.explained else 'DIFFERS'}: {one.command}")
        print("\n".join(f"    {line}" for line in difference_lines(one)))
    for command in sorted(stale):
        print(f"  agrees, take it off the list: {command}")
    report.write_section(JAVA, report.tools_section(differences, ours))
    return not stale and all(one.explained for one in differences)


def difference_lines(one: java_tools.Difference) -> list[str]:
    """Lines with - are Apache Kafka's, lines with + are ours."""
    lines = unified_diff(one.apache.splitlines(), one.ours.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def show_one(name: str, options: argparse.Namespace) -> bool:
    """One broker alone: what failed there."""
    result = outcomes_of(name, options.broker, only=options.only)
    if isinstance(result, dict):
        print("\n".join(f"== {command}\n{said}" for command, said in result.items()))
        return True
    assert isinstance(result, list)
    failed: list[Outcome] = [outcome for outcome in result if outcome["outcome"] == "failed"]
    print(f"{name} on {options.broker}: {len(result)} tests, {len(failed)} failed")
    for outcome in failed:
        print(f"  {outcome['test']}: {outcome['reason']}")
    return not failed


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(argv)
    good = True
    for name in options.suites or NAMES:
        if options.broker:
            good &= show_one(name, options)
        elif name == JAVA:
            good &= compare_java(options)
        else:
            good &= compare_suite(name, options)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
