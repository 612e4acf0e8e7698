"""What names on the simulated disk stand for: files and folders, as a process sees them and as a crash leaves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

SECTOR_BYTES = 512


class FileInode:
    """A file's bytes as the process sees them, and what of them a crash leaves."""

    __slots__ = ("content", "durable", "modified_ms", "unsynced")

    def __init__(self, modified_ms: int, content: bytes = b"") -> None:
        """With ``content`` it is on stable storage from the start."""
        self.content = bytearray(content)
        self.durable = bytearray(content)
        self.unsynced: list[tuple[int, bytes | None]] = []  # (position, bytes), or (size, None) for a truncation
        self.modified_ms = modified_ms

    def write(self, position: int, content: bytes) -> None:
        _apply(self.content, position, content)
        self.unsynced.append((position, content))

    def truncate(self, size: int) -> None:
        _apply(self.content, size, None)
        self.unsynced.append((size, None))

    def sync(self, count: int) -> None:
        """The first ``count`` changes are on stable storage now."""
        for position, content in self.unsynced[:count]:
            _apply(self.durable, position, content)
        del self.unsynced[:count]

    def after_crash(self, random: Random) -> FileInode:
        """A file as a power cut may leave it."""
        left = bytearray(self.durable)
        for position, content in _some(random, self.unsynced):
            if content is not None and random.random() < 0.3:
                for piece_position, piece in _torn(random, position, content):
                    _apply(left, piece_position, piece)
            else:
                _apply(left, position, content)
        return FileInode(self.modified_ms, bytes(left))


class Change:
    """One change of names in a folder: ``old`` renamed to ``new``, removed (no ``new``), or ``made`` as ``new``."""

    __slots__ = ("made", "new", "old")

    def __init__(self, old: str, new: str, made: Inode | None = None) -> None:
        self.old = old
        self.new = new
        self.made = made

    def apply(self, names: dict[str, Inode]) -> None:
        """A name that is not there, because what made it was lost, cannot be renamed."""
        inode = self.made if self.made is not None else names.pop(self.old, None)
        if self.new and inode is not None:
            names[self.new] = inode


class FolderInode:
    """A folder's names, and which of them a crash leaves. What is in it follows it when it is renamed."""

    __slots__ = ("durable", "modified_ms", "names", "unsynced")

    def __init__(self, modified_ms: int) -> None:
        self.names: dict[str, Inode] = {}
        self.durable: dict[str, Inode] = {}
        self.unsynced: list[Change] = []
        self.modified_ms = modified_ms

    def change(self, old: str, new: str, made: Inode | None = None) -> None:
        change = Change(old, new, made)
        change.apply(self.names)
        self.unsynced.append(change)

    def sync(self, covered: Sequence[Change]) -> None:
        """These changes are on stable storage now, if they were not before."""
        remaining = []
        for change in self.unsynced:
            if change in covered:
                change.apply(self.durable)
            else:
                remaining.append(change)
        self.unsynced = remaining

    def files(self) -> Iterator[FileInode]:
        """All files in it and below it."""
        for inode in self.names.values():
            if isinstance(inode, FolderInode):
                yield from inode.files()
            else:
                yield inode

    def after_crash(self, random: Random) -> FolderInode:
        """A folder as a power cut may leave it, with all that is in it."""
        names = dict(self.durable)
        for change in _some(random, self.unsynced):
            change.apply(names)
        left = FolderInode(self.modified_ms)
        left.names = {name: inode.after_crash(random) for name, inode in sorted(names.items())}
        left.durable = dict(left.names)
        return left


Inode = FileInode | FolderInode


def _apply(target: bytearray, position: int, content: bytes | None) -> None:
    if content is None:
        del target[position:]
        target.extend(bytes(position - len(target)))
        return
    if len(target) < position:
        target.extend(bytes(position - len(target)))
    target[position : position + len(content)] = content


def _some(random: Random, changes: Sequence[T]) -> Sequence[T]:
    """None of the changes, all, those up to one, or any of them, in order."""
    mode = random.randrange(4)
    if mode == 0:
        return ()
    if mode == 1:
        return changes
    if mode == 2:
        return changes[: random.randrange(len(changes) + 1)]
    return [change for change in changes if random.random() < 0.5]


def _torn(random: Random, position: int, content: bytes) -> list[tuple[int, bytes]]:
    """Parts of one write: up to a byte, or any of its sectors."""
    if random.random() < 0.5:
        return [(position, content[: random.randrange(len(content) + 1)])]
    pieces = []
    begin = 0
    while begin < len(content):
        end = min(begin + SECTOR_BYTES - (position + begin) % SECTOR_BYTES, len(content))
        if random.random() < 0.5:
            pieces.append((position + begin, content[begin:end]))
        begin = end
    return pieces
