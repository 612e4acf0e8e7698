"""The network: listeners, and links that carry bytes between sockets and sessions.

This room knows only *sessions* (what Kafka's connection, and later AMQP's and ZooKeeper's, have in common): where the
next bytes go, that they came, that the peer left. It writes buffers and file slices in order and stops reading from
who does not read.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from millrace.base.errors import MillraceError, StorageFault
from millrace.base.limits import (
    LINK_WRITE_BYTES_HIGH,
    LINK_WRITE_BYTES_LOW,
    SENDFILE_BYTES,
    SLICE_PIECE_BYTES,
)
from millrace.base.ports import Buffer, Ticket
from millrace.storage.file_slice import FileSlice

log = logging.getLogger("millrace.net")

IDLE_TICKS = 10  # how many looks at the clock make up the time after which a silent connection is closed
MSG_MORE = getattr(socket, "MSG_MORE", 0)
GONE = (errno.EPIPE, errno.ECONNRESET, errno.EBADF)


class Session(Protocol):
    """One peer's side of a protocol, without I/O."""

    def on_open(self, link: Any) -> None: ...

    def buffer(self) -> memoryview: ...

    def on_bytes(self, count: int) -> None: ...

    def on_eof(self) -> None: ...

    def on_writable(self, writable: bool) -> None: ...

    def on_lost(self) -> None: ...

    @property
    def is_busy(self) -> bool: ...


