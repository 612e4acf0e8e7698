"""The simulated world: one seed gives time, chance, a disk, a network and a broker that is the real one but for these.

Nothing here runs by itself: :class:`World` keeps a queue of events in virtual time and runs one after another; what a
broker defers runs at the end of the event. The same seed gives the same trace, whose hash is compared in tests. Faults
(crashes that lose unsynced writes, torn writes, cut connections, slow disks, full disks) come from the same seed.
"""

from __future__ import annotations

import hashlib
import heapq
import random
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from millrace.base.config import BrokerConfig
from millrace.base.errors import MillraceError
from millrace.base.limits import PRODUCE_IN_FLIGHT_MAX, RECEIVE_BUFFER_BYTES
from millrace.base.ports import Ticket
from millrace.broker import boot
from millrace.broker.apis import APIS
from millrace.broker.broker import Broker
from millrace.broker.compaction import Compaction
from millrace.broker.router import Peer, Router
from millrace.broker.upkeep import Upkeep
from millrace.kafka.connection import KafkaConnection
from millrace.runtime.root import EmbeddedRoot
from millrace.storage.file_slice import FileSlice
from millrace.storage.folder import LogFolder
from millrace.testing.simulated_cleaner import SimulatedCleaner
from millrace.testing.simulated_disk import SimulatedDisk

WALL_BASE_MS = 1_700_000_000_000
NETWORK_DELAY_US = (50, 2_000)
PIECE_BYTES = 16 * 1024


