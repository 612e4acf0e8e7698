"""Reads declarations: the text of a .kmsg file to the messages it declares."""

from __future__ import annotations

import re
from typing import NamedTuple

from millrace.schema.model import (
    ALWAYS,
    NEVER,
    SCALARS,
    VARIABLE,
    VERSION_MAX,
    ZERO_UUID,
    Field,
    Message,
    Scalar,
    Struct,
    Versions,
)

_TYPE = re.compile(r"(\[)?([A-Za-z]\w*)\]?(\?(\S*))?$")
_RANGE = re.compile(r"(\d+)(?:(\+)|-(\d+))?$")
SECTIONS = ("request", "response", "key", "value")
_NUMBERS = ("int8", "int16", "uint16", "int32", "uint32", "int64")


class DeclarationError(ValueError):
    """A declaration that does not follow the language; names the file and the line."""


class Header(NamedTuple):
    """The first line of a declaration: enough to know which versions exist without reading the fields."""

    kind: str
    name: str
    key: int | None
    versions: Versions
    flexible: int | None
    unstable: int | None
    listeners: tuple[str, ...]
    log: str | None


class _Line(NamedTuple):
    where: str
    indent: int
    words: list[str]


def read_header(text: str, where: str = "?") -> Header:
    """The header line alone; it is the first line that is not a comment."""
    for line in _lines(text, where):
        return _header(line)
    raise DeclarationError(f"{where}: nothing is declared")


def parse(text: str, where: str = "?") -> list[Message]:
    """All messages of one file: one for each section, or one without sections."""
    lines = _lines(text, where)
    header = read_header(text, where)
    starts = [at for at, line in enumerate(lines) if line.indent == 0][1:]
    if not starts:
        return [_message(header, header.kind, header.name, lines[1:])]
    messages = []
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        section = lines[at].words[0]
        if section not in SECTIONS:
            raise DeclarationError(f"{lines[at].where}: expected one of {', '.join(SECTIONS)}, not {section!r}")
        own = _facts_of(lines[at], lines[at].words[1:], header)
        messages.append(_message(own, section, header.name + section.capitalize(), lines[at + 1 : end]))
    return messages


def _lines(text: str, where: str) -> list[_Line]:
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.partition("#")[0].split()
        if words:
            lines.append(_Line(f"{where}:{number}", len(raw) - len(raw.lstrip()), words))
    return lines


def _header(line: _Line) -> Header:
    kind, *words = line.words
    if kind in ("api", "record"):
        start = Header(kind, words[1], int(words[0]), NEVER, None, None, (), None)
        return _facts_of(line, words[2:], start)
    if kind in ("header", "data"):
        return _facts_of(line, words[1:], Header(kind, words[0], None, NEVER, None, None, (), None))
    raise DeclarationError(f"{line.where}: expected api, record, header or data, not {kind!r}")


def _facts_of(line: _Line, words: list[str], header: Header) -> Header:
    """``header`` with the facts that ``words`` add: pairs of a name and a value."""
    for fact, value in zip(words[::2], words[1::2], strict=True):
        if fact == "versions":
            header = header._replace(versions=_range(value, line))
        elif fact == "flexible":
            header = header._replace(flexible=int(value))
        elif fact == "unstable":
            header = header._replace(unstable=int(value))
        elif fact == "listeners":
            header = header._replace(listeners=tuple(value.split(",")))
        elif fact == "log":
            header = header._replace(log=value)
        else:
            raise DeclarationError(f"{line.where}: {fact!r} is no fact of a message")
    return header


def _message(header: Header, kind: str, name: str, body: list[_Line]) -> Message:
    shared: dict[str, list[_Line]] = {}
    own: list[_Line] = []
    block = own
    if header.versions == NEVER:
        raise DeclarationError(f"{name}: no versions are declared")
    for line in body:
        if line.words[0] == "struct" and len(line.words) >= 2:
            block = shared.setdefault(line.words[1], [line])
        else:
            block.append(line)
    fields = _Fields(shared)
    root = Struct(name, header.versions, fields.read(own, header.versions))
    unused = shared.keys() - fields.structs.keys()
    if unused:
        raise DeclarationError(f"{body[0].where}: no field uses {', '.join(sorted(unused))}")
    return Message(name, kind, header.key, header.versions, header.flexible, root)


