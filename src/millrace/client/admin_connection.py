"""One blocking connection for what no client library has: a request of any API on our own codec, and its answer.

librdkafka cannot name the configuration that holds for all brokers (its resource has an empty name), nor quotas, tokens
and the newer kinds of groups. This asks such things one at a time; it is no client beyond that: no pool, no retry, and
for now PLAINTEXT alone.
"""

from __future__ import annotations

import socket
from typing import Any, Final

from millrace.base.errors import MillraceError
from millrace.client.address import Address
from millrace.client.errors import ClientError
from millrace.kafka import codes, messages

TIMEOUT_S: Final = 30.0
ANSWER_BYTES_MAX: Final = 64 << 20
CLIENT_ID: Final = "millrace"
API_VERSIONS: Final = 18


class AdminConnection:
    """See the module; use it in a ``with``."""

    def __init__(self, addresses: tuple[Address, ...], timeout_s: float = TIMEOUT_S) -> None:
        self._socket = _connected(addresses, timeout_s)
        self._count = 0
        self._versions: dict[int, tuple[int, int]] = {}
        try:
            self._versions = self._ask_versions()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> AdminConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, request: Any) -> Any:
        """The response to a request, in the newest version that both sides have. ClientError if there is none."""
        key = type(request).KEY
        name = messages.api_name(key)
        low, high = self._versions.get(key, (0, -1))
        own_low, own_high = messages.stable_versions(key)
        version = min(high, own_high)
        if version < max(low, own_low):
            raise ClientError(
                f"the cluster does not know {name} in a version that is known here", "UNSUPPORTED_VERSION"
            )
        return self._exchange(request, version)

    def _ask_versions(self) -> dict[int, tuple[int, int]]:
        response = self._exchange(messages.ApiVersionsRequest(), 0)
        if response.error_code:
            raise ClientError(f"the cluster did not tell its versions: {codes.code_of(response.error_code).message}")
        return {each.api_key: (each.min_version, each.max_version) for each in response.api_keys}

    def _exchange(self, request: Any, version: int) -> Any:
        key = type(request).KEY
        self._count += 1
        header = messages.RequestHeader(
            request_api_key=key, request_api_version=version, correlation_id=self._count, client_id=CLIENT_ID
        )
        frame = messages.encode(header, messages.header_version(key, version)) + messages.encode(request, version)
        try:
            self._socket.sendall(len(frame).to_bytes(4, "big") + frame)
            size = int.from_bytes(self._receive(4), "big")
            if not 4 <= size <= ANSWER_BYTES_MAX:
                raise ClientError(f"an answer of {size} bytes: is this a Kafka cluster?")
            answer = self._receive(size)
        except OSError as error:
            raise ClientError(f"{messages.api_name(key)}: {error.strerror or error}") from None
        try:
            header_version = messages.header_version(key, version, response=True)
            sent, position = messages.decode(messages.ResponseHeader, header_version, answer)
            response, _ = messages.decode(messages.response_type(key), version, answer, position)
        except MillraceError as error:
            raise ClientError(f"the answer to {messages.api_name(key)} cannot be read: {error}") from None
        if sent.correlation_id != self._count:
            raise ClientError(f"an answer to request {sent.correlation_id}, expected one to {self._count}")
        return response

    def _receive(self, count: int) -> bytes:
        received = bytearray()
        while len(received) < count:
            piece = self._socket.recv(count - len(received))
            if not piece:
                raise ClientError("the cluster closed the connection")
            received += piece
        return bytes(received)


def _connected(addresses: tuple[Address, ...], timeout_s: float) -> socket.socket:
    reasons = []
    for address in addresses:
        try:
            return socket.create_connection(address, timeout=timeout_s)
        except OSError as error:
            reasons.append(f"{address}: {error.strerror or error}")
    raise ClientError(f"no broker answers at {'; '.join(reasons)}")
