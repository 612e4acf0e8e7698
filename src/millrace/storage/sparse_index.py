"""A sparse index of a segment: sorted fixed-size entries, what is written in the file, the rest in memory.

Entries are gathered in memory (the tail) and written when the segment is closed or the recovery point moves: they can
always be rebuilt from the log. What is in the file is loaded when a look-up needs it, and dropped again, least recently
used first, when a folder's indexes take more than their limit. Files are never longer than their entries, so Kafka
reads them as those of closed segments.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from operator import le
from struct import Struct
from typing import Final

from millrace.base.errors import StorageFault
from millrace.base.limits import INDEX_BYTES_MAX
from millrace.base.ports import Disk, File, Ticket
from millrace.storage.steps import Steps

UNKNOWN: Final = -1


class IndexCache:
    """The loaded parts of a folder's indexes, bounded in bytes."""

    __slots__ = ("_indexes", "bytes_max", "size_bytes")

    def __init__(self, bytes_max: int = INDEX_BYTES_MAX) -> None:
        self.bytes_max = bytes_max
        self.size_bytes = 0
        self._indexes: OrderedDict[SparseIndex, int] = OrderedDict()

    def add(self, index: SparseIndex, size: int) -> None:
        """``index`` has loaded ``size`` bytes; others may have to go. The newest always stays."""
        self.size_bytes += size - self._indexes.pop(index, 0)
        self._indexes[index] = size
        while self.size_bytes > self.bytes_max and len(self._indexes) > 1:
            oldest, freed = self._indexes.popitem(last=False)
            self.size_bytes -= freed
            oldest.loaded = None

    def touch(self, index: SparseIndex) -> None:
        self._indexes.move_to_end(index)

    def drop(self, index: SparseIndex) -> None:
        self.size_bytes -= self._indexes.pop(index, 0)
        index.loaded = None


