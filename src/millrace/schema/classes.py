"""Makes the one slotted class a message has for all its versions, with its structs as attributes."""

from __future__ import annotations

import linecache
from typing import Any, ClassVar, TypeVar

from millrace.schema.model import ZERO_UUID, Field, Message, Struct


class Part:
    """Base of every struct of a message: equal if all fields are; shows the fields that differ from their default."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()
    STRUCT: ClassVar[Struct]
    __hash__ = None  # type: ignore[assignment]  # messages change, so they cannot be keys

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.FIELDS)

    def __repr__(self) -> str:
        plain = type(self)()
        shown = (name for name in self.FIELDS if getattr(self, name) != getattr(plain, name))
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({values})"


class Body(Part):
    """Base of every message, the outermost struct."""

    __slots__ = ()
    NAME: ClassVar[str]
    KEY: ClassVar[int | None]
    VERSIONS: ClassVar[tuple[int, int]]
    FLEXIBLE: ClassVar[int | None]
    MESSAGE: ClassVar[Message]


M = TypeVar("M", bound=Body)


def make_class(message: Message, module: str) -> type[Body]:
    """The class of a message; its structs hang on it under Kafka's names."""
    made: dict[str, type[Part]] = {}
    for struct in message.structs():
        is_root = struct is message.root
        cls = _make(struct, Body if is_root else Part, made, message.name, module)
        if not is_root:
            made[struct.name] = cls
            continue
        for name, inner in made.items():
            setattr(cls, name, inner)
        assert issubclass(cls, Body)
        cls.NAME = message.name
        cls.KEY = message.key
        cls.VERSIONS = (message.versions.low, message.versions.high)
        cls.FLEXIBLE = message.flexible
        cls.MESSAGE = message
        return cls
    raise AssertionError("structs() ends with the root")


def _make(struct: Struct, base: type[Part], made: dict[str, type[Part]], outer: str, module: str) -> type[Part]:
    names = (*(field.name for field in struct.fields), "unknown_tags")
    space: dict[str, Any] = {"ABSENT": ABSENT, "ZERO_UUID": ZERO_UUID, **made}
    source = _init_source(struct)
    file = f"<class {outer}.{struct.name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), space)  # noqa: S102  # the source is ours: made from a declaration
    qualname = struct.name if base is Body else f"{outer}.{struct.name}"
    init = space["__init__"]
    init.__qualname__ = f"{qualname}.__init__"
    body = {
        "__slots__": names,
        "__module__": module,
        "__qualname__": qualname,
        "__init__": init,
        "FIELDS": names,
        "STRUCT": struct,
    }
    return type(struct.name, (base,), body)


class _Absent:
    def __repr__(self) -> str:
        return "..."


ABSENT: Any = _Absent()
"""The default of an argument whose own default is a new list or struct."""


def _init_source(struct: Struct) -> str:
    arguments, lines = [], []
    for field in struct.fields:
        fresh = fresh_default(field)
        arguments.append(f"{field.name}={'ABSENT' if fresh else default_literal(field)}")
        value = f"{fresh} if {field.name} is ABSENT else {field.name}" if fresh else field.name
        lines.append(f"    self.{field.name} = {value}\n")
    arguments.append("unknown_tags=None")
    lines.append("    self.unknown_tags = unknown_tags\n")
    return f"def __init__(self, *, {', '.join(arguments)}):\n{''.join(lines)}"


def fresh_default(field: Field) -> str | None:
    """The expression that makes a new default, for a field whose default can be changed in place."""
    if field.default is None or not (field.array or field.struct):
        return None
    return "[]" if field.array else f"{field.type}()"


def default_literal(field: Field) -> str:
    """The default of a scalar (or null) as source; a uuid's as the name ZERO_UUID."""
    if field.type == "uuid" and not field.array:
        return "ZERO_UUID"
    return repr(field.default)
