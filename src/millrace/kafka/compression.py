"""The five compression codecs of record batches, with an upper limit on what comes out.

What Kafka's clients write, and what we write:

====== ======================================================= ================================================
codec  read                                                    written
====== ======================================================= ================================================
none   as it is                                                as it is
gzip   one or more members                                     one member
snappy xerial's framing (Java) and one raw block (librdkafka)  xerial's framing, blocks of 32 KiB as Java's
lz4    one frame of any block size, with or without checksums  64 KiB independent blocks without checksums
zstd   one or more frames                                      one frame that names its content size
====== ======================================================= ================================================

Java's lz4 reader refuses frames with linked blocks, hence independent ones; it does not look behind the first frame,
so neither do we. A decoder here never asks for more memory than twice what it has produced plus a small first
piece, and stops one byte past the limit, so a bomb costs no more than the limit that its reader chose.

Levels are Kafka's (KIP-390): ``None`` is the codec's default.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from struct import Struct
from typing import Final, Protocol

import cramjam
import lz4.frame

from millrace.base.errors import Refused
from millrace.base.ports import Buffer
from millrace.kafka.codes import INVALID_RECORD, MESSAGE_TOO_LARGE, UNSUPPORTED_COMPRESSION_TYPE

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # before Python 3.14
    from backports import zstd

_GZIP_ERRORS: tuple[type[Exception], ...] = (zlib.error,)
try:
    from isal import isal_zlib

    _GZIP_ERRORS = (zlib.error, isal_zlib.error)  # type: ignore[assignment]  # its stub hides the base class
except ImportError:  # no wheel for this machine: zlib does the same, slower
    isal_zlib = None  # type: ignore[assignment]

NONE: Final = 0
GZIP: Final = 1
SNAPPY: Final = 2
LZ4: Final = 3
ZSTD: Final = 4

NAMES: Final = ("none", "gzip", "snappy", "lz4", "zstd")
CODECS: Final = {"uncompressed": NONE, **{name: codec for codec, name in enumerate(NAMES)}}

# Lowest, highest and default level of Kafka's compression.<codec>.level.
LEVELS: Final = {GZIP: (1, 9, -1), LZ4: (1, 17, 9), ZSTD: (-131072, 22, 3)}

_FIRST_PIECE_BYTES: Final = 64 * 1024
_XERIAL_MAGIC: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER: Final = _XERIAL_MAGIC + b"\x00\x00\x00\x01\x00\x00\x00\x01"  # version 1, readable since version 1
_XERIAL_BLOCK_BYTES: Final = 32 * 1024
# The densest snappy element copies 64 bytes and takes three; a block that announces more than that is a lie.
_SNAPPY_EXPANSION_MAX: Final = 22
_ISAL_GZIP_LEVEL: Final = 2
_ISAL_GZIP_LEVEL_MAX: Final = 3
_GZIP_WINDOW: Final = 31
_LENGTH = Struct(">I")


class _Decompressor(Protocol):
    """What the incremental decompressors of bz2, lz4 and zstd have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes | None: ...

    def decompress(self, chunk: Buffer, /, max_length: int) -> bytes: ...


def decompress(codec: int, buffer: Buffer, limit_bytes: int) -> bytes:
    """What was compressed; what is broken is INVALID_RECORD, what is over the limit MESSAGE_TOO_LARGE.

    Kafka answers broken compression with UNKNOWN_SERVER_ERROR. CORRUPT_MESSAGE would be wrong: clients send the batch
    again for it, and the checksum has already shown that it arrived as it was sent.
    """
    if codec == NONE:
        if len(buffer) > limit_bytes:
            raise _too_large(codec, limit_bytes)
        return bytes(buffer)
    decoder = _DECODERS.get(codec)
    if decoder is None:
        raise Refused(UNSUPPORTED_COMPRESSION_TYPE, f"compression codec {codec}, expected 0 to {ZSTD}")
    return decoder(buffer, limit_bytes)


