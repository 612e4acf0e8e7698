"""The properties syntax, against Java's rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.base.properties import BadProperties, format_properties, parse_properties


def test_comments_separators_and_blanks() -> None:
    text = "# note\n! note\n\n a = 1\nb:2\nc 3\nd\ne==\n  f\t:  x y  \n"
    assert parse_properties(text) == {"a": "1", "b": "2", "c": "3", "d": "", "e": "=", "f": "x y  "}


def test_lines_go_on_after_an_odd_number_of_backslashes() -> None:
    assert parse_properties("a=1,\\\n   2\nb=x\\\\\nc=3") == {"a": "1,2", "b": "x\\", "c": "3"}


def test_escapes() -> None:
    assert parse_properties(r"a\ b\=c=\u0041\t\q") == {"a b=c": "A\tq"}


def test_a_later_line_wins() -> None:
    assert parse_properties("a=1\r\na=2\r\n") == {"a": "2"}


def test_a_broken_escape_names_its_line() -> None:
    with pytest.raises(BadProperties, match="line 2"):
        parse_properties("a=1\nb=\\u12")


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029\x1c\x1d\x1e\x0b"))


@given(st.dictionaries(_TEXT.filter(bool), _TEXT))
def test_what_is_written_is_read(values: dict[str, str]) -> None:
    assert parse_properties(format_properties(values)) == values
