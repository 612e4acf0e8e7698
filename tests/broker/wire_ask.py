"""Requests over a socket, on our codec: one at a time, blocking."""

from __future__ import annotations

import socket
from typing import Any

from millrace.kafka import messages

TIMEOUT_S = 30.0


class WireAsk:
    """Ask the broker at ``address`` (host:port); see ``admin_checks.Ask``."""

    def __init__(self, address: str, *, is_kafka: bool, node_id: int = 1) -> None:
        host, port = address.rsplit(":", 1)
        self.is_kafka = is_kafka
        self.node_id = node_id
        self._socket = socket.create_connection((host, int(port)), timeout=TIMEOUT_S)
        self._count = 0

    def __call__(self, request: Any, version: int) -> Any:
        key = type(request).KEY
        self._count += 1
        header = messages.RequestHeader(
            request_api_key=key, request_api_version=version, correlation_id=self._count, client_id="checks"
        )
        frame = messages.encode(header, messages.header_version(key, version)) + messages.encode(request, version)
        self._socket.sendall(len(frame).to_bytes(4, "big") + frame)
        answer = self._receive(int.from_bytes(self._receive(4), "big"))
        sent, position = messages.decode(
            messages.ResponseHeader, messages.header_version(key, version, response=True), answer
        )
        assert sent.correlation_id == self._count
        response, end = messages.decode(messages.response_type(key), version, answer, position)
        assert end == len(answer)
        return response

    def close(self) -> None:
        self._socket.close()

    def _receive(self, count: int) -> bytes:
        received = bytearray()
        while len(received) < count:
            piece = self._socket.recv(count - len(received))
            if not piece:
                raise ConnectionError(f"the broker closed the connection after {len(received)} of {count} bytes")
            received += piece
        return bytes(received)
