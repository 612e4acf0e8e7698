"""Deadlines of those who have one at a time (machine hosts): set anew at will, found without polling."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Protocol


class Expiring(Protocol):
    def expire(self) -> None: ...


class Deadlines:
    """Who expires when; an owner has at most one deadline."""

    __slots__ = ("_at", "_heap", "_sequence", "alarm")

    def __init__(self, alarm: Callable[[int], None] | None = None) -> None:
        """``alarm(deadline_ms)`` is told of every deadline, so that its owner can set a timer."""
        self.alarm = alarm
        self._at: dict[Expiring, int] = {}
        self._heap: list[tuple[int, int, Expiring]] = []
        self._sequence = 0

    def set(self, owner: Expiring, deadline_ms: int | None) -> None:
        """``owner.expire()`` is called at ``deadline_ms``; None: not at all."""
        if deadline_ms is None:
            self._at.pop(owner, None)
            return
        if self._at.get(owner) == deadline_ms:
            return
        self._at[owner] = deadline_ms
        self._sequence += 1
        heapq.heappush(self._heap, (deadline_ms, self._sequence, owner))
        if self.alarm is not None:
            self.alarm(deadline_ms)

    def next_deadline(self) -> int | None:
        heap = self._heap
        while heap and self._at.get(heap[0][2]) != heap[0][0]:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def expire(self, mono_ms: int) -> None:
        """Call everyone whose deadline has come, once."""
        due: list[Expiring] = []
        while (deadline := self.next_deadline()) is not None and deadline <= mono_ms:
            owner = heapq.heappop(self._heap)[2]
            del self._at[owner]
            due.append(owner)
        for owner in due:
            owner.expire()