class Link(asyncio.BufferedProtocol):
    """One socket: the transport's protocol on one side, a session's link on the other."""

    __slots__ = (
        "_closing",
        "_descriptor",
        "_queue",
        "_ready",
        "_session",
        "_transport",
        "_used_tick",
        "_waits_for_slice",
        "_writable",
        "listener",
        "peer",
    )

    def __init__(self, session: Session, listener: Listener) -> None:
        self._session = session
        self.listener = listener
        self.peer = "?"
        self._transport: asyncio.Transport | None = None
        self._queue: deque[Any] = deque()  # buffers and slices that wait for the transport to drain
        self._writable = True
        self._waits_for_slice = False
        self._closing = False
        self._used_tick = listener.tick
        self._descriptor = -1  # of the socket, for what goes around the transport

    # -- asyncio's side ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self._transport = transport  # type: ignore[assignment]
        peer = transport.get_extra_info("peername")
        if transport.get_extra_info("sslcontext") is None and hasattr(os, "sendfile"):
            self._descriptor = transport.get_extra_info("socket").fileno()
        self.peer = f"{peer[0]}:{peer[1]}" if peer else "?"
        self._transport.set_write_buffer_limits(high=LINK_WRITE_BYTES_HIGH, low=LINK_WRITE_BYTES_LOW)  # type: ignore[union-attr]
        if not self.listener.on_link_made(self, peer[0] if peer else ""):
            self._closing = True
            transport.abort()  # type: ignore[attr-defined]
            return
        self._session.on_open(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._session.buffer()

    def buffer_updated(self, count: int) -> None:
        self._used_tick = self.listener.tick
        self.listener.bytes_in += count
        self._session.on_bytes(count)

    def eof_received(self) -> bool:
        self._session.on_eof()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        self._descriptor = -1
        self.listener.on_link_lost(self)
        self._release_queue()
        self._session.on_lost()

    def pause_writing(self) -> None:
        self._writable = False
        self._session.on_writable(False)

    def resume_writing(self) -> None:
        self._writable = True
        self._drain()
        if self._writable and not self._queue:
            self._session.on_writable(True)

    # -- the session's side ------------------------------------------------------------------------------------------

    def send(self, buffers: list[Any], slices: bool) -> None:
        if self._closing or self._transport is None:
            self._release(buffers)
            return
        if not slices and not self._queue:
            if len(buffers) == 1:
                self.listener.bytes_out += len(buffers[0])
                self._transport.write(buffers[0])
            else:
                self.listener.bytes_out += sum(map(len, buffers))
                self._transport.writelines(buffers)
            return
        plain: list[Any] = []
        for each in buffers:  # what stands between two slices goes out in one piece
            if isinstance(each, FileSlice):
                if plain:
                    self._queue.append(b"".join(plain))
                    plain = []
                self._queue.append(each)
            else:
                plain.append(each)
        if plain:
            self._queue.append(b"".join(plain))
        self._drain()

    def pause(self) -> None:
        if self._transport is not None and not self._closing:
            self._transport.pause_reading()

    def resume(self) -> None:
        if self._transport is not None and not self._closing:
            self._transport.resume_reading()

    def close(self, reason: str) -> None:
        if self._closing or self._transport is None:
            return
        self._closing = True
        if reason:
            self.listener.on_refused(self, reason)
            self._transport.abort()
        else:
            self._transport.close()

    def is_idle(self) -> bool:
        """Nothing came for the whole of ``connections.max.idle.ms``, and nobody waits for an answer."""
        return self.listener.tick - self._used_tick > IDLE_TICKS and not self._session.is_busy and not self._queue

    # -- slices ------------------------------------------------------------------------------------------------------

    def _drain(self) -> None:
        """Write what is queued while the peer takes it; slices in pieces, so that memory stays bounded."""
        transport, queue = self._transport, self._queue
        assert transport is not None
        while queue and self._writable and not self._waits_for_slice and not self._closing:
            first = queue[0]
            if self._descriptor >= 0 and not transport.get_write_buffer_size():
                if not self._send_directly():
                    return
                continue
            if not isinstance(first, FileSlice):
                self.listener.bytes_out += len(first)
                transport.write(queue.popleft())
                continue
            if not self._send_read(first):
                return

    def _send_directly(self) -> bool:
        """Send the first of the queue around the transport, which has nothing to send itself: a slice's bytes go from
        the page cache to the socket and are never in this process. False when it must go on later."""
        first = self._queue[0]
        try:
            if not isinstance(first, FileSlice):
                # What follows is a slice, or there would be no direct way: the peer is woken when that is there.
                sent = _send(self._descriptor, first, MSG_MORE if len(self._queue) > 1 else 0)
                self.listener.bytes_out += sent
                if sent == len(first):
                    self._queue.popleft()
                else:
                    self._queue[0] = memoryview(first)[sent:]
                return True
            send_to = getattr(first.file, "send_to", None)
            if first.is_cut or send_to is None:
                return self._send_read(first)
            sent = send_to(self._descriptor, first.position, min(len(first), SENDFILE_BYTES))
        except BlockingIOError:
            self._wait_for_socket()
            return False
        except StorageFault as fault:
            self._fail(fault)
            return False
        except OSError as error:  # the peer is gone: the transport will notice, too
            self.close(f"cannot send: {error.strerror}" if error.errno not in GONE else "")
            return False
        if not sent:
            return self._send_read(first)
        self.listener.bytes_out += sent
        first.advance(sent)
        if not len(first):
            self._queue.popleft()
            first.release()
        return True

    def _send_read(self, first: FileSlice) -> bool:
        """A piece of the slice by way of this process: it is cold, and read by the disk's threads."""
        try:
            piece = first.next_piece(SLICE_PIECE_BYTES)
        except StorageFault as fault:
            self._fail(fault)
            return False
        if isinstance(piece, Ticket):
            self._waits_for_slice = True
            piece.then(self._on_piece)
            return False
        self._write_piece(first, piece)
        return True

    def _wait_for_socket(self) -> None:
        """The socket takes no more: go on when it does. The loop minds a descriptor of the transport's only, so it is
        asked to mind a duplicate."""
        self._writable = False
        self._session.on_writable(False)
        duplicate = os.dup(self._descriptor)
        loop = asyncio.get_running_loop()

        def go_on() -> None:
            loop.remove_writer(duplicate)
            os.close(duplicate)
            if not self._closing:
                self.resume_writing()

        loop.add_writer(duplicate, go_on)

    def _on_piece(self, ticket: Ticket[bytes]) -> None:
        self._waits_for_slice = False
        if self._closing or not self._queue:
            return
        if ticket.error is not None:
            self._fail(ticket.error)
            return
        self._write_piece(self._queue[0], ticket.result())
        self._drain()
        if self._writable and not self._queue:
            self._session.on_writable(True)

    def _write_piece(self, slice_: FileSlice, piece: bytes) -> None:
        assert self._transport is not None
        if not piece:
            self._fail(MillraceError(f"{slice_.path}: the file ends inside a slice that was promised"))
            return
        self.listener.bytes_out += len(piece)
        self._transport.write(piece)
        slice_.advance(len(piece))
        if not len(slice_):
            self._queue.popleft()
            slice_.release()

    def _fail(self, error: MillraceError) -> None:
        """The answer's length was sent already: what cannot be read can only end the connection."""
        self.close(f"a response could not be read from disk: {error}")

    def _release_queue(self) -> None:
        queue, self._queue = list(self._queue), deque()
        self._release(queue)

    @staticmethod
    def _release(buffers: list[Any]) -> None:
        for each in buffers:
            if isinstance(each, FileSlice):
                each.release()


def _send(descriptor: int, buffer: Buffer, flags: int) -> int:
    """``send`` on a descriptor that another owns. A socket object that was kept would close it when it is collected,
    and its number may mean another file by then."""
    borrowed = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, descriptor)
    try:
        return borrowed.send(buffer, flags)
    finally:
        borrowed.detach()


