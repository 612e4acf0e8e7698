"""Looks at the files of a stopped log from the outside and says what is wrong with them, batch by batch.

What opens logs (``opening``, ``scan``) cuts off what is torn and goes on; here nothing is changed and nothing is
trusted: every batch is checked with every record in it, every index entry against the batch that it points to. Behind
a broken batch the walk goes on at the next one that can be right, by its checksum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from millrace.base.errors import Refused, StorageFault
from millrace.base.limits import DECOMPRESSED_BYTES_MAX, SCAN_BYTES
from millrace.base.ports import Disk, File
from millrace.kafka.batch import CODEC_MAX, HEADER_BYTES, MAGIC, Batch, batch_size
from millrace.kafka.record import control_type, decode_headers, iter_records
from millrace.storage import names
from millrace.storage.cleaner_transactions import decode_transaction_index
from millrace.storage.epochs import LeaderEpochs
from millrace.storage.identity import parse_partition_metadata
from millrace.storage.indexes import OffsetIndex, TimeIndex
from millrace.storage.producer_snapshot import decode_snapshot

_MAGIC_AT = 16


@dataclass(frozen=True, slots=True)
class Seen:
    """A batch, or what stands where one should be: ``problem`` is what is wrong, ``batch`` None if nothing is right."""

    position: int
    size: int
    batch: Batch | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where. ``position`` is set for a broken batch, which can be skipped."""

    path: str
    reason: str
    position: int | None = None


@dataclass(slots=True)
class Report:
    """What was found in one partition's folder."""

    folder: str
    segments: int = 0
    batches: int = 0
    records: int = 0
    size_bytes: int = 0
    start_offset: int = -1
    end_offset: int = -1
    problems: list[Problem] = field(default_factory=list)


def segment_bases(disk: Disk, folder: str) -> list[int]:
    """The base offsets of a partition's segments, in order."""
    return names.offsets_with(disk.list(folder), names.LOG)


def walk(file: File, expected_offset: int = 0) -> Iterator[Seen]:
    """Everything in a log file, in order and without gaps: sound batches, and what is in between."""
    window = _Window(file)
    size = file.size
    position = 0
    while position < size:
        problem = _header_problem(window, position, size, expected_offset)
        batch = None
        if problem is None:
            batch = window.batch(position)
            problem = None if batch.is_valid_crc else "its checksum does not match its bytes"
        if problem is None and batch is not None:
            yield Seen(position, batch.size, batch)
            expected_offset = batch.next_offset
            position += batch.size
            continue
        if batch is not None and not _goes_on(window, position + batch.size, size, batch.next_offset):
            batch = None  # its length is not right either
        if batch is None:
            next_position = _next_sound(window, position, size, expected_offset)
        else:
            next_position = position + batch.size
            expected_offset = batch.next_offset
        yield Seen(position, next_position - position, batch, problem)
        position = next_position


class _Window:
    """A file read in pieces, looked at anywhere."""

    __slots__ = ("_begin", "_file", "_piece")

    def __init__(self, file: File) -> None:
        self._file = file
        self._begin = 0
        self._piece = b""

    def at(self, position: int, size: int) -> memoryview:
        """Up to ``size`` bytes at a position; fewer only at the end of the file."""
        begin = position - self._begin
        if begin < 0 or begin + size > len(self._piece):
            self._piece = self._file.read_now(position, max(size, SCAN_BYTES))
            self._begin, begin = position, 0
        return memoryview(self._piece)[begin : begin + size]

    def batch(self, position: int) -> Batch:
        size = batch_size(self.at(position, HEADER_BYTES)) or 0
        return Batch(self.at(position, size))

    def find(self, position: int, byte: int) -> int:
        """The first position from ``position`` on that has the byte; -1 when there is none."""
        while piece := bytes(self.at(position, SCAN_BYTES)):
            found = piece.find(byte)
            if found >= 0:
                return position + found
            position += len(piece)
        return -1


