"""What a partition knows of its idempotent producers: who may append, and which batches are there already.

For each producer id the log keeps the epoch and the last five batches (KIP-98): a batch that is one of them again is a
duplicate and answered with its first offset; one that does not follow the last is refused; an older epoch is fenced. A
producer of whom nothing is known may begin with any sequence, because its state may have expired (KIP-360). Sequences
wrap from 2**31 - 1 to 0. The state is what replaying the batches' headers gives; snapshots shorten the replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from millrace.base.errors import Refused
from millrace.kafka.batch import NO_PRODUCER_EPOCH, Batch
from millrace.kafka.codes import INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER

SEQUENCE_MAX: Final = (1 << 31) - 1
BATCHES_KEPT: Final = 5
NO_SEQUENCE: Final = -1
NO_OFFSET: Final = -1
NO_COORDINATOR_EPOCH: Final = -1


class Duplicate(NamedTuple):
    """A batch that was appended before: where it is, and its largest timestamp."""

    first_offset: int
    last_offset: int
    timestamp: int


class Producer:
    """The state of one producer id. ``last_offset`` is -1 while only its epoch is known (a transaction marker's)."""

    __slots__ = (
        "coordinator_epoch",
        "epoch",
        "last_offset",
        "last_sequence",
        "offset_delta",
        "older",
        "timestamp",
        "transaction_first_offset",
    )

    def __init__(
        self,
        epoch: int,
        last_sequence: int = NO_SEQUENCE,
        last_offset: int = NO_OFFSET,
        offset_delta: int = 0,
        timestamp: int = -1,
        coordinator_epoch: int = NO_COORDINATOR_EPOCH,
        transaction_first_offset: int = NO_OFFSET,
    ) -> None:
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.transaction_first_offset = transaction_first_offset
        self.older: tuple[int, ...] = ()  # up to four batches before the last: sequence, offset, delta, timestamp each

    def fields(self) -> tuple[int, ...]:
        """What a snapshot keeps."""
        return (
            self.epoch,
            self.last_sequence,
            self.last_offset,
            self.offset_delta,
            self.timestamp,
            self.coordinator_epoch,
            self.transaction_first_offset,
        )

    def batches(self) -> Iterator[tuple[int, int, int, int]]:
        """(last sequence, last offset, offset delta, timestamp) of the batches that are remembered, newest first."""
        if self.last_offset == NO_OFFSET:
            return
        yield self.last_sequence, self.last_offset, self.offset_delta, self.timestamp
        older = self.older
        for index in range(len(older) - 4, -1, -4):
            yield older[index], older[index + 1], older[index + 2], older[index + 3]

    def on_batch(self, last_sequence: int, last_offset: int, offset_delta: int, timestamp: int) -> None:
        if self.last_offset != NO_OFFSET:
            older = (*self.older, self.last_sequence, self.last_offset, self.offset_delta, self.timestamp)
            self.older = older[-4 * (BATCHES_KEPT - 1) :]
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp


class ProducerStates:
    """All producers of one log. ``end_offset``: everything below is in the state."""

    __slots__ = ("_producers", "end_offset", "folder")

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.end_offset = 0
        self._producers: dict[int, Producer] | None = None

    def __len__(self) -> int:
        return len(self._producers) if self._producers is not None else 0

    def get(self, producer_id: int) -> Producer | None:
        return self._producers.get(producer_id) if self._producers is not None else None

    def items(self) -> Iterator[tuple[int, Producer]]:
        yield from (self._producers or {}).items()

    # -- before an append --------------------------------------------------------------------------------------------

    def check(self, batch: Batch, now_ms: int) -> Duplicate | None:
        """Whether a produced batch may be appended; a duplicate is not. Raises Refused with Kafka's codes."""
        producer = self.get(batch.producer_id)
        if producer is None:
            return None
        base_sequence = batch.base_sequence
        if batch.producer_epoch == producer.epoch:
            last_sequence = batch.last_sequence
            for sequence, offset, delta, timestamp in producer.batches():
                if sequence == last_sequence and (sequence - delta) & SEQUENCE_MAX == base_sequence:
                    return Duplicate(offset - delta, offset, timestamp)
            expected = (producer.last_sequence + 1) & SEQUENCE_MAX
            if base_sequence != expected and producer.epoch != NO_PRODUCER_EPOCH:
                raise Refused(
                    OUT_OF_ORDER_SEQUENCE_NUMBER,
                    f"sequence {base_sequence} of producer {batch.producer_id} in {self.folder}, expected {expected}",
                )
            return None
        if batch.producer_epoch < producer.epoch:
            raise Refused(
                INVALID_PRODUCER_EPOCH,
                f"epoch {batch.producer_epoch} of producer {batch.producer_id} in {self.folder}, "
                f"the last seen was {producer.epoch}",
            )
        if base_sequence != 0 and producer.epoch != NO_PRODUCER_EPOCH:
            raise Refused(
                OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"sequence {base_sequence} with the new epoch {batch.producer_epoch} of producer {batch.producer_id} "
                f"in {self.folder}, expected 0",
            )
        return None

    # -- after an append, and in replay ------------------------------------------------------------------------------

    def update(self, batch: Batch) -> None:
        """A batch is in the log; it has its offsets."""
        self.replay(
            batch.producer_id,
            batch.producer_epoch,
            batch.base_sequence,
            batch.base_offset,
            batch.last_offset_delta,
            batch.max_timestamp,
            is_transactional=batch.is_transactional,
        )

    def replay(
        self,
        producer_id: int,
        epoch: int,
        base_sequence: int,
        base_offset: int,
        last_offset_delta: int,
        timestamp: int,
        *,
        is_transactional: bool,
    ) -> None:
        """The same from a header's fields alone; control batches go to :meth:`end_transaction`."""
        producer = self._of_epoch(producer_id, epoch)
        last_sequence = (base_sequence + last_offset_delta) & SEQUENCE_MAX
        producer.on_batch(last_sequence, base_offset + last_offset_delta, last_offset_delta, timestamp)
        if is_transactional and producer.transaction_first_offset == NO_OFFSET:
            producer.transaction_first_offset = base_offset

    def end_transaction(self, producer_id: int, epoch: int, timestamp: int, coordinator_epoch: int) -> None:
        """A transaction marker is in the log: the producer's transaction is over, and older epochs are fenced."""
        producer = self._of_epoch(producer_id, epoch)
        producer.coordinator_epoch = max(producer.coordinator_epoch, coordinator_epoch)
        producer.transaction_first_offset = NO_OFFSET
        producer.timestamp = timestamp

    def _of_epoch(self, producer_id: int, epoch: int) -> Producer:
        """The producer's state in that epoch: a new epoch begins without batches."""
        if self._producers is None:
            self._producers = {}
        producer = self._producers.get(producer_id)
        if producer is None:
            producer = self._producers[producer_id] = Producer(epoch)
        elif producer.epoch != epoch:
            producer.epoch = epoch
            producer.last_sequence = NO_SEQUENCE
            producer.last_offset = NO_OFFSET
            producer.offset_delta = 0
            producer.older = ()
        return producer

    # -- the rest of its life ----------------------------------------------------------------------------------------

    def expire(self, now_ms: int, producer_id_expiration_ms: int) -> int:
        """Forget producers without an open transaction whose last batch is so old; how many."""
        producers = self._producers
        if not producers:
            return 0
        expired = [
            producer_id
            for producer_id, producer in producers.items()
            if producer.transaction_first_offset == NO_OFFSET
            and now_ms - producer.timestamp >= producer_id_expiration_ms
        ]
        for producer_id in expired:
            del producers[producer_id]
        if not producers:
            self._producers = None
        return len(expired)

    @property
    def first_open_transaction_offset(self) -> int | None:
        """Where the oldest transaction that is still open begins; read_committed stops there."""
        offsets = [
            producer.transaction_first_offset
            for producer in (self._producers or {}).values()
            if producer.transaction_first_offset != NO_OFFSET
        ]
        return min(offsets, default=None)

    def restore(self, producers: dict[int, Producer], end_offset: int) -> None:
        """Begin again from a snapshot's state."""
        self._producers = producers or None
        self.end_offset = end_offset
