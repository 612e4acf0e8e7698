"""Kafka's generated message classes: which there are, and how a message of ours becomes one of theirs and back."""

from __future__ import annotations

import zipfile
from functools import cache
from typing import Any

import jpype

from millrace.schema.classes import Body, Part
from millrace.schema.model import Field
from tests.kafka.java_records import java_bytes, java_class, python_bytes
from tools.kafka_jars import jar_paths

_BOXES = {
    "bool": "Boolean",
    "int8": "Byte",
    "int16": "Short",
    "uint16": "Integer",
    "int32": "Integer",
    "uint32": "Long",
    "int64": "Long",
    "float64": "Double",
}


@cache
def generated_classes() -> dict[str, Any]:
    """All message classes in Kafka's jars that have versions, by our name for them."""
    found: dict[str, Any] = {}
    message = java_class("org.apache.kafka.common.protocol.ApiMessage")
    for jar in jar_paths():
        if not jar.name.startswith("kafka"):
            continue
        with zipfile.ZipFile(jar) as archive:
            names = [name for name in archive.namelist() if name.startswith("org/apache/kafka/")]
        for name in names:
            stem = name.removesuffix(".class")
            if stem == name or "$" in name or not _may_be_generated(stem):
                continue
            cls = java_class(stem.replace("/", "."))
            if issubclass(cls, message) and int(cls.HIGHEST_SUPPORTED_VERSION) >= int(cls.LOWEST_SUPPORTED_VERSION):
                assert _our_name(stem) not in found, f"{stem}: two classes of this name"
                found[_our_name(stem)] = cls
    return found


def _may_be_generated(stem: str) -> bool:
    folder = stem.rpartition("/")[0]
    return folder.endswith(("/message", "/generated", "/common/metadata"))


def _our_name(stem: str) -> str:
    name = stem.rpartition("/")[2]
    for ending in ("Request", "Response", "Header"):
        if name.endswith(ending + "Data"):
            return name.removesuffix("Data")
    return name


def versions_of(cls: Any) -> range:
    return range(int(cls.LOWEST_SUPPORTED_VERSION), int(cls.HIGHEST_SUPPORTED_VERSION) + 1)


def to_java(message: Body) -> Any:
    """Kafka's object with the same values, set field by field under Kafka's names."""
    return _part_to_java(message, generated_classes()[message.NAME])


def _part_to_java(part: Part, cls: Any) -> Any:
    made = cls()
    for field in part.STRUCT.fields:
        camel = "".join(word[:1].upper() + word[1:] for word in field.name.split("_"))
        setter, kind = _setter(cls, f"set{camel}")
        setter(made, _value_to_java(getattr(part, field.name), field, kind))
    for tag, value in sorted((part.unknown_tags or {}).items()):
        raw = java_class("org.apache.kafka.common.protocol.types.RawTaggedField")
        made.unknownTaggedFields().add(raw(jpype.JInt(tag), java_bytes(value)))
    return made


_setters: dict[tuple[Any, str], tuple[Any, Any]] = {}


def _setter(cls: Any, name: str) -> tuple[Any, Any]:
    """A setter's function and the reflected method, which knows the type of its parameter."""
    found = _setters.get((cls, name))
    if found is None:
        method = next(each for each in cls.class_.getMethods() if each.getName() == name)
        found = _setters[cls, name] = (getattr(cls, name), method)
    return found


def _value_to_java(value: Any, field: Field, method: Any) -> Any:
    kind = method.getParameterTypes()[0]
    if value is None:
        return None
    if not field.array:
        element = jpype.JClass(kind) if field.struct is not None else None
        return _one_to_java(value, field, element, kind)
    made = java_class("java.util.ArrayList")() if kind.getSimpleName() == "List" else jpype.JClass(kind)()
    element = _element_class(method) if field.struct is not None else None
    for each in value:
        made.add(_one_to_java(each, field, element, None))
    return made


def _element_class(method: Any) -> Any:
    name = str(method.getGenericParameterTypes()[0].getTypeName())
    return java_class(name.partition("<")[2].removesuffix(">") or name.removesuffix("Collection"))


def _one_to_java(value: Any, field: Field, element: Any, kind: Any) -> Any:
    if field.struct is not None:
        return _part_to_java(value, element)
    match field.type:
        case "string":
            return jpype.JString(value)
        case "uuid":
            return java_class("org.apache.kafka.common.Uuid")(
                jpype.JLong(int.from_bytes(value[:8], "big", signed=True)),
                jpype.JLong(int.from_bytes(value[8:], "big", signed=True)),
            )
        case "bytes":
            if kind.getSimpleName() == "ByteBuffer":
                return java_class("java.nio.ByteBuffer").wrap(java_bytes(value))
            return java_bytes(value)
        case "records":
            buffer = java_class("java.nio.ByteBuffer").wrap(java_bytes(bytes(value)))
            return java_class("org.apache.kafka.common.record.internal.MemoryRecords").readableRecords(buffer)
    return java_class(f"java.lang.{_BOXES[field.type]}")(value)


def written_by_java(message: Any, version: int) -> bytes:
    """What Kafka's object writes in a version."""
    utility = java_class("org.apache.kafka.common.protocol.MessageUtil")
    return python_bytes(utility.toByteBufferAccessor(message, jpype.JShort(version)).buffer())


def read_by_java(name: str, version: int, content: bytes) -> Any:
    """Kafka's object from bytes; all of them must be consumed."""
    buffer = java_class("java.nio.ByteBuffer").wrap(java_bytes(content))
    accessor = java_class("org.apache.kafka.common.protocol.ByteBufferAccessor")(buffer)
    message = generated_classes()[name](accessor, jpype.JShort(version))
    assert buffer.remaining() == 0, f"{name} {version}: Kafka left {buffer.remaining()} bytes"
    return message
