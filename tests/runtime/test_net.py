"""Links on real sockets: slices of files reach a peer whole and in order, however slowly it reads."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.runtime.disk import RealDisk
from millrace.runtime.net import Link, Listener
from millrace.storage.file_slice import FileSlice
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig

LOOPS: list[Callable[[], asyncio.AbstractEventLoop]] = [asyncio.new_event_loop, uvloop.new_event_loop]


class Session:
    """Sends what it was given when a byte comes, and notes what it is told."""

    def __init__(self, buffers: list[Any]) -> None:
        self.buffers = buffers
        self.writable: list[bool] = []
        self.link: Link | None = None
        self.is_lost = asyncio.Event()
        self.is_busy = False
        self._room = memoryview(bytearray(16))

    def on_open(self, link: Link) -> None:
        self.link = link

    def buffer(self) -> memoryview:
        return self._room

    def on_bytes(self, count: int) -> None:
        assert self.link is not None
        self.link.send(self.buffers, True)

    def on_eof(self) -> None: ...

    def on_writable(self, writable: bool) -> None:
        self.writable.append(writable)

    def on_lost(self) -> None:
        self.is_lost.set()


def filled_log(folder: Path, post: Any) -> Log:
    """Some megabytes of one log."""
    disk = RealDisk(folder, post=post)
    log = Log.open(disk, "orders-0", PlainLogConfig(), now_ms=1)
    for index in range(40):
        log.append(Batch(build_batch([NewRecord(None, os.urandom(100_000 + index))], timestamp_ms=1)), 0, 1)
    return log


async def exchange(folder: Path, read: Callable[[socket.socket, int], Any]) -> tuple[Session, bytes, bytes]:
    """What was sent, and what ``read`` took of it."""
    loop = asyncio.get_running_loop()
    log = filled_log(folder, loop.call_soon_threadsafe)
    slices = [log.read(offset, 1 << 23, log.end, True) for offset in (0, 3)]
    assert all(isinstance(each, FileSlice) for each in slices)
    expected = b"head" + slices[0].read_now() + b"between" + slices[1].read_now() + b"tail"  # type: ignore[union-attr]
    session = Session([b"he", b"ad", slices[0], b"between", slices[1], b"tail"])
    listener = Listener(
        "PLAINTEXT", lambda name, host: session, connections_max=lambda: 9, connections_per_ip_max=lambda host: 9
    )
    await listener.open("127.0.0.1", 0)
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    peer.setblocking(False)
    await loop.sock_connect(peer, ("127.0.0.1", listener.port))
    await loop.sock_sendall(peer, b"x")
    received = await read(peer, len(expected))
    peer.close()
    await session.is_lost.wait()
    listener.stop_accepting()
    assert not log.segments[0].is_pinned
    return session, expected, received


@pytest.mark.parametrize("new_loop", LOOPS)
def test_slices_reach_a_slow_peer_whole_and_in_order(tmp_path: Path, new_loop: Any) -> None:
    async def read(peer: socket.socket, size: int) -> bytes:
        received = b""
        while len(received) < size:
            received += await asyncio.get_running_loop().sock_recv(peer, 5_000)
        return received

    loop = new_loop()
    try:
        session, expected, received = loop.run_until_complete(exchange(tmp_path, read))
    finally:
        loop.close()
    assert received == expected
    assert session.writable[-1] is True  # it was stopped by the peer that did not read, and went on
    assert False in session.writable


@pytest.mark.parametrize("new_loop", LOOPS)
def test_a_peer_that_leaves_in_the_middle_lets_go_of_the_segment(tmp_path: Path, new_loop: Any) -> None:
    async def read(peer: socket.socket, size: int) -> bytes:
        return await asyncio.get_running_loop().sock_recv(peer, 5_000)

    loop = new_loop()
    try:
        _, expected, received = loop.run_until_complete(exchange(tmp_path, read))
    finally:
        loop.close()
    assert expected.startswith(received)


@pytest.mark.parametrize("new_loop", LOOPS)
def test_connections_beyond_the_limit_are_refused_and_counted(new_loop: Any) -> None:
    async def run() -> Listener:
        loop = asyncio.get_running_loop()
        listener = Listener(
            "PLAINTEXT",
            lambda name, host: Session([]),
            connections_max=lambda: 1,
            connections_per_ip_max=lambda host: 9,
        )
        await listener.open("127.0.0.1", 0)
        first, second = socket.socket(), socket.socket()
        for peer in (first, second):
            peer.setblocking(False)
            await loop.sock_connect(peer, ("127.0.0.1", listener.port))
        try:
            left = await loop.sock_recv(second, 1)
        except ConnectionResetError:
            left = b""
        assert left == b""
        assert len(listener.links) == 1
        first.close()
        second.close()
        while listener.links:
            await asyncio.sleep(0)
        listener.stop_accepting()
        return listener

    loop = new_loop()
    try:
        listener = loop.run_until_complete(run())
    finally:
        loop.close()
    assert (listener.accepted, listener.refused_connections) == (1, 1)


@pytest.mark.parametrize("new_loop", LOOPS)
def test_a_silent_connection_is_closed_unless_it_waits_for_an_answer(new_loop: Any) -> None:
    async def run() -> tuple[bytes, int]:
        loop = asyncio.get_running_loop()
        sessions: list[Session] = []

        def session(name: str, host: str) -> Session:
            sessions.append(Session([]))
            sessions[-1].is_busy = len(sessions) == 1
            return sessions[-1]

        listener = Listener(
            "PLAINTEXT", session, connections_max=lambda: 9, connections_per_ip_max=lambda host: 9, idle_ms_max=10
        )
        await listener.open("127.0.0.1", 0)
        busy, silent = socket.socket(), socket.socket()
        for peer in (busy, silent):
            peer.setblocking(False)
            await loop.sock_connect(peer, ("127.0.0.1", listener.port))
        left = await loop.sock_recv(silent, 1)
        open_links = len(listener.links)
        busy.close()
        silent.close()
        listener.stop_accepting()
        return left, open_links

    loop = new_loop()
    try:
        assert loop.run_until_complete(run()) == (b"", 1)
    finally:
        loop.close()
