"""The leader epochs of a log: with which offset each began (Kafka's ``leader-epoch-checkpoint``).

The file is written when the recovery point moves, when a segment is closed and at the end: what is behind the recovery
point is found again in the batches, because each names the epoch that appended it (KIP-101).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Protocol

from millrace.base.errors import StorageFault
from millrace.storage.checkpoint import encode_lines, parse_lines

NO_EPOCH = -1
NO_OFFSET = -1


class HasEnd(Protocol):
    """A log, as its epochs see it."""

    @property
    def log_end_offset(self) -> int: ...


class LeaderEpochs:
    """Epochs and start offsets, both increasing. ``is_changed``: the file does not have all of it yet."""

    __slots__ = ("_epochs", "_log", "_starts", "is_changed")

    def __init__(self, log: HasEnd) -> None:
        self._log = log
        self._epochs: list[int] = []
        self._starts: list[int] = []
        self.is_changed = False

    def __repr__(self) -> str:
        return f"<epochs {self.entries()}>"

    @property
    def latest(self) -> int:
        """The newest epoch, -1 when there is none."""
        return self._epochs[-1] if self._epochs else NO_EPOCH

    def entries(self) -> list[tuple[int, int]]:
        """(epoch, start offset), oldest first."""
        return list(zip(self._epochs, self._starts, strict=True))

    def assign(self, epoch: int, start_offset: int) -> None:
        """``epoch`` begins at ``start_offset``; nothing happens unless it is newer than the newest."""
        if epoch < 0 or (self._epochs and epoch <= self._epochs[-1]):
            return
        while self._starts and self._starts[-1] >= start_offset:  # epochs that never appended anything
            self._starts.pop()
            self._epochs.pop()
        self._epochs.append(epoch)
        self._starts.append(start_offset)
        self.is_changed = True

    def epoch_of(self, offset: int) -> int:
        """The epoch that appended the record at ``offset``, -1 when it is not known."""
        index = bisect_right(self._starts, offset) - 1
        return self._epochs[index] if index >= 0 else NO_EPOCH

    def end_offset_for(self, epoch: int) -> tuple[int, int]:
        """The largest epoch not above ``epoch``, and where it ends; (-1, -1) when nothing is known (KIP-101)."""
        if epoch < 0 or not self._epochs or epoch > self._epochs[-1]:
            return NO_EPOCH, NO_OFFSET
        if epoch == self._epochs[-1]:
            return epoch, self._log.log_end_offset
        index = bisect_right(self._epochs, epoch)
        if not index:
            return epoch, self._starts[0]
        return self._epochs[index - 1], self._starts[index]

    def truncate_end(self, offset: int) -> None:
        """Forget epochs that begin at or behind ``offset``: the log ends there now."""
        while self._starts and self._starts[-1] >= offset:
            self._starts.pop()
            self._epochs.pop()
            self.is_changed = True

    def truncate_start(self, offset: int) -> None:
        """The log begins at ``offset`` now: the epoch that covers it begins there."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0 or (index == 0 and self._starts[0] == offset):
            return
        del self._epochs[:index]
        del self._starts[:index]
        self._starts[0] = offset
        self.is_changed = True

    def begin_with(self, epoch: int, offset: int) -> None:
        """The log begins at ``offset`` with a batch of ``epoch``: the entries may have forgotten how they began."""
        if epoch < 0 or (self._epochs and epoch > self._epochs[0]) or (self._starts and self._starts[0] <= offset):
            return
        if not self._epochs or epoch < self._epochs[0]:
            self._epochs.insert(0, epoch)
            self._starts.insert(0, offset)
        self._starts[0] = offset
        self.is_changed = True

    def clear(self) -> None:
        if self._epochs:
            self._epochs.clear()
            self._starts.clear()
            self.is_changed = True

    def encode(self) -> bytes:
        """The content of the file; ``is_changed`` is for the caller to reset."""
        return encode_lines([f"{epoch} {start}" for epoch, start in self.entries()])

    def decode(self, path: str, content: bytes) -> None:
        """What a file holds; raises StorageFault when it cannot be right."""
        self._epochs, self._starts = [], []
        for epoch, start in parse_lines(path, content, fields=2):
            if self._epochs and (int(epoch) <= self._epochs[-1] or int(start) < self._starts[-1]):
                raise StorageFault(path, f"epoch {epoch} at {start} follows {self._epochs[-1]} at {self._starts[-1]}")
            self._epochs.append(int(epoch))
            self._starts.append(int(start))
        self.is_changed = False
