"""Upkeep: what a broker does by itself at intervals: retention, rolling, checkpoints, flushes, old producer state."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from millrace.base.errors import MillraceError
from millrace.broker.partition import Partition

if TYPE_CHECKING:
    from millrace.broker.broker import Broker

log = logging.getLogger("millrace.upkeep")

FLUSH_CHECK_MS_MIN, FLUSH_CHECK_MS_MAX = 50, 60_000  # how often partitions are looked at for flush.ms
PARTITIONS_A_TURN = 200  # a pass over many partitions goes on at the loop's next turn


class _Task:
    """One thing that is done to every partition, again and again."""

    __slots__ = ("_at", "_interval_ms", "_rest", "_upkeep", "_visit")

    def __init__(self, upkeep: Upkeep, interval_ms: Callable[[], int], visit: Callable[[Partition, int], None]) -> None:
        self._upkeep = upkeep
        self._interval_ms = interval_ms
        self._visit = visit
        self._rest: list[Partition] = []

    def schedule(self) -> None:
        broker = self._upkeep.broker
        broker.deadlines.set(self, broker.mono_ms() + max(self._interval_ms(), 1))

    def expire(self) -> None:
        if not self._rest:
            self._rest = list(self._upkeep.broker.topic_logs.folder_of)
        self._go_on()

    def _go_on(self) -> None:
        if self._upkeep.is_stopped:
            return
        now_ms = self._upkeep.broker.wall_ms()
        for _ in range(min(PARTITIONS_A_TURN, len(self._rest))):
            partition = self._rest.pop()
            if partition.failed is not None:
                continue
            try:
                self._visit(partition, now_ms)
            except MillraceError as error:
                log.error("upkeep of %s: %s", partition, error)
        if self._rest:
            self._upkeep.broker.defer(self._go_on)
        else:
            self.schedule()


class _Checkpoint:
    """Writes each folder's checkpoint files at an interval."""

    __slots__ = ("_upkeep",)

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def schedule(self) -> None:
        broker = self._upkeep.broker
        interval_ms = broker.config.integer("log.flush.offset.checkpoint.interval.ms")
        broker.deadlines.set(self, broker.mono_ms() + max(interval_ms, 1))

    def expire(self) -> None:
        broker = self._upkeep.broker
        for folder in broker.folders:
            if folder.failed is None:
                folder.checkpoint(broker.wall_ms())
        self.schedule()


class Upkeep:
    """See the module."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.is_stopped = False
        self._flush_ms_shortest = FLUSH_CHECK_MS_MAX
        self._tasks: list[_Task | _Checkpoint] = [
            _Task(self, lambda: broker.config.integer("log.retention.check.interval.ms"), _retain),
            _Task(
                self, lambda: broker.config.integer("producer.id.expiration.check.interval.ms"), self._expire_producers
            ),
            _Task(self, self._flush_check_ms, self._flush_old),
            _Checkpoint(self),
        ]

    def start(self) -> None:
        for task in self._tasks:
            task.schedule()

    def stop(self) -> None:
        self.is_stopped = True
        for task in self._tasks:
            self.broker.deadlines.set(task, None)

    def _flush_check_ms(self) -> int:
        """As often as the shortest flush.ms of the last pass asks for."""
        shortest, self._flush_ms_shortest = self._flush_ms_shortest, FLUSH_CHECK_MS_MAX
        scheduled = self.broker.config.integer("log.flush.scheduler.interval.ms")
        return max(min(shortest, scheduled, self.broker.config.topic_defaults().flush_ms), FLUSH_CHECK_MS_MIN)

    def _flush_old(self, partition: Partition, now_ms: int) -> None:
        self._flush_ms_shortest = min(self._flush_ms_shortest, partition.config.flush_ms)
        partition.flush_if_old(now_ms)

    def _expire_producers(self, partition: Partition, now_ms: int) -> None:
        partition.log.producers.expire(now_ms, self.broker.config.integer("producer.id.expiration.ms"))


def _retain(partition: Partition, now_ms: int) -> None:
    log_ = partition.log
    if log_.log_end_offset > log_.log_start_offset:
        log_.retain(now_ms, partition.high_watermark.offset)
