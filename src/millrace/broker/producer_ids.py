"""The producer ids this broker may give out: a block of 1,000 at a time from the controller.

A block is committed in the metadata log before its first id is given out, so no id is given twice, whatever crashes;
what a restarted broker had left of its block is lost. While a block is on its way everyone waits for the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError
from millrace.broker.api import Context
from millrace.broker.topic_creation import ask_controller, then
from millrace.broker.waiting import Waiting
from millrace.kafka import messages


class ProducerIds:
    """See the module; it is the key under which requests wait for a block."""

    __slots__ = ("_end", "_is_asking", "_next")

    def __init__(self) -> None:
        self._next = 0
        self._end = 0
        self._is_asking = False

    def take(self, context: Context, finish: Callable[[int], Any]) -> Any:
        """``finish(producer_id)`` with an id of its own: its result now, or a Waiting."""
        if self._next < self._end:
            producer_id = self._next
            self._next += 1
            return finish(producer_id)
        if self._is_asking:
            return Waiting((self,), None, lambda timed_out: self.take(context, finish))
        return self._ask(context, finish)

    def _ask(self, context: Context, finish: Callable[[int], Any]) -> Any:
        broker = context.broker
        registered = broker.image.brokers.get(broker.node_id)
        request = messages.AllocateProducerIdsRequest(
            broker_id=broker.node_id, broker_epoch=registered.epoch if registered is not None else -1
        )

        def received(response: Any) -> Any:
            self._next = response.producer_id_start
            self._end = self._next + response.producer_id_len
            outcome = self.take(context, finish)
            self._stop_asking(context)
            return outcome

        outcome = ask_controller(context, request)
        if not isinstance(outcome, Waiting):
            return received(outcome)
        self._is_asking = True
        inner_finish, inner_cancel = outcome.finish, outcome.on_cancel

        def finish_or_stop(timed_out: bool) -> Any:
            try:
                return inner_finish(timed_out)
            except MillraceError:
                self._stop_asking(context)
                raise

        def cancel() -> None:
            if inner_cancel is not None:
                inner_cancel()
            self._stop_asking(context)

        outcome.finish = finish_or_stop
        outcome.on_cancel = cancel
        return then(outcome, received)

    def _stop_asking(self, context: Context) -> None:
        """The block is there, or will not come: whoever waits for it looks again, and asks if need be."""
        self._is_asking = False
        context.broker.waiting.wake(self)
