"""One node: a broker assembled on the real disk, clock, network and loop, started and stopped in order."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import logging
import os
import random
import socket
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from millrace.base.config import BrokerConfig
from millrace.base.errors import MillraceError, Refused
from millrace.base.limits import PRODUCE_IN_FLIGHT_MAX, RECEIVE_BUFFER_BYTES
from millrace.base.listeners import PROTOCOLS
from millrace.base.ports import Ticket
from millrace.broker import boot
from millrace.broker.api import Authorizer
from millrace.broker.apis import APIS
from millrace.broker.broker import Broker
from millrace.broker.compaction import Compaction
from millrace.broker.router import Peer, Router
from millrace.broker.upkeep import Upkeep
from millrace.kafka.connection import KafkaConnection
from millrace.runtime.cleaning import CleanerProcess
from millrace.runtime.clock import SystemClock
from millrace.runtime.disk import RealDisk
from millrace.runtime.net import FrameBudget, Listener, raise_descriptor_limit
from millrace.runtime.root import EmbeddedRoot
from millrace.storage.folder import LogFolder

log = logging.getLogger("millrace.node")

FORMAT_VERSION = 1
PROPERTIES_FILE = "millrace.properties"
LOCK_FILE = ".lock"
STALL_TICK_S = 0.1
STALL_LOG_US = 100_000


class Node:
    """See the module. After ``start`` it serves; ``endpoints`` says where."""

    def __init__(
        self,
        config: BrokerConfig,
        *,
        authorizer: Authorizer | None = None,
        make_disk: Callable[..., RealDisk] = RealDisk,
    ) -> None:
        """``make_disk`` may give disks that can be made to fail, for tests of users."""
        self.config = config
        self._make_disk = make_disk
        self.clock = SystemClock()
        self.broker: Broker = None  # type: ignore[assignment]  # made by start
        self.router: Router = None  # type: ignore[assignment]
        self.listeners: list[Listener] = []
        self.disks: list[RealDisk] = []
        self.on_crash: Callable[[BaseException], None] | None = None
        self._authorizer = authorizer
        self._locks: list[int] = []
        self._root_disk: RealDisk | None = None
        self._loop: asyncio.AbstractEventLoop = None  # type: ignore[assignment]
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        self._upkeep: Upkeep | None = None
        self.compaction: Compaction | None = None
        self._shared = memoryview(bytearray(RECEIVE_BUFFER_BYTES))
        self.budget = FrameBudget(config.integer("queued.max.request.bytes"))

    # -- start -------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Lock, load, recover, listen. Raises Refused or StorageFault; then nothing is left open."""
        self._loop = asyncio.get_running_loop()
        raise_descriptor_limit()
        try:
            await self._start()
        except BaseException:
            await self._release()
            raise

    async def _start(self) -> None:
        config = self.config
        node_id = config.integer("node.id")
        folders = [os.path.abspath(each) for each in config.log_dirs()]
        for each in folders:
            self._lock(each)
            _check_format(each)
            _make_durable_folders(each, ["root", f"broker-{node_id}"] if each == folders[0] else [f"broker-{node_id}"])
        self._root_disk = self._make_disk(os.path.join(folders[0], "root"), post=self._post)
        self.disks = [self._make_disk(os.path.join(each, f"broker-{node_id}"), post=self._post) for each in folders]
        logs = [LogFolder(disk) for disk in self.disks]
        cluster_id = next((each.cluster_id for each in logs if each.cluster_id), None) or _new_cluster_id()
        for folder in logs:
            await self._wait(folder.identify(node_id, cluster_id, uuid.uuid4().bytes))
        self.broker = Broker(
            config,
            node_id=node_id,
            cluster_id=cluster_id,
            clock=self.clock,
            random=random.SystemRandom(),
            defer=self._defer,
            folders=logs,
            root=EmbeddedRoot(self._root_disk),
            alarm=self._alarm,
        )
        self.router = Router(self.broker, APIS, self._authorizer)
        self.broker.api_versions = self.router.versions
        await self._run_steps(boot.start(self.broker))
        await self._listen()
        self._upkeep = Upkeep(self.broker)
        self._upkeep.start()
        self.compaction = Compaction(self.broker, CleanerProcess(self._post))
        self.compaction.start()
        self.broker.is_serving = True
        self._watch_stalls(self.clock.mono_us())

    def _lock(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        descriptor = os.open(os.path.join(folder, LOCK_FILE), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise Refused(0, f"{folder} is in use by the process with pid {holder}") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._locks.append(descriptor)

    async def _listen(self) -> None:
        config = self.config
        registered = []
        for each in config.listeners():
            listener = Listener(
                each.name,
                self._session,
                connections_max=lambda: self.broker.config.integer("max.connections"),
                connections_per_ip_max=lambda host: self.broker.config.connections_per_ip_max(host),
                socket_buffers=(
                    self._if_set("socket.send.buffer.bytes"),
                    self._if_set("socket.receive.buffer.bytes"),
                ),
                idle_ms_max=config.integer("connections.max.idle.ms"),
            )
            try:
                await listener.open(each.host, each.port)
            except OSError as error:
                raise Refused(0, f"cannot listen on {each.name}://{each.host}:{each.port}: {error.strerror}") from None
            self.listeners.append(listener)
            host = each.advertised_host or _own_name()
            port = each.advertised_port or listener.port
            registered.append((each.name, host, port, PROTOCOLS.index(each.protocol)))
        rack = config.text("broker.rack") or None
        await self._run_steps(boot.register(self.broker, registered, rack, uuid.uuid4().bytes))

    def _if_set(self, name: str) -> int:
        """Kafka's default of 100 KiB would halve what a reader gets; the kernel's own choice grows with the need."""
        return self.config.integer(name) if self.config.is_set(name) else -1

    def _session(self, listener: str, host: str) -> KafkaConnection:
        connection = KafkaConnection(
            self.router.dispatch,
            self.router.versions,
            self._shared,
            self.budget,
            request_bytes_max=self.config.integer("socket.request.max.bytes"),
            produce_in_flight_max=PRODUCE_IN_FLIGHT_MAX,
        )
        connection.context = Peer(listener, host)
        return connection

    # -- stop --------------------------------------------------------------------------------------------------------

    async def stop(self) -> None:
        """A controlled shutdown: no new connections, everything flushed, folders marked clean."""
        for listener in self.listeners:
            listener.stop_accepting()
        self._stop_upkeep()
        for listener in self.listeners:
            listener.close_links()
        if self.broker is not None:
            await self._run_steps(boot.stop(self.broker))
        await self._release()

    def _stop_upkeep(self) -> None:
        if self._upkeep is not None:
            self._upkeep.stop()
        if self.compaction is not None:
            self.compaction.stop()

    async def abandon(self) -> None:
        """End as ``kill -9`` does: nothing is flushed, closed or marked; only what the process holds is given back."""
        self._stop_upkeep()
        await self._release()

    async def _release(self) -> None:
        for listener in self.listeners:
            listener.stop_accepting()
            listener.close_links()
        for timer in (self._timer, self._stall_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._stall_timer = None
        for disk in [*self.disks, *([self._root_disk] if self._root_disk else [])]:
            await self._loop.run_in_executor(None, disk.close)
        for descriptor in self._locks:
            os.close(descriptor)
        self._locks = []

    # -- the loop ----------------------------------------------------------------------------------------------------

    def _post(self, callback: Callable[[], None]) -> None:
        """From any thread: run it on the loop."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._guarded, callback)

    def _defer(self, callback: Callable[[], None]) -> None:
        self._loop.call_soon(self._guarded, callback)

    def _guarded(self, callback: Callable[[], None]) -> None:
        """A bug of ours ends the process: recovery is the tested path, going on with broken state is not."""
        try:
            callback()
        except AssertionError as error:
            log.critical("a bug in millrace", exc_info=error)
            if self.on_crash is None:
                raise
            self.on_crash(error)

    async def _wait(self, ticket: Ticket[Any]) -> Any:
        if not ticket.done:
            future: asyncio.Future[None] = self._loop.create_future()

            def arrived(_: Ticket[Any]) -> None:
                if not future.done():
                    future.set_result(None)

            ticket.then(arrived)
            await future
        return ticket.result()

    async def _run_steps(self, steps: Iterable[Ticket[Any]]) -> None:
        for ticket in steps:
            try:
                await self._wait(ticket)
            except MillraceError:
                continue  # whoever yielded it looks at it

    def _alarm(self, deadline_ms: int) -> None:
        """There is a deadline; set the timer if it is the next one."""
        if self._timer_ms is not None and self._timer_ms <= deadline_ms:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_ms = deadline_ms
        delay_s = max(deadline_ms - self.clock.mono_ms(), 0) / 1000
        self._timer = self._loop.call_later(delay_s, self._guarded, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._timer_ms = None
        self.broker.expire()
        deadline_ms = self.broker.next_deadline()
        if deadline_ms is not None:
            self._alarm(deadline_ms)

    def advance(self, ms: int) -> None:
        """For tests of users: the clocks jump ahead, what is due by then happens."""
        self.clock.advance(ms)
        self._on_timer()

    def _watch_stalls(self, expected_us: int) -> None:
        """How late the loop runs what is due; over 100 ms it is a log line."""
        counters = self.broker.counters
        now_us = self.clock.mono_us()
        stall_us = now_us - expected_us
        if stall_us > counters.loop_stall_us_max:
            counters.loop_stall_us_max = stall_us
        if stall_us > STALL_LOG_US:
            counters.loop_stalls += 1
            log.warning("the loop stood still for %d ms", stall_us // 1000)
        due_us = now_us + int(STALL_TICK_S * 1e6)
        self._stall_timer = self._loop.call_later(STALL_TICK_S, self._watch_stalls, due_us)

    @property
    def endpoints(self) -> list[str]:
        """What was bound, as ``PLAINTEXT://127.0.0.1:9092``."""
        return [
            f"{each.name}://{f'[{each.host}]' if ':' in each.host else each.host}:{each.port}"
            for each in self.listeners
        ]


def _own_name() -> str:
    return socket.gethostname()


def _new_cluster_id() -> str:
    """16 random bytes in URL-safe base64, as Kafka makes them: 22 characters, never with a leading '-'."""
    while (text := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return text


def _check_format(folder: str) -> None:
    """Refuse a folder that a newer version wrote; mark a new one with ours."""
    path = os.path.join(folder, PROPERTIES_FILE)
    try:
        with open(path, encoding="utf8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        with open(path + ".tmp", "w", encoding="utf8") as file:
            file.write(f"format.version={FORMAT_VERSION}\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".tmp", path)
        _sync_folder(folder)
        _sync_folder(os.path.dirname(folder))
        return
    version = next((line.partition("=")[2].strip() for line in lines if line.startswith("format.version=")), "")
    if not version.isdigit():
        raise Refused(0, f"{path} names no format.version")
    if int(version) > FORMAT_VERSION:
        raise Refused(
            0, f"{folder} has format version {version}, this millrace reads up to {FORMAT_VERSION}: use a newer one"
        )


def _make_durable_folders(folder: str, names: list[str]) -> None:
    """The folders of the disks: what is acknowledged in them must not vanish with them in a power cut."""
    missing = [name for name in names if not os.path.isdir(os.path.join(folder, name))]
    for name in missing:
        os.mkdir(os.path.join(folder, name))
    if missing:
        _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
