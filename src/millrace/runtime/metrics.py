"""The page of numbers for Prometheus, ``/healthz`` and ``/readyz``: a small HTTP server on the broker's own loop.

The text is written by ourselves, straight from the plain numbers of ``broker/counters``: the usual client library would
keep each number a second time behind locks, and costs 68 ms of start-up and 14 MB (measured). What can be many, topics
and group lags, is cut at :data:`SERIES_MAX` lines, and a gauge tells how many were left out.

The server answers GET and HEAD, closes each connection after its answer, and is bounded: connections, header bytes and
seconds.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from millrace.base.errors import Refused
from millrace.base.version import __version__
from millrace.broker.counters import LATENCY_BOUNDS_US, ApiCounter
from millrace.kafka.codes import code_of
from millrace.state.groups import Groups
from millrace.state.groups_records import read_offset

if TYPE_CHECKING:
    from millrace.broker.broker import Broker
    from millrace.runtime.node import Node

SERIES_MAX: Final = 2_000
CONNECTIONS_MAX: Final = 32
HEADER_BYTES_MAX: Final = 8_192
PATIENCE_S: Final = 10.0
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Page:
    """A page in the making: families of samples in Prometheus' text format."""

    __slots__ = ("_lines", "_name")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._name = ""

    def family(self, name: str, kind: str, meaning: str) -> None:
        self._name = f"millrace_{name}"
        self._lines.append(f"# HELP {self._name} {meaning}")
        self._lines.append(f"# TYPE {self._name} {kind}")

    def sample(self, value: float, suffix: str = "", **labels: object) -> None:
        """One line of the family that was begun last."""
        named = ",".join(f'{name}="{str(each).translate(_ESCAPES)}"' for name, each in labels.items())
        self._lines.append(f"{self._name}{suffix}{{{named}}} {value}" if named else f"{self._name}{suffix} {value}")

    def single(self, name: str, kind: str, meaning: str, value: float) -> None:
        self.family(name, kind, meaning)
        self.sample(value)

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def render(node: Node) -> str:
    """The whole page of a node that has been started."""
    page = Page()
    broker = node.broker
    page.family("info", "gauge", "1, with what runs here as labels.")
    page.sample(
        1, version=__version__, python=sys.version.split()[0], node_id=broker.node_id, cluster_id=broker.cluster_id
    )
    _requests(page, broker.counters.apis.values())
    _connections(page, node)
    _records(page, broker)
    _loop(page, node)
    _memory(page, node)
    _partitions(page, broker)
    _compaction(page, node)
    _lags(page, broker)
    return page.text()


def _requests(page: Page, apis: Iterable[ApiCounter]) -> None:
    used = [api for api in apis if api.count]
    page.family("request_seconds", "histogram", "From a request's arrival to its answer, waiting included, by API.")
    for api in used:
        below = 0
        for bound_us, count in zip(LATENCY_BOUNDS_US, api.buckets, strict=False):
            below += count
            page.sample(below, "_bucket", api=api.name, le=bound_us / 1e6)
        page.sample(api.count, "_bucket", api=api.name, le="+Inf")
        page.sample(api.total_us / 1e6, "_sum", api=api.name)
        page.sample(api.count, "_count", api=api.name)
    page.family("request_errors_total", "counter", "Requests that failed as a whole, by API and error.")
    for api in apis:
        for code, count in sorted(api.errors.items()):
            page.sample(count, api=api.name, error=code_of(code).name)


def _connections(page: Page, node: Node) -> None:
    families = (
        ("connections", "gauge", "Open connections.", lambda each: len(each.links)),
        ("connections_accepted_total", "counter", "Connections that were taken.", lambda each: each.accepted),
        (
            "connections_refused_total",
            "counter",
            "Connections turned away because there were too many.",
            lambda each: each.refused_connections,
        ),
        (
            "connections_broken_off_total",
            "counter",
            "Connections closed because the peer broke the protocol.",
            lambda each: each.refused_peers,
        ),
        ("received_bytes_total", "counter", "Bytes that came in.", lambda each: each.bytes_in),
        ("sent_bytes_total", "counter", "Bytes that went out.", lambda each: each.bytes_out),
    )
    for name, kind, meaning, value in families:
        page.family(name, kind, meaning)
        for listener in node.listeners:
            page.sample(value(listener), listener=listener.name)


