"""The real clock."""

from __future__ import annotations

import time


class SystemClock:
    """Wall time in ms since 1970; monotonic time since some moment."""

    __slots__ = ("_advanced_ms",)

    def __init__(self) -> None:
        self._advanced_ms = 0

    def advance(self, ms: int) -> None:
        """For tests of users: both clocks jump ahead; deadlines in between come due."""
        self._advanced_ms += ms

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._advanced_ms

    def mono_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000 + self._advanced_ms

    def mono_us(self) -> int:
        """How long things take, which no jump of the clocks changes."""
        return time.monotonic_ns() // 1_000
