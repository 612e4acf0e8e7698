"""One client's connection, without I/O: bytes in, frames, headers, requests in order, answers out in order.

A frame is ``size i32 | request header | request``. Requests of one connection are handled and answered in order, as in
Kafka, with one liberty that group commit lives on: a Produce is handled while earlier Produces still wait for theirs.
Any other request waits its turn: meanwhile the connection reads nothing more, so what a client can pile up is bounded
by the socket's buffer.

Bytes arrive in a buffer shared by all connections; a frame that lies wholly in it is handled in place, without a copy.
Only the beginning of a frame whose rest has not arrived is copied, into a buffer of its own that grows with the bytes
that came, never with the length that was announced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from struct import Struct
from typing import Any, Final, Protocol

from millrace.base.errors import PeerError
from millrace.base.limits import REQUEST_BYTES_MAX_WITHOUT_RECORDS
from millrace.kafka import messages

_SIZE: Final = Struct(">i")
_FIXED_HEADER: Final = Struct(">hhih")  # api key, version, correlation id, length of the client id
_ANSWER: Final = Struct(">ii")

PRODUCE: Final = 0
API_VERSIONS: Final = 18
FRAME_BUFFER_BYTES_MIN: Final = 512
FRAME_GROWTH: Final = 4  # a frame's own buffer is at most this many times what has arrived


# (key, version) -> whether the header is flexible, and the compiled codec; filled on first use
_REQUESTS: dict[tuple[int, int], tuple[bool, Any]] = {}
_RESPONSES: dict[tuple[int, int], tuple[bool, Any]] = {}


def _request_codec(api_key: int, version: int) -> tuple[bool, Any]:
    is_flexible = messages.header_version(api_key, version) >= 2
    found = _REQUESTS[api_key, version] = (is_flexible, messages.decoder(messages.request_type(api_key), version))
    return found


def _response_codec(api_key: int, version: int) -> tuple[bool, Any]:
    is_flexible = messages.header_version(api_key, version, response=True) >= 1
    found = _RESPONSES[api_key, version] = (is_flexible, messages.encoder(messages.response_type(api_key), version))
    return found


class Header:
    """The header of a request."""

    __slots__ = ("api_key", "api_version", "client_id", "correlation_id")

    def __init__(self, api_key: int, api_version: int, correlation_id: int, client_id: str | None) -> None:
        self.api_key = api_key
        self.api_version = api_version
        self.correlation_id = correlation_id
        self.client_id = client_id


class Link(Protocol):
    """What a connection asks of the network (``runtime/net``)."""

    def send(self, buffers: list[Any], slices: bool) -> None:
        """Write these, in order; ``slices`` says that file slices are among them."""

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def close(self, reason: str) -> None:
        """Close at once: the reason is worth a log line; empty when it is not."""


class FrameBudget(Protocol):
    """The ceiling of all connections' own frame buffers together (``queued.max.request.bytes``)."""

    def take(self, owner: object, count: int) -> bool:
        """Whether ``count`` bytes more may be used; if not, ``owner.on_budget()`` is called when there is room."""

    def give(self, owner: object, count: int) -> None: ...


# Handles one request: calls ``reply(response)`` now or later (None: no answer); returns what cancels it, if it waits.
Dispatch = Callable[["KafkaConnection", Header, Any, Callable[[Any], None]], "Callable[[], None] | None"]


class _Slot:
    """One request that is not answered yet."""

    __slots__ = ("answered", "cancel", "connection", "header", "response")

    def __init__(self, connection: KafkaConnection, header: Header) -> None:
        self.connection = connection
        self.header = header
        self.answered = False
        self.response: Any = None
        self.cancel: Callable[[], None] | None = None

    def reply(self, response: Any) -> None:
        assert not self.answered, "a request is answered once"
        self.answered = True
        self.response = response
        self.cancel = None
        self.connection.on_answered()


