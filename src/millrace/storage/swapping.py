"""Puts cleaned segments in the place of old ones so that a crash at any moment leaves one or the other (Kafka's order).

1. ``.cleaned``: being written, or whole and flushed; a restart removes it.
2. renamed to ``.swap``, folder synced: it is whole; a restart puts it in place.
3. the old segments are renamed to ``.deleted``, folder synced; a restart removes them.
4. ``.swap`` is taken off, folder synced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.ports import Ticket
from millrace.storage.header_walk import HeaderWalk
from millrace.storage.indexes import OffsetIndex
from millrace.storage.names import (
    CLEANED,
    DELETED,
    LOG,
    OFFSET_INDEX,
    SEGMENT_FILES,
    SWAP,
    TIME_INDEX,
    offset_of,
    offsets_with,
    stem,
)
from millrace.storage.retention import doom
from millrace.storage.segment import Segment
from millrace.storage.steps import Steps, run_here, run_ticket

if TYPE_CHECKING:
    from millrace.storage.log import Log


def swap_cleaned(log: Log, old_bases: list[int], new_base: int) -> Ticket[None]:
    """See ``Log.swap_cleaned``: reads go on in the old segments until the new one is in place."""
    return run_ticket(_swap(log, old_bases, new_base))


def _swap(log: Log, old_bases: list[int], new_base: int) -> Steps[None]:
    disk, path = log.disk, f"{log.folder}/{stem(new_base)}"
    old = [segment for segment in log.segments if segment.base_offset in old_bases]
    assert [segment.base_offset for segment in old] == old_bases, f"{log} has no segments {old_bases} to swap"
    assert log.active not in old, f"{log} was asked to swap its active segment"
    kinds = [kind for kind in SEGMENT_FILES if disk.exists(f"{path}{kind}{CLEANED}")]
    assert {LOG, OFFSET_INDEX, TIME_INDEX} <= set(kinds), f"{log} has no cleaned segment {new_base}"
    for kind in kinds:
        disk.rename(f"{path}{kind}{CLEANED}", f"{path}{kind}{SWAP}")
    yield disk.sync_folder(log.folder)
    if not _are_there(log, old):
        _give_up(log, path, kinds)
        return
    for segment in old:
        doom(log, segment)
    # Where a file system keeps renames in another order, the new segment must not be there with some of the old ones.
    yield disk.sync_folder(log.folder)
    if log.is_closed:
        return  # the old segments are gone already: the next start puts the new one in place
    if not _are_there(log, old):
        _give_up(log, path, kinds)
        return
    for kind in kinds:
        disk.rename(f"{path}{kind}{SWAP}", f"{path}{kind}")
    first = log.segments.index(old[0])
    log.segments[first : first + len(old)] = [
        Segment(disk, log.folder, new_base, log.cache, old[-1].created_ms, is_new=False)
    ]
    log.unflushed = [segment for segment in log.unflushed if segment not in old]
    log.forget_places()
    yield disk.sync_folder(log.folder)


def _are_there(log: Log, old: list[Segment]) -> bool:
    """Whether the log was not closed, and neither retention nor truncation took the segments meanwhile."""
    return not log.is_closed and all(segment in log.segments for segment in old)


def _give_up(log: Log, path: str, kinds: list[str]) -> None:
    for kind in kinds:
        log.disk.remove(f"{path}{kind}{SWAP}")


def finish_swaps(log: Log, names: list[str]) -> None:
    """At start-up: bring a swap that was interrupted to its end, or undo it; remove what was dropped."""
    disk, folder = log.disk, log.folder
    cleaned = [name for name in names if name.endswith(CLEANED)]
    gone = [name for name in names if name.endswith((CLEANED, DELETED))]
    lowest_cleaned = min((offset_of(name) or 0 for name in cleaned), default=None)
    swaps = [name for name in names if name.endswith(SWAP)]
    if lowest_cleaned is not None:  # the renaming from .cleaned to .swap was not over
        gone += [name for name in swaps if (offset_of(name) or 0) >= lowest_cleaned]
        swaps = [name for name in swaps if (offset_of(name) or 0) < lowest_cleaned]
    whole = set(offsets_with(swaps, LOG + SWAP))
    gone += [name for name in swaps if offset_of(name) not in whole]  # an index is nothing without its log
    swaps = [name for name in swaps if offset_of(name) in whole]
    for name in gone:
        disk.finish(disk.remove(f"{folder}/{name}"))
    bases = offsets_with(names, LOG)
    for base in sorted(whole):
        next_offset = _end_of(log, base)
        for old in {base, *(old for old in bases if base <= old < next_offset)}:
            for kind in SEGMENT_FILES:
                disk.finish(disk.remove(f"{folder}/{stem(old)}{kind}"))
    for name in swaps:
        disk.rename(f"{folder}/{name}", f"{folder}/{name.removesuffix(SWAP)}")
    disk.finish(disk.sync_folder(folder))


def _end_of(log: Log, base: int) -> int:
    """The offset behind the last batch of a segment that still is ``.swap``."""
    path = f"{log.folder}/{stem(base)}"
    file = log.disk.open(f"{path}{LOG}{SWAP}")
    index_path = f"{path}{OFFSET_INDEX}{SWAP}"
    index = OffsetIndex(log.disk, index_path, log.cache, is_new=not log.disk.exists(index_path))
    last = index.last()
    walk = HeaderWalk(file, last[1] if last is not None else 0, waits_here=True)
    next_offset = base
    while run_here(walk.more()):
        next_offset = walk.last_offset + 1
        walk.skip()
    file.close()
    return next_offset
