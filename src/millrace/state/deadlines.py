"""Deadlines of one machine: timers that are often moved on, seldom reached, and never polled.

A timer that is moved to a later time only notes it; its entry in the heap stays where it is and is put back when it
comes up. So a heartbeat, which moves its member's deadline on, costs two assignments, and a timer has one live entry.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any, Final

# The heap is built anew when more than this many entries are dead, and more dead than alive.
DEAD_ENTRIES_MIN: Final = 256


class Timer:
    """One deadline and what it is about: ``action(*subject, ...)`` is called by whoever took it from ``due``."""

    __slots__ = ("action", "deadline_ms", "queued_ms", "subject")

    def __init__(self, action: Callable[..., None], *subject: Any) -> None:
        self.action = action
        self.subject = subject
        self.deadline_ms: int | None = None  # None: not set
        self.queued_ms: int | None = None  # where its live entry stands in the heap


class Deadlines:
    """All timers of a machine, in monotonic milliseconds."""

    __slots__ = ("_dead", "_heap", "_sequence")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Timer]] = []
        self._sequence = 0  # timers of one moment fire in the order in which they were queued
        self._dead = 0

    def __len__(self) -> int:
        return len(self._heap)

    def set(self, timer: Timer, deadline_ms: int) -> None:
        """Let it come at ``deadline_ms``, whatever was set before."""
        timer.deadline_ms = deadline_ms
        queued_ms = timer.queued_ms
        if queued_ms is None:
            self._queue(timer, deadline_ms)
        elif deadline_ms < queued_ms:
            self._bury()  # the entry that stands later
            self._queue(timer, deadline_ms)

    def cancel(self, timer: Timer) -> None:
        """It shall not come; its entry is dropped when it comes up."""
        timer.deadline_ms = None
        if timer.queued_ms is not None:
            timer.queued_ms = None
            self._bury()

    def next(self) -> int | None:
        """When the first timer comes, or None."""
        self._settle_top()
        return self._heap[0][0] if self._heap else None

    def due(self, now_ms: int) -> Timer | None:
        """Take one timer whose time has come; it is no longer set."""
        self._settle_top()
        if not self._heap or self._heap[0][0] > now_ms:
            return None
        timer = heapq.heappop(self._heap)[2]
        timer.queued_ms = None
        timer.deadline_ms = None
        return timer

    def _queue(self, timer: Timer, at_ms: int) -> None:
        timer.queued_ms = at_ms
        self._sequence += 1
        heapq.heappush(self._heap, (at_ms, self._sequence, timer))

    def _settle_top(self) -> None:
        """Afterwards the first entry is that of a timer which really comes then."""
        heap = self._heap
        while heap:
            at_ms, _, timer = heap[0]
            if timer.queued_ms != at_ms:
                heapq.heappop(heap)
                self._dead -= 1
            elif timer.deadline_ms is not None and timer.deadline_ms > at_ms:
                heapq.heappop(heap)
                self._queue(timer, timer.deadline_ms)
            else:
                return

    def _bury(self) -> None:
        self._dead += 1
        if self._dead <= DEAD_ENTRIES_MIN or self._dead * 2 <= len(self._heap):
            return
        self._heap = [entry for entry in self._heap if entry[2].queued_ms == entry[0]]
        heapq.heapify(self._heap)
        self._dead = 0
