"""Group commit: a round takes who waits, at most so many files at once, and the next gathers meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from millrace.base.errors import StorageFault
from millrace.base.limits import FLUSHES_AT_ONCE
from millrace.base.ports import Ticket
from millrace.broker.flusher import Flusher


class Turn:
    """The loop's turn: what was deferred runs when it ends."""

    def __init__(self) -> None:
        self.deferred: list[Callable[[], None]] = []

    def defer(self, callback: Callable[[], None]) -> None:
        self.deferred.append(callback)

    def end(self) -> None:
        deferred, self.deferred = self.deferred, []
        for callback in deferred:
            callback()


class Log:
    """Something to flush, whose tickets a test completes."""

    def __init__(self) -> None:
        self.tickets: list[Ticket[int]] = []
        self.safe: list[int] = []
        self.faults: list[StorageFault] = []

    def flush(self) -> Ticket[int]:
        self.tickets.append(Ticket())
        return self.tickets[-1]

    def on_flushed(self, safe_offset: int) -> None:
        self.safe.append(safe_offset)

    def on_failed(self, fault: StorageFault) -> None:
        self.faults.append(fault)


def test_all_requests_of_one_turn_share_one_flush() -> None:
    turn, log = Turn(), Log()
    flusher = Flusher(turn.defer)
    flusher.request(log)
    flusher.request(log)
    assert log.tickets == []
    turn.end()
    assert len(log.tickets) == 1
    log.tickets[0].complete(7)
    assert log.safe == [7]
    assert flusher.is_idle
    assert (flusher.rounds, flusher.files_flushed) == (1, 1)


def test_what_comes_while_a_round_runs_is_gathered_for_the_next() -> None:
    turn, log, other = Turn(), Log(), Log()
    flusher = Flusher(turn.defer)
    flusher.request(log)
    turn.end()
    flusher.request(log)
    flusher.request(other)
    turn.end()
    assert len(log.tickets) == 1
    assert not other.tickets
    log.tickets[0].complete(1)
    turn.end()
    assert len(log.tickets) == 2
    assert len(other.tickets) == 1
    assert flusher.rounds == 2


def test_so_many_files_at_once_and_the_others_follow() -> None:
    turn = Turn()
    flusher = Flusher(turn.defer)
    logs = [Log() for _ in range(FLUSHES_AT_ONCE + 3)]
    for log in logs:
        flusher.request(log)
    turn.end()
    assert sum(len(log.tickets) for log in logs) == FLUSHES_AT_ONCE
    logs[0].tickets[0].complete(1)
    assert sum(len(log.tickets) for log in logs) == FLUSHES_AT_ONCE + 1
    for log in logs[1:]:
        for ticket in log.tickets:
            ticket.complete(1)
    assert all(log.safe == [1] for log in logs)
    assert flusher.is_idle


def test_a_failed_flush_is_told_and_not_tried_again() -> None:
    turn, log = Turn(), Log()
    flusher = Flusher(turn.defer)
    flusher.request(log)
    turn.end()
    log.tickets[0].fail(StorageFault("orders-0", "the disk is gone"))
    turn.end()
    assert [str(fault) for fault in log.faults] == ["orders-0: the disk is gone"]
    assert len(log.tickets) == 1
    assert flusher.is_idle