class Listener:
    """One address that is listened on: accepts within limits, counts what it refuses."""

    def __init__(
        self,
        name: str,
        session: Callable[[str, str], Session],
        *,
        connections_max: Callable[[], int],
        connections_per_ip_max: Callable[[str], int],
        socket_buffers: tuple[int, int] = (-1, -1),
        idle_ms_max: int = -1,
    ) -> None:
        """``session(listener name, peer host)`` makes the session of a new link; ``socket_buffers`` are the kernel's
        for sending and receiving, -1 for its own choice."""
        self.name = name
        self._session = session
        self._connections_max = connections_max
        self._connections_per_ip_max = connections_per_ip_max
        self._socket_buffers = socket_buffers
        self._idle_ms_max = idle_ms_max
        self._idle_timer: asyncio.TimerHandle | None = None
        self.tick = 0
        self.idle_closed = 0
        self.links: set[Link] = set()
        self._per_ip: dict[str, int] = {}
        self.bytes_in = 0
        self.bytes_out = 0
        self.refused_connections = 0
        self.refused_peers = 0
        self.accepted = 0
        self._server: asyncio.AbstractServer | None = None
        self.host = ""
        self.port = 0

    async def open(self, host: str, port: int) -> None:
        """Bind and listen; port 0 lets the system choose. IPv6 addresses are given without brackets."""
        loop = asyncio.get_running_loop()
        family = socket.AF_INET6 if ":" in host else socket.AF_UNSPEC
        self._server = await loop.create_server(
            self._make, host or None, port, family=family, backlog=1024, reuse_address=True
        )
        for each in self._server.sockets:  # what is accepted inherits these
            for option, size in zip((socket.SO_SNDBUF, socket.SO_RCVBUF), self._socket_buffers, strict=True):
                if size > 0:
                    each.setsockopt(socket.SOL_SOCKET, option, size)
        if self._idle_ms_max > 0:
            self._close_idle()
        bound = self._server.sockets[0].getsockname()
        self.host, self.port = host, bound[1]

    def _make(self) -> Link:
        return Link(_Unbound(self), self)

    def session_for(self, host: str) -> Session:
        return self._session(self.name, host)

    def _close_idle(self) -> None:
        self.tick += 1
        for link in [each for each in self.links if each.is_idle()]:
            self.idle_closed += 1
            link.close("")
        delay_s = max(self._idle_ms_max / IDLE_TICKS / 1000, 0.001)
        self._idle_timer = asyncio.get_running_loop().call_later(delay_s, self._close_idle)

    def stop_accepting(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if self._server is not None:
            self._server.close()

    def close_links(self) -> None:
        for link in list(self.links):
            link.close("")

    def on_link_made(self, link: Link, host: str) -> bool:
        count = self._per_ip.get(host, 0)
        if len(self.links) >= self._connections_max() or count >= self._connections_per_ip_max(host):
            self.refused_connections += 1
            if self.refused_connections & (self.refused_connections - 1) == 0:  # 1st, 2nd, 4th, 8th, ...
                log.warning(
                    "listener %s refused a connection of %s: %d open, %d of it (%d refused so far)",
                    self.name, host, len(self.links), count, self.refused_connections,
                )  # fmt: skip
            return False
        self.accepted += 1
        self.links.add(link)
        self._per_ip[host] = count + 1
        link._session = self.session_for(host)
        return True

    def on_link_lost(self, link: Link) -> None:
        if link not in self.links:
            return
        self.links.discard(link)
        host = link.peer.rpartition(":")[0]
        count = self._per_ip.get(host, 0) - 1
        if count > 0:
            self._per_ip[host] = count
        else:
            self._per_ip.pop(host, None)

    def on_refused(self, link: Link, reason: str) -> None:
        self.refused_peers += 1
        log.warning("connection of %s on %s closed: %s", link.peer, self.name, reason)


class _Unbound:
    """The session of a link that is not accepted yet, or was refused: it takes nothing."""

    def __init__(self, listener: Listener) -> None:
        self._buffer = memoryview(bytearray(1))

    def on_open(self, link: Any) -> None: ...

    def buffer(self) -> memoryview:
        return self._buffer

    def on_bytes(self, count: int) -> None: ...

    def on_eof(self) -> None: ...

    def on_writable(self, writable: bool) -> None: ...

    def on_lost(self) -> None: ...

    @property
    def is_busy(self) -> bool:
        return False


class FrameBudget:
    """The ceiling of all frame buffers together; the first in line may pass it, so that there is always progress."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max if bytes_max > 0 else 1 << 62
        self.used = 0
        self._line: dict[Any, None] = {}

    def take(self, owner: Any, count: int) -> bool:
        self.used += count
        if self.used <= self.bytes_max or next(iter(self._line), owner) is owner:
            if self.used > self.bytes_max:
                self._line[owner] = None
            return True
        self._line[owner] = None
        return False

    def give(self, owner: Any, count: int) -> None:
        self.used -= count
        was_first = next(iter(self._line), None) is owner
        self._line.pop(owner, None)
        if self.used <= self.bytes_max:
            waiting, self._line = list(self._line), {}
            for each in waiting:
                each.on_budget()
        elif was_first and self._line:
            next(iter(self._line)).on_budget()


def raise_descriptor_limit() -> None:
    """Use as many descriptors as the system lets us have."""
    if os.name != "posix":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
