"""A broker in a child process: the same host as in a thread, driven by one JSON object a line over the child's pipes.

``kill`` and ``pause`` are the real signals. The child ends when its standard input does, so it never outlives the
program that started it, however that ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from typing import IO, Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.errors import MillraceError
from millrace.runtime import logs
from millrace.testing.thread_host import ThreadHost

ENDED: Final = "the broker's process has ended"


class ProcessHost:
    """The parent's side."""

    def __init__(self) -> None:
        self.endpoints: list[str] = []
        self.metrics_address = ""
        self._child: subprocess.Popen[str] | None = None
        self._paused = False

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None else None

    def start(self, settings: dict[str, str]) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "millrace.testing.process_host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C in the terminal is for the program, which stops us
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        try:
            self.endpoints, self.metrics_address = self._ask("start", settings)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        child = self._require()
        try:
            self._ask("stop")
        finally:
            self._end(child)

    def kill(self) -> None:
        child = self._child
        if child is not None:
            child.kill()  # also ends one that is stopped
            self._end(child)

    def pause(self) -> None:
        self._require().send_signal(signal.SIGSTOP)
        self._paused = True

    def resume(self) -> None:
        if self._paused and self.is_running:
            self._require().send_signal(signal.SIGCONT)
        self._paused = False

    def fail(self, api_key: int, code: int, times: int) -> None:
        self._ask("fail", api_key, code, times)

    def fail_disk(self, writes: int | None, full: bool) -> None:
        self._ask("fail_disk", writes, full)

    def advance(self, ms: int) -> None:
        self._ask("advance", ms)

    def _require(self) -> subprocess.Popen[str]:
        if self._child is None:
            raise RuntimeError("the broker is not running")
        if self._child.poll() is not None:
            raise RuntimeError(f"{ENDED} with exit code {self._child.returncode}")
        return self._child

    def _ask(self, name: str, *arguments: Any) -> Any:
        child = self._require()
        if self._paused:
            raise RuntimeError("the broker is paused")
        assert child.stdin is not None
        assert child.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(json.dumps([name, *arguments]) + "\n")
            child.stdin.flush()
        line = child.stdout.readline()
        if not line:
            raise RuntimeError(f"{ENDED} with exit code {child.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def _end(self, child: subprocess.Popen[str]) -> None:
        """Close the pipes, which also ends a child that still runs, and wait for it."""
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        child.wait()
        self._child = None
        self._paused = False


def serve(commands: IO[str], answers: IO[str]) -> None:
    """The child's side: do what is asked until there is nothing more to read."""
    host = ThreadHost()
    for line in commands:
        name, *arguments = json.loads(line)
        try:
            value = getattr(host, name)(*arguments)
            answer = {"value": [host.endpoints, host.metrics_address] if name == "start" else value}
        except (MillraceError, RuntimeError, OSError, ValueError) as error:
            answer = {"error": str(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if name == "stop":
            return


def _main() -> None:
    config = BrokerConfig()
    logs.set_up(config.text("millrace.log.format"), "warning")
    serve(sys.stdin, sys.stdout)
    os._exit(0)  # whatever still runs when the parent is gone ends here


if __name__ == "__main__":
    _main()
