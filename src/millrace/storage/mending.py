"""Changes the files of a stopped log from the outside: takes a broken batch out, copies a partition elsewhere.

Both leave the old or the new state behind if they are interrupted. A broken batch is replaced by an empty one of the
same offsets, so that readers go on behind it; what was in it is lost, which is for the user to decide. The segment is
written anew with its indexes and put in place in the order of ``swapping``, which a start brings to its end or undoes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from millrace.base.errors import StorageFault
from millrace.base.ports import Disk
from millrace.kafka.record import empty_batch
from millrace.storage import names
from millrace.storage.checkpoint import encode_offsets, parse_offsets
from millrace.storage.cleaner import CleanedSegment
from millrace.storage.cleaner_transactions import AbortedTransaction, decode_transaction_index
from millrace.storage.indexes import RELATIVE_OFFSET_MAX
from millrace.storage.inspection import Seen, records_problem, segment_bases, walk

_COPY_BYTES: Final = 1 << 20
_COPYING: Final = ".copying"
_NOT_COPIED: Final = (names.DELETED, names.CLEANED, names.SWAP)
_INDEX_INTERVAL_BYTES: Final = 4096
# A checkpoint that is not there costs a scan or a cleaning; one of another log would cost records.
_FORGOTTEN: Final = (names.RECOVERY_POINTS, names.CLEANER_OFFSETS)


@dataclass(frozen=True, slots=True)
class Broken:
    """A batch that cannot be read, and the offsets that an empty batch in its place takes up."""

    position: int
    size: int
    first_offset: int
    last_offset: int
    reason: str
    leader_epoch: int
    max_timestamp: int
    producer: tuple[int, int, int]


def find_broken(disk: Disk, folder: str, base: int) -> list[Broken]:
    """The broken batches of one segment that can be skipped.

    One at the very end of a log of which not even the header can be read is left out: a start cuts it off.
    """
    file = disk.open(f"{folder}/{names.stem(base)}{names.LOG}")
    bases = segment_bases(disk, folder)
    after = bases[bases.index(base) + 1] if base != bases[-1] else None
    found: list[Broken] = []
    waiting: tuple[Seen, str] | None = None
    next_offset, epoch = base, 0
    for seen in walk(file, base):
        batch, reason = seen.batch, seen.problem
        if batch is not None and reason is None:
            reason = records_problem(batch)
            if waiting is not None:
                found += _broken(*waiting, next_offset, batch.base_offset, epoch)
                next_offset, waiting = batch.base_offset, None
            if reason is None:
                next_offset, epoch = batch.next_offset, batch.leader_epoch
                continue
        if waiting is not None:  # two in a row: a header that is right says where the first one's offsets end
            limit = batch.base_offset if batch is not None else None
            found += _broken(*waiting, next_offset, limit, epoch)
            next_offset = found[-1].last_offset + 1 if found else next_offset
        waiting = (seen, reason or "")
    if waiting is not None:
        found += _broken(*waiting, next_offset, after, epoch)
    file.close()
    return found


def _broken(seen: Seen, reason: str, next_offset: int, limit: int | None, epoch: int) -> list[Broken]:
    """The broken batch between offset ``next_offset`` and ``limit``; nothing if there is no offset for it."""
    batch = seen.batch
    header_fits = (
        batch is not None
        and next_offset <= batch.base_offset <= batch.last_offset
        and (limit is None or batch.last_offset < limit)
    )
    if batch is not None and header_fits:
        producer = (batch.producer_id, batch.producer_epoch, batch.base_sequence)
        return [
            Broken(
                seen.position,
                seen.size,
                batch.base_offset,
                batch.last_offset,
                reason,
                max(epoch, 0) if batch.leader_epoch < epoch else batch.leader_epoch,
                max(batch.max_timestamp, -1),
                producer if min(producer) >= 0 else (-1, -1, -1),
            )
        ]
    if limit is None or not next_offset < limit <= next_offset + RELATIVE_OFFSET_MAX:
        return []
    return [Broken(seen.position, seen.size, next_offset, limit - 1, reason, epoch, -1, (-1, -1, -1))]


def skip(disk: Disk, folder: str, base: int, broken: list[Broken]) -> None:
    """Write the segment anew with an empty batch in place of each broken one."""
    stem = f"{folder}/{names.stem(base)}"
    writer = CleanedSegment(disk, folder, base, _INDEX_INTERVAL_BYTES)
    by_position = {each.position: each for each in broken}
    file = disk.open(stem + names.LOG)
    for seen in walk(file, base):
        instead = by_position.get(seen.position)
        if instead is not None:
            writer.append(
                empty_batch(
                    instead.first_offset,
                    instead.last_offset,
                    leader_epoch=instead.leader_epoch,
                    max_timestamp=instead.max_timestamp,
                    producer=instead.producer,
                )
            )
        elif seen.batch is not None and seen.problem is None:
            writer.append(bytes(seen.batch.buffer))
        else:
            raise StorageFault(file.path, f"has another broken batch at position {seen.position}: {seen.problem}")
    file.close()
    aborted: list[AbortedTransaction] = []
    index_path = stem + names.TRANSACTION_INDEX
    if disk.exists(index_path):
        aborted = decode_transaction_index(disk.read_whole(index_path), index_path)
    writer.finish(aborted)
    _put_in_place(disk, folder, stem)


def _put_in_place(disk: Disk, folder: str, stem: str) -> None:
    kinds = [kind for kind in names.SEGMENT_FILES if disk.exists(stem + kind + names.CLEANED)]
    for kind in kinds:
        disk.finish(disk.rename(stem + kind + names.CLEANED, stem + kind + names.SWAP))
    disk.finish(disk.sync_folder(folder))
    for kind in names.SEGMENT_FILES:
        disk.finish(disk.remove(stem + kind))
    disk.finish(disk.sync_folder(folder))
    for kind in kinds:
        disk.finish(disk.rename(stem + kind + names.SWAP, stem + kind))
    disk.finish(disk.sync_folder(folder))


def copy_partition(
    source: Disk,
    target: Disk,
    folder: str,
    *,
    replaced_as: str | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> None:
    """Copy a partition's folder from one stopped log folder to another.

    ``replaced_as`` is the name that a folder of that name in the target gets out of the way; the copy then takes over
    its topic id, because that is what the target's cluster knows the topic by. Without it such a folder is refused.
    """
    is_there = target.is_folder(folder)
    if is_there and replaced_as is None:
        raise StorageFault(folder, "is there already")
    copying = folder + _COPYING
    target.finish(target.remove(copying))
    target.finish(target.make_folder(copying))
    for name in source.list(folder):
        if name.endswith(_NOT_COPIED) or (is_there and name == names.PARTITION_METADATA):
            continue
        _copy_file(source, f"{folder}/{name}", target, f"{copying}/{name}", on_bytes)
    identity = f"{folder}/{names.PARTITION_METADATA}"
    if is_there and target.exists(identity):
        _copy_file(target, identity, target, f"{copying}/{names.PARTITION_METADATA}", None)
    target.finish(target.sync_folder(copying))
    _move_checkpoints(source, target, folder)
    if is_there and replaced_as is not None:
        target.finish(target.rename(folder, replaced_as))
    target.finish(target.rename(copying, folder))
    target.finish(target.sync_folder())


def _copy_file(
    source: Disk, source_path: str, target: Disk, target_path: str, on_bytes: Callable[[int], None] | None
) -> None:
    from_file, to_file = source.open(source_path), target.open(target_path, create=True)
    position = 0
    while piece := from_file.read_now(position, _COPY_BYTES):
        to_file.append((piece,))
        position += len(piece)
        if on_bytes is not None:
            on_bytes(len(piece))
    target.finish(to_file.flush())
    from_file.close()
    to_file.close()


def _move_checkpoints(source: Disk, target: Disk, folder: str) -> None:
    """The copy's log start comes along; what the target's checkpoints say of an older log of its name is forgotten."""
    key = names.parse_partition_folder(folder)
    if key is None:
        raise StorageFault(folder, "is not the folder of a partition")
    start_offset = _offsets(source, names.LOG_START_OFFSETS).get(key)
    starts = _offsets(target, names.LOG_START_OFFSETS)
    if starts.pop(key, None) is not None or start_offset is not None:
        if start_offset is not None:
            starts[key] = start_offset
        target.finish(target.replace(names.LOG_START_OFFSETS, encode_offsets(starts)))
    for name in _FORGOTTEN:
        offsets = _offsets(target, name)
        if offsets.pop(key, None) is not None:
            target.finish(target.replace(name, encode_offsets(offsets)))
    # The target was closed cleanly, the copy may not have been: the next start checks everything behind the recovery
    # points, which for the copy is all of it.
    target.finish(target.remove(names.CLEAN_SHUTDOWN))
    target.finish(target.sync_folder())


def _offsets(disk: Disk, name: str) -> dict[tuple[str, int], int]:
    return parse_offsets(name, disk.read_whole(name)) if disk.exists(name) else {}