def _records(page: Page, broker: Broker) -> None:
    counters = broker.counters
    page.single("produced_bytes_total", "counter", "Bytes of record batches appended.", counters.bytes_produced)
    page.single("produced_records_total", "counter", "Records appended.", counters.records_produced)
    page.single("consumed_bytes_total", "counter", "Bytes of record batches handed out.", counters.bytes_consumed)
    page.single("slow_requests_total", "counter", "Requests above millrace.slow.request.ms.", counters.slow_requests)
    page.single("flush_rounds_total", "counter", "Rounds of group-committed flushes.", broker.flusher.rounds)
    page.single("flushed_files_total", "counter", "Files flushed in these rounds.", broker.flusher.files_flushed)


def _loop(page: Page, node: Node) -> None:
    counters = node.broker.counters
    page.single(
        "loop_stalls_total", "counter", "Times the event loop stood still for over 100 ms.", counters.loop_stalls
    )
    page.single(
        "loop_stall_seconds_max", "gauge", "The longest that the event loop ran late.", counters.loop_stall_us_max / 1e6
    )
    page.single("waiting_requests", "gauge", "Requests that wait for something.", len(node.broker.waiting))


def _memory(page: Page, node: Node) -> None:
    page.family("memory_bytes", "gauge", "Memory, by pool; process is what the system counts as resident.")
    page.sample(_resident_bytes(), pool="process")
    page.sample(node.budget.used, pool="frames")
    page.sample(sum(disk.unflushed_bytes for disk in node.disks), pool="unflushed")


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE_BYTES
    except OSError:
        import resource

        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes if sys.platform == "darwin" else kilobytes * 1024


def _compaction(page: Page, node: Node) -> None:
    compaction = node.compaction
    if compaction is None:
        return
    page.single("cleanings_total", "counter", "Cleanings of compacted logs.", compaction.cleanings)
    page.single("cleaned_bytes_total", "counter", "Bytes that cleanings have read.", compaction.read_bytes)
    page.single("cleaned_kept_bytes_total", "counter", "Bytes that they have left.", compaction.kept_bytes)
    page.single(
        "uncleanable_partitions",
        "gauge",
        "Compacted logs that could not be cleaned and wait for the next start.",
        len(compaction.uncleanable),
    )


def _partitions(page: Page, broker: Broker) -> None:
    partitions = list(broker.partitions.values())
    page.single("partitions", "gauge", "Partitions on this broker.", len(partitions))
    page.single(
        "partitions_offline",
        "gauge",
        "Partitions whose disk failed.",
        sum(each.failed is not None for each in partitions),
    )
    sizes: dict[str, int] = {}
    ends: dict[str, int] = {}
    for each in partitions:
        sizes[each.topic] = sizes.get(each.topic, 0) + each.log.size_bytes
        ends[each.topic] = ends.get(each.topic, 0) + each.log.log_end_offset
    shown = sorted(sizes)[:SERIES_MAX]
    page.single("topics_not_shown", "gauge", "Topics left out below.", len(sizes) - len(shown))
    page.family("topic_size_bytes", "gauge", "Size of a topic's logs on this broker.")
    for topic in shown:
        page.sample(sizes[topic], topic=topic)
    page.family("topic_end_offsets", "counter", "Sum of the log end offsets of a topic's partitions.")
    for topic in shown:
        page.sample(ends[topic], topic=topic)


def _lags(page: Page, broker: Broker) -> None:
    page.family("group_lag_records", "gauge", "Records that a group has not committed yet, by topic.")
    series = looked_at = 0
    left_out = 0
    for group_id, topic, lag, count in _group_lags(broker):
        looked_at += count
        if series >= SERIES_MAX or looked_at > 10 * SERIES_MAX:
            left_out += 1
            continue
        series += 1
        page.sample(lag, group=group_id, topic=topic)
    page.single("group_lags_not_shown", "gauge", "Group lags left out above, at least.", left_out)


