"""What kafka-python's source package lacks to run its integration tests against a broker that already runs.

Its tests import ``test.service``, which is not in the package, and live in a folder ``test`` without an ``__init__``,
which the standard library's package of the same name would hide. The broker itself is named by ``KAFKA_URI``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType


class ExternalService:
    """A broker that others start and stop."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port

    def start(self) -> None:
        """It runs already."""

    def stop(self) -> None:
        """Who started it stops it."""

    def dump_logs(self) -> None:
        """Its output is kept by who started it."""

    def wait_for(self, pattern: str, timeout: float = 0) -> bool:
        return True


class SpawnedService:
    """A broker that the test would start: there is none here, SASL and TLS have tests of their own."""

    def __init__(self, *arguments: object, **options: object) -> None:
        raise RuntimeError("this run has one external broker and starts no others")


def install(source: Path) -> None:
    package = ModuleType("test")
    package.__path__ = [str(source / "test")]
    service = ModuleType("test.service")
    service.ExternalService = ExternalService  # type: ignore[attr-defined]
    service.SpawnedService = SpawnedService  # type: ignore[attr-defined]
    sys.modules["test"] = package
    sys.modules["test.service"] = service


install(Path.cwd())
