"""The syntax of a ``.properties`` file, as Java reads it: how Kafka's brokers and clients are configured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_BLANKS = " \t\f"


class BadProperties(ValueError):
    """A line that cannot be read; the message has its number."""


def parse_properties(text: str) -> dict[str, str]:
    """Names and values in the order of the file; of a name that comes twice the last value counts."""
    found: dict[str, str] = {}
    for number, line in _logical_lines(text):
        name, value = _split(line)
        try:
            found[_unescape(name)] = _unescape(value)
        except ValueError as wrong:
            raise BadProperties(f"line {number}: {wrong}") from None
    return found


def format_properties(values: Mapping[str, str]) -> str:
    """One line a value, readable by :func:`parse_properties` and by Java."""
    return "".join(f"{_escape(name, in_name=True)}={_escape(value)}\n" for name, value in values.items())


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments and blank ones; a line that ends with an odd number of backslashes goes on in the next."""
    gathered, first_number = "", 0
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        line = raw.lstrip(_BLANKS)
        if not gathered:
            if not line or line[0] in "#!":
                continue
            first_number = number
        if (len(line) - len(line.rstrip("\\"))) % 2:
            gathered += line[:-1]
            continue
        yield first_number, gathered + line
        gathered = ""
    if gathered:
        yield first_number, gathered


def _split(line: str) -> tuple[str, str]:
    """The name ends at the first '=', ':' or blank that no backslash precedes."""
    position = 0
    while position < len(line) and line[position] not in "=:" + _BLANKS:
        position += 2 if line[position] == "\\" else 1
    name, rest = line[:position], line[position:].lstrip(_BLANKS)
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(_BLANKS)
    return name, rest


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    out: list[str] = []
    position = 0
    while position < len(text):
        sign = text[position]
        position += 1
        if sign != "\\" or position == len(text):
            out.append("" if sign == "\\" else sign)
            continue
        sign = text[position]
        position += 1
        if sign != "u":
            out.append(_ESCAPES.get(sign, sign))
            continue
        digits = text[position : position + 4]
        if len(digits) != 4:
            raise ValueError(f"\\u{digits} is not a character: expected four hexadecimal digits")
        out.append(chr(int(digits, 16)))
        position += 4
    return "".join(out)


def _escape(text: str, *, in_name: bool = False) -> str:
    for plain, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\f", "\\f")):
        text = text.replace(plain, written)
    if in_name:
        for sign in "=: #!":
            text = text.replace(sign, "\\" + sign)
    elif text[:1] in (" ", "#", "!"):
        text = "\\" + text
    return text
