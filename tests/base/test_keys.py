"""Parsing of single values, and what counts as a typing error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.base.config import BROKER_KEYS
from millrace.base.keys import InvalidValue, Type, edit_distance, format_value, misspelt, parse_value


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Type.BOOLEAN, " True ", True),
        (Type.INT, "-2147483648", -(2**31)),
        (Type.INT, "+7", 7),
        (Type.LONG, "9223372036854775807", 2**63 - 1),
        (Type.SHORT, "32767", 32767),
        (Type.DOUBLE, "1e3", 1000.0),
        (Type.LIST, "", ()),
        (Type.LIST, " a , b,c ", ("a", "b", "c")),
        (Type.LIST, "a,,b", ("a", "", "b")),
        (Type.STRING, " text ", "text"),
        (Type.PASSWORD, " secret ", "secret"),
    ],
)
def test_parse(kind: Type, text: str, value: object) -> None:
    assert parse_value("some.key", kind, text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Type.BOOLEAN, "1"),
        (Type.INT, "2147483648"),
        (Type.INT, "1_000"),
        (Type.INT, "٣"),
        (Type.INT, ""),
        (Type.SHORT, "32768"),
        (Type.LONG, "1.0"),
        (Type.DOUBLE, "many"),
    ],
)
def test_refuse(kind: Type, text: str) -> None:
    with pytest.raises(InvalidValue, match=r"some\.key"):
        parse_value("some.key", kind, text)


def test_a_secret_is_not_repeated_in_a_message() -> None:
    key = BROKER_KEYS["ssl.keystore.password"]
    assert key.is_sensitive
    assert "hunter2" not in str(format_value(key.default))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.5, "0.5"),
        (1.0, "1.0"),
        (0.001, "0.001"),
        (1e-4, "1.0E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-1.25e-9, "-1.25E-9"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
    ],
)
def test_doubles_are_written_as_java_writes_them(number: float, text: str) -> None:
    assert format_value(number) == text
    assert parse_value("some.key", Type.DOUBLE, text) == number


@given(st.integers(-(2**63), 2**63 - 1))
def test_numbers_survive(number: int) -> None:
    assert parse_value("some.key", Type.LONG, format_value(number) or "") == number


def _slow_distance(left: str, right: str) -> int:
    """The same by its definition: every way to begin."""
    if not left or not right:
        return len(left) + len(right)
    ways = [
        _slow_distance(left[1:], right) + 1,
        _slow_distance(left, right[1:]) + 1,
        _slow_distance(left[1:], right[1:]) + (left[0] != right[0]),
    ]
    if len(left) > 1 and len(right) > 1 and left[0] == right[1] and left[1] == right[0]:
        ways.append(_slow_distance(left[2:], right[2:]) + 1)
    return min(ways)


@given(st.text("ab.", max_size=5), st.text("ab.", max_size=5))
def test_edit_distance_is_what_its_definition_says(left: str, right: str) -> None:
    assert edit_distance(left, right) == _slow_distance(left, right)


def test_misspelt_names_the_nearest() -> None:
    assert misspelt("log.dri", BROKER_KEYS) == "log.dir"
    assert misspelt("listners", BROKER_KEYS) == "listeners"
    assert misspelt("zookeeper.connect", BROKER_KEYS) is None
