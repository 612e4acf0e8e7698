"""The programs of the README run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from millrace import Broker

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf8")
IN_A_TEST, IN_A_PROGRAM = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_test(millrace_broker: Broker, millrace_topic: str) -> None:
    names: dict[str, Any] = {}
    exec(compile(IN_A_TEST, "README.md", "exec"), names)
    names["test_orders_are_sent"](millrace_broker, millrace_topic)


def test_the_program() -> None:
    exec(compile(IN_A_PROGRAM, "README.md", "exec"), {})
