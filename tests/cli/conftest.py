"""How these tests run a command: in this process, against the session's broker."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from millrace import Broker
from millrace.cli.main import millrace

Run = Callable[..., Result]


@pytest.fixture
def run(millrace_broker: Broker) -> Run:
    """``run("topics", "list", input="...")``: what the command printed and how it ended."""

    def call(*arguments: str, **more: Any) -> Result:
        environment = {"MILLRACE_BOOTSTRAP": millrace_broker.bootstrap_servers}
        return CliRunner(env=environment).invoke(millrace, list(arguments), prog_name="millrace", **more)

    return call


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    """The JSON that a command answers with ``--json``."""

    def call(*arguments: str, **more: Any) -> Any:
        result = run(*arguments, "--json", **more)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return call