class SparseIndex:
    """See the module. Keys are the first field of an entry and never decrease."""

    __slots__ = ("_cache", "_count_in_file", "_cuts", "_disk", "_is_too_long", "_tail", "loaded", "path")

    ENTRY: Struct  # of the subclass
    KEY: Struct  # its first field

    def __init__(self, disk: Disk, path: str, cache: IndexCache, *, is_new: bool) -> None:
        self.path = path
        self.loaded: bytearray | None = None  # what is in the file, if it is in memory
        self._disk = disk
        self._cache = cache
        self._count_in_file = 0 if is_new else UNKNOWN
        self._tail: bytearray | None = None
        self._cuts = 0  # how often entries of the file were forgotten
        self._is_too_long = False  # the file has more entries than are right

    @property
    def count(self) -> int:
        """How many entries there are."""
        if self._count_in_file == UNKNOWN:
            self._count_file()
        return self._count_in_file + (len(self._tail) // self.ENTRY.size if self._tail is not None else 0)

    @property
    def is_unwritten(self) -> bool:
        """Whether the file is not what it should be yet."""
        return bool(self._tail) or self._is_too_long

    def _count_file(self) -> None:
        if not self._disk.exists(self.path):
            self._count_in_file = 0
            return
        file = self._disk.open(self.path)
        self._count_in_file = file.size // self.ENTRY.size
        file.close()

    def add(self, *fields: int) -> None:
        """One entry more, in memory."""
        if self._tail is None:
            self._tail = bytearray()
        self._tail += self.ENTRY.pack(*fields)

    def load(self, key: int) -> Steps[None]:
        """Bring into memory what a look-up of ``key`` needs; as steps, because it may have to wait for the disk."""
        while self.loaded is None and not self.is_ready(key):
            count, cuts = self._count_in_file, self._cuts
            file = self._disk.open(self.path)
            content = file.read(0, count * self.ENTRY.size)
            if isinstance(content, Ticket):
                content = yield content
            file.close()
            if self.loaded is None and (count, cuts) == (self._count_in_file, self._cuts):
                self._on_loaded(bytearray(content))  # else it has changed meanwhile, and is read again

    def load_now(self) -> None:
        """The same for all keys, waiting here."""
        if self.loaded is not None or not self.count_in_file:
            return
        file = self._disk.open(self.path)
        content = file.read_now(0, self._count_in_file * self.ENTRY.size)
        file.close()
        self._on_loaded(bytearray(content))

    def _on_loaded(self, content: bytearray) -> None:
        size = self.ENTRY.size
        if len(content) < self._count_in_file * size:
            raise StorageFault(self.path, f"holds {len(content)} bytes, expected {self._count_in_file * size}")
        self.loaded = content
        self._cache.add(self, len(content))

    @property
    def count_in_file(self) -> int:
        if self._count_in_file == UNKNOWN:
            self._count_file()
        return self._count_in_file

    def is_ready(self, key: int) -> bool:
        """Whether :meth:`floor` of ``key`` can be answered from memory."""
        if self.loaded is not None or not self.count_in_file:
            return True
        return bool(self._tail) and self._key_at(self._tail, 0) <= key  # type: ignore[arg-type]

    def floor(self, key: int) -> tuple[int, ...] | None:
        """The last entry whose key is not above ``key``; it must be loaded (see :meth:`load`)."""
        tail = self._tail
        if tail and self._key_at(tail, 0) <= key:
            return self.ENTRY.unpack_from(tail, self._floor_in(tail, key) * self.ENTRY.size)
        loaded = self.loaded
        if loaded is None:
            assert not self.count_in_file, f"{self.path}: look-up before it was loaded"
            return None
        self._cache.touch(self)
        found = self._floor_in(loaded, key)
        return self.ENTRY.unpack_from(loaded, found * self.ENTRY.size) if found >= 0 else None

    def last(self) -> tuple[int, ...] | None:
        """The last entry; reads it alone from the file if it is not in memory."""
        size = self.ENTRY.size
        for part in (self._tail, self.loaded):
            if part:
                return self.ENTRY.unpack_from(part, len(part) - size)
        if not self.count_in_file:
            return None
        file = self._disk.open(self.path)
        content = file.read_now((self._count_in_file - 1) * size, size)
        file.close()
        if len(content) < size:
            raise StorageFault(self.path, f"ends before entry {self._count_in_file - 1}")
        return self.ENTRY.unpack(content)

    def _key_at(self, part: bytearray, index: int) -> int:
        return int(self.KEY.unpack_from(part, index * self.ENTRY.size)[0])

    def _floor_in(self, part: bytearray, key: int) -> int:
        """The index of the last entry in ``part`` whose key is not above ``key``; -1 when there is none."""
        unpack, size = self.KEY.unpack_from, self.ENTRY.size
        low, high = 0, len(part) // size
        while low < high:
            middle = (low + high) >> 1
            if unpack(part, middle * size)[0] <= key:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def write(self) -> File:
        """Write the tail into the file, which is made if need be and has exactly the entries; flush it yourself."""
        expected = self.count_in_file * self.ENTRY.size
        file = self._disk.open(self.path, create=True)
        if file.size > expected:
            file.truncate(expected)
        self._is_too_long = False
        tail = self._tail
        if tail:
            file.append((tail,))
            self._count_in_file += len(tail) // self.ENTRY.size
            if self.loaded is not None:
                self.loaded += tail
                self._cache.add(self, len(self.loaded))
            self._tail = None
        return file

    def keep(self, count: int) -> None:
        """Forget all entries behind the first ``count``. The file is cut when it is written next."""
        size = self.ENTRY.size
        in_file = self.count_in_file
        if count >= in_file:
            if self._tail is not None:
                del self._tail[(count - in_file) * size :]
            return
        self._tail = None
        self._cuts += 1
        self._is_too_long |= count < in_file
        self._count_in_file = count
        if self.loaded is not None:
            del self.loaded[count * size :]
            self._cache.add(self, len(self.loaded))

    def entries(self) -> list[tuple[int, ...]]:
        """All entries, waiting here for the file: for recovery, truncation, tools and tests."""
        self.load_now()
        whole = bytes(self.loaded or b"") + bytes(self._tail or b"")
        return list(self.ENTRY.iter_unpack(whole))

    def keep_sound(self) -> None:
        """After a crash: keep the entries up to the first that does not follow the one before it, in both fields."""
        self.load_now()
        columns = list(zip(*self.ENTRY.iter_unpack(bytes(self.loaded or b"")), strict=True))
        count = min((_count_rising(column) for column in columns), default=0)
        if columns and count < len(columns[0]):
            self.keep(count)

    def drop(self) -> None:
        """The segment is gone."""
        self._cache.drop(self)
        self._tail = None


def _count_rising(values: Sequence[int]) -> int:
    """How many there are before the first that is less than the one before it."""
    if all(map(le, values, values[1:])):
        return len(values)
    return next(index for index in range(1, len(values)) if values[index - 1] > values[index])
