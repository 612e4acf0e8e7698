"""The embedded root: what an ensemble does for a cluster, on one machine (design section 4).

It holds a handful of small nodes. Persistent ones are kept in one file that is replaced as a whole, ephemeral ones
live as long as the process. Every change is on stable storage before its ticket is done, and changes are made in the
order they were asked for.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from millrace.base.errors import Refused, StorageFault
from millrace.base.ports import Disk, RootEvent, Ticket, done

NODES_FILE = "nodes.json"
# Kafka has no codes for these; they stay inside: whoever uses the root handles them.
NODE_EXISTS, NO_NODE, BAD_VERSION = -110, -101, -103


class Event(NamedTuple):
    kind: str
    path: str


class _Node:
    __slots__ = ("ephemeral", "value", "version")

    def __init__(self, value: bytes, version: int, *, ephemeral: bool) -> None:
        self.value = value
        self.version = version
        self.ephemeral = ephemeral


class EmbeddedRoot:
    """See the module; ``disk`` is the folder ``root/``."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._nodes: dict[str, _Node] = {}
        self._watchers: list[Callable[[RootEvent], None]] = []
        self._unsaved: deque[tuple[Ticket[Any], Any, str]] = deque()  # changes that wait for the next file
        self._is_saving = False
        if disk.exists(NODES_FILE):
            self._load(disk.read_whole(NODES_FILE))

    def _load(self, content: bytes) -> None:
        try:
            nodes = json.loads(content)
            for path, (value, version) in nodes.items():
                self._nodes[path] = _Node(b64decode(value), version, ephemeral=False)
        except (ValueError, TypeError, AttributeError) as error:
            raise StorageFault(NODES_FILE, f"not a root's file: {error}") from error

    def create(self, path: str, value: bytes, *, ephemeral: bool = False) -> Ticket[int]:
        if path in self._nodes:
            return _refused(NODE_EXISTS, f"{path} exists")
        self._nodes[path] = _Node(value, 0, ephemeral=ephemeral)
        return self._changed(path, 0, ephemeral=ephemeral)

    def get(self, path: str) -> Ticket[tuple[bytes, int] | None]:
        node = self._nodes.get(path)
        return done(None if node is None else (node.value, node.version))

    def set(self, path: str, value: bytes, expected_version: int) -> Ticket[int]:
        node = self._nodes.get(path)
        if node is None:
            return _refused(NO_NODE, f"{path} is not there")
        if node.version != expected_version:
            return _refused(BAD_VERSION, f"{path} has version {node.version}, expected {expected_version}")
        node.value = value
        node.version += 1
        return self._changed(path, node.version, ephemeral=node.ephemeral)

    def delete(self, path: str, expected_version: int) -> Ticket[None]:
        node = self._nodes.get(path)
        if node is None:
            return _refused(NO_NODE, f"{path} is not there")
        if node.version != expected_version:
            return _refused(BAD_VERSION, f"{path} has version {node.version}, expected {expected_version}")
        del self._nodes[path]
        return self._changed(path, None, ephemeral=node.ephemeral)

    def children(self, path: str) -> Ticket[list[str]]:
        prefix = path.rstrip("/") + "/"
        return done(sorted({each[len(prefix) :].split("/")[0] for each in self._nodes if each.startswith(prefix)}))

    def watch(self, callback: Callable[[RootEvent], None]) -> None:
        self._watchers.append(callback)
        callback(Event("connected", ""))

    def _changed(self, path: str, value: Any, *, ephemeral: bool) -> Ticket[Any]:
        ticket: Ticket[Any] = Ticket()
        if ephemeral and not self._is_saving:
            ticket.complete(value)
            self._tell(path)
            return ticket
        self._unsaved.append((ticket, value, path))
        self._save()
        return ticket

    def _save(self) -> None:
        if self._is_saving or not self._unsaved:
            return
        self._is_saving = True
        batch, self._unsaved = self._unsaved, deque()
        nodes = {
            path: [b64encode(node.value).decode(), node.version]
            for path, node in sorted(self._nodes.items())
            if not node.ephemeral
        }
        content = json.dumps(nodes, indent=0).encode()
        self._disk.replace(NODES_FILE, content).then(lambda ticket: self._on_saved(batch, ticket))

    def _on_saved(self, batch: deque[tuple[Ticket[Any], Any, str]], saved: Ticket[None]) -> None:
        self._is_saving = False
        for ticket, value, path in batch:
            if saved.error is not None:
                ticket.fail(saved.error)
            else:
                ticket.complete(value)
                self._tell(path)
        self._save()

    def _tell(self, path: str) -> None:
        for watcher in self._watchers:
            watcher(Event("changed", path))


def _refused(code: int, message: str) -> Ticket[Any]:
    ticket: Ticket[Any] = Ticket()
    ticket.fail(Refused(code, message))
    return ticket
