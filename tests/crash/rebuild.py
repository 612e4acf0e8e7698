"""From a trace of the real disk: the files as the process saw them, and as a power cut at that moment may leave them.

A file keeps its unflushed changes, a folder its unsynced names; a crash keeps none of them, all, those up to one, or
any, and a write may be torn at any byte or sector. A change counts as safe only when a flush that began after it has
ended, so the trace is read to the disk's disadvantage.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from millrace.runtime.disk_trace import DiskTrace, Event

T = TypeVar("T")
SECTOR_BYTES = 512
TORN_CHANCE = 0.3


class FolderTrace(DiskTrace):
    """One trace for several disks: what this one does is noted under the name of its folder."""

    def __init__(self, whole: DiskTrace, folder: str) -> None:
        self._whole = whole
        self._folder = folder

    def note(
        self, kind: str, path: str, to: str = "", *, position: int = 0, begun: int = 0, content: bytes = b""
    ) -> int:
        path, to = os.path.join(self._folder, path).rstrip("/"), os.path.join(self._folder, to) if to else ""
        return self._whole.note(kind, path, to, position=position, begun=begun, content=content)

    def close(self) -> None:
        """The trace goes on with the next disk of this folder."""


class TracedFile:
    """The content as it is, what of it is safe, and the changes in between: (number, position, bytes or a cut)."""

    def __init__(self) -> None:
        self.safe = bytearray()
        self.changes: list[tuple[int, int, bytes | None]] = []

    def sync(self, begun: int) -> None:
        for number, position, content in self.changes:
            if number < begun:
                _apply(self.safe, position, content)
        self.changes = [change for change in self.changes if change[0] > begun]

    def left_by_crash(self, random: Random) -> bytes:
        left = bytearray(self.safe)
        for _, position, content in _some(random, self.changes):
            if content is not None and random.random() < TORN_CHANCE:
                for piece_position, piece in _torn(random, position, content):
                    _apply(left, piece_position, piece)
            else:
                _apply(left, position, content)
        return bytes(left)


class TracedFolder:
    """The names as they are, those that are safe, and the changes in between: (number, old, new, what it names)."""

    def __init__(self) -> None:
        self.names: dict[str, TracedFile | TracedFolder] = {}
        self.safe: dict[str, TracedFile | TracedFolder] = {}
        self.changes: list[tuple[int, str, str, TracedFile | TracedFolder]] = []

    def change(self, number: int, old: str, new: str, node: TracedFile | TracedFolder) -> None:
        change = (number, old, new, node)
        _rename(self.names, change)
        self.changes.append(change)

    def sync(self, begun: int) -> None:
        for change in self.changes:
            if change[0] < begun:
                _rename(self.safe, change)
        self.changes = [change for change in self.changes if change[0] > begun]

    def write_left_by_crash(self, random: Random, target: Path) -> None:
        """Make on a real disk what a power cut may leave."""
        left = dict(self.safe)
        for change in _some(random, self.changes):
            _rename(left, change)
        target.mkdir(exist_ok=True)
        for name, node in sorted(left.items()):
            if isinstance(node, TracedFolder):
                node.write_left_by_crash(random, target / name)
            else:
                (target / name).write_bytes(node.left_by_crash(random))


class TracedTree:
    """The state after some events of a trace."""

    def __init__(self, folders: Sequence[str]) -> None:
        """``folders`` are those of the disks themselves, which are there and safe from the start."""
        self.root = TracedFolder()
        for name in folders:
            self.root.names[name] = self.root.safe[name] = TracedFolder()
        self._begun: dict[int, TracedFile | TracedFolder] = {}

    @classmethod
    def of(cls, folder: Path) -> TracedTree:
        """What is on a real disk, all of it safe."""
        tree = cls(())
        tree.root = _read_folder(folder)
        return tree

    def apply(self, event: Event) -> None:
        kind, number = event.kind, event.number
        if kind in ("flush_begin", "sync_folder_begin"):
            self._begun[number] = self._find(event.path)
        elif kind in ("flush_end", "sync_folder_end"):
            self._begun.pop(event.begun).sync(event.begun)
        elif kind == "write":
            self._file(event.path).changes.append((number, event.position, event.content))
        elif kind == "truncate":
            self._file(event.path).changes.append((number, event.position, None))
        else:
            self._change_names(event)

    def _change_names(self, event: Event) -> None:
        folder, name = self._folder_of(event.path)
        if event.kind == "create":
            folder.change(event.number, "", name, TracedFile())
        elif event.kind == "make_folder":
            folder.change(event.number, "", name, TracedFolder())
        elif event.kind == "remove":
            if name in folder.names:
                folder.change(event.number, name, "", folder.names[name])
        else:
            assert event.kind == "rename", f"a trace with an event {event.kind}"
            target, new = self._folder_of(event.to)
            assert target is folder, f"{event.path} was moved to another folder, {event.to}"
            folder.change(event.number, name, new, folder.names[name])

    def _find(self, path: str) -> TracedFile | TracedFolder:
        node: TracedFile | TracedFolder = self.root
        for name in path.split("/"):
            assert isinstance(node, TracedFolder), f"{path} leads through a file"
            node = node.names[name]
        return node

    def _file(self, path: str) -> TracedFile:
        node = self._find(path)
        assert isinstance(node, TracedFile), f"{path} is a folder"
        return node

    def _folder_of(self, path: str) -> tuple[TracedFolder, str]:
        parent, _, name = path.rpartition("/")
        node = self._find(parent)
        assert isinstance(node, TracedFolder), f"{parent} is a file"
        return node, name


def _read_folder(folder: Path) -> TracedFolder:
    read = TracedFolder()
    for path in folder.iterdir():
        if path.is_dir():
            read.names[path.name] = _read_folder(path)
            continue
        file = TracedFile()
        file.safe = bytearray(path.read_bytes())
        read.names[path.name] = file
    read.safe = dict(read.names)
    return read


def _apply(target: bytearray, position: int, content: bytes | None) -> None:
    if content is None:
        del target[position:]
        content = b""
    if len(target) < position:
        target.extend(bytes(position - len(target)))
    target[position : position + len(content)] = content


def _rename(
    names: dict[str, TracedFile | TracedFolder], change: tuple[int, str, str, TracedFile | TracedFolder]
) -> None:
    _, old, new, node = change
    if old and names.get(old) is node:
        del names[old]
    if new:
        names[new] = node


def _some(random: Random, changes: Sequence[T]) -> Sequence[T]:
    """None of them, all, those up to one, or any, in order."""
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
