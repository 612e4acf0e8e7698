"""Asking coordinators: one within its time, several for one answer, whatever order they answer in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.broker.coordination import ask_all, ask_in_time, coordinator_code
from millrace.broker.waiting import Waiting, WaitingRoom
from millrace.kafka import codes


class Token:
    def __init__(self) -> None:
        self.is_answered = False
        self.answer: Any = None


class Host:
    """A coordinator that answers when it is told to."""

    def __init__(self, room: WaitingRoom, answer: Any = None) -> None:
        self.room = room
        self.at_once = answer
        self.token = Token()
        self.dropped = False
        self.while_asked = lambda: None

    def ask(self, context: Any, request: Any) -> Any:
        self.while_asked()
        if isinstance(self.at_once, Refused):
            raise self.at_once
        if self.at_once is not None:
            return self.at_once
        return Waiting((self.token,), None, lambda timed_out: self._outcome(), on_cancel=self._drop)

    def answer(self, answer: Any) -> None:
        self.token.is_answered = True
        self.token.answer = answer
        self.room.wake(self.token)

    def _outcome(self) -> Any:
        if isinstance(self.token.answer, Refused):
            raise self.token.answer
        return self.token.answer

    def _drop(self) -> None:
        self.dropped = True


@pytest.fixture
def room() -> WaitingRoom:
    return WaitingRoom()


def combined(outcomes: list[Any]) -> list[Any]:
    return [int(each.code) if isinstance(each, Refused) else each for each in outcomes]


def ask(*hosts: Host) -> Any:
    return ask_all(None, [(host, "?") for host in hosts], combined)  # type: ignore[arg-type, misc]


def test_several_that_answer_at_once_make_one_answer(room: WaitingRoom) -> None:
    refused = Refused(codes.NOT_COORDINATOR, "elsewhere")
    assert ask(Host(room, "a"), Host(room, refused), Host(room, "b")) == ["a", codes.NOT_COORDINATOR, "b"]


def test_the_answer_waits_for_the_last_of_them(room: WaitingRoom) -> None:
    first, second = Host(room), Host(room)
    answers: list[Any] = []
    waiting = ask(first, Host(room, "at once"), second)
    room.add(waiting, lambda each, timed_out: answers.append(each.finish(timed_out)))
    second.answer(Refused(codes.COORDINATOR_NOT_AVAILABLE, "gone"))
    assert answers == []
    first.answer("one")
    assert answers == [["one", "at once", codes.COORDINATOR_NOT_AVAILABLE]]


def test_one_that_answers_while_another_is_asked_is_not_waited_for(room: WaitingRoom) -> None:
    first, second = Host(room), Host(room)
    second.while_asked = lambda: first.answer("early")
    answers: list[Any] = []
    room.add(ask(first, second), lambda each, timed_out: answers.append(each.finish(timed_out)))
    second.answer("late")
    assert answers == [["early", "late"]]
    third = Host(room, "now")
    fourth = Host(room)
    third.while_asked = lambda: fourth.answer("before")
    assert ask(fourth, third) == ["before", "now"]


def test_nobody_waits_for_a_closed_connection(room: WaitingRoom) -> None:
    first, second = Host(room), Host(room, "b")
    waiting = ask(first, second)
    room.add(waiting, lambda each, timed_out: pytest.fail("answered"))
    room.cancel(waiting)
    assert first.dropped


def test_who_waits_for_the_log_waits_so_long_and_no_longer(room: WaitingRoom) -> None:
    host = Host(room)
    broker = SimpleNamespace(
        config=BrokerConfig({"offsets.commit.timeout.ms": "700"}), coordinator=lambda kind, key: host
    )
    context: Any = SimpleNamespace(broker=broker, mono_ms=1000)
    outcomes: list[Any] = []

    def deliver(waiting: Waiting, timed_out: bool) -> None:
        try:
            outcomes.append(waiting.finish(timed_out))
        except Refused as error:
            outcomes.append(error.code)

    room.add(ask_in_time(context, "g", "?"), deliver)
    room.expire(1699)
    assert outcomes == []
    room.expire(1700)
    assert outcomes == [codes.REQUEST_TIMED_OUT]
    assert host.dropped
    assert coordinator_code(codes.REQUEST_TIMED_OUT) == codes.COORDINATOR_NOT_AVAILABLE

    host = Host(room)
    room.add(ask_in_time(context, "g", "?"), deliver)
    host.answer("committed")
    assert outcomes[1:] == ["committed"]
