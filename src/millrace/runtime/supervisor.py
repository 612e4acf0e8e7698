"""The life of a broker's process: start, say that it serves, wait for a signal, stop; or end at once on a bug of ours.

A bug (an ``AssertionError``, wherever in the loop it shows) ends the process with exit code 70 and no clean-up: what is
on disk is consistent at any moment, recovery is the tested path, going on with broken state is not.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Callable
from typing import Any, Final

from millrace.base.config import BrokerConfig
from millrace.base.errors import MillraceError, Refused
from millrace.runtime.disk import RealDisk
from millrace.runtime.metrics import MetricsServer
from millrace.runtime.node import Node

log = logging.getLogger("millrace.supervisor")

EXIT_STOPPED: Final = 0
EXIT_FAILED: Final = 1
EXIT_REFUSED: Final = 2
EXIT_BUG: Final = 70


def new_loop() -> asyncio.AbstractEventLoop:
    """uvloop's where it is installed, else the standard one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


class NotStarted(RuntimeError):
    """The broker did not come up; ``exit_code`` says whose fault it is, the message is fit for the user."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Service:
    """A node and the page of its numbers, if one is asked for."""

    def __init__(self, config: BrokerConfig, make_disk: Callable[..., RealDisk] = RealDisk) -> None:
        self.node = Node(config, make_disk=make_disk)
        self.metrics: MetricsServer | None = None

    async def start(self) -> None:
        """Bring it up; all that the outside can do wrong is :class:`NotStarted`."""
        try:
            address = self.node.config.text("millrace.metrics.listener")
            if address:
                self.metrics = MetricsServer(self.node)
                await self.metrics.open(address)
            await self.node.start()
        except Refused as refused:
            failure = NotStarted(str(refused), EXIT_REFUSED)
        except MillraceError as error:
            failure = NotStarted(str(error), EXIT_FAILED)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            failure = NotStarted(f"{where}{error.strerror or error}", EXIT_REFUSED)
        else:
            return
        self._close_metrics()
        raise failure

    async def stop(self) -> None:
        """A controlled shutdown. The page stays to its end, and says that the node is not ready."""
        await self.node.stop()
        self._close_metrics()

    async def abandon(self) -> None:
        """End as ``kill -9`` does."""
        self._close_metrics()
        await self.node.abandon()

    def _close_metrics(self) -> None:
        if self.metrics is not None:
            self.metrics.close()


def crash_on_bugs(node: Node, loop: asyncio.AbstractEventLoop, crash: Callable[[BaseException], None]) -> None:
    """``crash`` is called with every bug of ours that comes up in the loop; what else comes up is logged."""
    node.on_crash = crash

    def on_exception(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, AssertionError):
            log.critical("a bug in millrace: %s", context.get("message", ""), exc_info=error)
            crash(error)
            return
        if isinstance(error, ConnectionError | TimeoutError):
            return  # peers come and go
        log.error("%s", context.get("message", "an error in the event loop"), exc_info=error)

    loop.set_exception_handler(on_exception)


def run(config: BrokerConfig, on_ready: Callable[[list[str]], None]) -> int:
    """Serve until SIGTERM or SIGINT; the exit code. ``on_ready`` gets the endpoints. Raises NotStarted."""
    loop = new_loop()
    try:
        return loop.run_until_complete(_serve(config, on_ready, loop))
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _serve(config: BrokerConfig, on_ready: Callable[[list[str]], None], loop: asyncio.AbstractEventLoop) -> int:
    begun_s = loop.time()
    service = Service(config)
    crash_on_bugs(service.node, loop, _end_process)
    stopping = asyncio.Event()

    def on_signal(number: signal.Signals) -> None:
        if stopping.is_set():
            log.warning("%s again: ending at once", number.name)
            logging.shutdown()
            os._exit(128 + number)
        log.info("%s: stopping", number.name)
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)
    for notice in config.notices():
        log.info("%s", notice)
    await service.start()
    gc.collect()
    gc.freeze()  # what is there now stays: later collections need not look at it
    broker = service.node.broker
    log.info(
        "broker %d of cluster %s serves %d partitions after %.2f s",
        broker.node_id, broker.cluster_id, len(broker.partitions), loop.time() - begun_s,
    )  # fmt: skip
    on_ready(service.node.endpoints)
    await stopping.wait()
    await service.stop()
    log.info("stopped")
    return EXIT_STOPPED


def _end_process(error: BaseException) -> None:
    logging.shutdown()
    os._exit(EXIT_BUG)
