"""What a broker acknowledged up to some moment, and whether another one, started on what a crash left, still holds it.

Marks are notes in the disk's trace, one before a request that may take something away, one after each answer.
"""

from __future__ import annotations

import json
from typing import Any

from tests.clients.wire import Wire
from tests.crash import asking


class Claims:
    """See the module. ``note`` takes marks in their order, ``check`` asks a broker."""

    def __init__(self) -> None:
        self.topics: dict[str, int] = {}  # acknowledged, and not asked to be deleted
        self.deleted: set[str] = set()
        self.values: dict[str, dict[int, bytes]] = {}  # topic -> offset -> value
        self.last_batch: dict[str, tuple[str, list[bytes], tuple[int, int, int], int]] = {}  # of each producer
        self.producer_ids: set[int] = set()
        self.commits: dict[tuple[str, str], int] = {}
        self.configs: dict[tuple[str, str], set[str | None]] = {}  # what may be found; None is the default
        self.starts: dict[str, int] = {}
        self.starts_asked: dict[str, int] = {}
        self.count = 0

    def note(self, text: str) -> None:
        kind, *what = json.loads(text)
        getattr(self, f"_on_{kind}")(*what)
        self.count += 1

    def _on_created(self, topic: str, partition_count: int) -> None:
        self.topics[topic] = partition_count

    def _on_deleting(self, topic: str) -> None:
        self.topics.pop(topic, None)

    def _on_deleted(self, topic: str) -> None:
        self.deleted.add(topic)

    def _on_producer(self, producer_id: int) -> None:
        assert producer_id not in self.producer_ids, f"producer id {producer_id} was given twice"
        self.producer_ids.add(producer_id)

    def _on_produced(
        self, name: str, topic: str, offset: int, texts: list[str], producer: tuple[int, int, int]
    ) -> None:
        values = [text.encode() for text in texts]
        self.values.setdefault(topic, {}).update({offset + index: value for index, value in enumerate(values)})
        self.last_batch[name] = (topic, values, (producer[0], producer[1], producer[2]), offset)

    def _on_committed(self, group: str, topic: str, offset: int) -> None:
        self.commits[group, topic] = offset

    def _on_configuring(self, topic: str, key: str, value: str) -> None:
        self.configs.setdefault((topic, key), {None}).add(value)

    def _on_configured(self, topic: str, key: str, value: str) -> None:
        self.configs[topic, key] = {value}

    def _on_cutting(self, topic: str, offset: int) -> None:
        self.starts_asked[topic] = offset

    def _on_cut(self, topic: str, offset: int) -> None:
        self.starts[topic] = offset

    # -- asking ------------------------------------------------------------------------------------------------------

    def check(self, bootstrap: str) -> None:
        with Wire(bootstrap) as wire:
            self._check_topics(wire)
            for topic in self.values:
                self._check_records(wire, topic)
            for (group, topic), offset in self.commits.items():
                found = asking.committed_offset(wire, group, topic)
                assert found >= offset, f"{group} committed {offset} for {topic}, {found} is there"
            for name in self.last_batch:
                self._check_producer(wire, name)
            if self.producer_ids:
                producer_id, _ = asking.new_producer_id(wire)
                assert producer_id not in self.producer_ids, f"producer id {producer_id} is given again"

    def _check_topics(self, wire: Wire) -> None:
        found = asking.partition_counts(wire)
        for topic, count in self.topics.items():
            assert found.get(topic) == count, f"{topic} has {found.get(topic)} partitions, {count} were acknowledged"
        for topic in self.deleted:
            assert topic not in found, f"{topic} was deleted, and is there again"
        for (topic, key), values in self.configs.items():
            if topic in self.topics and None not in values:
                value = asking.get_config(wire, topic, key)
                assert value in values, f"{key} of {topic} is {value}, {values} was acknowledged"

    def _check_records(self, wire: Wire, topic: str) -> None:
        start, records = asking.read_all(wire, topic)
        assert self.starts.get(topic, 0) <= start <= self.starts_asked.get(topic, 0), (
            f"{topic} begins at {start}, records before {self.starts.get(topic, 0)} were deleted and before "
            f"{self.starts_asked.get(topic, 0)} were to be"
        )
        by_offset = dict(records)
        for offset, value in self.values[topic].items():
            assert offset < start or by_offset.get(offset) == value, (
                f"{topic}: {value!r} was acknowledged at {offset}, {by_offset.get(offset)!r} is there"
            )
        last: dict[bytes, int] = {}
        for index, (offset, value) in enumerate(records):
            assert offset == start + index, f"{topic}: offset {offset} came where {start + index} was expected"
            name, _, number = value.partition(b":")
            assert int(number) > last.get(name, -1), f"{topic}: {value!r} at {offset} stands behind {last[name]}"
            last[name] = int(number)

    def _check_producer(self, wire: Wire, name: str) -> None:
        """Sent again, the last batch is known; what follows it is taken."""
        topic, values, (producer_id, epoch, sequence), offset = self.last_batch[name]
        if topic not in self.topics:
            return
        again = asking.produce(wire, topic, values, -1, (producer_id, epoch, sequence))
        assert again == (0, offset), f"{name}'s last batch, at {offset} of {topic}, was sent again: {again}"


def mark(*what: Any) -> str:
    return json.dumps(what)
