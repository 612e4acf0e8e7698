"""Group commit: one flush round takes every partition with waiting acknowledgements; the next gathers meanwhile.

At most ``FLUSHES_AT_ONCE`` files are flushed at the same time. A round starts at the end of the loop's turn, so that
all appends of one turn share it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from millrace.base.errors import StorageFault
from millrace.base.limits import FLUSHES_AT_ONCE
from millrace.base.ports import Ticket


class Flushable(Protocol):
    """A partition, as the flusher sees it."""

    def flush(self) -> Ticket[int]: ...

    def on_flushed(self, safe_offset: int) -> None: ...

    def on_failed(self, fault: StorageFault) -> None: ...


class Flusher:
    """See the module."""

    __slots__ = ("_defer", "_gathering", "_in_flight", "_is_deferred", "_round", "files_flushed", "rounds")

    def __init__(self, defer: Callable[[Callable[[], None]], None]) -> None:
        self._defer = defer
        self._gathering: dict[Flushable, None] = {}
        self._round: list[Flushable] = []
        self._in_flight = 0
        self._is_deferred = False
        self.rounds = 0
        self.files_flushed = 0

    def request(self, partition: Flushable) -> None:
        """``partition`` has an acknowledgement that waits for a flush."""
        self._gathering[partition] = None
        if not self._in_flight and not self._is_deferred:
            self._is_deferred = True
            self._defer(self._start)

    @property
    def is_idle(self) -> bool:
        return not self._in_flight and not self._gathering

    def _start(self) -> None:
        self._is_deferred = False
        if self._in_flight or not self._gathering:
            return
        self._round = list(self._gathering)
        self._round.reverse()  # taken from the end
        self._gathering = {}
        self.rounds += 1
        self._fill()

    def _fill(self) -> None:
        while self._round and self._in_flight < FLUSHES_AT_ONCE:
            partition = self._round.pop()
            self._in_flight += 1
            self.files_flushed += 1
            partition.flush().then(lambda ticket, partition=partition: self._on_done(partition, ticket))  # type: ignore[misc]

    def _on_done(self, partition: Flushable, ticket: Ticket[int]) -> None:
        self._in_flight -= 1
        if ticket.error is not None:
            error = ticket.error
            partition.on_failed(error if isinstance(error, StorageFault) else StorageFault("?", str(error)))
        else:
            partition.on_flushed(ticket.result())
        if self._round:
            self._fill()
        elif not self._in_flight and self._gathering and not self._is_deferred:
            self._is_deferred = True
            self._defer(self._start)
