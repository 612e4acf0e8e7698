"""Runs a generator that waits for tickets: how storage reads files without threads and without ``async``.

A generator yields each ticket it needs and is sent the ticket's value. While everything is in memory it runs to its end
at once and the caller gets the value; at the first ticket that is not done the caller gets a ticket of the whole.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from millrace.base.errors import MillraceError
from millrace.base.ports import Ticket

T = TypeVar("T")
Steps = Generator[Ticket[Any], Any, T]


def run(steps: Steps[T]) -> T | Ticket[T]:
    """The generator's value, or a ticket for it; errors are raised, or fail the ticket."""
    try:
        ticket = next(steps)
        while ticket.done:
            ticket = _go_on(steps, ticket)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    whole: Ticket[T] = Ticket()
    ticket.then(lambda waited: _resume(steps, waited, whole))
    return whole


def run_here(steps: Steps[T]) -> T:
    """The value of a generator that never has to wait."""
    try:
        ticket = next(steps)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError(f"{steps} waits for {ticket}")


def run_ticket(steps: Steps[T]) -> Ticket[T]:
    """The same, always as a ticket; errors fail it."""
    try:
        value = run(steps)
    except MillraceError as error:
        failed: Ticket[T] = Ticket()
        failed.fail(error)
        return failed
    if isinstance(value, Ticket):
        return value
    ticket: Ticket[T] = Ticket()
    ticket.complete(value)
    return ticket


def _go_on(steps: Steps[T], ticket: Ticket[Any]) -> Ticket[Any]:
    if ticket.error is not None:
        return steps.throw(ticket.error)
    return steps.send(ticket.value)


def _resume(steps: Steps[T], ticket: Ticket[Any], whole: Ticket[T]) -> None:
    try:
        while ticket.done:
            ticket = _go_on(steps, ticket)
    except StopIteration as stop:
        whole.complete(stop.value)
        return
    except MillraceError as error:
        whole.fail(error)
        return
    ticket.then(lambda waited: _resume(steps, waited, whole))