class KafkaConnection:
    """See the module. ``dispatch`` handles a request, ``versions`` says what is understood."""

    __slots__ = (
        "_budget",
        "_client_ids",
        "_dispatch",
        "_filled",
        "_frame",
        "_in_flight",
        "_is_handling",
        "_is_link_paused",
        "_is_sending",
        "_is_taking",
        "_link",
        "_paused_by",
        "_produce_in_flight_max",
        "_request_bytes_max",
        "_shared",
        "_small_bytes",
        "_versions",
        "closed",
        "context",
    )

    def __init__(
        self,
        dispatch: Dispatch,
        versions: dict[int, tuple[int, int]],
        shared: memoryview,
        budget: FrameBudget,
        *,
        request_bytes_max: int,
        produce_in_flight_max: int,
    ) -> None:
        self._dispatch = dispatch
        self._versions = versions
        self._shared = shared
        self._budget = budget
        self._request_bytes_max = request_bytes_max
        self._small_bytes = min(request_bytes_max, REQUEST_BYTES_MAX_WITHOUT_RECORDS)  # allowed of any request
        self._produce_in_flight_max = produce_in_flight_max
        self._link: Link | None = None
        self._frame: bytearray | None = None  # the beginning of a frame whose rest has not arrived
        self._filled = 0
        self._in_flight: deque[_Slot] = deque()
        self._is_handling = False
        self._is_sending = False
        self._is_taking = False
        self._is_link_paused = False
        self._paused_by = 0  # bit 1: waits its turn, bit 2: waits for the budget, bit 4: the peer does not read
        self._client_ids: dict[bytes, str] = {}
        self.closed = False
        self.context: Any = None  # the router's own: who is at the other end

    # -- the network's side ------------------------------------------------------------------------------------------

    def on_open(self, link: Link) -> None:
        self._link = link

    def buffer(self) -> memoryview:
        """Where the next bytes are to be put."""
        if self._frame is None:
            return self._shared
        return memoryview(self._frame)[self._filled :]

    def on_bytes(self, count: int) -> None:
        """``count`` bytes were put at the beginning of what ``buffer()`` gave."""
        if self.closed:
            return
        if self._frame is None:
            view = self._shared[:count]
            used = 0 if self._paused_by else self._take_frames(view)
            if used < count and not self.closed:
                self._keep(view[used:])
        else:
            self._filled += count
            self._take_own()
        if self._paused_by and self._frame is not None and not self.closed:
            self._pause_link()

    def on_eof(self) -> None:
        """The peer sends no more. Kafka closes such a connection, answers in flight included."""
        self.close("")

    def on_writable(self, writable: bool) -> None:
        """The peer reads (or does not): answers pile up no further than the link's high-water mark."""
        if writable:
            self._unblock(4)
        else:
            self._block(4)

    def on_budget(self) -> None:
        self._unblock(2)

    def on_lost(self) -> None:
        """The connection is gone: cancel what waits and give back what was held."""
        self.closed = True
        self._drop_frame()
        slots, self._in_flight = self._in_flight, deque()
        for slot in slots:
            slot.answered = True
            if slot.cancel is not None:
                slot.cancel()

    def close(self, reason: str) -> None:
        if not self.closed:
            self.closed = True
            if self._link is not None:
                self._link.close(reason)

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for an answer: such a connection is not idle, however silent."""
        return bool(self._in_flight)

    # -- frames ------------------------------------------------------------------------------------------------------

    def _take_frames(self, view: memoryview) -> int:
        """Handle every whole frame at the beginning of ``view`` that may be handled now; the bytes used."""
        position, end = 0, len(view)
        self._is_taking = True
        while end - position >= 4 and not self._paused_by and not self.closed:
            (size,) = _SIZE.unpack_from(view, position)
            if size < 8 or (size > self._small_bytes and size > self._size_max(view, position)):
                self.close(f"a frame of {size} bytes, expected 8 to {self._size_max(view, position)}")
                position = end
                break
            if end - position - 4 < size:
                break
            start = position + 4
            position = start + size
            self._take_request(view[start:position])
        self._is_taking = False
        return position

    def _size_max(self, view: memoryview, position: int) -> int:
        """How large this frame may be. Only records may be large: a small element of any other request becomes an
        object of some sixty times its size."""
        if len(view) - position < 6 or (view[position + 4] << 8 | view[position + 5]) == PRODUCE:
            return self._request_bytes_max
        return min(self._request_bytes_max, REQUEST_BYTES_MAX_WITHOUT_RECORDS)

    def _keep(self, rest: memoryview) -> None:
        """Copy the beginning of a frame (or what must wait its turn) into a buffer of this connection."""
        count = len(rest)
        wanted = 4
        if count >= 4:
            (size,) = _SIZE.unpack_from(rest)
            if size < 8 or size > self._size_max(rest, 0):
                self.close(f"a frame of {size} bytes, expected 8 to {self._size_max(rest, 0)}")
                return
            wanted = 4 + size
        capacity = max(count, min(wanted, max(FRAME_GROWTH * count, FRAME_BUFFER_BYTES_MIN)))
        self._frame = bytearray(capacity)
        self._frame[:count] = rest
        self._filled = count
        if not self._budget.take(self, capacity):
            self._block(2)

    def _take_own(self) -> None:
        """Handle what the own buffer holds; grow it, keep the rest, or let it go."""
        frame, filled = self._frame, self._filled
        assert frame is not None
        if filled >= 4 and not self._paused_by:
            (size,) = _SIZE.unpack_from(frame)
            if filled >= 4 + size or size < 8 or size > self._size_max(memoryview(frame)[:filled], 0):
                view = memoryview(frame)[:filled]
                used = self._take_frames(view)
                if used:
                    self._drop_frame()
                    if used < filled and not self.closed:
                        self._keep(view[used:])
                    return
        if not self.closed and self._frame is frame and filled == len(frame):
            self._grow(frame, filled)

    def _grow(self, frame: bytearray, filled: int) -> None:
        wanted = 4 + _SIZE.unpack_from(frame)[0] if filled >= 4 else 4
        capacity = max(min(wanted, FRAME_GROWTH * filled), FRAME_BUFFER_BYTES_MIN)
        if capacity <= filled:  # whole frames that wait their turn: reading is paused until they are handled
            capacity = filled + FRAME_BUFFER_BYTES_MIN
        grown = bytearray(capacity)
        grown[:filled] = frame
        self._frame = grown
        if not self._budget.take(self, capacity - filled):
            self._block(2)

    def _drop_frame(self) -> None:
        if self._frame is not None:
            self._budget.give(self, len(self._frame))
            self._frame = None
            self._filled = 0

    # -- requests and answers ----------------------------------------------------------------------------------------

    def _take_request(self, frame: memoryview) -> None:
        try:
            header, request = self._decode(frame)
        except PeerError as error:
            self.close(str(error))
            return
        slot = _Slot(self, header)
        self._in_flight.append(slot)
        self._is_handling = True
        cancel = self._dispatch(self, header, request, slot.reply)
        self._is_handling = False
        if not slot.answered:
            slot.cancel = cancel
            if header.api_key != PRODUCE or len(self._in_flight) >= self._produce_in_flight_max:
                self._paused_by |= 1  # the link goes on reading until more comes: so a peer that leaves is noticed
        if self._in_flight and self._in_flight[0].answered:
            self._send_answers()

    def _decode(self, frame: memoryview) -> tuple[Header, Any]:
        if len(frame) < 10:
            raise PeerError(f"a request of {len(frame)} bytes, expected at least 10")
        api_key, version, correlation_id, length = _FIXED_HEADER.unpack_from(frame)
        position = 10
        client_id = None
        if length >= 0:
            raw = bytes(frame[position : position + length])
            if len(raw) != length:
                raise PeerError("the client id of a request header is longer than the request")
            client_id = self._client_ids.get(raw)
            if client_id is None:
                client_id = self._new_client_id(raw)
            position += length
        header = Header(api_key, version, correlation_id, client_id)
        known = self._versions.get(api_key)
        if known is None or not known[0] <= version <= known[1]:
            if api_key == API_VERSIONS:  # KIP-511: answered with error 35 in version 0, whatever the body is
                return header, None
            raise PeerError(f"request with unsupported API key {api_key} version {version}")
        is_flexible, decode = _REQUESTS.get((api_key, version)) or _request_codec(api_key, version)
        if is_flexible:
            if position < len(frame) and frame[position] == 0:
                position += 1
            else:  # tags that we do not know: read and passed over
                _, position = messages.decode(messages.RequestHeader, 2, frame, 0)
        # Bytes that follow are passed over, as in Kafka: librdkafka leaves three in its request for all metadata.
        request, _ = decode(frame, position)
        return header, request

    def _new_client_id(self, raw: bytes) -> str:
        try:
            client_id = raw.decode()
        except UnicodeDecodeError:
            raise PeerError("the client id of a request header is not UTF-8") from None
        if len(self._client_ids) < 8:
            self._client_ids[raw] = client_id
        return client_id

    def on_answered(self) -> None:
        """A request of this connection was answered: send what is now first in line, and go on reading."""
        if self._is_handling or self.closed:
            return
        self._send_answers()

    def _send_answers(self) -> None:
        if self._is_sending:
            return
        self._is_sending = True
        in_flight = self._in_flight
        buffers: list[Any] = []
        has_slices = False
        while in_flight and in_flight[0].answered:
            slot = in_flight.popleft()
            if slot.response is not None:
                has_slices |= self._encode(slot, buffers)
        if buffers and self._link is not None and not self.closed:
            self._link.send(buffers, has_slices)
        self._is_sending = False
        may_go_on = not in_flight or in_flight[-1].header.api_key == PRODUCE
        if self._paused_by & 1 and may_go_on and len(in_flight) < self._produce_in_flight_max:
            self._unblock(1)

    def _encode(self, slot: _Slot, buffers: list[Any]) -> bool:
        header, response = slot.header, slot.response
        version = header.api_version
        if header.api_key == API_VERSIONS and not self._versions[API_VERSIONS][0] <= version <= self._versions[18][1]:
            version = 0
        is_flexible, encode = _RESPONSES.get((header.api_key, version)) or _response_codec(header.api_key, version)
        parts = encode(response)
        size = 4 + is_flexible
        has_slices = False
        for part in parts:
            size += len(part)
            has_slices |= not isinstance(part, (bytes, bytearray, memoryview))
        prefix = _ANSWER.pack(size, header.correlation_id)
        buffers.append(prefix + b"\0" if is_flexible else prefix)
        buffers.extend(parts)
        return has_slices

    # -- turns -------------------------------------------------------------------------------------------------------

    def _block(self, reason: int) -> None:
        self._paused_by |= reason
        self._pause_link()

    def _pause_link(self) -> None:
        if not self._is_link_paused and self._link is not None and not self.closed:
            self._is_link_paused = True
            self._link.pause()

    def _unblock(self, reason: int) -> None:
        if not self._paused_by & reason:
            return
        self._paused_by &= ~reason
        if self._paused_by or self.closed or self._is_taking:
            return
        if self._frame is not None:
            self._take_own()
        if self._is_link_paused and not self._paused_by and not self.closed and self._link is not None:
            self._is_link_paused = False
            self._link.resume()
