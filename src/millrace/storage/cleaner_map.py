"""The cleaner's table: the latest offset of each key, in a fixed number of bytes.

One slot is a 16-byte digest of the key and an 8-byte offset, found by open addressing. The size is chosen once and
never exceeded: when the table is full the cleaner stops reading, cleans up to there, and comes again for the rest. Two
keys with one digest would lose records of the older one; nobody can make such a pair for 128 bits of BLAKE2, but for
the MD5 that Kafka uses they are easily made.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import Final

_DIGEST_BYTES: Final = 16
_SLOT = Struct(f">{_DIGEST_BYTES}sq")
_SLOT_BYTES: Final = _SLOT.size
_OFFSET = Struct(">q")
_EMPTY: Final = bytes(_DIGEST_BYTES)
# Probes grow steeply above half full; a table with room to spare stays below.
_COMFORTABLE_LOAD: Final = 0.5


class KeyTable:
    """Key to latest offset. ``latest_offset`` is how far the log was read into it, -1 before the first."""

    __slots__ = ("_bytes", "_slots", "_table", "entries", "entries_max", "latest_offset")

    def __init__(self, keys: int, bytes_max: int, load_factor: float) -> None:
        """Room for ``keys`` if ``bytes_max`` allows it, else for as many as fit."""
        slots_max = max(2, bytes_max // _SLOT_BYTES)
        self._slots = min(slots_max, max(2, int(keys / _COMFORTABLE_LOAD) + 1))
        self._bytes = self._slots * _SLOT_BYTES
        self._table = bytearray(self._bytes)
        # One slot stays free, else the search for a key that is not there would not end.
        self.entries_max = min(max(1, int(self._slots * load_factor)), self._slots - 1)
        self.entries = 0
        self.latest_offset = -1

    def put(self, key: bytes, offset: int) -> bool:
        """Remember the offset as the key's latest; False, and nothing remembered, when the table is full."""
        digest = blake2b(key, digest_size=_DIGEST_BYTES).digest()
        table, end = self._table, self._bytes
        position = int.from_bytes(digest[:8]) % self._slots * _SLOT_BYTES
        while True:
            stored = table[position : position + _DIGEST_BYTES]
            if stored == digest:
                _OFFSET.pack_into(table, position + _DIGEST_BYTES, offset)
                self.latest_offset = offset
                return True
            if stored == _EMPTY:
                if self.entries == self.entries_max:
                    return False
                _SLOT.pack_into(table, position, digest, offset)
                self.entries += 1
                self.latest_offset = offset
                return True
            position += _SLOT_BYTES
            if position == end:
                position = 0

    def get(self, key: bytes) -> int:
        """The latest offset of the key, -1 when it was not seen."""
        digest = blake2b(key, digest_size=_DIGEST_BYTES).digest()
        table, end = self._table, self._bytes
        position = int.from_bytes(digest[:8]) % self._slots * _SLOT_BYTES
        while True:
            stored = table[position : position + _DIGEST_BYTES]
            if stored == digest:
                return int(_OFFSET.unpack_from(table, position + _DIGEST_BYTES)[0])
            if stored == _EMPTY:
                return -1
            position += _SLOT_BYTES
            if position == end:
                position = 0

    def advance(self, offset: int) -> None:
        """The log was read up to ``offset``, whether or not there was a key."""
        self.latest_offset = max(self.latest_offset, offset)
