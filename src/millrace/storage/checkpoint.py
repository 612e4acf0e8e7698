"""Kafka's small text files: a version, a count, and as many lines of fields; and offsets by partition kept in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from millrace.base.errors import StorageFault

_VERSION: Final = 0

TopicPartition = tuple[str, int]


def encode_lines(lines: Sequence[str]) -> bytes:
    return "\n".join([str(_VERSION), str(len(lines)), *lines, ""]).encode()


def parse_lines(path: str, content: bytes, *, fields: int) -> list[list[str]]:
    """The lines, each split into its fields; raises StorageFault when the file is torn or of another version."""
    try:
        lines = content.decode().split("\n")
        version, count = int(lines[0]), int(lines[1])
    except (ValueError, IndexError):
        raise StorageFault(path, "does not begin with a version and a count") from None
    if version != _VERSION:
        raise StorageFault(path, f"has version {version}, expected {_VERSION}")
    entries = [line.split(" ") for line in lines[2:] if line]
    if len(entries) != count:
        raise StorageFault(path, f"has {len(entries)} entries, expected {count}")
    for entry in entries:
        if len(entry) != fields or not all(_is_number(field) for field in entry[-2:]):
            raise StorageFault(path, f"has the entry {' '.join(entry)!r}, expected {fields} fields")
    return entries


def _is_number(field: str) -> bool:
    return field.isascii() and field.removeprefix("-").isdigit()


def encode_offsets(offsets: Mapping[TopicPartition, int]) -> bytes:
    """An offset for each partition, as in ``recovery-point-offset-checkpoint`` and its like."""
    return encode_lines([f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items()])


def parse_offsets(path: str, content: bytes) -> dict[TopicPartition, int]:
    return {(topic, int(partition)): int(offset) for topic, partition, offset in parse_lines(path, content, fields=3)}
