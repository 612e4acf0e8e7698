"""Source text under construction: indentation, fresh names, and the objects that it refers to by name."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from millrace.schema.model import Struct
from millrace.schema.wire import FEW

INDENT = "    "


def width(chars: str) -> int:
    """Bytes of a run of fixed-width cells."""
    return struct.calcsize(">" + chars)


@cache
def _few(char: str) -> list[struct.Struct]:
    return [struct.Struct(f">{count}{char}") for count in range(FEW)]


class Source:
    """Lines of Python and the namespace they need, except the classes, which are known by the name of their struct."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.lines: list[str] = []
        self.space: dict[str, object] = {}
        self.classes: dict[str, str | None] = {}
        """Names in the source to names of structs; None is the message itself."""
        self._depth = 0
        self._names = 0

    def put(self, line: str) -> None:
        self.lines.append(INDENT * self._depth + line)

    @contextmanager
    def block(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1

    def name(self, letter: str) -> str:
        """A local variable that nobody else uses."""
        self._names += 1
        return f"{letter}{self._names}"

    def use_struct(self, chars: str, method: str) -> str:
        """The name of a precompiled ``Struct``'s method."""
        name = f"{'take' if method == 'unpack_from' else 'pack'}_{chars.replace('?', 'T')}"
        self.space.setdefault(name, getattr(struct.Struct(">" + chars), method))
        return name

    def use_few(self, char: str) -> str:
        """The name of a table of precompiled structs for so many numbers, by their count."""
        name = f"few_{char.replace('?', 'T')}"
        self.space.setdefault(name, _few(char))
        return name

    def use_class(self, part: Struct | None, root: bool = False) -> str:
        assert part is not None
        self.classes[part.name] = None if root else part.name
        return part.name

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
