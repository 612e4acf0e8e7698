"""A stretch of a segment's file on its way to a reader: its bytes stay in the file until they are sent.

A slice pins its segment from the moment it is made: the file is not removed while somebody sends from it. It is let go
by :meth:`FileSlice.release`, or when the last reference to it is dropped. When the log is truncated below the slice's
end its ``on_cut`` is called, so that the connection can be closed that would send bytes that are no longer true.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from millrace.base.errors import StorageFault
from millrace.base.ports import File, Ticket

if TYPE_CHECKING:
    from millrace.storage.segment import Segment


class FileSlice:
    """See the module. ``position`` and ``length`` are of what is still to be read; ``len()`` is ``length``."""

    __slots__ = ("__weakref__", "_pins", "file", "is_cut", "length", "on_cut", "position", "segment")

    def __init__(self, file: File, position: int, length: int, segment: Segment) -> None:
        self.file = file
        self.position = position
        self.length = length
        self.segment = segment
        self.on_cut: Callable[[FileSlice], None] | None = None
        self.is_cut = False
        self._pins = 0
        self.pin()

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"<{self.length} bytes at {self.position} of {self.file.path}>"

    def __del__(self) -> None:
        if self._pins:
            self._pins = 1
            self.release()

    @property
    def path(self) -> str:
        return self.file.path

    def pin(self) -> None:
        """One more who sends from it; the slice is pinned once when it is made."""
        self._pins += 1
        if self._pins == 1:
            self.segment.on_pinned(self)

    def release(self) -> None:
        """One less. More releases than pins are harmless."""
        if self._pins:
            self._pins -= 1
            if not self._pins:
                self.segment.on_released(self)

    def next_piece(self, size_max: int) -> bytes | Ticket[bytes]:
        """The next bytes, at most ``size_max``: at once if they are in memory; they stay until :meth:`advance`."""
        if self.is_cut:
            end = self.position + self.length
            raise StorageFault(self.path, f"the log was truncated below position {end} while it was read")
        return self.file.read(self.position, min(size_max, self.length))

    def advance(self, size: int) -> None:
        """``size`` bytes were taken."""
        self.position += size
        self.length -= size

    def read_now(self) -> bytes:
        """All of it, waiting here for the disk: for machines, tools and tests."""
        return self.file.read_now(self.position, self.length)