class World:
    """Virtual time and the queue of events; see the module."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.now_us = 0
        self.events = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._sequence = 0
        self._deferred: deque[Callable[[], None]] = deque()
        self._hash = hashlib.blake2b(digest_size=16)
        self.checks: list[Callable[[], None]] = []  # run after every event

    def after(self, delay_us: int, action: Callable[[], None]) -> None:
        self._sequence += 1
        heapq.heappush(self._queue, (self.now_us + max(delay_us, 0), self._sequence, action))

    def defer(self, action: Callable[[], None]) -> None:
        """Run at the end of this event, as a loop does with what is called soon."""
        self._deferred.append(action)

    def step(self) -> bool:
        """Run the next event; false when there is none."""
        if not self._queue:
            return False
        self.now_us, _, action = heapq.heappop(self._queue)
        self.events += 1
        action()
        while self._deferred:
            self._deferred.popleft()()
        for check in self.checks:
            check()
        return True

    def run_until(self, us: int) -> None:
        while self._queue and self._queue[0][0] <= us:
            self.step()
        self.now_us = max(self.now_us, us)

    def note(self, *what: object) -> None:
        """Part of the trace: what happened, when. No object addresses, no hashes of strings."""
        self._hash.update(f"{self.now_us} {' '.join(map(str, what))}\n".encode())

    @property
    def trace_hash(self) -> str:
        return self._hash.hexdigest()

    # -- the clock port ----------------------------------------------------------------------------------------------

    def wall_ms(self) -> int:
        return WALL_BASE_MS + self.now_us // 1000

    def mono_ms(self) -> int:
        return self.now_us // 1000

    def mono_us(self) -> int:
        return self.now_us


class Unlimited:
    """A frame budget that never says no."""

    def take(self, owner: object, count: int) -> bool:
        return True

    def give(self, owner: object, count: int) -> None: ...


class SimulatedNode:
    """A broker on simulated ports, which may crash and start again on what its disk then holds."""

    def __init__(self, world: World, settings: dict[str, str], plant: Callable[[Broker], None] | None = None) -> None:
        """``plant`` is called with every broker that was made: a test plants a bug to see that it is found."""
        self.world = world
        self.settings = settings
        cold_chance = world.random.choice((0.0, 0.0, 0.2))
        self.disk = SimulatedDisk(world.random, after=self._complete_later, cold_chance=cold_chance)
        self.root_disk = SimulatedDisk(world.random, after=self._complete_later)
        self.slow_until_us = 0
        self.broker: Broker | None = None
        self.router: Router | None = None
        self.is_up = False
        self.starts = 0
        self.refused_starts = 0
        self.connections: dict[Link, None] = {}
        self.plant = plant
        self.on_sent: Callable[[], None] | None = None
        self._generation = 0
        self._upkeep: Upkeep | None = None
        self._compaction: Compaction | None = None
        self._eager_bytes = world.random.choice((500, 2_000, 20_000))
        self.cleanings = 0

    def _complete_later(self, delay_us: int, completion: Callable[[], None]) -> None:
        """A disk's operation takes its time, more of it while the disk is slow."""
        slower = self.world.random.randint(1, 100) if self.world.now_us < self.slow_until_us else 1
        self.world.after(delay_us * slower, completion)

    def fill_disk(self, room_bytes: int | None) -> None:
        """Leave so much room on the disk; None: as much as anyone wants."""
        self.disk.capacity_bytes = None if room_bytes is None else self.disk.used_bytes() + room_bytes

    def start(self) -> None:
        """Boot on the disk as it is; ``is_up`` when it serves."""
        self._generation += 1
        generation = self._generation
        self.starts += 1
        world = self.world
        folder = LogFolder(self.disk)
        self._drive(folder.identify(1, "simulated-cluster-0000", b"\x01" * 16), generation)
        broker = self.broker = Broker(
            BrokerConfig(self.settings),
            node_id=1,
            cluster_id="simulated-cluster-0000",
            clock=world,
            random=world.random,
            defer=lambda action: world.defer(lambda: self._if_alive(generation, action)),
            folders=[folder],
            root=EmbeddedRoot(self.root_disk),
            alarm=lambda deadline_ms: self._alarm(generation, deadline_ms),
        )
        if self.plant is not None:
            self.plant(broker)
        self.router = Router(broker, APIS)
        self.router.is_strict = True
        broker.api_versions = self.router.versions
        world.note("start", self.starts)
        self._run_steps(self._boot(broker), generation, self._serve)

    @staticmethod
    def _boot(broker: Broker) -> Generator[Ticket[Any], None, None]:
        yield from boot.start(broker)
        yield from boot.register(broker, [("PLAINTEXT", "simulated", 9092, 0)], None, b"\x02" * 16)

    def _drive(self, ticket: Ticket[Any], generation: int) -> None:
        ticket.then(lambda _: None)

    def _serve(self) -> None:
        assert self.broker is not None
        self.is_up = True
        self.broker.is_serving = True
        self._upkeep = Upkeep(self.broker)
        self._upkeep.start()
        cleaner = SimulatedCleaner(self.world.after, self.world.random)
        self._compaction = Compaction(self.broker, cleaner, eager_bytes=self._eager_bytes)
        self._compaction.start()
        self.world.note("serving", self.starts)

    def _run_steps(self, steps: Any, generation: int, finished: Callable[[], None]) -> None:
        """Run boot or shutdown steps, each when the ticket before it is done."""

        def go_on(_: Any = None) -> None:
            if generation != self._generation:
                return
            while True:
                try:
                    ticket = next(steps)
                except StopIteration:
                    finished()
                    return
                except MillraceError as error:
                    self.world.note("start refused", error)
                    self.refused_starts += 1
                    self.crash()
                    return
                if not ticket.done:
                    ticket.then(go_on)
                    return

        go_on()

    def _if_alive(self, generation: int, action: Callable[[], None]) -> None:
        if generation == self._generation:
            action()

    def _alarm(self, generation: int, deadline_ms: int) -> None:
        def ring() -> None:
            if generation == self._generation and self.broker is not None:
                self.broker.expire()

        self.world.after(deadline_ms * 1000 - self.world.now_us, ring)

    def crash(self, *, power: bool = True) -> None:
        """Lose the process; with ``power`` also what was not synced, wholly or in part."""
        self._generation += 1
        self.is_up = False
        if self._compaction is not None:
            self.cleanings += self._compaction.cleanings
            self._compaction = None
        self.broker = None
        self.router = None
        self.world.note("crash", power)
        for link in list(self.connections):
            link.cut()
        self.disk = self.disk.crash(power=power)
        self.root_disk = self.root_disk.crash(power=power)

    def stop(self, finished: Callable[[], None]) -> None:
        """A controlled shutdown."""
        assert self.broker is not None
        self.is_up = False
        for link in list(self.connections):
            link.cut()
        assert self._upkeep is not None
        self._upkeep.stop()
        assert self._compaction is not None
        self._compaction.stop()
        self._run_steps(boot.stop(self.broker), self._generation, finished)

    def connect(self, client: Any) -> Link | None:
        """A new connection of ``client``, or None when nobody listens."""
        if not self.is_up or self.router is None or self.broker is None:
            return None
        connection = KafkaConnection(
            self.router.dispatch,
            self.router.versions,
            memoryview(bytearray(RECEIVE_BUFFER_BYTES)),
            Unlimited(),
            request_bytes_max=1 << 24,
            produce_in_flight_max=PRODUCE_IN_FLIGHT_MAX,
        )
        connection.context = Peer("PLAINTEXT", "10.0.0.1")
        link = Link(self, connection, client)
        self.connections[link] = None
        connection.on_open(link)
        return link


