"""A broker in a thread of this process: a loop of its own, driven from outside by calls that wait for their answer."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from millrace.base.config import BrokerConfig
from millrace.runtime import supervisor
from millrace.testing.faulty_disk import DiskSwitch, FaultyDisk

T = TypeVar("T")
ANSWER_S_MAX: Final = 60.0


class ThreadHost:
    """See the module."""

    def __init__(self) -> None:
        self.is_running = False
        self.endpoints: list[str] = []
        self.metrics_address = ""
        self.switch = DiskSwitch()
        self._loop: asyncio.AbstractEventLoop = None  # type: ignore[assignment]  # made by start
        self._service: supervisor.Service = None  # type: ignore[assignment]
        self._thread: threading.Thread | None = None
        self._resumed: threading.Event | None = None
        self._bug: BaseException | None = None

    # -- its life ----------------------------------------------------------------------------------------------------

    def start(self, settings: dict[str, str]) -> None:
        self._loop = supervisor.new_loop()
        self.switch.heal()
        self._bug = None
        self._service = supervisor.Service(BrokerConfig(settings), self._make_disk)
        supervisor.crash_on_bugs(self._service.node, self._loop, self._crash)
        self._thread = threading.Thread(target=self._run, name="millrace", daemon=True)
        self._thread.start()
        try:
            self._wait(self._service.start())
        except BaseException:
            self._end()
            raise
        self.endpoints = self._service.node.endpoints
        metrics = self._service.metrics
        self.metrics_address = metrics.address if metrics is not None else ""
        self.is_running = True

    def _make_disk(self, root: str, **options: Any) -> FaultyDisk:
        return FaultyDisk(root, switch=self.switch, **options)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def stop(self) -> None:
        self._check()
        try:
            self._wait(self._service.stop())
        finally:
            self._end()

    def kill(self) -> None:
        if not self.is_running:
            return
        self.resume()
        try:
            if self._bug is None:
                self._wait(self._service.abandon())
        finally:
            self._end()

    def _crash(self, error: BaseException) -> None:
        """A bug of ours: the node is left as it is and the loop ends; the next call tells the user."""
        self._bug = error
        self._loop.create_task(self._abandon())

    async def _abandon(self) -> None:
        try:
            await self._service.abandon()
        finally:
            self._loop.stop()

    def _end(self) -> None:
        self.is_running = False
        thread, self._thread = self._thread, None
        if thread is None:
            return
        if thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(ANSWER_S_MAX)

    # -- what can be done to it --------------------------------------------------------------------------------------

    def pause(self) -> None:
        self._check()
        if self._resumed is not None:
            return
        resumed = self._resumed = threading.Event()
        paused = threading.Event()

        def stand_still() -> None:
            paused.set()
            resumed.wait()

        self._loop.call_soon_threadsafe(stand_still)
        paused.wait(ANSWER_S_MAX)

    def resume(self) -> None:
        resumed, self._resumed = self._resumed, None
        if resumed is not None:
            resumed.set()

    def fail(self, api_key: int, code: int, times: int) -> None:
        self._call(lambda: self._service.node.router.faults.setdefault(api_key, []).extend([code] * times))

    def fail_disk(self, writes: int | None, full: bool) -> None:
        self._call(self.switch.heal if writes is None else lambda: self.switch.fail_after(writes, full=full))

    def advance(self, ms: int) -> None:
        self._call(lambda: self._service.node.advance(ms))

    # -- calls into the loop -----------------------------------------------------------------------------------------

    def _check(self) -> None:
        if self._bug is not None:
            raise RuntimeError("the broker ended on a bug in millrace") from self._bug
        if not self.is_running:
            raise RuntimeError("the broker is not running")

    def _call(self, work: Callable[[], T]) -> T:
        """``work()`` on the broker's loop; its result."""
        self._check()
        if self._resumed is not None:
            raise RuntimeError("the broker is paused")

        async def run() -> T:
            return work()

        return self._wait(run())

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(ANSWER_S_MAX)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise TimeoutError(f"the broker did not answer within {ANSWER_S_MAX:.0f} s") from self._bug
