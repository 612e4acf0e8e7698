"""What a message is: its fields, their types and the versions they live in; and the language that declares it.

A declaration file holds one API, request and response together, or one record. It is written for people;
``schema/parse`` reads it, ``schema/compile`` turns it into code. One line is one field::

    # Commit the offsets that a group has consumed.
    api 8 OffsetCommit  versions 2-10  flexible 8  listeners broker

    request
      group_id            string
      generation_id       int32        = -1       ignorable
      group_instance_id   string?      7+  = null
      retention_time_ms   int64        2-4  = -1  ignorable
      topics              [Topic]
        name              string       2-9  key  ignorable
        topic_id          uuid         10+  key  ignorable
        partitions        [Partition]
          ...

- The first line says what is declared: ``api KEY Name``, ``record KEY Name`` (a record of an internal log, whose first
  bytes are KEY), ``header Name``, or ``data Name`` (a message without a key). Facts follow, each a name and a value:
  ``versions`` all that exist; ``flexible`` the first with compact lengths and tagged fields (absent if there is none);
  ``unstable`` the first that Kafka itself does not offer yet; ``listeners`` who serves an api; ``log`` whose record.
- An api has the sections ``request`` and ``response``, each a message of its own; a record of a log with keys has
  ``key`` and ``value``. A section may carry facts of its own. Without sections the fields begin at once, indented.
- Types: ``bool int8 int16 uint16 int32 uint32 int64 uuid float64 string bytes records``, the name of a struct, or one
  of these in brackets for an array. ``?`` after the type: may be null, in all versions; ``?7+``: from version 7 on.
- A struct is declared by the lines indented below the first field that has its type. A struct that several fields share
  stands in a block ``struct Name`` after the fields of its message. Structs are known by name within their message.
- Then a range of versions (``7+``, ``2-4``, ``3``; absent: as long as its struct), ``= value`` the default (absent:
  zero, false, empty), ``tag N`` (a tagged field; ``tag N 3+`` if it is tagged only from version 3 on), ``key`` (the
  field, or with others the fields, that make an element unique in its array), ``ignorable`` (a value is dropped, not
  refused, in a version that cannot carry it), ``plain`` (the old length coding in flexible versions too).
- ``#`` begins a comment. Names are Kafka's, in snake_case for fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

SCALARS = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "float64": "d",
    "uuid": "16s",
}
"""Types of one width, with their character in the standard library's ``struct``."""

VARIABLE = ("string", "bytes", "records")
VERSION_MAX = 32767
ZERO_UUID = bytes(16)

Scalar = bool | int | float | str | bytes | None


class Versions(NamedTuple):
    """A closed range of versions, empty if ``low > high``."""

    low: int
    high: int

    def covers(self, version: int) -> bool:
        return self.low <= version <= self.high

    def within(self, outer: Versions) -> Versions:
        return Versions(max(self.low, outer.low), min(self.high, outer.high))


NEVER = Versions(0, -1)
ALWAYS = Versions(0, VERSION_MAX)


class Field(NamedTuple):
    """One field of a struct."""

    name: str
    type: str
    array: bool
    versions: Versions
    nullable: Versions
    default: Scalar
    """Of a scalar; None means null. Of an array or a struct: None means null, anything else empty."""
    tag: int | None
    tagged: Versions
    ignorable: bool
    key: bool
    plain: bool
    struct: Struct | None
    """What the type names, if it is a struct."""

    def is_tagged(self, version: int) -> bool:
        return self.tag is not None and self.tagged.covers(version)


class Struct(NamedTuple):
    """An ordered group of fields; the root of a message is one too."""

    name: str
    versions: Versions
    fields: tuple[Field, ...]

    def tagged_fields(self, version: int) -> list[Field]:
        return sorted((f for f in self.fields if f.is_tagged(version)), key=lambda f: f.tag or 0)


class Message(NamedTuple):
    """One declared message: a request, a response, a header or a record."""

    name: str
    kind: str
    key: int | None
    versions: Versions
    flexible: int | None
    root: Struct

    def is_flexible(self, version: int) -> bool:
        return self.flexible is not None and version >= self.flexible

    def structs(self) -> Iterator[Struct]:
        """Every struct below the root once, inner ones before those that use them, the root last."""
        seen: set[str] = set()

        def walk(struct: Struct) -> Iterator[Struct]:
            for field in struct.fields:
                if field.struct is not None and field.struct.name not in seen:
                    seen.add(field.struct.name)
                    yield from walk(field.struct)
            yield struct

        return walk(self.root)
