"""The load under which a broker is killed: idempotent producers, a committer of group offsets, a maker of topics.

Each keeps what the broker acknowledged, and nothing else counts. They go on through every crash by themselves: a
producer sends again what was in flight, and its sequences must make one copy of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

QUICK_RECONNECT: dict[str, Any] = {
    "reconnect.backoff.ms": 10,
    "reconnect.backoff.max.ms": 50,
    "log_level": 0,
    "socket.timeout.ms": 10_000,
    "broker.address.family": "v4",
}
Place = tuple[str, int]


class Clockwork:
    """How many records were acknowledged in all, and when the last one was; wakes whoever waits for more."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.count = 0
        self._first_after: tuple[float, float] | None = None

    def on_acknowledged(self) -> None:
        with self._changed:
            self.count += 1
            self._changed.notify_all()

    def wait_for(self, count: int, timeout_s: float) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self.count >= count, timeout_s):
                raise AssertionError(f"{self.count} records were acknowledged within {timeout_s} s, expected {count}")


class Writer(threading.Thread):
    """One idempotent producer with acks=all; each record is a batch, its value says whose it is and which."""

    def __init__(self, name: str, bootstrap: str, places: list[Place], clockwork: Clockwork) -> None:
        super().__init__(name=name, daemon=True)
        self._clockwork = clockwork
        self._ends = threading.Event()
        self._producer = Producer(
            {
                **QUICK_RECONNECT,
                "bootstrap.servers": bootstrap,
                "client.id": name,
                "enable.idempotence": True,
                "acks": "all",
                "linger.ms": 0,
                "batch.num.messages": 1,
                "message.timeout.ms": 0,
                "retry.backoff.ms": 10,
                "queue.buffering.max.messages": 100,
            }
        )
        self.sent = dict.fromkeys(places, 0)
        self.acknowledged: dict[Place, list[tuple[int, int]]] = {place: [] for place in places}  # (number, offset)
        self.failures: list[str] = []

    def run(self) -> None:
        while not self._ends.is_set():
            for place in self.sent:
                self._send(place)
            self._producer.poll(0)

    def _send(self, place: Place) -> None:
        number = self.sent[place]
        value = b"%s:%d" % (self.name.encode(), number)
        while not self._ends.is_set():
            try:
                self._producer.produce(place[0], value, partition=place[1], on_delivery=self._on_delivery)
            except BufferError:
                self._producer.poll(0.01)
                continue
            self.sent[place] = number + 1
            return

    def _on_delivery(self, error: KafkaError | None, message: Message) -> None:
        if error is not None:
            self.failures.append(str(error))
            return
        place = (message.topic() or "", message.partition() or 0)
        number = int((message.value() or b"").partition(b":")[2])
        self.acknowledged[place].append((number, message.offset() or 0))
        self._clockwork.on_acknowledged()

    def end(self, timeout_s: float) -> None:
        """Send no more, and wait until all that was sent is acknowledged."""
        self._ends.set()
        self.join(timeout_s)
        remaining = self._producer.flush(timeout_s)
        assert not remaining, f"{remaining} records of {self.name} were not acknowledged within {timeout_s} s"


