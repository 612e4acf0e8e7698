"""flush.messages and flush.ms: what is flushed though nobody waits with acks=all."""

from __future__ import annotations

from typing import Any

import pytest

from millrace.base.config import BrokerConfig, topic_config
from millrace.base.ports import Ticket
from millrace.broker.flusher import Flusher
from millrace.broker.partition import Partition
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.storage.position import LogPosition

LEADER, ALL = 1, -1


class Log:
    """A log that only counts; its flushes complete when the test says so."""

    def __init__(self) -> None:
        self.log_end_offset = 0
        self.flushes: list[tuple[int, Ticket[int]]] = []

    @property
    def end(self) -> LogPosition:
        return LogPosition(self.log_end_offset, 0, 0)

    def append(self, batch: Batch, leader_epoch: int, now_ms: int) -> LogPosition:
        begin = self.end
        self.log_end_offset += batch.record_count
        return begin

    def flush(self) -> Ticket[int]:
        ticket: Ticket[int] = Ticket()
        self.flushes.append((self.log_end_offset, ticket))
        return ticket

    def complete(self) -> None:
        offset, ticket = self.flushes.pop(0)
        ticket.complete(offset)


class AnyRecords:
    """Every batch is right, and stored as it is."""

    def records(self, batch: Batch, config: Any) -> None: ...

    def recompressed(self, batch: Batch, config: Any) -> Batch:
        return batch


class Bench:
    """A partition on that log, with what was told to who appended."""

    def __init__(self, **overrides: str) -> None:
        config = topic_config({name.replace("_", "."): value for name, value in overrides.items()}, BrokerConfig())
        self.log = Log()
        self.told: list[str] = []
        flusher = Flusher(lambda later: later())
        self.partition = Partition(
            "orders",
            bytes(16),
            0,
            self.log,  # type: ignore[arg-type]
            config,
            leader_id=1,
            leader_epoch=0,
            flusher=flusher,
            check=AnyRecords(),  # type: ignore[arg-type]
        )

    def append(self, name: str, now_ms: int = 0, acks: int = LEADER) -> None:
        batch = Batch(build_batch([NewRecord(None, b"value")], timestamp_ms=now_ms))
        self.partition.append(batch, acks, now_ms, lambda error: self.told.append(name))


def test_without_the_keys_nobody_flushes_for_acks_1() -> None:
    bench = Bench()
    bench.append("a")
    bench.partition.flush_if_old(1 << 40)
    assert (bench.told, bench.log.flushes) == (["a"], [])


def test_the_record_that_fills_flush_messages_waits_for_the_flush() -> None:
    bench = Bench(flush_messages="3")
    for name in "abc":
        bench.append(name)
    assert bench.told == ["a", "b"]
    assert bench.partition.high_watermark.offset == 2
    bench.log.complete()
    assert bench.told == ["a", "b", "c"]
    assert bench.partition.high_watermark.offset == 3
    bench.append("d")
    assert bench.told == ["a", "b", "c", "d"]
    assert bench.log.flushes == []


def test_with_one_record_a_flush_every_append_waits_as_in_kafka() -> None:
    bench = Bench(flush_messages="1")
    bench.append("a")
    assert bench.told == []
    bench.log.complete()
    assert bench.told == ["a"]


def test_what_is_older_than_flush_ms_is_flushed_once() -> None:
    bench = Bench(flush_ms="1000")
    bench.append("a", now_ms=5000)
    bench.append("b", now_ms=5900)
    bench.partition.flush_if_old(5999)
    assert bench.log.flushes == []
    bench.partition.flush_if_old(6000)
    assert len(bench.log.flushes) == 1
    bench.log.complete()
    bench.partition.flush_if_old(9000)
    assert bench.log.flushes == []


@pytest.mark.parametrize("acks", [LEADER, ALL])
def test_what_came_while_a_flush_ran_is_flushed_later(acks: int) -> None:
    bench = Bench(flush_ms="1000")
    bench.append("a", now_ms=0)
    bench.partition.flush_if_old(1000)
    bench.append("b", now_ms=1001, acks=acks)
    bench.log.complete()
    if acks == LEADER:
        bench.partition.flush_if_old(2001)
    assert [offset for offset, _ in bench.log.flushes] == [2]
