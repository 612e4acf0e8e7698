"""Where a batch begins: its offset, its segment, its position in bytes."""

from __future__ import annotations


class LogPosition:
    """Compares by offset; ``segment_base`` and ``position`` say where in which file it is."""

    __slots__ = ("offset", "position", "segment_base")

    def __init__(self, offset: int, segment_base: int, position: int) -> None:
        self.offset = offset
        self.segment_base = segment_base
        self.position = position

    def __repr__(self) -> str:
        return f"<offset {self.offset} at {self.position} of segment {self.segment_base}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LogPosition) and self.offset == other.offset

    def __hash__(self) -> int:
        return hash(self.offset)

    def __lt__(self, other: LogPosition) -> bool:
        return self.offset < other.offset

    def __le__(self, other: LogPosition) -> bool:
        return self.offset <= other.offset

    def __gt__(self, other: LogPosition) -> bool:
        return self.offset > other.offset

    def __ge__(self, other: LogPosition) -> bool:
        return self.offset >= other.offset