class Committer(threading.Thread):
    """Commits ever higher offsets for some groups, and asks what is committed: never less than was acknowledged."""

    def __init__(self, bootstrap: str, groups: list[str], place: Place, offset: Callable[[], int]) -> None:
        super().__init__(name="committer", daemon=True)
        self._ends = threading.Event()
        self._place = place
        self._offset = offset
        config: dict[str, Any] = {**QUICK_RECONNECT, "bootstrap.servers": bootstrap, "enable.auto.commit": False}
        self._consumers = {group: Consumer({**config, "group.id": group}) for group in groups}
        self.acknowledged = dict.fromkeys(groups, -1)
        self.sent = dict.fromkeys(groups, -1)
        self.commits = 0
        self.violations: list[str] = []

    def run(self) -> None:
        while not self._ends.is_set():
            for group in self._consumers:
                self._commit(group)
                self.check(group)

    def _commit(self, group: str) -> None:
        offset = self.sent[group] = max(self._offset(), self.sent[group])
        try:
            self._consumers[group].commit(offsets=[TopicPartition(*self._place, offset)], asynchronous=False)
        except KafkaException:
            return  # it may have been made, but nobody said so
        self.acknowledged[group] = offset
        self.commits += 1

    def check(self, group: str, timeout_s: float = 5) -> bool:
        """Whether the broker answered; what it answered wrongly is kept."""
        try:
            (found,) = self._consumers[group].committed([TopicPartition(*self._place)], timeout=timeout_s)
        except KafkaException:
            return False
        if found.error is not None:
            return False
        # a commit that was never acknowledged may show, an acknowledged one must
        if not self.acknowledged[group] <= found.offset <= max(self.sent[group], -1) and found.offset >= 0:
            self.violations.append(
                f"{group}: {found.offset} is committed, {self.acknowledged[group]} was acknowledged last and "
                f"{self.sent[group]} was sent last"
            )
        elif found.offset < 0 <= self.acknowledged[group]:
            self.violations.append(f"{group}: nothing is committed, {self.acknowledged[group]} was acknowledged")
        return True

    def end(self, timeout_s: float) -> None:
        self._ends.set()
        self.join(timeout_s)
        for group in self._consumers:
            assert self.check(group, timeout_s), f"the committed offset of {group} could not be read"
        for consumer in self._consumers.values():
            consumer.close()


class TopicMaker(threading.Thread):
    """Makes topics of two partitions, one after another; one whose making was acknowledged must stay."""

    def __init__(self, bootstrap: str, count_max: int) -> None:
        super().__init__(name="topic-maker", daemon=True)
        self._ends = threading.Event()
        self._count_max = count_max
        self._admin = AdminClient({**QUICK_RECONNECT, "bootstrap.servers": bootstrap})
        self._go = threading.Semaphore(0)
        self.acknowledged: list[str] = []

    def ask(self) -> None:
        """One more, please."""
        self._go.release()

    def run(self) -> None:
        number = 0
        while self._go.acquire() and not self._ends.is_set() and number < self._count_max:
            name = f"made-{number}"
            number += 1
            try:
                self._admin.create_topics([NewTopic(name, 2, 1)], request_timeout=5)[name].result()
            except KafkaException:
                continue
            self.acknowledged.append(name)

    def end(self, timeout_s: float) -> None:
        self._ends.set()
        self._go.release()
        self.join(timeout_s)
        found = self._admin.list_topics(timeout=timeout_s).topics
        for name in self.acknowledged:
            assert name in found, f"topic {name} was acknowledged, and is not there"
            assert len(found[name].partitions) == 2, f"{name} has {len(found[name].partitions)} partitions, expected 2"


def read_from(bootstrap: str, place: Place, offset: int, timeout_s: float = 60) -> list[tuple[int, bytes]]:
    """(offset, value) of everything from an offset to the end, each batch's checksum looked at."""
    config: dict[str, Any] = {**QUICK_RECONNECT, "bootstrap.servers": bootstrap, "group.id": "reader"}
    consumer = Consumer({**config, "check.crcs": True, "enable.auto.commit": False, "auto.offset.reset": "error"})
    try:
        _, end = consumer.get_watermark_offsets(TopicPartition(*place), timeout=timeout_s)
        consumer.assign([TopicPartition(*place, offset)])
        found: list[tuple[int, bytes]] = []
        deadline = time.monotonic() + timeout_s
        while not found or found[-1][0] + 1 < end:
            if offset >= end:
                break
            assert time.monotonic() < deadline, f"{place}: read up to {found[-1:]}, expected up to {end}"
            for message in consumer.consume(5_000, timeout=0.05):
                error = message.error()
                assert error is None, f"{place}: {error}"
                found.append((message.offset() or 0, message.value() or b""))
        return found
    finally:
        consumer.close()
