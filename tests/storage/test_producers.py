"""Idempotent producers: duplicates, gaps, epochs, wrap-around, expiry. An oracle test compares with Kafka's own."""

from __future__ import annotations

import pytest

from millrace.base.errors import Refused
from millrace.kafka.batch import Batch
from millrace.kafka.codes import INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER
from millrace.storage.producers import SEQUENCE_MAX, Duplicate, ProducerStates
from tests.storage.making import NOW_MS, batch


def of(sequence: int, count: int = 1, *, epoch: int = 0, producer_id: int = 9) -> Batch:
    return batch(count, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)


class Appender:
    """Checks and then replays, as a partition does."""

    def __init__(self) -> None:
        self.states = ProducerStates("orders-0")
        self.end = 0

    def append(self, one: Batch) -> int | Duplicate:
        found = self.states.check(one, NOW_MS)
        if found is not None:
            return found
        base = self.end
        one.base_offset = base
        self.states.update(one)
        self.end = one.next_offset
        return base


def test_each_of_the_last_five_batches_is_a_duplicate_and_an_older_one_is_refused() -> None:
    appender = Appender()
    for index in range(7):
        assert appender.append(of(2 * index, 2)) == 2 * index
    for index in range(2, 7):
        assert appender.append(of(2 * index, 2)) == Duplicate(2 * index, 2 * index + 1, NOW_MS)
    for sequence, count in ((2, 2), (0, 2), (12, 1), (11, 2), (13, 1)):
        with pytest.raises(Refused) as refused:
            appender.append(of(sequence, count))
        assert refused.value.code == OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_gap_is_refused_and_leaves_no_trace() -> None:
    appender = Appender()
    appender.append(of(0))
    with pytest.raises(Refused):
        appender.append(of(2))
    assert appender.append(of(1)) == 1


def test_a_producer_of_whom_nothing_is_known_begins_anywhere() -> None:
    appender = Appender()
    assert appender.append(of(77)) == 0
    assert appender.append(of(78)) == 1
    assert appender.append(of(5, producer_id=10)) == 2


def test_an_older_epoch_is_fenced_and_a_newer_one_begins_at_zero() -> None:
    appender = Appender()
    appender.append(of(0, epoch=3))
    with pytest.raises(Refused) as refused:
        appender.append(of(1, epoch=2))
    assert refused.value.code == INVALID_PRODUCER_EPOCH
    with pytest.raises(Refused) as refused:
        appender.append(of(1, epoch=4))
    assert refused.value.code == OUT_OF_ORDER_SEQUENCE_NUMBER
    assert appender.append(of(0, epoch=4)) == 1
    with pytest.raises(Refused):
        appender.append(of(1, epoch=3))
    assert appender.append(of(0, epoch=4)) == Duplicate(1, 1, NOW_MS)


def test_sequences_wrap_around() -> None:
    appender = Appender()
    assert appender.append(of(SEQUENCE_MAX - 1, 4)) == 0  # MAX-1, MAX, 0, 1
    assert appender.append(of(SEQUENCE_MAX - 1, 4)) == Duplicate(0, 3, NOW_MS)
    assert appender.append(of(2)) == 4
    appender.append(of(SEQUENCE_MAX, producer_id=1))
    assert appender.append(of(0, producer_id=1)) == 6


def test_a_marker_ends_the_transaction_and_its_epoch_fences() -> None:
    states = ProducerStates("orders-0")
    states.replay(9, 0, 0, 100, 4, NOW_MS, is_transactional=True)
    states.replay(9, 0, 5, 105, 4, NOW_MS, is_transactional=True)
    states.replay(8, 0, 0, 110, 0, NOW_MS, is_transactional=True)
    assert states.first_open_transaction_offset == 100
    states.end_transaction(9, 1, NOW_MS + 5, coordinator_epoch=2)
    assert states.first_open_transaction_offset == 110
    with pytest.raises(Refused) as refused:
        states.check(of(10, epoch=0), NOW_MS)
    assert refused.value.code == INVALID_PRODUCER_EPOCH
    assert states.check(of(0, epoch=1), NOW_MS) is None


def test_idle_producers_are_forgotten_unless_a_transaction_is_open() -> None:
    states = ProducerStates("orders-0")
    states.replay(1, 0, 0, 0, 0, NOW_MS, is_transactional=False)
    states.replay(2, 0, 0, 1, 0, NOW_MS + 10, is_transactional=False)
    states.replay(3, 0, 0, 2, 0, NOW_MS, is_transactional=True)
    assert states.expire(NOW_MS + 99, 100) == 0
    assert states.expire(NOW_MS + 100, 100) == 1
    assert sorted(producer_id for producer_id, _ in states.items()) == [2, 3]
    assert states.check(of(500, producer_id=1), NOW_MS) is None
    assert states.expire(NOW_MS + 1000, 100) == 1
    assert len(states) == 1
