"""A real broker inside a user's program or test: ``with Broker() as broker: ... broker.bootstrap_servers``.

By default it lives in a thread with an event loop of its own and a temporary folder, installs no signal handlers, and
any number of them live side by side. ``Broker(process=True)`` is the same in a child process. Nothing is pretended: it
is the broker of ``millrace up``, with its disk, its flushes and its recovery; only two waits that make no sense in a
test are shorter (:data:`DEFAULTS`), unless ``config`` says otherwise.

What can be done to it, to see how a program takes it: ``restart()``, ``kill()`` (no clean-up, as kill -9), ``pause()``
and ``resume()`` (as SIGSTOP and SIGCONT), ``disk.fail_after(n)``, ``fail("Produce", "NOT_LEADER_OR_FOLLOWER")``, and in
the thread ``advance(ms)``: the broker's clocks jump.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Protocol

from millrace.base.config import BrokerConfig
from millrace.kafka import codes, messages
from millrace.testing.process_host import ProcessHost
from millrace.testing.thread_host import ThreadHost

DEFAULTS: Final = {
    "listeners": "PLAINTEXT://127.0.0.1:0",
    "group.initial.rebalance.delay.ms": "0",  # a group need not wait for members that no test has
    "offsets.topic.num.partitions": "4",  # 50 files more are only slower to make
}
NOT_STARTED: Final = "the broker is not running"


class Host(Protocol):
    """Where a broker runs: the thread of this process, or a child process."""

    endpoints: list[str]
    metrics_address: str

    @property
    def is_running(self) -> bool: ...

    def start(self, settings: dict[str, str]) -> None: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def fail(self, api_key: int, code: int, times: int) -> None: ...
    def fail_disk(self, writes: int | None, full: bool) -> None: ...
    def advance(self, ms: int) -> None: ...


class Disk:
    """The broker's disk, to make it fail."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def fail_after(self, writes: int, *, full: bool = False) -> None:
        """After so many more writes the disk fails each one, and each flush; ``full``: it has no room instead."""
        if writes < 0:
            raise ValueError(f"fail_after({writes}): expected 0 or more writes")
        self._host.fail_disk(writes, full)

    def heal(self) -> None:
        """Writes succeed again. A folder that went offline stays so until ``restart()``."""
        self._host.fail_disk(None, False)


class Broker:
    """See the module. It starts on entering ``with``, or by :meth:`start`."""

    def __init__(
        self,
        *,
        process: bool = False,
        data_dir: str | os.PathLike[str] | None = None,
        config: Mapping[str, object] | None = None,
    ) -> None:
        """``data_dir`` is kept when given, else temporary; ``config`` has the keys of ``millrace up``."""
        self._settings = {**DEFAULTS, **{name: _text(value) for name, value in (config or {}).items()}}
        if data_dir is not None:
            self._settings["log.dirs"] = os.fspath(data_dir)
        self._temporary = "log.dirs" not in self._settings and "log.dir" not in self._settings
        BrokerConfig(self._settings)  # a configuration that cannot be used is refused here, not in a thread
        if process:
            self._host: Host = ProcessHost()
        else:
            self._host = ThreadHost()
        self.disk = Disk(self._host)
        self._closer: weakref.finalize[..., Broker] | None = None

    def __repr__(self) -> str:
        return f"<Broker {' '.join(self.endpoints)}>" if self.is_running else "<Broker, not running>"

    # -- its life ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Broker:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Broker:
        """Start it, on the same folder and ports as before if it ran before."""
        if self.is_running:
            raise RuntimeError("the broker is running already")
        if self._temporary and "log.dirs" not in self._settings:
            self._settings["log.dirs"] = tempfile.mkdtemp(prefix="millrace-")
        if self._closer is None:
            folder = self._settings["log.dirs"] if self._temporary else None
            self._closer = weakref.finalize(self, _close, self._host, folder)
        self._host.start(self._settings)
        self._keep_ports()
        return self

    def stop(self) -> None:
        """A controlled shutdown. The data stays: :meth:`start` goes on where it was."""
        self._host.resume()
        self._host.stop()

    def kill(self) -> None:
        """End it with nothing flushed, closed or marked, as ``kill -9`` does."""
        self._host.kill()

    def restart(self) -> None:
        """Stop it if it runs, and start it on the same folder and ports."""
        if self.is_running:
            self.stop()
        self.start()

    def close(self) -> None:
        """Stop it and remove its temporary folder; it cannot be started again with the same data."""
        try:
            if self.is_running:
                self.stop()
        finally:
            if self._closer is not None:
                self._closer()
                self._closer = None
            if self._temporary:
                self._settings.pop("log.dirs", None)

    def pause(self) -> None:
        """It stands still, as after SIGSTOP: connections stay open, nothing is answered, no timer runs."""
        self._host.pause()

    def resume(self) -> None:
        self._host.resume()

    @property
    def is_running(self) -> bool:
        return self._host.is_running

    # -- where it is -------------------------------------------------------------------------------------------------

    @property
    def bootstrap_servers(self) -> str:
        """``127.0.0.1:PORT`` of its first listener, for any Kafka client."""
        return self.endpoints[0].partition("://")[2]

    @property
    def endpoints(self) -> list[str]:
        """What was bound, as ``PLAINTEXT://127.0.0.1:9092``."""
        if not self._host.endpoints:
            raise RuntimeError(NOT_STARTED)
        return self._host.endpoints

    @property
    def metrics_address(self) -> str:
        """``HOST:PORT`` of the page of its numbers; only if ``millrace.metrics.listener`` was configured."""
        if not self._host.metrics_address:
            raise RuntimeError("the broker is not running, or has no millrace.metrics.listener")
        return self._host.metrics_address

    @property
    def data_dir(self) -> str:
        """Its (first) data folder."""
        dirs = self._settings.get("log.dirs") or self._settings.get("log.dir")
        if dirs is None:
            raise RuntimeError(NOT_STARTED)
        return dirs.partition(",")[0]

    # -- what can be done to it --------------------------------------------------------------------------------------

    def fail(self, api: str | int, code: str | int, times: int = 1) -> None:
        """The next ``times`` requests of an API ("Produce", or its key) fail with ``code`` ("REQUEST_TIMED_OUT")."""
        if times < 1:
            raise ValueError(f"fail(times={times}): expected at least 1")
        self._host.fail(_api_key(api), _code(code), times)

    def advance(self, ms: int) -> None:
        """Its clocks jump ahead; what is due by then happens now. In the thread only."""
        if ms < 0:
            raise ValueError(f"advance({ms}): time does not run backwards")
        self._host.advance(ms)

    def _keep_ports(self) -> None:
        """A restart listens where the clients look for it."""
        if any(item.strip().endswith(":0") for item in self._settings["listeners"].split(",")):
            self._settings["listeners"] = ",".join(self._host.endpoints)


def _text(value: object) -> str:
    """A value as a file of settings would have it."""
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _api_key(api: str | int) -> int:
    for key in messages.API_KEYS:
        if api in (key, messages.api_name(key)):
            return key
    raise ValueError(f"there is no API {api!r}")


def _code(code: str | int) -> int:
    for each in codes.CODES.values():
        if code in (each.name, int(each)):
            return int(each)
    raise ValueError(f"there is no error code {code!r}")


def _close(host: Host, folder: str | None) -> None:
    """What is left to do when the program forgot the broker, or ends."""
    if host.is_running:
        host.kill()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