def compress(codec: int, buffer: Buffer, level: int | None = None) -> bytes:
    """Compress; ``level`` is one of Kafka's for that codec (see ``LEVELS``), ``None`` its default."""
    if codec == NONE:
        return bytes(buffer)
    assert codec in _ENCODERS, f"compression codec {codec}, expected 0 to {ZSTD}"
    assert level is None or is_level(codec, level), f"{NAMES[codec]} has no level {level}"
    return _ENCODERS[codec](buffer, level)


def is_level(codec: int, level: int) -> bool:
    """Whether Kafka accepts ``level`` for that codec's ``compression.<codec>.level``."""
    if codec not in LEVELS:
        return False
    lowest, highest, default = LEVELS[codec]
    return lowest <= level <= highest or level == default


def _corrupt(codec: int, reason: object) -> Refused:
    return Refused(INVALID_RECORD, f"records that are not valid {NAMES[codec]}: {reason}")


def _too_large(codec: int, limit_bytes: int) -> Refused:
    return Refused(MESSAGE_TOO_LARGE, f"records that are more than {limit_bytes} bytes behind {NAMES[codec]}")


def _drain(codec: int, decompressor: _Decompressor, buffer: Buffer, pieces: list[bytes], limit_bytes: int) -> bytes:
    """All of one frame behind ``pieces``, which may grow up to the limit; returns what follows the frame."""
    room_bytes = limit_bytes - sum(map(len, pieces))
    piece_bytes = max(_FIRST_PIECE_BYTES, 4 * len(buffer))
    chunk: Buffer = buffer
    while not decompressor.eof:
        # One byte over the room tells a frame that ends exactly there from one that goes on.
        piece = decompressor.decompress(chunk, max_length=min(piece_bytes, room_bytes + 1))
        if len(piece) > room_bytes:
            raise _too_large(codec, limit_bytes)
        if not piece and not chunk and not decompressor.eof:
            raise _corrupt(codec, "cut short")
        if piece:
            pieces.append(piece)
            room_bytes -= len(piece)
        piece_bytes *= 2
        chunk = b""
    return decompressor.unused_data or b""


def _gunzip(buffer: Buffer, limit_bytes: int) -> bytes:
    library = isal_zlib or zlib
    pieces: list[bytes] = []
    room_bytes = limit_bytes
    piece_bytes = max(_FIRST_PIECE_BYTES, 4 * len(buffer))
    chunk: Buffer = buffer
    try:
        while True:
            decompressor = library.decompressobj(_GZIP_WINDOW)
            while not decompressor.eof:
                piece = decompressor.decompress(chunk, min(piece_bytes, room_bytes + 1))
                if len(piece) > room_bytes:
                    raise _too_large(GZIP, limit_bytes)
                chunk = decompressor.unconsumed_tail
                if not piece and not chunk and not decompressor.eof:
                    raise _corrupt(GZIP, "cut short")
                pieces.append(piece)
                room_bytes -= len(piece)
                piece_bytes *= 2
            chunk = decompressor.unused_data
            # Java reads further members and stops silently at anything else.
            if chunk[:2] != b"\x1f\x8b":
                return pieces[0] if len(pieces) == 1 else b"".join(pieces)
    except _GZIP_ERRORS as error:
        raise _corrupt(GZIP, error) from error


def _gzip(buffer: Buffer, level: int | None) -> bytes:
    # Kafka's default asks zlib for level 6; ISA-L's levels up to 3 are several times as fast at about zlib's level 1
    # to 3 in size. Who names a level above that asks for the smaller size and gets zlib.
    if isal_zlib is not None and (level is None or level <= _ISAL_GZIP_LEVEL_MAX):
        isal_level = _ISAL_GZIP_LEVEL if level is None or level < 0 else level
        return bytes(isal_zlib.compress(buffer, isal_level, _GZIP_WINDOW))
    return zlib.compress(buffer, -1 if level is None else level, _GZIP_WINDOW)


