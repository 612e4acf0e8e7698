"""Log lines: their two forms, nothing forged, never more of one kind than anyone can read."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator

import pytest

from millrace.runtime import logs
from millrace.runtime.logs import BURST, HumanLine, JsonLine, RateLimit

WriteTo = Callable[[str, str], io.StringIO]


@pytest.fixture
def write_to() -> Iterator[WriteTo]:
    """Set logging up for a form and a level; what is written."""
    handlers = []
    root, ours = logging.getLogger(), logging.getLogger("millrace")
    levels = root.level, ours.level

    def set_up(form: str, level: str) -> io.StringIO:
        stream = io.StringIO()
        handlers.append(logs.set_up(form, level, stream))
        return stream

    yield set_up
    for handler in handlers:
        logs.take_down(handler)
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def record(message: str, *values: object, level: int = logging.WARNING, room: str = "net") -> logging.LogRecord:
    return logging.LogRecord(f"millrace.{room}", level, __file__, 1, message, values, None)


def test_a_human_line(write_to: WriteTo) -> None:
    stream = write_to("human", "info")
    logging.getLogger("millrace.net").warning("connection of %s closed", "127.0.0.1:5")
    line = stream.getvalue()
    assert line.endswith(" WARNING net: connection of 127.0.0.1:5 closed\n")
    assert line[:4].isdecimal()


def test_a_json_line(write_to: WriteTo) -> None:
    stream = write_to("json", "info")
    logging.getLogger("millrace.net").error('said "%s"', "näh\n")
    fields = json.loads(stream.getvalue())
    assert {name: fields[name] for name in ("level", "room", "message")} == {
        "level": "error",
        "room": "net",
        "message": 'said "näh\\n"',
    }
    assert fields["time"].endswith("Z")


def test_levels(write_to: WriteTo) -> None:
    stream = write_to("human", "warning")
    logging.getLogger("millrace.net").info("not so important")
    logging.getLogger("elsewhere").info("not ours, not important")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", [HumanLine(), JsonLine()])
def test_no_value_forges_a_line(form: logging.Formatter) -> None:
    text = form.format(record("client %s", "me\n2026-01-01 00:00:00.000 ERROR node: all is lost\x1b[31m\r\x85"))
    assert "\n" not in text
    assert "\x1b" not in text
    assert "\r" not in text


def test_a_bug_shows_its_traceback() -> None:
    try:
        raise AssertionError("an invariant")
    except AssertionError as error:
        made = logging.LogRecord(
            "millrace.node", logging.CRITICAL, __file__, 1, "a bug", (), (type(error), error, error.__traceback__)
        )
    lines = HumanLine().format(made).split("\n")
    assert lines[0].endswith("CRITICAL node: a bug")
    assert all(line.startswith("    ") for line in lines[1:])
    assert "an invariant" in lines[-1]
    assert "an invariant" in json.loads(JsonLine().format(made))["trace"]


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_one_kind_is_held_back_and_counted() -> None:
    clock = Clock()
    limit = RateLimit(clock)
    passed = [limit.filter(record("client %d is rude", number)) for number in range(BURST + 30)]
    assert passed == [True] * BURST + [False] * 30
    clock.now_s += 1.0
    again = record("client %d is rude", 99)
    assert limit.filter(again)
    assert HumanLine().format(again).endswith("client 99 is rude (30 more of this kind were not written)")
    assert not limit.filter(record("client %d is rude", 100))


def test_other_kinds_are_not_held_back() -> None:
    limit = RateLimit(Clock())
    for _ in range(BURST + 1):
        limit.filter(record("one kind"))
    assert limit.filter(record("another kind"))
    assert limit.filter(record("one kind", room="node"))
    assert limit.filter(record("one kind", level=logging.ERROR))


def test_a_bug_of_ours_is_never_held_back() -> None:
    limit = RateLimit(Clock())
    assert all(limit.filter(record("a bug", level=logging.CRITICAL)) for _ in range(10 * BURST))


def test_kinds_are_bounded() -> None:
    limit = RateLimit(Clock())
    for number in range(3 * logs.KINDS_MAX):
        limit.filter(record(f"a message with its value in it: {number}"))
    assert len(limit._kinds) <= logs.KINDS_MAX
