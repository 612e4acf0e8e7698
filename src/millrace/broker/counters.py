"""What the broker counts about itself: plain numbers, rendered elsewhere (``runtime/metrics``)."""

from __future__ import annotations

from typing import Final

# Upper bounds of the latency buckets, in microseconds; one more bucket takes what is longer.
LATENCY_BOUNDS_US: Final = (
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
)  # fmt: skip


class ApiCounter:
    """Requests of one API: how many, how long, with which errors."""

    __slots__ = ("buckets", "count", "errors", "name", "total_us")

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.total_us = 0
        self.buckets = [0] * (len(LATENCY_BOUNDS_US) + 1)
        self.errors: dict[int, int] = {}

    def observe(self, duration_us: int) -> None:
        self.count += 1
        self.total_us += duration_us
        index = 0
        for bound in LATENCY_BOUNDS_US:
            if duration_us <= bound:
                break
            index += 1
        self.buckets[index] += 1

    def error(self, code: int) -> None:
        self.errors[code] = self.errors.get(code, 0) + 1


class Counters:
    """All of a broker's counters."""

    __slots__ = (
        "apis",
        "bytes_consumed",
        "bytes_produced",
        "loop_stall_us_max",
        "loop_stalls",
        "records_produced",
        "slow_requests",
    )

    def __init__(self) -> None:
        self.apis: dict[int, ApiCounter] = {}
        self.bytes_produced = 0
        self.bytes_consumed = 0
        self.records_produced = 0
        self.slow_requests = 0
        self.loop_stalls = 0
        self.loop_stall_us_max = 0
