"""Producer state from batches that are in the log already: a header each, and the record of a transaction marker."""

from __future__ import annotations

from millrace.base.limits import DECOMPRESSED_BYTES_MAX
from millrace.kafka.batch import CONTROL_BIT, TRANSACTIONAL_BIT, Batch
from millrace.kafka.record import (
    CONTROL_ABORT,
    CONTROL_COMMIT,
    control_type,
    iter_records,
    marker_coordinator_epoch,
)
from millrace.storage.producers import ProducerStates

LEADER_EPOCH = 2  # the places of fields in a header, see kafka/batch.HEADER
ATTRIBUTES = 5
LAST_OFFSET_DELTA = 6
MAX_TIMESTAMP = 8
PRODUCER_ID = 9


def is_marker(fields: tuple[int, ...]) -> bool:
    return bool(fields[ATTRIBUTES] & CONTROL_BIT)


def replay_header(producers: ProducerStates, fields: tuple[int, ...]) -> None:
    """A batch of records whose producer id is not -1."""
    base_offset, _, _, _, _, attributes, delta, _, max_timestamp, producer_id, epoch, sequence, _ = fields
    producers.replay(
        producer_id,
        epoch,
        sequence,
        base_offset,
        delta,
        max_timestamp,
        is_transactional=bool(attributes & TRANSACTIONAL_BIT),
    )


def replay_marker(producers: ProducerStates, batch: Batch) -> None:
    """A control batch: it ends its producer's transaction if it is that kind."""
    for record in iter_records(batch, DECOMPRESSED_BYTES_MAX):
        if control_type(record.key) in (CONTROL_ABORT, CONTROL_COMMIT):
            coordinator_epoch = marker_coordinator_epoch(record.value)
            producers.end_transaction(batch.producer_id, batch.producer_epoch, record.timestamp, coordinator_epoch)
