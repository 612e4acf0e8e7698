"""Compiles decoders and encoders on first use, one function for each message, version and direction.

The source is registered in ``linecache``, so that tracebacks, debuggers and profilers show it; ``source_of`` returns
it.
"""

from __future__ import annotations

import linecache
import struct
from collections.abc import Callable
from typing import Any, Literal

from millrace.base.errors import PeerError, Refused
from millrace.schema import wire
from millrace.schema.classes import Body, M
from millrace.schema.decoding import decoder_source
from millrace.schema.encoding import encoder_source
from millrace.schema.model import ZERO_UUID
from millrace.schema.source import Source
from millrace.schema.wire import Buffer

Direction = Literal["decode", "encode"]
Decoder = Callable[..., tuple[M, int]]
Encoder = Callable[[M], list[Any]]

_SPACE: dict[str, Any] = {
    "PeerError": PeerError,
    "struct_error": struct.error,
    "new": object.__new__,
    "join": b"".join,
    "pack": struct.pack,
    "unpack_from": struct.unpack_from,
    "more": wire.more,
    "varint": wire.varint,
    "tag_section": wire.tag_section,
    "lies": wire.lies,
    "absent": wire.absent,
    "ONE_BYTE": wire.ONE_BYTE,
    "ZERO_UUID": ZERO_UUID,
}

_decoders: dict[tuple[type[Body], int], Decoder[Any]] = {}
_encoders: dict[tuple[type[Body], int], Encoder[Any]] = {}


def decoder(cls: type[M], version: int) -> Decoder[M]:
    """``decode(buffer, pos=0) -> (message, pos)``; raises PeerError for what is no such message."""
    found = _decoders.get((cls, version))
    if found is None:
        found = _decoders[cls, version] = _compile(cls, version, "decode")
    return found


def encoder(cls: type[M], version: int) -> Encoder[M]:
    """``encode(message) -> list of buffers``; values of type records stand in the list as they are."""
    found = _encoders.get((cls, version))
    if found is None:
        found = _encoders[cls, version] = _compile(cls, version, "encode")
    return found


def decode(cls: type[M], version: int, buffer: Buffer, pos: int = 0) -> tuple[M, int]:
    """One message from ``buffer`` at ``pos``, and the position after it."""
    return decoder(cls, version)(buffer, pos)


def encode(message: Body, version: int) -> bytes:
    """The whole message in one piece; every records value must be a buffer."""
    return b"".join(encoder(type(message), version)(message))


def source_of(cls: type[Body], version: int, direction: Direction) -> str:
    """The source of a compiled codec, to read."""
    return _source(cls, version, direction).text()


def _source(cls: type[Body], version: int, direction: Direction) -> Source:
    low, high = cls.VERSIONS
    if not low <= version <= high:
        raise Refused(wire.UNSUPPORTED_VERSION, f"{cls.NAME} has versions {low} to {high}, not {version}")
    return decoder_source(cls.MESSAGE, version) if direction == "decode" else encoder_source(cls.MESSAGE, version)


def _compile(cls: type[Body], version: int, direction: Direction) -> Any:
    source = _source(cls, version, direction)
    text, file = source.text(), f"<{source.title}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = _SPACE | source.space
    for name, part in source.classes.items():
        space[name] = cls if part is None else getattr(cls, part)
    exec(compile(text, file, "exec"), space)  # noqa: S102  # the source is ours: made from a declaration
    return space[direction]
