"""A connection that sends one request of any version and reads its answer to the last byte."""

from __future__ import annotations

import socket
import struct
from types import TracebackType
from typing import Any, Self

from millrace.kafka import messages

ANSWER_S = 20


class Wire:
    """One connection to a broker."""

    def __init__(self, bootstrap: str) -> None:
        host, _, port = bootstrap.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), ANSWER_S)
        self._stream = self._socket.makefile("rb")
        self._correlation_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._socket.close()

    def ask(self, request: Any, version: int | None = None) -> Any:
        """The answer to a request, in its last stable version if none is given."""
        key = type(request).KEY
        if version is None:
            version = messages.stable_versions(key)[1]
        self.send(request, version)
        return self.read(key, version)

    def send(self, request: Any, version: int) -> None:
        key = type(request).KEY
        self._correlation_id += 1
        header = messages.RequestHeader(
            request_api_key=key, request_api_version=version, correlation_id=self._correlation_id, client_id="wire"
        )
        frame = messages.encode(header, messages.header_version(key, version)) + messages.encode(request, version)
        self._socket.sendall(struct.pack(">i", len(frame)) + frame)

    def read(self, key: int, version: int) -> Any:
        (size,) = struct.unpack(">i", self._stream.read(4))
        frame = self._stream.read(size)
        header_version = messages.header_version(key, version, response=True)
        header, position = messages.decode(messages.ResponseHeader, header_version, frame)
        assert header.correlation_id == self._correlation_id
        response, end = messages.decode(messages.response_type(key), version, frame, position)
        assert end == len(frame), f"{size - end} bytes are left after {messages.api_name(key)} {version}"
        return response


def error_codes(value: Any) -> set[int]:
    """Every error code within an answer."""
    if isinstance(value, list | tuple):
        return set().union(*map(error_codes, value)) if value else set()
    names = [name for name in getattr(type(value), "__slots__", ()) if not name.startswith("_")]
    found: set[int] = set()
    for name in names:
        inner = getattr(value, name)
        if name == "error_code":
            found.add(inner)
        elif isinstance(inner, list) or hasattr(type(inner), "__slots__"):
            found |= error_codes(inner)
    return found
