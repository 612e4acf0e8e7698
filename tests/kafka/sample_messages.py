"""Values for any declared message in any version: one full sample, samples at the edges of lengths, and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from hypothesis import strategies as st

from millrace.kafka import messages, records
from millrace.schema.classes import Body, Part
from millrace.schema.model import SCALARS, Field, Struct

LENGTHS_AT_EDGES = (0, 1, 126, 127, 128)
UNKNOWN_TAG = 1000

_RANGES = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
}


def all_classes() -> list[type[Body]]:
    """Every class of messages and records."""
    classes = [kind(key) for key in messages.API_KEYS for kind in (messages.request_type, messages.response_type)]
    classes += [messages.RequestHeader, messages.ResponseHeader]
    return classes + [getattr(records, name) for name in records.NAMES]


def all_pairs() -> list[tuple[type[Body], int]]:
    """Every class with each of its versions."""
    return [(cls, version) for cls in all_classes() for version in range(cls.VERSIONS[0], cls.VERSIONS[1] + 1)]


def pair_name(value: object) -> str:
    """The name of a test's parameter."""
    return value.NAME if isinstance(value, type) and issubclass(value, Body) else str(value)


def present(struct: Struct, version: int) -> list[Field]:
    return [field for field in struct.fields if field.versions.covers(version)]


def part_class(cls: type[Body], field: Field) -> type[Part]:
    return getattr(cls, field.type)


# One full sample: every field there is has a value that is not its default and that no other field has.


def sample(cls: type[Body], version: int, elements: int = 2) -> Body:
    """A message with all fields of a version set, ``elements`` in each array."""
    message = _sample_part(cls, cls, version, count(1), elements)
    assert isinstance(message, Body)
    if cls.MESSAGE.is_flexible(version):
        message.unknown_tags = {UNKNOWN_TAG: b"unknown"}
    return message


def _sample_part(cls: type[Body], part: type[Part], version: int, numbers: Iterator[int], elements: int) -> Part:
    values = {}
    for field in present(part.STRUCT, version):
        if field.array:
            values[field.name] = [_sample_one(cls, field, version, numbers, elements) for _ in range(elements)]
        else:
            values[field.name] = _sample_one(cls, field, version, numbers, elements)
    return part(**values)


def _sample_one(cls: type[Body], field: Field, version: int, numbers: Iterator[int], elements: int) -> Any:
    if field.struct is not None:
        return _sample_part(cls, part_class(cls, field), version, numbers, elements)
    return _sample_scalar(field, next(numbers))


def _sample_scalar(field: Field, number: int) -> Any:
    match field.type:
        case "bool":
            return not field.default
        case "string":
            return f"s{number}é"
        case "bytes" | "records":
            return f"b{number}".encode()
        case "uuid":
            return number.to_bytes(16, "big")
        case "float64":
            return number + 0.5
        case "int8":
            return number % 100 + 10
    return number + 1000


# At the edges: one field at a time has a length or count at which the coding of lengths changes.


def edges(cls: type[Body], version: int) -> Iterator[Body]:
    """Samples in which one string, blob or array after the other is empty, null, or 126 to 128 long."""
    for path in _paths(cls.MESSAGE.root, version):
        field = path[-1]
        has_length = field.array or (field.type not in SCALARS and field.struct is None)
        for length in LENGTHS_AT_EDGES if has_length else ():
            message = sample(cls, version, elements=1)
            setattr(_owner(message, path), field.name, _of_length(cls, field, version, length))
            yield message
        if field.nullable.covers(version):
            message = sample(cls, version, elements=1)
            setattr(_owner(message, path), field.name, None)
            yield message


def _paths(struct: Struct, version: int, above: tuple[Field, ...] = ()) -> Iterator[tuple[Field, ...]]:
    for field in present(struct, version):
        yield (*above, field)
        if field.struct is not None:
            yield from _paths(field.struct, version, (*above, field))


def _owner(message: Part, path: tuple[Field, ...]) -> Part:
    for field in path[:-1]:
        inner = getattr(message, field.name)
        message = inner[0] if field.array else inner
    return message


def _of_length(cls: type[Body], field: Field, version: int, length: int) -> Any:
    if field.array:
        numbers = count(1)
        return [_sample_one(cls, field, version, numbers, 0) for _ in range(length)]
    return "x" * length if field.type == "string" else b"x" * length


def misplaced(cls: type[Body], version: int) -> Iterator[tuple[str, bool, Body]]:
    """Samples in which one field that the version lacks is set: its path, whether it is ignorable, the sample."""
    for path in _paths_to_absent(cls.MESSAGE.root, version):
        message = sample(cls, version, elements=1)
        message.unknown_tags = None
        field = path[-1]
        value = _sample_one(cls, field, field.versions.low, count(1), 0)
        setattr(_owner(message, path), field.name, [value] if field.array else value)
        yield ".".join(each.name for each in path), field.ignorable, message
    if not cls.MESSAGE.is_flexible(version):
        message = sample(cls, version)
        message.unknown_tags = {UNKNOWN_TAG: b"unknown"}
        yield "unknown_tags", False, message


def _paths_to_absent(struct: Struct, version: int, above: tuple[Field, ...] = ()) -> Iterator[tuple[Field, ...]]:
    for field in struct.fields:
        if not field.versions.covers(version):
            yield (*above, field)
        elif field.struct is not None:
            yield from _paths_to_absent(field.struct, version, (*above, field))


# Random ones.


def values(cls: type[Body], version: int) -> st.SearchStrategy[Any]:
    """Any message that the version can carry."""
    return _parts(cls, cls, version)


def _parts(cls: type[Body], part: type[Part], version: int) -> st.SearchStrategy[Any]:
    fields = {field.name: _values(cls, field, version) for field in present(part.STRUCT, version)}
    if cls.MESSAGE.is_flexible(version):
        known = {field.tag for field in part.STRUCT.fields}
        tag = st.integers(0, 200).filter(lambda tag: tag not in known) | st.just(2**31 - 2)
        fields["unknown_tags"] = st.none() | st.dictionaries(tag, st.binary(max_size=5), min_size=1, max_size=3)
    return st.builds(part, **fields)


def _values(cls: type[Body], field: Field, version: int) -> st.SearchStrategy[Any]:
    one = _parts(cls, part_class(cls, field), version) if field.struct is not None else _scalars(field)
    found = st.lists(one, max_size=3) if field.array else one
    return st.none() | found if field.nullable.covers(version) else found


def _scalars(field: Field) -> st.SearchStrategy[Any]:
    match field.type:
        case "bool":
            return st.booleans()
        case "string":
            return st.text(max_size=12)
        case "bytes" | "records":
            return st.binary(max_size=20)
        case "uuid":
            return st.binary(min_size=16, max_size=16)
        case "float64":
            return st.floats(allow_nan=False)
    low, high = _RANGES[field.type]
    return st.integers(low, high) | st.sampled_from([low, -1 if low < 0 else 1, 0, high])
