"""What the cleaner must know of transactions: whose records were aborted, and when a marker is no longer needed.

A batch of an aborted transaction is dropped. A marker stays until no batch of its transaction is left, and then for
``delete.retention.ms`` more, so that a reader who is under way still learns how the transaction ended (KIP-534). Which
transactions were aborted is read from the segments' ``.txnindex`` files: entries of (version: i16, producer id,
first offset, last offset, last stable offset: i64).
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct
from typing import Final, NamedTuple

from millrace.base.errors import StorageFault
from millrace.kafka.batch import Batch
from millrace.kafka.record import CONTROL_ABORT, CONTROL_COMMIT, control_type, iter_records

_ENTRY = Struct(">hqqqq")
_ENTRY_VERSION: Final = 0
# A control record is a few dozen bytes and never compressed.
_CONTROL_BYTES_MAX: Final = 1 << 20


class AbortedTransaction(NamedTuple):
    """One entry of a transaction index."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


def decode_transaction_index(content: bytes, path: str) -> list[AbortedTransaction]:
    """The entries of a ``.txnindex`` file."""
    if len(content) % _ENTRY.size:
        raise StorageFault(path, f"holds {len(content)} bytes, expected a multiple of {_ENTRY.size}")
    entries = []
    for version, *fields in _ENTRY.iter_unpack(content):
        if version != _ENTRY_VERSION:
            raise StorageFault(path, f"has an entry of version {version}, expected {_ENTRY_VERSION}")
        entries.append(AbortedTransaction(*fields))
    return entries


def encode_transaction_index(entries: Iterable[AbortedTransaction]) -> bytes:
    return b"".join(_ENTRY.pack(_ENTRY_VERSION, *entry) for entry in entries)


class TransactionFilter:
    """Fed with every batch in offset order; says which can be discarded as far as transactions are concerned."""

    __slots__ = ("_aborted_open", "_committed_open", "_next", "_waiting", "kept")

    def __init__(self, aborted: Iterable[AbortedTransaction]) -> None:
        self._waiting = sorted(aborted, key=lambda each: each.first_offset)
        self._next = 0
        self._committed_open: set[int] = set()
        # Producer id to its aborted transaction, and whether a batch of it was met.
        self._aborted_open: dict[int, tuple[AbortedTransaction, bool]] = {}
        # Aborted transactions whose markers stay: they belong into the new segment's index.
        self.kept: list[AbortedTransaction] = []

    def can_discard(self, batch: Batch) -> bool:
        """A batch of records: whether it was aborted. A marker: whether nothing of its transaction is left."""
        self._open_up_to(batch.last_offset)
        if batch.is_control:
            return self._can_discard_marker(batch)
        if not batch.is_transactional:
            return False
        aborted = self._aborted_open.get(batch.producer_id)
        if aborted is None:
            self._committed_open.add(batch.producer_id)
            return False
        self._aborted_open[batch.producer_id] = (aborted[0], True)
        return True

    def _can_discard_marker(self, batch: Batch) -> bool:
        record = next(iter_records(batch, _CONTROL_BYTES_MAX), None)
        if record is None:
            return True  # what an earlier cleaning left of a marker
        kind = control_type(record.key)
        if kind == CONTROL_ABORT:
            transaction, was_met = self._aborted_open.pop(batch.producer_id, (None, False))
            if transaction is not None and was_met:
                self.kept.append(transaction)
                return False
            return True
        if kind == CONTROL_COMMIT:
            was_open = batch.producer_id in self._committed_open
            self._committed_open.discard(batch.producer_id)
            return not was_open
        return False

    def _open_up_to(self, offset: int) -> None:
        waiting = self._waiting
        while self._next < len(waiting) and waiting[self._next].first_offset <= offset:
            transaction = waiting[self._next]
            self._next += 1
            self._aborted_open.setdefault(transaction.producer_id, (transaction, False))
