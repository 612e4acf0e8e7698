"""What compiled codecs call in the rare case: long varints, tag sections, lengths that lie, values with no place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from millrace.base.errors import PeerError, Refused

Buffer = bytes | bytearray | memoryview

STRING_BYTES_MAX = 32767
UNSUPPORTED_VERSION = 35

ONE_BYTE = [bytes((n,)) for n in range(128)]
"""The varints of one byte, ready made."""

FEW = 17
"""Arrays of fewer numbers than this have their formats ready made."""


def varint(value: int) -> bytes:
    """An unsigned varint, for what does not fit one byte."""
    if value < 128:
        return ONE_BYTE[value]
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def more(buf: Buffer, pos: int, first: int) -> tuple[int, int]:
    """The rest of an unsigned varint whose first byte, over 127, was read already: (value, position)."""
    value = first & 127
    shift = 7
    while shift < 35:
        byte = buf[pos]
        pos += 1
        value |= (byte & 127) << shift
        if byte < 128:
            if value > 0xFFFFFFFF:
                break
            return value, pos
        shift += 7
    raise PeerError("a varint of more than 32 bits")


def tag_section(tags: Iterable[tuple[int, bytes]]) -> bytes:
    """The tagged fields of one struct: their count, then each tag, size and value, in the order of the tags."""
    section = sorted(tags)
    out = [varint(len(section))]
    for tag, value in section:
        out += (varint(tag), varint(len(value)), value)
    return b"".join(out)


def read_varint(buf: Buffer, pos: int) -> tuple[int, int]:
    """An unsigned varint: (value, position after it)."""
    try:
        first = buf[pos]
        return (first, pos + 1) if first < 128 else more(buf, pos + 1, first)
    except IndexError as error:
        raise PeerError("a varint is not complete") from error


def skip_tags(buf: Buffer, pos: int) -> int:
    """The position after a section of tagged fields that nobody wants to read."""
    count, pos = read_varint(buf, pos)
    for _ in range(count):
        _, pos = read_varint(buf, pos)
        size, pos = read_varint(buf, pos)
        pos += size
        if pos > len(buf):
            raise PeerError(f"a tagged field announces {size} bytes, but {len(buf) - pos + size} remain")
    return pos


def lies(where: str, count: int, remaining: int) -> NoReturn:
    """A length, or a count of elements, that is not possible here."""
    if count < 0:
        raise PeerError(f"{where} is null, which this version does not allow")
    raise PeerError(f"{where} announces {count}, but {remaining} bytes remain or the limit is lower")


def absent(where: str, version: int, value: Any) -> NoReturn:
    """A value that matters was set in a field that this version cannot carry."""
    raise Refused(UNSUPPORTED_VERSION, f"{where} is {value!r}, which version {version} cannot carry")
