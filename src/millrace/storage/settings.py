"""What a log must know of its topic's configuration; the topic's whole configuration fits as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class LogConfig(Protocol):
    """The fields that storage reads, under Kafka's names; ``base/config.TopicConfig`` has them and more."""

    @property
    def cleanup_policy(self) -> frozenset[str]: ...
    @property
    def file_delete_delay_ms(self) -> int: ...
    @property
    def index_interval_bytes(self) -> int: ...
    @property
    def retention_bytes(self) -> int: ...
    @property
    def retention_ms(self) -> int: ...
    @property
    def segment_bytes(self) -> int: ...
    @property
    def segment_index_bytes(self) -> int: ...
    @property
    def segment_jitter_ms(self) -> int: ...
    @property
    def segment_ms(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainLogConfig:
    """Kafka's defaults, for a log without a topic: tools, tests, the root's own log."""

    cleanup_policy: frozenset[str] = frozenset({"delete"})
    file_delete_delay_ms: int = 60_000
    index_interval_bytes: int = 4096
    retention_bytes: int = -1
    retention_ms: int = 604_800_000
    segment_bytes: int = 1 << 30
    segment_index_bytes: int = 10 << 20
    segment_jitter_ms: int = 0
    segment_ms: int = 604_800_000
