"""A broker as a child process, ours or Apache Kafka: start, wait until it answers, stop, kill, what it costs."""

from __future__ import annotations

import signal
import socket
import struct
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.processes import Usage, child_setup, usage

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 60.0
POLL_S = 0.01
METADATA_KEY = 3
METADATA_VERSION = 1


class BrokerFailed(Exception):
    """The broker did not start, or ended by itself; the message ends with the last lines it wrote."""


class BrokerProcess(ABC):
    """A broker on a free loopback port with a folder of its own.

    ``base_dir`` holds everything: configuration, output, and the broker's own files under ``log_dir``. It is made when
    missing and never removed here. With ``with``, the broker is started on entry and stopped on exit.
    """

    name: str

    def __init__(
        self,
        base_dir: Path,
        config: Mapping[str, str] | None = None,
        *,
        open_files_max: int | None = None,
        command_prefix: tuple[str, ...] = (),
    ) -> None:
        self.base_dir = Path(base_dir)
        self.base_dir.mkdir(parents=True, exist_ok=True)
        self.config = dict(config or {})
        self.open_files_max = open_files_max
        self.command_prefix = command_prefix
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    # what a kind of broker must say

    @property
    @abstractmethod
    def log_dir(self) -> Path:
        """The folder of the partitions' folders."""

    @abstractmethod
    def _prepare(self) -> None:
        """Write configuration, format storage: done before each start, must not lose what is there."""

    @abstractmethod
    def _command(self) -> list[str]:
        """The command line."""

    # life

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} is not running"
        return self._process.pid

    @property
    def output_file(self) -> Path:
        return self.base_dir / "output.txt"

    def prepare(self) -> None:
        self._prepare()

    def launch(self) -> None:
        """Start the process and return at once; ``prepare`` was called before."""
        assert self._process is None, f"{self.name} is running already"
        with self.output_file.open("ab") as output:
            self._process = subprocess.Popen(
                [*self.command_prefix, *self._command()],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                cwd=self.base_dir,
                preexec_fn=child_setup(self.open_files_max),
            )

    def start(self) -> Self:
        self.prepare()
        self.launch()
        self.wait_ready()
        return self

    def wait_ready(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self.answers():
            if self._process is None or self._process.poll() is not None:
                raise BrokerFailed(f"{self.name} ended while it started\n{self.last_output()}")
            if time.monotonic() > deadline:
                self.kill()
                raise BrokerFailed(f"{self.name} did not answer within {START_TIMEOUT_S:.0f} s\n{self.last_output()}")
            time.sleep(POLL_S)

    def answers(self) -> bool:
        """Whether a Metadata request is answered with at least one live broker."""
        if not self.port:
            return False
        request = struct.pack(">hhihi", METADATA_KEY, METADATA_VERSION, 1, -1, 0)
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                connection.sendall(struct.pack(">i", len(request)) + request)
                with connection.makefile("rb") as answer:
                    head = answer.read(12)
        except OSError:
            return False
        return len(head) == 12 and int(struct.unpack(">i", head[8:])[0]) > 0

    def stop(self) -> int:
        """A controlled shutdown; the exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, by: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(by)
        try:
            return process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise BrokerFailed(f"{self.name} did not end within {STOP_TIMEOUT_S:.0f} s\n{self.last_output()}") from None

    def restart(self) -> None:
        self.stop()
        self.start()

    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def usage(self) -> Usage:
        return usage(self.pid)

    def last_output(self, line_count: int = 20) -> str:
        if not self.output_file.exists():
            return ""
        return "\n".join(self.output_file.read_text(errors="replace").splitlines()[-line_count:])

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
