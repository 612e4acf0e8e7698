"""The history of a simulation: what was acknowledged, what was seen, and the claims that must hold of both.

A violation raises :class:`Violation` at the event that shows it. Claims are made only of what the broker promised:
records with acks=all, commits and topics that were acknowledged; acks=1 may be lost in a power cut, never doubled.
"""

from __future__ import annotations

ACKS_ALL = -1


class Violation(AssertionError):
    """The broker broke a promise."""


class History:
    """See the module."""

    def __init__(self) -> None:
        self.acked: dict[str, dict[bytes, int]] = {}  # topic -> value -> offset, acks=all only
        self.acked_offsets: dict[str, dict[int, bytes]] = {}
        self.seen: dict[str, dict[int, bytes]] = {}
        self.commits: dict[tuple[str, str], int] = {}
        self.commit_values: dict[tuple[str, str], set[int]] = {}
        self.synced: dict[tuple[str, int], set[str]] = {}
        self.generations: dict[str, int] = {}
        self.producer_ids: dict[int, str] = {}
        self.durable_topics: set[str] = set()  # only acks=all producers write to these
        self.records_acked = 0
        self.records_seen = 0
        self.duplicates = 0

    def producer_started(self, name: str, producer_id: int) -> None:
        owner = self.producer_ids.setdefault(producer_id, name)
        if owner != name:
            raise Violation(f"producer id {producer_id} was given to {owner} and to {name}")

    def acknowledged(self, topic: str, producer: str, values: list[bytes], base_offset: int, acks: int) -> None:
        self.records_acked += len(values)
        if acks != ACKS_ALL:
            return
        by_value, by_offset = self.acked.setdefault(topic, {}), self.acked_offsets.setdefault(topic, {})
        for index, value in enumerate(values):
            offset = base_offset + index
            other = by_offset.setdefault(offset, value)
            if other != value:
                raise Violation(f"{topic}: offset {offset} was acknowledged for {other!r} and for {value!r}")
            by_value[value] = offset

    def out_of_order(self, topic: str, producer: str, sequence: int, first_unacked: int, acks: int) -> None:
        """A sequence was refused. The first that is not acknowledged must never be: then the broker forgot state."""
        if acks == ACKS_ALL and topic in self.durable_topics and sequence == first_unacked:
            raise Violation(f"{topic}: {producer}'s sequence {sequence}, the next in line, was refused")

    def saw(self, topic: str, consumer: str, offset: int, expected_offset: int, value: bytes) -> None:
        self.records_seen += 1
        if topic not in self.durable_topics:
            return
        if offset != expected_offset:
            raise Violation(f"{topic}: {consumer} expected offset {expected_offset} and got {offset}")
        before = self.seen.setdefault(topic, {}).setdefault(offset, value)
        if before != value:
            raise Violation(f"{topic}: offset {offset} was {before!r} and is {value!r}")

    def out_of_range(self, topic: str, consumer: str, offset: int) -> None:
        if topic in self.durable_topics:
            raise Violation(f"{topic}: {consumer} read up to {offset}, which the log does not have any more")

    def group_synced(self, group: str, generation: int, member: str) -> None:
        members = self.synced.setdefault((group, generation), set())
        members.add(member)

    def committed(self, group: str, topic: str, member: str, offset: int) -> None:
        key = (group, topic)
        self.commits[key] = max(offset, self.commits.get(key, -1))

    def last_committed(self, group: str, topic: str) -> int:
        return self.commits.get((group, topic), -1)

    def fetched_commit(self, group: str, topic: str, expected: int, offset: int) -> None:
        if offset < expected:
            raise Violation(f"{group} committed {expected} for {topic}, {offset} is there")

    def check_compacted(self, topic: str, records: list[tuple[int, bytes, bytes]]) -> dict[bytes, tuple[int, bytes]]:
        """A compacted log at the end: of each key the last value that was acknowledged is there, or a later one.

        ``records`` are offsets, keys and values; returns the last offset and value of each key.
        """
        latest: dict[bytes, tuple[int, bytes]] = {}
        previous = -1
        by_offset = self.acked_offsets.get(topic, {})
        for offset, key, value in records:
            if offset <= previous:
                raise Violation(f"{topic}: offset {offset} stands behind {previous}")
            if by_offset.get(offset, value) != value:
                raise Violation(f"{topic}: {by_offset[offset]!r} was acknowledged at {offset}, there is {value!r}")
            previous = offset
            latest[key] = (offset, value)
        for offset, value in by_offset.items():
            found = latest.get(b"k" + value[-1:], (-1, b""))
            if found[0] < offset:
                raise Violation(f"{topic}: {value!r} was acknowledged at {offset}, the last of its key is {found}")
        return latest

    def check_log(self, topic: str, values: list[tuple[int, bytes]]) -> None:
        """The whole log at the end: what was acknowledged is there, once, where it was said to be, in order."""
        by_offset = dict(values)
        for value, offset in self.acked.get(topic, {}).items():
            if by_offset.get(offset) != value:
                raise Violation(f"{topic}: {value!r} was acknowledged at {offset}, there is {by_offset.get(offset)!r}")
        for offset, value in self.seen.get(topic, {}).items():
            if by_offset.get(offset) != value:
                raise Violation(f"{topic}: {value!r} was seen at {offset}, there is {by_offset.get(offset)!r}")
        counts: dict[bytes, int] = {}
        last: dict[bytes, int] = {}
        for offset, value in values:
            counts[value] = counts.get(value, 0) + 1
            if counts[value] > 1:
                raise Violation(f"{topic}: {value!r} is there twice, the second time at {offset}")
            producer, _, number = value.partition(b":")
            if int(number) <= last.get(producer, -1):
                raise Violation(f"{topic}: {value!r} at {offset} stands behind number {last[producer]}")
            last[producer] = int(number)
