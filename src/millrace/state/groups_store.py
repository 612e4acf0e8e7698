"""What groups leave in the log: their last metadata record and their committed offsets; written by replay alone.

A group's record is kept as it stands in the log, and so is the value of every committed offset: to replay a commit of
a partition that is known is one look-up by the record's key. Offsets of open transactions (KIP-98, KIP-447) are kept
aside by producer id until the marker of their transaction comes.
"""

from __future__ import annotations

from typing import Final

from millrace.state import groups_records
from millrace.state.machine import Entry

NO_PRODUCER_ID: Final = -1
CONTROL_COMMIT: Final = 1
_OFFSET_KEYS: Final = (groups_records.LEGACY_OFFSET_KEY, groups_records.OFFSET_KEY)

PartitionKey = tuple[str, str, int]  # group, topic, partition


class Committed:
    """One committed offset: the key and the value of its record."""

    __slots__ = ("key", "value")

    def __init__(self, key: bytes, value: bytes) -> None:
        self.key = key
        self.value = value


class Pending:
    """An offset of an open transaction; ``committed`` is None once a later commit of the partition stands."""

    __slots__ = ("committed", "record_offset")

    def __init__(self, record_offset: int, committed: Committed) -> None:
        self.record_offset = record_offset
        self.committed: Committed | None = committed


TopicOffsets = dict[int, Committed]
GroupOffsets = dict[str, TopicOffsets]


class GroupStore:
    """The durable state of one partition of ``__consumer_offsets``."""

    __slots__ = ("_by_key", "groups", "offsets", "pending")

    def __init__(self) -> None:
        # The metadata record of each group; None for one that only holds offsets of consumers without membership.
        self.groups: dict[str, bytes | None] = {}
        self.offsets: dict[str, GroupOffsets] = {}
        self.pending: dict[int, dict[PartitionKey, Pending]] = {}  # by producer id
        self._by_key: dict[bytes, Committed] = {}

    # -- reading -----------------------------------------------------------------------------------------------------

    def committed(self, group_id: str, topic: str, partition: int) -> Committed | None:
        topics = self.offsets.get(group_id)
        partitions = topics.get(topic) if topics is not None else None
        return partitions.get(partition) if partitions is not None else None

    def is_pending(self, group_id: str, topic: str, partition: int) -> bool:
        """Has an open transaction an offset of this partition?"""
        key = (group_id, topic, partition)
        return any(key in offsets for offsets in self.pending.values())

    def pending_of(self, group_id: str) -> set[PartitionKey]:
        """All partitions of a group that open transactions hold an offset of."""
        return {key for offsets in self.pending.values() for key in offsets if key[0] == group_id}

    def as_plain(self) -> dict[str, object]:
        """All of it as plain values, to compare two."""
        return {
            "groups": dict(self.groups),
            "offsets": {
                (group_id, topic, partition): (committed.key, committed.value)
                for group_id, topics in self.offsets.items()
                for topic, partitions in topics.items()
                for partition, committed in partitions.items()
            },
            "pending": {
                producer_id: {
                    key: (kept.record_offset, kept.committed and kept.committed.value) for key, kept in offsets.items()
                }
                for producer_id, offsets in self.pending.items()
            },
        }

    # -- replay ------------------------------------------------------------------------------------------------------

    def replay(self, entry: Entry) -> None:
        key = entry.key
        if entry.control is not None:
            self._end_transaction(entry.producer_id, entry.control)
            return
        if key is None:
            return
        value = entry.value
        if entry.producer_id == NO_PRODUCER_ID and value is not None and not self.pending:
            known = self._by_key.get(key)
            if known is not None:
                known.value = value
                return
        kind = groups_records.kind_of(key)
        if kind in _OFFSET_KEYS:
            self._replay_offset(entry, key, value)
        elif kind == groups_records.GROUP_KEY:
            self._replay_group(groups_records.group_of(key), value)
        # Other kinds belong to group protocols that are not built yet: as Kafka does, what is unknown is left alone.

    def _replay_group(self, group_id: str, value: bytes | None) -> None:
        if value is not None:
            self.groups[group_id] = value
        elif group_id in self.offsets:
            # Kafka removes a group's offsets first. Where they remain, the group went over to the consumer protocol.
            self.groups[group_id] = None
        else:
            self.groups.pop(group_id, None)

    def _replay_offset(self, entry: Entry, key: bytes, value: bytes | None) -> None:
        partition_key = groups_records.offset_key_parts(key)
        if value is None:
            self._remove(partition_key)
            for offsets in self.pending.values():
                offsets.pop(partition_key, None)
            return
        self.groups.setdefault(partition_key[0], None)
        committed = Committed(key, value)
        if entry.producer_id != NO_PRODUCER_ID:
            offsets = self.pending.setdefault(entry.producer_id, {})
            offsets[partition_key] = Pending(entry.offset, committed)
            return
        self._put(partition_key, committed)
        self._outdate(partition_key, entry.offset)

    def _end_transaction(self, producer_id: int, control: int) -> None:
        offsets = self.pending.pop(producer_id, None)
        if offsets is None or control != CONTROL_COMMIT:
            return
        for partition_key, pending in offsets.items():
            if pending.committed is not None:
                self._put(partition_key, pending.committed)
                self._outdate(partition_key, pending.record_offset)

    def _outdate(self, partition_key: PartitionKey, record_offset: int) -> None:
        """The offset that stands last in the log wins, whichever transaction ends last."""
        for offsets in self.pending.values():
            pending = offsets.get(partition_key)
            if pending is not None and pending.record_offset < record_offset:
                pending.committed = None

    def _put(self, partition_key: PartitionKey, committed: Committed) -> None:
        group_id, topic, partition = partition_key
        partitions = self.offsets.setdefault(group_id, {}).setdefault(topic, {})
        before = partitions.get(partition)
        if before is not None and before.key != committed.key:
            self._by_key.pop(before.key, None)
        partitions[partition] = committed
        self._by_key[committed.key] = committed

    def _remove(self, partition_key: PartitionKey) -> None:
        group_id, topic, partition = partition_key
        topics = self.offsets.get(group_id)
        partitions = topics.get(topic) if topics is not None else None
        committed = partitions.pop(partition, None) if partitions is not None else None
        if committed is None:
            return
        del self._by_key[committed.key]
        assert topics is not None
        if not partitions:
            del topics[topic]
        if not topics:
            del self.offsets[group_id]
