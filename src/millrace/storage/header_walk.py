"""A walk over the headers of a segment's batches, in pieces, waiting for the disk only where it must.

walk = HeaderWalk(file, position)
while (yield from walk.more()):
    ...  # walk.base_offset, walk.last_offset, walk.size, walk.fields()
    walk.skip()
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from millrace.base.errors import StorageFault
from millrace.base.limits import WALK_FIRST_BYTES, WALK_NEXT_BYTES
from millrace.base.ports import File, Ticket
from millrace.kafka.batch import HEADER, HEADER_BYTES, OVERHEAD_BYTES
from millrace.storage.steps import Steps

_EXTENT: Final = Struct(">qi11xi")  # base offset, length, last offset delta


class HeaderWalk:
    """See the module. Trusts the file: a header that cannot be right is a StorageFault.

    ``waits_here``: for start-up and truncation, which must not let anything else happen in between; it never yields.
    """

    __slots__ = ("_piece", "_piece_begin", "_waits_here", "base_offset", "file", "last_offset", "position", "size")

    def __init__(self, file: File, position: int, *, waits_here: bool = False) -> None:
        self.file = file
        self.position = position
        self.size = 0
        self.base_offset = 0
        self.last_offset = -1
        self._waits_here = waits_here
        self._piece = b""
        self._piece_begin = position

    def more(self) -> Steps[bool]:
        """Whether there is a batch at ``position``; its extent is known then."""
        at = self.position - self._piece_begin
        if at < 0 or at + HEADER_BYTES > len(self._piece):
            if self.position >= self.file.size:
                return False
            size = WALK_NEXT_BYTES if self._piece else WALK_FIRST_BYTES
            if self.size > size:
                size = HEADER_BYTES  # large batches: their headers are far apart
            piece = (self.file.read_now if self._waits_here else self.file.read)(self.position, size)
            if isinstance(piece, Ticket):
                piece = yield piece
            self._piece, self._piece_begin, at = piece, self.position, 0
        if len(self._piece) - at < HEADER_BYTES:
            raise StorageFault(self.file.path, f"ends inside the header of the batch at position {self.position}")
        base_offset, length, delta = _EXTENT.unpack_from(self._piece, at)
        if length < HEADER_BYTES - OVERHEAD_BYTES or delta < 0:
            raise StorageFault(self.file.path, f"holds no batch at position {self.position}")
        self.base_offset = base_offset
        self.last_offset = base_offset + delta
        self.size = length + OVERHEAD_BYTES
        return True

    def fields(self) -> tuple[int, ...]:
        """The whole header, as ``kafka/batch.HEADER`` has it."""
        return HEADER.unpack_from(self._piece, self.position - self._piece_begin)

    def skip(self) -> None:
        self.position += self.size