def _unsnap_block(block: Buffer, pieces: list[bytes], room_bytes: int, limit_bytes: int) -> int:
    """One raw block into ``pieces``; returns the room that is left."""
    try:
        size = cramjam.snappy.decompress_raw_len(block)
        if size > _SNAPPY_EXPANSION_MAX * len(block):
            raise _corrupt(SNAPPY, f"a block of {len(block)} bytes announces {size}")
        if size > room_bytes:
            raise _too_large(SNAPPY, limit_bytes)
        pieces.append(bytes(cramjam.snappy.decompress_raw(block)))
    except cramjam.DecompressionError as error:
        raise _corrupt(SNAPPY, error) from error
    return room_bytes - int(size)


def _is_xerial(view: memoryview, position: int) -> bool:
    return bytes(view[position : position + len(_XERIAL_MAGIC)]) == _XERIAL_MAGIC


def _unsnap(buffer: Buffer, limit_bytes: int) -> bytes:
    view = memoryview(buffer)
    pieces: list[bytes] = []
    if not _is_xerial(view, 0):
        _unsnap_block(view, pieces, limit_bytes, limit_bytes)
        return pieces[0]
    room_bytes = limit_bytes
    position = 0
    while position < len(view):
        if _is_xerial(view, position):  # streams may follow each other, each with its header
            position += len(_XERIAL_HEADER)
            if position > len(view):
                raise _corrupt(SNAPPY, "cut short in a stream header")
            continue
        if position + 4 > len(view):
            raise _corrupt(SNAPPY, "cut short in a block length")
        (size,) = _LENGTH.unpack_from(view, position)
        position += 4
        if size > len(view) - position:
            raise _corrupt(SNAPPY, f"a block of {size} bytes where {len(view) - position} remain")
        room_bytes = _unsnap_block(view[position : position + size], pieces, room_bytes, limit_bytes)
        position += size
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _snap(buffer: Buffer, level: int | None) -> bytes:
    view = memoryview(buffer)
    parts = [_XERIAL_HEADER]
    for position in range(0, len(view), _XERIAL_BLOCK_BYTES):
        block = bytes(cramjam.snappy.compress_raw(view[position : position + _XERIAL_BLOCK_BYTES]))
        parts += (_LENGTH.pack(len(block)), block)
    return b"".join(parts)


def _unlz4(buffer: Buffer, limit_bytes: int) -> bytes:
    pieces: list[bytes] = []
    try:
        _drain(LZ4, lz4.frame.LZ4FrameDecompressor(), buffer, pieces, limit_bytes)
    except RuntimeError as error:
        raise _corrupt(LZ4, error) from error
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _lz4(buffer: Buffer, level: int | None) -> bytes:
    # As in Java, the default (9) means the fast compressor and any other level the high compression one, whose lowest
    # level in the library is 3 and whose highest is 12.
    lz4_level = 0 if level is None or level == LEVELS[LZ4][2] else min(max(level, 3), 12)
    return bytes(
        lz4.frame.compress(
            buffer,
            compression_level=lz4_level,
            block_size=lz4.frame.BLOCKSIZE_MAX64KB,
            block_linked=False,
            store_size=False,
        )
    )


def _unzstd(buffer: Buffer, limit_bytes: int) -> bytes:
    pieces: list[bytes] = []
    rest: Buffer = buffer
    try:
        # A frame may ask for a window of 128 MiB (Java's level 22 does, whatever the size of the batch). The library
        # reserves it but touches only what it writes, so what it costs is bounded by the output.
        while True:
            rest = _drain(ZSTD, zstd.ZstdDecompressor(), rest, pieces, limit_bytes)
            if not rest:
                return pieces[0] if len(pieces) == 1 else b"".join(pieces)
    except zstd.ZstdError as error:
        raise _corrupt(ZSTD, error) from error


def _zstd(buffer: Buffer, level: int | None) -> bytes:
    return bytes(zstd.compress(buffer, level))


_DECODERS: Final[dict[int, Callable[[Buffer, int], bytes]]] = {
    GZIP: _gunzip,
    SNAPPY: _unsnap,
    LZ4: _unlz4,
    ZSTD: _unzstd,
}
_ENCODERS: Final[dict[int, Callable[[Buffer, int | None], bytes]]] = {
    GZIP: _gzip,
    SNAPPY: _snap,
    LZ4: _lz4,
    ZSTD: _zstd,
}
