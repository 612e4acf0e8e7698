"""How these tests run a command: in this process, against the session's broker, or against another cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from millrace import Broker
from millrace.cli.main import millrace

Run = Callable[..., Result]
OTHER_CLUSTER = "MILLRACE_TESTS_ON"  # HOST:PORT of another cluster that these tests shall run on


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Run:
    """``run("topics", "list", input="...")``: what the command printed and how it ended."""
    address = os.environ.get(OTHER_CLUSTER)
    if address is None:
        broker: Broker = request.getfixturevalue("millrace_broker")
        address = broker.bootstrap_servers

    def call(*arguments: str, **more: Any) -> Result:
        environment = {"MILLRACE_BOOTSTRAP": address}
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
