"""Two runs of one suite compared: what fails here and not on Apache Kafka, and whether that is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Outcome = Mapping[str, object]
ALLOW_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Comparison:
    """The tests by what both runs said of them. ``stale`` is what is allowed to fail and passes."""

    ran: int
    passed: int
    skipped: int
    fails_on_both: dict[str, str]
    fails_here: dict[str, str]
    allowed: dict[str, str]
    stale: tuple[str, ...]
    fails_there: dict[str, str]
    missing: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Nothing fails or is missing here that works there, apart from what the list explains."""
        return not self.missing and not self.stale and set(self.fails_here) <= set(self.allowed)


def by_test(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    return {str(outcome["test"]): outcome for outcome in outcomes}


def failures(outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    return {test: str(outcome["reason"]) for test, outcome in outcomes.items() if outcome["outcome"] == "failed"}


def read_allowed(name: str) -> dict[str, str]:
    """The list ``allow_NAME.txt``: a test a line, then ``#`` and why. The list may only shrink."""
    path = ALLOW_FOLDER / f"allow_{name}.txt"
    allowed = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        test, _, reason = line.partition("#")
        if not test.strip():
            continue
        assert reason.strip(), f"{path.name}: {test.strip()} has no reason"
        allowed[test.strip()] = reason.strip()
    return allowed


def compare(ours: Iterable[Outcome], apache: Iterable[Outcome], allowed: Mapping[str, str]) -> Comparison:
    here, there = by_test(ours), by_test(apache)
    fail_here, fail_there = failures(here), failures(there)
    return Comparison(
        ran=len(here),
        passed=sum(outcome["outcome"] == "passed" for outcome in here.values()),
        skipped=sum(outcome["outcome"] == "skipped" for outcome in here.values()),
        fails_on_both={test: reason for test, reason in fail_here.items() if test in fail_there},
        fails_here={test: reason for test, reason in fail_here.items() if test not in fail_there},
        allowed=dict(allowed),
        stale=tuple(test for test in allowed if test not in fail_here),
        fails_there={test: reason for test, reason in fail_there.items() if test not in fail_here},
        missing=tuple(sorted(set(there) - set(here))),
    )