class _Fields:
    """Reads the fields of one message; knows the structs met so far."""

    def __init__(self, shared: dict[str, list[_Line]]) -> None:
        self.shared = shared
        self.structs: dict[str, Struct] = {}

    def read(self, lines: list[_Line], versions: Versions) -> tuple[Field, ...]:
        fields = []
        at = 0
        while at < len(lines):
            line = lines[at]
            end = at + 1
            while end < len(lines) and lines[end].indent > line.indent:
                end += 1
            fields.append(self._field(line, lines[at + 1 : end], versions))
            at = end
        names = [field.name for field in fields]
        if len(set(names)) != len(names):
            raise DeclarationError(f"{lines[0].where}: a name is declared twice in {', '.join(names)}")
        return tuple(fields)

    def _field(self, line: _Line, children: list[_Line], outer: Versions) -> Field:
        if len(line.words) < 2:
            raise DeclarationError(f"{line.where}: expected a name and a type")
        name, words = line.words[0], line.words[1:]
        match = _TYPE.match(words[0])
        if match is None or (match[1] is not None) != ("]" in words[0]):
            raise DeclarationError(f"{line.where}: {words[0]!r} is no type")
        array, kind = match[1] is not None, match[2]
        versions, tag, tagged, default, flags = _facts(line, words[1:], outer)
        nullable = NEVER
        if match[3] is not None:
            nullable = _range(match[4], line).within(versions) if match[4] else versions
        struct = None
        if kind not in SCALARS and kind not in VARIABLE:
            struct = self._struct(kind, children, versions, line)
        elif children:
            raise DeclarationError(f"{children[0].where}: {kind} has no fields of its own")
        value = _default(kind, array or struct is not None, default, line)
        return Field(
            name,
            kind,
            array,
            versions,
            nullable,
            value,
            tag,
            tagged,
            "ignorable" in flags,
            "key" in flags,
            "plain" in flags,
            struct,
        )

    def _struct(self, name: str, children: list[_Line], versions: Versions, line: _Line) -> Struct:
        if children:
            if name in self.structs or name in self.shared:
                raise DeclarationError(f"{line.where}: {name} is declared twice")
            struct = Struct(name, versions, self.read(children, versions))
            self.structs[name] = struct
            return struct
        if name in self.structs:
            return self.structs[name]
        if name not in self.shared:
            raise DeclarationError(f"{line.where}: {name} is not declared")
        head, *body = self.shared[name]
        own = _range(head.words[2], head) if len(head.words) > 2 else ALWAYS
        self.structs[name] = Struct(name, own, self.read(body, own))
        return self.structs[name]


def _facts(
    line: _Line, words: list[str], outer: Versions
) -> tuple[Versions, int | None, Versions, str | None, set[str]]:
    versions, tag, tagged, default = outer, None, NEVER, None
    flags: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word == "=":
            default = next(rest, "")
        elif word == "tag":
            number = next(rest, "")
            if not number.isdigit():
                raise DeclarationError(f"{line.where}: tag needs a number")
            tag = int(number)
        elif word in ("ignorable", "key", "plain"):
            flags.add(word)
        elif tag is None:
            versions = _range(word, line).within(outer)
        else:
            tagged = _range(word, line).within(versions)
    if tag is not None and tagged == NEVER:
        tagged = versions
    return versions, tag, tagged, default, flags


def _range(text: str, line: _Line) -> Versions:
    match = _RANGE.match(text)
    if match is None:
        raise DeclarationError(f"{line.where}: {text!r} is no range of versions (like 3, 3+ or 3-7)")
    low = int(match[1])
    if match[2]:
        return Versions(low, VERSION_MAX)
    return Versions(low, int(match[3]) if match[3] else low)


def _default(kind: str, compound: bool, text: str | None, line: _Line) -> Scalar:
    if text == "null":
        return None
    if compound:
        if text is not None:
            raise DeclarationError(f"{line.where}: an array or a struct is null or empty by default, not {text}")
        return False
    if kind in _NUMBERS:
        return int(text or "0", 0)
    if kind == "float64":
        return float(text or "0")
    if kind == "bool":
        if text not in (None, "true", "false"):
            raise DeclarationError(f"{line.where}: {text!r} is neither true nor false")
        return text == "true"
    if text is not None:
        raise DeclarationError(f"{line.where}: a {kind} is null or empty by default, not {text}")
    if kind == "string":
        return ""
    if kind == "uuid":
        return ZERO_UUID
    return b"" if kind == "bytes" else None
