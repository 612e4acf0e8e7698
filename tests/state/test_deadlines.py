"""Timers come when they were last set to, each once, whatever was set before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from millrace.state.deadlines import DEAD_ENTRIES_MIN, Deadlines, Timer


def nothing() -> None: ...


def drain(deadlines: Deadlines, now_ms: int) -> list[Timer]:
    found = []
    while (timer := deadlines.due(now_ms)) is not None:
        found.append(timer)
    return found


def test_a_timer_comes_once_at_its_time() -> None:
    deadlines = Deadlines()
    timer = Timer(nothing)
    deadlines.set(timer, 100)
    assert deadlines.next() == 100
    assert deadlines.due(99) is None
    assert drain(deadlines, 100) == [timer]
    assert deadlines.next() is None
    assert drain(deadlines, 1000) == []


def test_moved_on_it_comes_later_and_keeps_one_entry() -> None:
    deadlines = Deadlines()
    timer = Timer(nothing)
    for now_ms in range(0, 10_000, 10):
        deadlines.set(timer, now_ms + 100)
    assert len(deadlines) == 1
    assert drain(deadlines, 10_080) == []
    assert drain(deadlines, 10_090) == [timer]


def test_moved_forward_it_comes_earlier() -> None:
    deadlines = Deadlines()
    timer = Timer(nothing)
    deadlines.set(timer, 100)
    deadlines.set(timer, 50)
    assert drain(deadlines, 60) == [timer]
    assert drain(deadlines, 200) == []


def test_cancelled_it_does_not_come_until_it_is_set_again() -> None:
    deadlines = Deadlines()
    timer = Timer(nothing)
    deadlines.set(timer, 100)
    deadlines.cancel(timer)
    assert deadlines.next() is None
    deadlines.set(timer, 100)
    assert drain(deadlines, 100) == [timer]


def test_cancelled_timers_do_not_pile_up() -> None:
    deadlines = Deadlines()
    keep = Timer(nothing)
    deadlines.set(keep, 1)
    for _ in range(10 * DEAD_ENTRIES_MIN):
        gone = Timer(nothing)
        deadlines.set(gone, 1_000_000)
        deadlines.cancel(gone)
    assert len(deadlines) <= 2 * DEAD_ENTRIES_MIN
    assert drain(deadlines, 1) == [keep]


@given(st.lists(st.tuples(st.integers(0, 4), st.one_of(st.none(), st.integers(0, 50))), max_size=60))
def test_they_behave_as_a_table_of_deadlines(moves: list[tuple[int, int | None]]) -> None:
    """Each move sets or cancels one of five timers, or, for the fourth, lets time pass."""
    deadlines = Deadlines()
    timers = [Timer(nothing, number) for number in range(4)]
    table: dict[int, int] = {}
    now_ms = 0
    for number, value in moves:
        if number == 4:
            now_ms += value or 0
            due = {key for key, deadline in table.items() if deadline <= now_ms}
            assert {timer.subject[0] for timer in drain(deadlines, now_ms)} == due
            for key in due:
                del table[key]
        elif value is None:
            deadlines.cancel(timers[number])
            table.pop(number, None)
        else:
            deadlines.set(timers[number], now_ms + value)
            table[number] = now_ms + value
        assert deadlines.next() == min(table.values(), default=None)