def _header_problem(window: _Window, position: int, size: int, expected_offset: int) -> str | None:
    """What is wrong with the header at a position; None when it can be right."""
    header = window.at(position, HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return f"{size - position} bytes are left, a batch has at least {HEADER_BYTES}"
    if header[_MAGIC_AT] != MAGIC:
        return f"its magic is {header[_MAGIC_AT]}, expected {MAGIC}"
    total = batch_size(header) or 0
    if not HEADER_BYTES <= total <= size - position:
        return f"it announces {total} bytes where {size - position} are left"
    batch = window.batch(position)
    if batch.base_offset < expected_offset:
        return f"it begins at offset {batch.base_offset}, expected at least {expected_offset}"
    if batch.last_offset_delta < 0 or batch.record_count < 0 or batch.codec > CODEC_MAX:
        return (
            f"its header has {batch.record_count} records, last offset delta {batch.last_offset_delta} "
            f"and codec {batch.codec}"
        )
    return None


def _goes_on(window: _Window, position: int, size: int, expected_offset: int) -> bool:
    """Whether the file ends here, or a header follows that can be right."""
    return position == size or _header_problem(window, position, size, expected_offset) is None


def _next_sound(window: _Window, position: int, size: int, expected_offset: int) -> int:
    """Where the next batch begins that is right by header and checksum; the end of the file when there is none."""
    position += 1
    while True:
        found = window.find(position + _MAGIC_AT, MAGIC)
        if found < 0:
            return size
        position = found - _MAGIC_AT
        if _header_problem(window, position, size, expected_offset) is None and window.batch(position).is_valid_crc:
            return position
        position += 1


def records_problem(batch: Batch) -> str | None:
    """What is wrong with the records of a batch whose checksum is right; None when nothing is."""
    previous = batch.base_offset - 1
    try:
        for record in iter_records(batch, DECOMPRESSED_BYTES_MAX):
            if not previous < record.offset <= batch.last_offset:
                return f"it has a record at offset {record.offset} after {previous}, it ends at {batch.last_offset}"
            previous = record.offset
            decode_headers(record.header_section)
            if batch.is_control:
                control_type(record.key)
    except Refused as refused:
        return refused.message
    return None


def verify_partition(disk: Disk, folder: str, on_bytes: Callable[[int], None] | None = None) -> Report:
    """Check every file of a partition; ``on_bytes`` is told how many bytes more of the log files were read."""
    report = Report(folder)
    expected_offset = 0
    bases = segment_bases(disk, folder)
    for base in bases:
        report.segments += 1
        path = f"{folder}/{names.stem(base)}{names.LOG}"
        if report.start_offset < 0:
            report.start_offset = base
        if base < expected_offset:
            report.problems.append(Problem(path, f"begins at {base}, the one before it ends at {expected_offset}"))
        expected_offset = _verify_segment(disk, folder, base, report, on_bytes, is_active=base == bases[-1])
    report.end_offset = expected_offset
    _verify_small_files(disk, folder, report)
    return report


def _verify_segment(
    disk: Disk, folder: str, base: int, report: Report, on_bytes: Callable[[int], None] | None, *, is_active: bool
) -> int:
    """One segment with its indexes; the offset behind its last batch.

    The active segment of a broker that was killed may have no indexes yet: a start makes them.
    """
    stem = f"{folder}/{names.stem(base)}"
    path = stem + names.LOG
    offsets = _IndexCheck(disk, stem + names.OFFSET_INDEX, OffsetIndex, base, report, may_miss=is_active)
    times = _IndexCheck(disk, stem + names.TIME_INDEX, TimeIndex, base, report, may_miss=is_active)
    expected_offset = base
    file = disk.open(path)
    report.size_bytes += file.size
    for seen in walk(file, base):
        batch, problem = seen.batch, seen.problem
        if batch is not None and problem is None:
            problem = records_problem(batch)
            report.batches += 1
            report.records += batch.record_count
            expected_offset = batch.next_offset
            offsets.on_batch(seen.position, seen.position, batch.last_offset)
            times.on_batch(batch.base_offset, batch.last_offset, batch.max_timestamp)
        if problem is not None:
            report.problems.append(Problem(path, f"the batch at position {seen.position}: {problem}", seen.position))
        if on_bytes is not None:
            on_bytes(seen.size)
    file.close()
    offsets.finish()
    times.finish()
    return expected_offset


class _IndexCheck:
    """Holds the entries of an index against the batches as they pass by: each must name one of them exactly.

    An offset index names (last offset, position), a time index (largest timestamp, last offset).
    """

    __slots__ = ("_base", "_entries", "_is_time", "_next", "_path", "_report")

    def __init__(
        self,
        disk: Disk,
        path: str,
        kind: type[OffsetIndex] | type[TimeIndex],
        base: int,
        report: Report,
        *,
        may_miss: bool,
    ) -> None:
        self._base = base
        self._path = path
        self._report = report
        self._is_time = kind is TimeIndex
        self._next = 0
        self._entries: list[tuple[int, int]] = []
        if not disk.exists(path):
            if not may_miss:
                report.problems.append(Problem(path, "is not there"))
            return
        content = disk.read_whole(path)
        size = kind.ENTRY.size
        if len(content) % size:
            report.problems.append(Problem(path, f"holds {len(content)} bytes, expected a multiple of {size}"))
        content = content[: len(content) // size * size]
        for begin, (one, other) in zip(range(0, len(content), size), kind.ENTRY.iter_unpack(content), strict=True):
            if not one and not other and not any(content[begin:]):
                break  # the file of an active segment, made larger in advance as Kafka does
            self._entries.append((other, one) if self._is_time else (one, other))

    def on_batch(self, first: int, last: int, fact: int) -> None:
        """A batch takes the places from ``first`` to ``last``: its position, or for times its offsets. Entries for it
        must say ``fact``."""
        while self._next < len(self._entries):
            relative, other = self._entries[self._next]
            at = self._base + relative if self._is_time else other
            if at > last:
                return
            said = other if self._is_time else self._base + relative
            if at < first or said != fact:
                self._wrong(at, said)
            self._next += 1

    def _wrong(self, at: int, said: int) -> None:
        if self._is_time:
            reason = f"names timestamp {said} at offset {at}, the batch there has another as its largest"
        else:
            reason = f"names offset {said} at position {at}, no batch that ends with it begins there"
        self._report.problems.append(Problem(self._path, f"entry {self._next} {reason}"))

    def finish(self) -> None:
        if self._next < len(self._entries):
            count = len(self._entries) - self._next
            self._report.problems.append(Problem(self._path, f"{count} entries are behind the end of the log"))


def _verify_small_files(disk: Disk, folder: str, report: Report) -> None:
    """Snapshots, epochs, transaction indexes, the topic's id: whether they can be read."""
    for name in disk.list(folder):
        path = f"{folder}/{name}"
        try:
            if name.endswith(names.SNAPSHOT):
                decode_snapshot(path, disk.read_whole(path))
            elif name.endswith(names.TRANSACTION_INDEX):
                decode_transaction_index(disk.read_whole(path), path)
            elif name == names.LEADER_EPOCHS:
                LeaderEpochs(_End(report.end_offset)).decode(path, disk.read_whole(path))
            elif name == names.PARTITION_METADATA:
                parse_partition_metadata(path, disk.read_whole(path))
        except StorageFault as fault:
            report.problems.append(Problem(path, str(fault).removeprefix(f"{path}: ")))


@dataclass(slots=True)
class _End:
    log_end_offset: int
