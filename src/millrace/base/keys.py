"""A configuration key as a declaration: name, type, default, valid values, how it may change, what it is for.

Adding a key is one entry in one of the rooms ``keys_topic``, ``keys_broker`` and ``keys_group``; parsing,
DescribeConfigs and the reference page follow from it. Names, types, defaults and ranges are Apache Kafka 4.3.1's,
except where ``docs/configuration.md`` lists a difference; names of our own begin with ``millrace.``.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

Value = bool | int | float | str | tuple[str, ...] | None


class Type(enum.IntEnum):
    """The type of a value; the numbers are those of DescribeConfigs (KIP-226)."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


class Change(enum.Enum):
    """How a broker's key may change while the broker runs (KIP-226)."""

    RESTART = "at restart"
    PER_BROKER = "per broker"
    CLUSTER = "cluster-wide or per broker"


class Status(enum.Enum):
    """What the key does here."""

    HONOURED = "honoured"
    ACCEPTED = "accepted"  # taken and shown, without effect; the note says why
    REFUSED = "refused"  # any value but the default is an error, because silence would mislead; the note says why


class InvalidValue(ValueError):
    """A value that its key does not allow; the message names the key and what was expected."""


Validator = Callable[[Value], str | None]
"""None if the value is right, else what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One configuration key."""

    name: str
    type: Type
    default: Value
    doc: str
    valid: Validator | None = None
    change: Change = Change.RESTART
    status: Status = Status.HONOURED
    note: str = ""
    synonyms: tuple[tuple[str, int], ...] = ()  # topic keys: the broker's keys that set the default, with their factor
    internal: bool = False  # not listed unless set
    as_set: bool = False  # a list in which a repeated item counts once

    def parse(self, text: str | None) -> Value:
        """The value that ``text`` stands for; raises InvalidValue."""
        value = None if text is None else parse_value(self.name, self.type, text)
        if self.as_set and isinstance(value, tuple):
            value = tuple(dict.fromkeys(value))
        if value is None and self.default is not None:
            raise InvalidValue(f"{self.name} must have a value")
        if self.valid is not None and value is not None:
            expected = self.valid(value)
            if expected is not None:
                shown = "[hidden]" if self.is_sensitive else text
                raise InvalidValue(f"{shown} is not a valid value for {self.name}: expected {expected}")
        return value

    @property
    def is_sensitive(self) -> bool:
        return self.type is Type.PASSWORD

    @property
    def expectation(self) -> str:
        """The valid values in words, for the reference page."""
        return getattr(self.valid, "expectation", "")


INT_RANGE = range(-(2**31), 2**31)
SHORT_RANGE = range(-(2**15), 2**15)
LONG_RANGE = range(-(2**63), 2**63)
INT_MAX = INT_RANGE[-1]
LONG_MAX = LONG_RANGE[-1]
_RANGES = {Type.INT: INT_RANGE, Type.SHORT: SHORT_RANGE, Type.LONG: LONG_RANGE}

# As Java reads a double, which may end with a letter for its type.
_DOUBLE = re.compile(r"[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)[fFdD]?")


def parse_value(name: str, type: Type, text: str) -> Value:  # noqa: A002 (it is what the key calls it)
    """``text`` in Kafka's syntax for a type; blanks around it do not count."""
    text = text.strip()
    if type is Type.BOOLEAN:
        lowered = text.lower()
        if lowered not in ("true", "false"):
            raise InvalidValue(f"{text} is not a valid value for {name}: expected true or false")
        return lowered == "true"
    if type is Type.LIST:
        return tuple(item.strip() for item in text.split(",")) if text else ()
    if type is Type.DOUBLE:
        return _parse_double(name, text)
    if type in _RANGES:
        return _parse_integer(name, type, text)
    return text


def _parse_integer(name: str, type: Type, text: str) -> int:  # noqa: A002
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        raise InvalidValue(f"{text!r} is not a valid value for {name}: expected a whole number")
    value = int(text)
    if value not in _RANGES[type]:
        bits = {Type.INT: 32, Type.SHORT: 16, Type.LONG: 64}[type]
        raise InvalidValue(f"{text} is not a valid value for {name}: expected a number of {bits} bits")
    return value


def _parse_double(name: str, text: str) -> float:
    if not _DOUBLE.fullmatch(text):
        raise InvalidValue(f"{text!r} is not a valid value for {name}: expected a number")
    return float(text.rstrip("fFdD"))


def format_value(value: Value) -> str | None:
    """A value as DescribeConfigs and the files show it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(value)
    return _format_double(value) if isinstance(value, float) else str(value)


def _format_double(value: float) -> str:
    """As Java writes a double: from 0.001 to below 10 million plainly, else with an exponent."""
    if value == 0 or 1e-3 <= abs(value) < 1e7 or not math.isfinite(value):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(str(value), str(value))
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int), "a finite number has an exponent"
    figures = "".join(map(str, digits))
    return f"{'-' if sign else ''}{figures[0]}.{figures[1:] or '0'}E{exponent + len(figures) - 1}"


# Validators. Each carries its expectation in words, for messages and for the reference page.


def _named(check: Callable[[Value], bool], expectation: str) -> Validator:
    def valid(value: Value) -> str | None:
        return None if check(value) else expectation

    valid.expectation = expectation  # type: ignore[attr-defined]
    return valid


def at_least(low: int) -> Validator:
    return _named(lambda value: _number(value) >= low, f"at least {low}")


def between(low: float, high: float) -> Validator:
    return _named(lambda value: low <= _number(value) <= high, f"from {low} to {high}")


def between_or(low: int, high: int, other: int) -> Validator:
    return _named(lambda value: low <= _number(value) <= high or value == other, f"from {low} to {high}, or {other}")


def one_of(*choices: str) -> Validator:
    return _named(lambda value: value in choices, f"one of {', '.join(choices)}")


def items_of(*choices: str, may_be_empty: bool = True) -> Validator:
    """A list of some of the choices, each at most once."""
    least = "any" if may_be_empty else "one or more"

    def check(value: Value) -> bool:
        items = value if isinstance(value, tuple) else ()
        return (may_be_empty or bool(items)) and set(items) <= set(choices) and len(set(items)) == len(items)

    return _named(check, f"{least} of {', '.join(choices)}, each once")


def non_empty() -> Validator:
    return _named(lambda value: bool(value), "a value that is not empty")


def distinct_items() -> Validator:
    """A list without an empty item and without the same item twice."""

    def check(value: Value) -> bool:
        items = value if isinstance(value, tuple) else ()
        return all(items) and len(set(items)) == len(items)

    return _named(check, "a list without empty or repeated items")


def _number(value: Value) -> float:
    assert isinstance(value, int | float), "this validator is for numbers"
    return value


def misspelt(name: str, known: Iterable[str]) -> str | None:
    """The known name at edit distance 1 or 2 of an unknown one, the nearest first; None if there is none."""
    best: tuple[int, str] | None = None
    for candidate in known:
        if abs(len(candidate) - len(name)) > 2:
            continue
        distance = edit_distance(name, candidate)
        if distance <= 2 and (best is None or (distance, candidate) < best):
            best = (distance, candidate)
    return best[1] if best else None


def edit_distance(left: str, right: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, mine in enumerate(left, start=1):
        last_but_one, before, row = before, row, [i]
        for j, theirs in enumerate(right, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == right[j - 2] and left[i - 2] == theirs:
                cost = min(cost, last_but_one[j - 2] + 1)
            row.append(cost)
    return row[-1]
