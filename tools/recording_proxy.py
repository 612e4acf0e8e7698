"""A proxy on loopback that passes Kafka's protocol through and notes each request's key and version.

A broker that is told to advertise the proxy's address is seen by any client as it is, and what the client asked for is
known without a word from either side.
"""

from __future__ import annotations

import asyncio
import struct
import threading
from collections import Counter
from types import TracebackType
from typing import Self

from tools.processes import free_port

HEAD = struct.Struct(">hh")


class RecordingProxy:
    """Listens on ``port``; forwards to ``target_port`` once that is set. ``requests`` counts (key, version)."""

    def __init__(self) -> None:
        self.port = free_port()
        self.target_port = 0
        self.requests: Counter[tuple[int, int]] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="recording-proxy", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        """Connections that clients left open end with the proxy."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def take(self) -> Counter[tuple[int, int]]:
        """What was asked for since the last call."""
        taken, self.requests = self.requests, Counter()
        return taken

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back, forth = await asyncio.open_connection("127.0.0.1", self.target_port)
        except OSError:
            writer.close()
            return
        answers = asyncio.ensure_future(_pass_on(back, writer))
        try:
            while True:
                size_bytes = await reader.readexactly(4)
                frame = await reader.readexactly(int.from_bytes(size_bytes, "big"))
                self.requests[HEAD.unpack_from(frame)] += 1
                forth.write(size_bytes + frame)
                await forth.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            forth.close()
        await answers


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
