"""aiokafka's suite runs its broker in a container: this stands in for the container engine with a broker of ours.

Its ``conftest`` asks a module ``docker`` to run an image with the ports it chose. The stand-in starts the broker that
``COMPAT_BROKER`` names on the plaintext port; what the suite would execute inside the container (certificates,
Kerberos, SCRAM users) is answered with success and does nothing: the tests that need it are left out by name.
"""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


class Container:
    """The broker as the suite sees it."""

    def __init__(self, port: int, partitions: int) -> None:
        command = [os.environ["COMPAT_PYTHON"], "-m", "compat.serve", os.environ["COMPAT_BROKER"]]
        command += ["--port", str(port), "--set", f"num.partitions={partitions}"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=os.environ["COMPAT_ROOT"]
        )
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        assert ready.startswith("ready"), f"the broker did not start: {ready}"

    def exec_run(self, command: object, **options: object) -> tuple[int, bytes]:
        return 0, b""

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(120)


class Containers:
    def run(self, image: str, **options: Any) -> Any:
        """Two kinds of call: the broker, which has ports, and a helper that makes certificates."""
        if "ports" not in options:
            return SimpleNamespace(exec_run=lambda *command, **how: (0, b""), stop=lambda: None)
        environment = options["environment"]
        return Container(int(environment["ADVERTISED_PORT"]), int(environment["NUM_PARTITIONS"]))


def from_env() -> Any:
    return SimpleNamespace(containers=Containers(), close=lambda: None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only what asks for the broker is of interest: the client's unit tests say nothing about us."""
    unit_tests = [item for item in items if "kafka_server" not in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=unit_tests)
    items[:] = [item for item in items if "kafka_server" in getattr(item, "fixturenames", ())]


def install() -> None:
    engine = ModuleType("docker")
    engine.from_env = from_env  # type: ignore[attr-defined]
    engine.models = SimpleNamespace(containers=SimpleNamespace(Container=Container))  # type: ignore[attr-defined]
    sys.modules["docker"] = engine


install()
