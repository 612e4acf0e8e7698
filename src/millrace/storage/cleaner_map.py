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
_OFFSET = Struct(">q")
_SLOT_BYTES: Final = _DIGEST_BYTES + _OFFSET.size
_EMPTY: Final = bytes(_DIGEST_BYTES)
# Probes grow steeply above half full; a table with room to spare stays below.
_COMFORTABLE_LOAD: Final = 0.5


# Slots of keys that were met lately are remembered, so that keys that come often are not searched each time.
_LATELY_MAX: Final = 1 << 16
_LATELY_KEY_BYTES_MAX: Final = 256


class KeyTable:
    """Key to latest offset. ``latest_offset`` is how far the log was read into it, -1 before the first."""

    __slots__ = ("_bytes", "_lately", "_slots", "_table", "entries", "entries_max", "latest_offset")

    def __init__(self, keys: int, bytes_max: int, load_factor: float) -> None:
        """Room for ``keys`` if ``bytes_max`` allows it, else for as many as fit."""
        slots_max = max(2, bytes_max // _SLOT_BYTES)
        self._slots = min(slots_max, max(2, int(keys / _COMFORTABLE_LOAD) + 1))
        self._bytes = self._slots * _SLOT_BYTES
        self._table = bytearray(self._bytes)
        self._lately: dict[bytes, int] = {}  # key to the position of its slot; slots never move
        # One slot stays free, else the search for a key that is not there would not end.
        self.entries_max = min(max(1, int(self._slots * load_factor)), self._slots - 1)
        self.entries = 0
        self.latest_offset = -1

    def put(self, key: bytes, offset: int) -> bool:
        """Remember the offset as the key's latest; False, and nothing remembered, when the table is full."""
        position = self._lately.get(key)
        if position is None:
            digest = blake2b(key, digest_size=_DIGEST_BYTES).digest()
            position = self._find(digest)
            if not self._is_taken(position):
                if self.entries == self.entries_max:
                    return False
                self._table[position : position + _DIGEST_BYTES] = digest
                self.entries += 1
            self._remember(key, position)
        _OFFSET.pack_into(self._table, position + _DIGEST_BYTES, offset)
        self.latest_offset = offset
        return True

    def get(self, key: bytes) -> int:
        """The latest offset of the key, -1 when it was not seen."""
        position = self._lately.get(key)
        if position is None:
            position = self._find(blake2b(key, digest_size=_DIGEST_BYTES).digest())
            if not self._is_taken(position):
                return -1
            self._remember(key, position)
        return int(_OFFSET.unpack_from(self._table, position + _DIGEST_BYTES)[0])

    def _find(self, digest: bytes) -> int:
        """The position of the slot that has the digest, or of the free one where it belongs."""
        table, end = self._table, self._bytes
        position = int.from_bytes(digest[:8]) % self._slots * _SLOT_BYTES
        while (stored := table[position : position + _DIGEST_BYTES]) != digest and stored != _EMPTY:
            position += _SLOT_BYTES
            if position == end:
                position = 0
        return position

    def _is_taken(self, position: int) -> bool:
        return self._table[position : position + _DIGEST_BYTES] != _EMPTY

    def _remember(self, key: bytes, position: int) -> None:
        if len(key) > _LATELY_KEY_BYTES_MAX:
            return
        if len(self._lately) >= _LATELY_MAX:
            self._lately.clear()
        self._lately[key] = position

    def advance(self, offset: int) -> None:
        """The log was read up to ``offset``, whether or not there was a key."""
        self.latest_offset = max(self.latest_offset, offset)
