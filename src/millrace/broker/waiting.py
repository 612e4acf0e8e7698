"""Waiting: the only way a handler waits, and the room where what waits is kept.

A handler never awaits. It returns a :class:`Waiting` with the keys whose change may complete it and a deadline;
``finish`` then returns a response, or another Waiting. A closed connection cancels its Waitings.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from typing import Any


class Waiting:
    """Something that will be answered later: when one of ``keys`` is woken, or at ``deadline_ms`` (monotonic)."""

    __slots__ = ("cancelled", "deadline_ms", "deliver", "finish", "keys", "on_cancel", "woken")

    def __init__(
        self,
        keys: Iterable[Hashable],
        deadline_ms: int | None,
        finish: Callable[[bool], Any],
        *,
        woken: Callable[[Hashable], bool] | None = None,
        on_cancel: Callable[[], None] | None = None,
    ) -> None:
        """``finish(timed_out)`` gives the response or another Waiting; ``woken(key)`` says whether a wake completes
        it (always, when there is none)."""
        self.keys = tuple(keys)
        self.deadline_ms = deadline_ms
        self.finish = finish
        self.woken = woken
        self.on_cancel = on_cancel
        self.deliver: Callable[[Waiting, bool], None] | None = None
        self.cancelled = False


class WaitingRoom:
    """Everything that waits, by key and by deadline."""

    __slots__ = ("_by_key", "_count", "_heap", "_sequence", "alarm")

    def __init__(self, alarm: Callable[[int], None] | None = None) -> None:
        """``alarm(deadline_ms)`` is told of every deadline, so that its owner can set a timer."""
        self.alarm = alarm
        self._by_key: dict[Hashable, dict[Waiting, None]] = {}
        self._heap: list[tuple[int, int, Waiting]] = []
        self._sequence = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, waiting: Waiting, deliver: Callable[[Waiting, bool], None]) -> None:
        """Keep it until it is woken, expires or is cancelled; ``deliver(waiting, timed_out)`` then finishes it."""
        assert waiting.deliver is None, "a Waiting is added once"
        waiting.deliver = deliver
        for key in waiting.keys:
            self._by_key.setdefault(key, {})[waiting] = None
        if waiting.deadline_ms is not None:
            self._sequence += 1
            heapq.heappush(self._heap, (waiting.deadline_ms, self._sequence, waiting))
            if self.alarm is not None:
                self.alarm(waiting.deadline_ms)
        self._count += 1

    def wake(self, key: Hashable) -> None:
        """``key`` has changed: complete what was waiting for just that."""
        waitings = self._by_key.get(key)
        if not waitings:
            return
        for waiting in list(waitings):
            if waiting.deliver is not None and (waiting.woken is None or waiting.woken(key)):
                self._complete(waiting, timed_out=False)

    def expire(self, mono_ms: int) -> None:
        """Complete everything whose deadline has come."""
        heap = self._heap
        while heap and heap[0][0] <= mono_ms:
            waiting = heapq.heappop(heap)[2]
            if waiting.deliver is not None:
                self._complete(waiting, timed_out=True)

    def next_deadline(self) -> int | None:
        heap = self._heap
        while heap and heap[0][2].deliver is None:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def cancel(self, waiting: Waiting) -> None:
        """The connection is gone: nobody wants the answer."""
        if waiting.deliver is None:
            return
        self._forget(waiting)
        waiting.cancelled = True
        if waiting.on_cancel is not None:
            waiting.on_cancel()

    def _complete(self, waiting: Waiting, *, timed_out: bool) -> None:
        deliver = waiting.deliver
        assert deliver is not None
        self._forget(waiting)
        deliver(waiting, timed_out)

    def _forget(self, waiting: Waiting) -> None:
        waiting.deliver = None
        self._count -= 1
        for key in waiting.keys:
            waitings = self._by_key[key]
            del waitings[waiting]
            if not waitings:
                del self._by_key[key]
