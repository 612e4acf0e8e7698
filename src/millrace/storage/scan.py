"""Checks the batches of a segment one by one after a crash, and rebuilds what is derived from them.

Plain and fast: a header and a checksum a batch, a few hundred thousand batches a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from millrace.base.checksum import crc32c
from millrace.base.errors import Refused
from millrace.base.limits import SCAN_BYTES
from millrace.kafka.batch import CONTROL_BIT, CRC_COVERS_FROM, HEADER, HEADER_BYTES, MAGIC, OVERHEAD_BYTES, Batch
from millrace.storage.indexes import RELATIVE_OFFSET_MAX
from millrace.storage.replay import replay_header, replay_marker
from millrace.storage.segment import Segment

if TYPE_CHECKING:
    from millrace.storage.log import Log


@dataclass(slots=True)
class Scan:
    """Where the sound part of the segment ends; ``reason`` is what was met there, empty at the end of the file."""

    position: int
    next_offset: int
    batches: int = 0
    reason: str = ""


def scan_segment(log: Log, segment: Segment, position: int, next_offset: int) -> Scan:
    """Check every batch from ``position`` on; indexes, producers and epochs of the log take in what is sound."""
    file, size = segment.file, segment.file.size
    interval, epochs, producers = log.config.index_interval_bytes, log.epochs, log.producers
    offset_max = segment.base_offset + RELATIVE_OFFSET_MAX
    unpack, on_batch = HEADER.unpack_from, segment.on_batch
    latest_epoch = epochs.latest
    found = Scan(position, next_offset)
    piece, begin, batches = memoryview(b""), position, 0
    while position < size:
        at = position - begin
        if at + HEADER_BYTES > len(piece):
            piece, begin, at = memoryview(file.read_now(position, SCAN_BYTES)), position, 0
            if len(piece) < HEADER_BYTES:
                found.reason = f"a header of {len(piece)} bytes"
                break
        fields = unpack(piece, at)
        base_offset, length, epoch, magic, crc, attributes, delta, _, max_timestamp, producer_id, _, _, _ = fields
        total = length + OVERHEAD_BYTES
        if length < HEADER_BYTES - OVERHEAD_BYTES or magic != MAGIC or delta < 0:
            found.reason = "no batch"
            break
        if at + total > len(piece):
            if position + total > size:
                found.reason = f"a batch of {total} bytes of which {size - position} are there"
                break
            piece, begin, at = memoryview(file.read_now(position, max(SCAN_BYTES, total))), position, 0
        last_offset = base_offset + delta
        if base_offset < next_offset or last_offset > offset_max:
            found.reason = f"a batch at offset {base_offset}, expected {next_offset}"
            break
        if crc32c(piece[at + CRC_COVERS_FROM : at + total]) != crc:
            found.reason = f"a batch at offset {base_offset} whose checksum does not match its bytes"
            break
        on_batch(position, total, last_offset, max_timestamp, interval)
        if producer_id >= 0:
            if attributes & CONTROL_BIT:
                try:
                    replay_marker(producers, Batch(piece[at : at + total]))
                except Refused as refused:
                    found.reason = refused.message
                    break
            else:
                replay_header(producers, fields)
        if epoch > latest_epoch:
            epochs.assign(epoch, base_offset)
            latest_epoch = epoch
        batches += 1
        position += total
        next_offset = last_offset + 1
    found.position, found.next_offset, found.batches = position, next_offset, batches
    return found
