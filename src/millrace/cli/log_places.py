"""Where the partitions are that a path on the command line means, and that no broker runs on them."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from millrace.cli.options import Failed
from millrace.runtime.disk import RealDisk
from millrace.storage import names

LOCK_FILE = ".lock"
BROKER_FOLDER = "broker-"

_held: dict[Path, int] = {}  # lock files that this process holds until it ends
_disks: dict[Path, RealDisk] = {}


@dataclass(frozen=True, slots=True)
class Place:
    """A partition's folder on a disk; ``base`` when one of its segments was meant."""

    disk: RealDisk
    folder: str
    base: int | None = None

    @property
    def path(self) -> str:
        return str(Path(self.disk.root) / self.folder)

    @property
    def size_bytes(self) -> int:
        """Bytes of its log files."""
        return self._bytes(names.LOG)

    @property
    def folder_bytes(self) -> int:
        return self._bytes("")

    def _bytes(self, ending: str) -> int:
        folder = Path(self.path)
        return sum(each.stat().st_size for each in folder.iterdir() if each.is_file() and each.name.endswith(ending))


def find_places(path: Path) -> list[Place]:
    """All partitions that a path means: a file, a partition, a broker's folder, or a data folder."""
    path = path.resolve()
    if path.is_file():
        base = names.offset_of(path.name)
        if base is None or names.parse_partition_folder(path.parent.name) is None:
            raise Failed(f"{path} is not a file of a partition")
        return [Place(hold(path.parent.parent), path.parent.name, base)]
    if names.parse_partition_folder(path.name) is not None and _has_logs(path):
        return [Place(hold(path.parent), path.name)]
    brokers = [each for each in sorted(path.iterdir()) if each.is_dir() and each.name.startswith(BROKER_FOLDER)]
    found: list[Place] = []
    for root in [path, *[each for each in brokers if not _has_logs(each)]]:
        inside = [
            each.name
            for each in sorted(root.iterdir(), key=_order)
            if names.parse_partition_folder(each.name) is not None and _has_logs(each)
        ]
        if inside:
            disk = hold(root)
            found += [Place(disk, name) for name in inside]
    return found


def _order(path: Path) -> tuple[str, int]:
    return names.parse_partition_folder(path.name) or (path.name, -1)


def _has_logs(path: Path) -> bool:
    return path.is_dir() and any(each.name.endswith(names.LOG) for each in path.iterdir())


def hold(root: Path) -> RealDisk:
    """The disk of a log folder, with its locks taken; refused while a broker runs on it."""
    root = root.resolve()
    disk = _disks.get(root)
    if disk is None:
        for path in (root / LOCK_FILE, root.parent / LOCK_FILE):
            if path.exists() and path not in _held:
                _held[path] = _lock(path)
        disk = _disks[root] = RealDisk(root, threads=1)
    return disk


def release() -> None:
    """Give back everything that is held: for programs that call these commands and go on."""
    for disk in _disks.values():
        disk.close()
    for descriptor in _held.values():
        os.close(descriptor)
    _disks.clear()
    _held.clear()


def _lock(path: Path) -> int:
    """Both kinds of lock: ours is flock, Kafka's is one of POSIX."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except PermissionError:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        kinds = [fcntl.flock]
    else:
        kinds = [fcntl.flock, fcntl.lockf]
    try:
        for kind in kinds:
            kind(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        os.close(descriptor)
        by = f"by the process with pid {holder}" if holder else "by a running broker"
        raise Failed(f"{path.parent} is in use {by}; stop it first") from None
    return descriptor
