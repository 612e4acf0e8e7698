"""The names of a log's files and folders: Kafka's, so that its tools find their way."""

from __future__ import annotations

import re
from typing import Final

LOG: Final = ".log"
OFFSET_INDEX: Final = ".index"
TIME_INDEX: Final = ".timeindex"
TRANSACTION_INDEX: Final = ".txnindex"
SNAPSHOT: Final = ".snapshot"

DELETED: Final = ".deleted"  # added to a segment's files while they wait to be removed
CLEANED: Final = ".cleaned"  # added to what the cleaner writes, until it is whole
TEMPORARY: Final = ".tmp"  # added to a small file that is being written
SWAP: Final = ".swap"  # added to what is whole and replaces older segments

SEGMENT_FILES: Final = (LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)

LEADER_EPOCHS: Final = "leader-epoch-checkpoint"
PARTITION_METADATA: Final = "partition.metadata"

RECOVERY_POINTS: Final = "recovery-point-offset-checkpoint"
LOG_START_OFFSETS: Final = "log-start-offset-checkpoint"
HIGH_WATERMARKS: Final = "replication-offset-checkpoint"
CLEANER_OFFSETS: Final = "cleaner-offset-checkpoint"
META_PROPERTIES: Final = "meta.properties"
CLEAN_SHUTDOWN: Final = ".kafka_cleanshutdown"

_OFFSET_DIGITS: Final = 20
_PARTITION_FOLDER: Final = re.compile(r"(?P<topic>[a-zA-Z0-9._-]{1,249})-(?P<partition>\d{1,10})")
_PARTED_FOLDER: Final = re.compile(r".+-\d+\.[0-9a-f]{32}-(?P<why>delete|future|stray)")


def stem(offset: int) -> str:
    """How the names of a segment's files begin, and of a snapshot at that offset."""
    return f"{offset:0{_OFFSET_DIGITS}d}"


def offset_of(name: str) -> int | None:
    """The offset that the name of a segment's file or of a snapshot begins with."""
    digits = name[: name.find(".")]
    return int(digits) if len(digits) == _OFFSET_DIGITS and digits.isascii() and digits.isdigit() else None


def offsets_with(names: list[str], ending: str) -> list[int]:
    """The offsets of all names that are an offset and ``ending``, in order."""
    length = _OFFSET_DIGITS + len(ending)
    found = [offset_of(name) for name in names if len(name) == length and name.endswith(ending)]
    return sorted(offset for offset in found if offset is not None)


def partition_folder(topic: str, partition: int) -> str:
    return f"{topic}-{partition}"


def parse_partition_folder(name: str) -> tuple[str, int] | None:
    """Topic and partition of a folder's name; None when it is not the folder of a partition."""
    found = _PARTITION_FOLDER.fullmatch(name)
    return (found["topic"], int(found["partition"])) if found is not None else None


def parted_folder_kind(name: str) -> str | None:
    """``delete``, ``future`` or ``stray`` for a partition's folder that was renamed out of the way."""
    found = _PARTED_FOLDER.fullmatch(name)
    return found["why"] if found is not None else None


def deleted_folder(name: str, unique: str) -> str:
    """The name under which the folder of a deleted partition waits to be removed; at most 255 bytes long."""
    ending = f".{unique}-delete"
    return name[: 255 - len(ending)] + ending
