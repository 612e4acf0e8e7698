"""The waiting room: wakes by key, deadlines, cancels, and Waitings that lead to others."""

from __future__ import annotations

from typing import Any

from millrace.broker.deadlines import Deadlines
from millrace.broker.waiting import Waiting, WaitingRoom


def room_and_answers() -> tuple[WaitingRoom, list[Any], Any]:
    room = WaitingRoom()
    answers: list[Any] = []

    def deliver(waiting: Waiting, timed_out: bool) -> None:
        answers.append(waiting.finish(timed_out))

    return room, answers, deliver


def test_a_wake_completes_what_waits_for_that_key_once() -> None:
    room, answers, deliver = room_and_answers()
    room.add(Waiting(("a", "b"), None, lambda timed_out: ("ab", timed_out)), deliver)
    room.add(Waiting(("c",), None, lambda timed_out: ("c", timed_out)), deliver)
    room.wake("b")
    room.wake("a")
    assert answers == [("ab", False)]
    assert len(room) == 1


def test_a_wake_that_is_not_enough_leaves_it_waiting() -> None:
    room, answers, deliver = room_and_answers()
    needed = {"a", "b"}

    def woken(key: Any) -> bool:
        needed.discard(key)
        return not needed

    room.add(Waiting(("a", "b"), None, lambda timed_out: "both", woken=woken), deliver)
    room.wake("a")
    assert answers == []
    room.wake("b")
    assert answers == ["both"]


def test_deadlines_come_in_order_and_leave_nothing_behind() -> None:
    room, answers, deliver = room_and_answers()
    for deadline in (30, 10, 20):
        room.add(Waiting(("k",), deadline, lambda timed_out, d=deadline: (d, timed_out)), deliver)  # type: ignore[misc]
    assert room.next_deadline() == 10
    room.expire(20)
    assert answers == [(10, True), (20, True)]
    assert room.next_deadline() == 30
    room.wake("k")
    assert answers[-1] == (30, False)
    assert room.next_deadline() is None
    assert len(room) == 0


def test_what_is_cancelled_is_never_answered() -> None:
    room, answers, deliver = room_and_answers()
    cancelled: list[str] = []
    waiting = Waiting(("k",), 10, lambda timed_out: "never", on_cancel=lambda: cancelled.append("k"))
    room.add(waiting, deliver)
    room.cancel(waiting)
    room.cancel(waiting)
    room.wake("k")
    room.expire(100)
    assert answers == []
    assert cancelled == ["k"]


def test_one_that_is_cancelled_by_the_answer_of_another_is_passed_over() -> None:
    room, answers, deliver = room_and_answers()
    second = Waiting(("k",), None, lambda timed_out: "second")

    def first(timed_out: bool) -> str:
        room.cancel(second)
        return "first"

    room.add(Waiting(("k",), None, first), deliver)
    room.add(second, deliver)
    room.wake("k")
    assert answers == ["first"]


def test_every_deadline_is_told_to_the_alarm() -> None:
    told: list[int] = []
    room = WaitingRoom(told.append)
    room.add(Waiting((), 40, lambda timed_out: None), lambda waiting, timed_out: None)
    room.add(Waiting((), None, lambda timed_out: None), lambda waiting, timed_out: None)
    assert told == [40]


class Owner:
    def __init__(self, expired: list[Owner]) -> None:
        self.expired = expired

    def expire(self) -> None:
        self.expired.append(self)


def test_an_owner_has_one_deadline_which_may_move() -> None:
    expired: list[Owner] = []
    first, second = Owner(expired), Owner(expired)
    deadlines = Deadlines()
    deadlines.set(first, 10)
    deadlines.set(second, 20)
    deadlines.set(first, 30)
    assert deadlines.next_deadline() == 20
    deadlines.expire(25)
    assert expired == [second]
    deadlines.set(first, None)
    assert deadlines.next_deadline() is None
    deadlines.expire(100)
    assert expired == [second]


def test_an_owner_that_sets_its_deadline_anew_while_it_expires_is_called_once() -> None:
    deadlines = Deadlines()
    calls: list[int] = []

    class Again:
        def expire(self) -> None:
            calls.append(1)
            deadlines.set(self, 0)

    deadlines.set(Again(), 0)
    deadlines.expire(5)
    assert calls == [1]
    assert deadlines.next_deadline() == 0