def _group_lags(broker: Broker) -> Iterator[tuple[str, str, int, int]]:
    """(group, topic, lag, partitions looked at), up to and with the first that is one too many."""
    looked_at = 0
    for host in broker.coordinators.values():
        machine = host.machine
        if not host.loaded or not isinstance(machine, Groups):
            continue
        for group_id, topics in machine.store.offsets.items():
            for topic, offsets in topics.items():
                lag = 0
                for index, committed in offsets.items():
                    partition = broker.partitions.get((topic, index))
                    if partition is not None:
                        lag += max(partition.high_watermark.offset - read_offset(committed.value).offset, 0)
                looked_at += len(offsets)
                yield group_id, topic, lag, len(offsets)
                if looked_at > 10 * SERIES_MAX:
                    return


class MetricsServer:
    """Serves the page of one node; it may be opened before the node is up."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.connections: set[_Connection] = set()
        self.address = ""  # what was bound
        self._server: asyncio.Server | None = None

    async def open(self, address: str) -> None:
        """Listen on ``HOST:PORT``. Raises Refused."""
        host, colon, port = address.rpartition(":")
        if not colon or not port.isdigit() or int(port) > 65_535:
            raise Refused(0, f"millrace.metrics.listener {address!r}: expected HOST:PORT")
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: _Connection(self), host.strip("[]") or None, int(port))
        except OSError as error:
            raise Refused(0, f"cannot listen on {address} (millrace.metrics.listener): {error.strerror}") from None
        self.address = f"{host or '127.0.0.1'}:{self._server.sockets[0].getsockname()[1]}"

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for connection in list(self.connections):
            connection.abort()

    def answer(self, method: str, path: str) -> tuple[str, str]:
        """(status line, body) of one request."""
        if method not in ("GET", "HEAD"):
            return "405 Method Not Allowed", "only GET\n"
        path = path.partition("?")[0]
        if path == "/healthz":
            return "200 OK", "ok\n"
        is_serving = self.node.broker is not None and self.node.broker.is_serving
        if path == "/readyz":
            return ("200 OK", "ready\n") if is_serving else ("503 Service Unavailable", "not ready\n")
        if path == "/metrics":
            return ("200 OK", render(self.node)) if is_serving else ("503 Service Unavailable", "not ready\n")
        return "404 Not Found", "/metrics, /healthz and /readyz are here\n"


class _Connection(asyncio.Protocol):
    """One HTTP connection: one request, one answer, closed."""

    __slots__ = ("_received", "_server", "_timer", "_transport")

    def __init__(self, server: MetricsServer) -> None:
        self._server = server
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # a listening socket's transports are Transports
        if len(self._server.connections) >= CONNECTIONS_MAX:
            self.abort()
            return
        self._server.connections.add(self)
        self._timer = asyncio.get_running_loop().call_later(PATIENCE_S, self.abort)

    def data_received(self, received: bytes) -> None:
        self._received += received
        if b"\r\n\r\n" in self._received or b"\n\n" in self._received:
            self._answer()
        elif len(self._received) > HEADER_BYTES_MAX:
            self._send("431 Request Header Fields Too Large", "too long\n", "GET")

    def connection_lost(self, error: Exception | None) -> None:
        self._server.connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _answer(self) -> None:
        words = self._received.split(b"\n", 1)[0].decode("latin-1").split()
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            self._send("400 Bad Request", "not HTTP/1.1\n", "GET")
            return
        self._send(*self._server.answer(words[0], words[1]), words[0])

    def _send(self, status: str, text: str, method: str) -> None:
        body = text.encode()
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        transport = self._transport
        assert transport is not None
        if transport.is_closing():
            return
        transport.write(head.encode() + (b"" if method == "HEAD" else body))
        transport.close()