class Link:
    """One simulated connection: bytes arrive in order, after a while, in pieces, until it is cut."""

    def __init__(self, node: SimulatedNode, connection: KafkaConnection, client: Any) -> None:
        self._node = node
        self._world = node.world
        self._connection = connection
        self._client = client
        self._to_broker: deque[bytes] = deque()
        self._to_client: deque[Any] = deque()
        self._is_reading = False
        self._is_paused = False
        self._broker_time_us = 0
        self._client_time_us = 0
        self.is_open = True
        self._keeps_sent = False

    # -- the client's side -------------------------------------------------------------------------------------------

    def write(self, content: bytes) -> None:
        """Bytes from the client, cut in pieces that arrive one after another."""
        rng = self._world.random
        while content:
            size = rng.randint(1, max(len(content), 1)) if rng.random() < 0.3 else len(content)
            piece, content = content[:size], content[size:]
            self._broker_time_us = max(self._broker_time_us, self._world.now_us) + rng.randint(*NETWORK_DELAY_US)
            self._world.after(
                self._broker_time_us - self._world.now_us,
                lambda piece=piece: self._arrive(piece),  # type: ignore[misc]
            )

    def _arrive(self, piece: bytes) -> None:
        if not self.is_open:
            return
        self._to_broker.append(piece)
        self._feed()

    def _feed(self) -> None:
        while self._to_broker and not self._is_paused and self.is_open:
            piece = self._to_broker.popleft()
            buffer = self._connection.buffer()
            count = min(len(buffer), len(piece))
            buffer[:count] = piece[:count]
            if count < len(piece):
                self._to_broker.appendleft(piece[count:])
            self._connection.on_bytes(count)

    # -- the connection's side ---------------------------------------------------------------------------------------

    def send(self, buffers: list[Any], slices: bool) -> None:
        self._to_client.extend(buffers)
        self._drain()
        if self._node.on_sent is not None:
            self._node.on_sent()

    def _drain(self) -> None:
        while self._to_client and not self._is_reading and self.is_open:
            first = self._to_client[0]
            if not isinstance(first, FileSlice):
                self._deliver(bytes(self._to_client.popleft()))
                continue
            try:
                piece = first.next_piece(PIECE_BYTES)
            except MillraceError:
                self.cut()
                return
            if isinstance(piece, Ticket):
                self._is_reading = True
                piece.then(self._on_piece)
                return
            self._take(first, piece)

    def _on_piece(self, ticket: Ticket[bytes]) -> None:
        self._is_reading = False
        if not self.is_open:
            return
        if ticket.error is not None:
            self.cut()
            return
        self._take(self._to_client[0], ticket.result())
        self._drain()

    def _take(self, slice_: FileSlice, piece: bytes) -> None:
        assert piece, f"{slice_!r} ends inside what was promised"
        self._deliver(bytes(piece))
        slice_.advance(len(piece))
        if not len(slice_):
            self._to_client.popleft()
            slice_.release()

    def _deliver(self, content: bytes) -> None:
        self._client_time_us = max(self._client_time_us, self._world.now_us) + self._world.random.randint(
            *NETWORK_DELAY_US
        )

        def arrive() -> None:
            if self.is_open or self._keeps_sent:
                self._client.on_bytes(self, content)

        self._world.after(self._client_time_us - self._world.now_us, arrive)

    def pause(self) -> None:
        self._is_paused = True

    def resume(self) -> None:
        self._is_paused = False
        self._world.defer(self._feed)

    def close(self, reason: str) -> None:
        self._world.note("closed", reason)
        self.cut()

    def cut(self) -> None:
        """The connection breaks: both sides notice, what was under way is lost."""
        if not self.is_open:
            return
        self.is_open = False
        # What was sent may still arrive, although its sender is gone: then it must be true.
        self._keeps_sent = self._world.random.random() < 0.5
        self._node.connections.pop(self, None)
        for each in self._to_client:
            if isinstance(each, FileSlice):
                each.release()
        self._connection.on_lost()
        gone_us = max(self._client_time_us - self._world.now_us, 0) + self._world.random.randint(*NETWORK_DELAY_US)
        self._world.after(gone_us, lambda: self._client.on_cut(self))
