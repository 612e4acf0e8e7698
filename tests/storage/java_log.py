"""Kafka's own log and cleaner on a Java virtual machine in this process, for the tests marked ``oracle``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jpype

from tests.kafka.java_records import java_bytes, java_class, record_class

LOG_PACKAGE = "org.apache.kafka.storage.internals.log."


def log_class(name: str) -> Any:
    return java_class(LOG_PACKAGE + name)


class JavaLog:
    """A ``UnifiedLog`` in ``folder`` (named like ``topic-0``); ``now_ms`` is the time of its clock."""

    def __init__(
        self,
        folder: Path,
        config: dict[str, str],
        log_start_offset: int = 0,
        *,
        recovery_point: int = 0,
        is_clean: bool = True,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        optional = java_class("java.util.Optional")
        time = java_class("org.apache.kafka.common.utils.Time").SYSTEM
        properties = java_class("java.util.HashMap")()
        for name, value in config.items():
            properties.put(name, value)
        self._stats = java_class("org.apache.kafka.storage.log.metrics.BrokerTopicStats")(False)
        self._scheduler = java_class("org.apache.kafka.server.util.KafkaScheduler")(1, True)
        self._scheduler.startup()
        self.failures = log_class("LogDirFailureChannel")(10)
        self.log = log_class("UnifiedLog").create(
            java_class("java.io.File")(str(folder)),
            log_class("LogConfig")(properties),
            jpype.JLong(log_start_offset),
            jpype.JLong(recovery_point),
            self._scheduler,
            self._stats,
            time,
            300_000,
            log_class("ProducerStateManagerConfig")(86_400_000, False),
            600_000,
            self.failures,
            is_clean,
            optional.empty(),
        )

    def append(self, batch: bytes | bytearray, *, marker: bool = False, leader_epoch: int = 0) -> None:
        origin = log_class("AppendOrigin")
        buffer = java_class("java.nio.ByteBuffer").wrap(java_bytes(bytes(batch)))
        records = record_class("MemoryRecords").readableRecords(buffer)
        self.log.appendAsLeader(
            records,
            leader_epoch,
            origin.COORDINATOR if marker else origin.CLIENT,
            java_class("org.apache.kafka.server.common.RequestLocal").noCaching(),
            log_class("VerificationGuard").SENTINEL,
            jpype.JShort(1),
        )
        self.log.updateHighWatermark(self.log.logEndOffset())

    def roll(self) -> None:
        self.log.roll()

    def last_batches(self) -> list[tuple[int, int, int]]:
        """Producer id, epoch and last data offset (or -1) of every producer that is active."""
        found = []
        for entry in self.log.lastRecordsOfActiveProducers().entrySet():
            last = entry.getValue()
            offset = last.lastDataOffset()
            found.append((int(entry.getKey()), int(last.producerEpoch()), int(offset.orElse(-1))))
        return found

    def clean(self, first_dirty_offset: int, end_offset: int, now_ms: int, table_bytes: int = 1 << 20) -> int:
        """Clean as Kafka's cleaner thread does; returns the new checkpoint."""
        time = java_class("org.apache.kafka.common.utils.Time").SYSTEM
        done = jpype.JProxy("java.util.function.Consumer", dict={"accept": lambda _partition: None})
        throttler = java_class("org.apache.kafka.storage.internals.utils.Throttler")(1e18, 1000, "x", "x", time)
        cleaner = log_class("Cleaner")(
            0, log_class("SkimpyOffsetMap")(table_bytes), 1 << 20, 1 << 20, jpype.JDouble(0.9), throttler, time, done
        )
        job = log_class("LogToClean")(self.log, first_dirty_offset, end_offset, False)
        return int(cleaner.doClean(job, jpype.JLong(now_ms)).getKey())

    def segment_bases(self) -> list[int]:
        return [int(segment.baseOffset()) for segment in self.log.logSegments()]

    def flush(self) -> None:
        self.log.flush(True)

    def close(self) -> None:
        self.log.close()
        self._scheduler.shutdown()
        self._stats.close()
