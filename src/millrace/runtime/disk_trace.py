"""A trace of what the real disk did, in order, with the bytes: a crash test rebuilds the folder at any of its points.

Each event is one line of JSON (kind, path, and what belongs to it), followed by ``size`` raw bytes for a write.
``flush_begin`` and ``flush_end`` are two events: what was written before the begin is safe after the end; so for
``sync_folder_begin`` and ``sync_folder_end`` and the names in a folder. ``mark`` is a word of the test's own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO


@dataclass(slots=True)
class Event:
    """One event; ``begun`` is the number of the event that began what ends here."""

    number: int
    kind: str
    path: str
    to: str = ""
    position: int = 0
    begun: int = 0
    content: bytes = b""


class DiskTrace:
    """Writes events to a file; from any thread."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._count = 0

    def note(
        self, kind: str, path: str, to: str = "", *, position: int = 0, begun: int = 0, content: bytes = b""
    ) -> int:
        with self._lock:
            self._count += 1
            head = {"kind": kind, "path": path, "to": to, "position": position, "begun": begun, "size": len(content)}
            self._file.write(json.dumps(head).encode() + b"\n" + content)
            return self._count

    def mark(self, text: str) -> None:
        self.note("mark", text)

    def close(self) -> None:
        self._file.close()


def read_trace(file: IO[bytes]) -> Iterator[Event]:
    """The events of a trace, in order; a last one that is torn is left out."""
    number = 0
    while line := file.readline():
        if not line.endswith(b"\n"):
            return
        head = json.loads(line)
        content = file.read(head["size"])
        if len(content) < head["size"]:
            return
        number += 1
        yield Event(number, head["kind"], head["path"], head["to"], head["position"], head["begun"], content)
