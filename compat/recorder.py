"""A pytest plug-in that leaves one JSON object a test: outcome, seconds, and the last line of what failed.

Loaded into the clients' own runs with ``-p compat.recorder``, so it needs nothing but pytest. A line is written as soon
as a test is through: a run that is cut short still tells what it saw.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

FILE_VARIABLE = "COMPAT_OUTCOMES"
SEVERITY = ("passed", "skipped", "failed")
REASON_CHARACTERS_MAX = 400


class Recorder:
    """Gathers the three phases of each test into one outcome."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.current: dict[str, Any] = {}
        self.path.write_text("")

    def on_report(self, report: pytest.TestReport) -> None:
        if report.when == "setup":
            self.current = {"test": report.nodeid, "outcome": "passed", "seconds": 0.0, "reason": ""}
        self.current["seconds"] = round(self.current["seconds"] + report.duration, 3)
        outcome = "skipped" if hasattr(report, "wasxfail") and report.skipped else report.outcome
        if SEVERITY.index(outcome) > SEVERITY.index(self.current["outcome"]):
            self.current.update(outcome=outcome, reason=reason_of(report))
        if report.when == "teardown":
            with self.path.open("a") as outcomes:
                outcomes.write(json.dumps(self.current) + "\n")


def reason_of(report: pytest.TestReport) -> str:
    """The last line that tells why: the exception's own message, or the reason of a skip."""
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])[:REASON_CHARACTERS_MAX]
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message).replace("\n", " ")[:REASON_CHARACTERS_MAX]
    return str(report.longrepr).strip().rpartition("\n")[2][:REASON_CHARACTERS_MAX]


def pytest_configure(config: pytest.Config) -> None:
    recorder = Recorder(Path(os.environ[FILE_VARIABLE]))
    config.pluginmanager.register(Hooks(recorder), "compat-recorder")


class Hooks:
    """The hooks, apart from the module so that they exist only once the file is known."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._recorder.on_report(report)
