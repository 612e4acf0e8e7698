"""New partitions get their logs some at a time, whatever is deleted, made again or fails meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.base.errors import StorageFault
from millrace.base.ports import Ticket
from millrace.broker.log_making import LOGS_A_TURN, RETRY_MS, LogMaking
from millrace.state.cluster_image import TopicImage


class Folder:
    """A folder whose logs survive a crash when the test says so."""

    def __init__(self) -> None:
        self.failed: StorageFault | None = None
        self.faults: list[StorageFault] = []
        self.logs: dict[tuple[str, int], tuple[bytes, Ticket[None]]] = {}
        self.deleted: list[Any] = []

    @property
    def log_count(self) -> int:
        return len(self.logs)

    def create_log(self, topic: str, index: int, topic_id: bytes, config: object, now_ms: int) -> Any:
        if self.faults:
            raise self.faults.pop()
        assert (topic, index) not in self.logs, "the name is taken"
        ticket: Ticket[None] = Ticket()
        self.logs[topic, index] = (topic_id, ticket)
        return (topic, index), ticket

    def delete_log(self, log: Any) -> None:
        self.deleted.append((*log, self.logs.pop(log)[0]))

    def settle(self) -> None:
        for _, ticket in list(self.logs.values()):
            if not ticket.done:
                ticket.complete()


class House:
    """As much of a broker as making logs needs."""

    def __init__(self, folders: int = 1) -> None:
        self.folders = [Folder() for _ in range(folders)]
        self.living: dict[bytes, TopicImage] = {}
        self.image = self.topic_logs = self.waiting = self.deadlines = self
        self.deferred: list[Callable[[], None]] = []
        self.woken: list[Any] = []
        self.deadline_ms: int | None = None
        self.partitions: dict[tuple[str, int], Any] = {}
        self.failures: list[StorageFault] = []
        self.making = LogMaking(self, self.add)  # type: ignore[arg-type]

    def topic_by_id(self, topic_id: bytes) -> TopicImage | None:
        return self.living.get(topic_id)

    def config_of(self, topic: str) -> None: ...
    def wall_ms(self) -> int:
        return 0

    def mono_ms(self) -> int:
        return 0

    def set(self, owner: object, deadline_ms: int) -> None:
        self.deadline_ms = deadline_ms

    def defer(self, callback: Callable[[], None]) -> None:
        self.deferred.append(callback)

    def wake(self, key: Any) -> None:
        self.woken.append(key[1])

    def add(self, topic: TopicImage, index: int, folder: Any, log: Any) -> Any:
        assert (topic.name, index) not in self.partitions
        self.partitions[topic.name, index] = topic.id
        return self

    def on_failed(self, fault: StorageFault) -> None:
        self.failures.append(fault)

    def new(self, name: str, number: int, partitions: int) -> TopicImage:
        topic = self.living[bytes([number])] = TopicImage(name, bytes([number]))
        self.making.make(topic, range(partitions))
        return topic

    def delete(self, topic: TopicImage) -> None:
        """As ``TopicLogs.remove``."""
        del self.living[topic.id]
        self.making.forget(topic)
        for key in [key for key, topic_id in self.partitions.items() if topic_id == topic.id]:
            del self.partitions[key]
            self.folders[0].delete_log(key)

    def run(self) -> int:
        """Turn the loop until it rests; how many turns it took."""
        turns = 0
        while self.deferred or any(not ticket.done for each in self.folders for _, ticket in each.logs.values()):
            turns += 1
            deferred, self.deferred = self.deferred, []
            for callback in deferred:
                callback()
            for folder in self.folders:
                folder.settle()
        return turns


def test_a_few_in_each_turn() -> None:
    house = House()
    topic = house.new("many", 1, 5 * LOGS_A_TURN)
    assert len(house.folders[0].logs) == LOGS_A_TURN
    assert not house.making.is_ready(topic.id)
    assert house.run() == 5
    assert len(house.partitions) == 5 * LOGS_A_TURN
    assert house.making.is_ready(topic.id)
    assert house.woken == [topic.id]


def test_a_few_in_each_turn_of_many_topics_too() -> None:
    house = House()
    topics = [house.new(f"topic-{number}", number, 1) for number in range(3 * LOGS_A_TURN)]
    assert len(house.folders[0].logs) == LOGS_A_TURN
    assert house.run() == 3
    assert house.woken == [topic.id for topic in topics]


def test_nothing_to_make_is_ready() -> None:
    house = House()
    topic = house.new("known", 1, 0)
    assert house.making.is_ready(topic.id)


def test_more_partitions_make_it_unready_for_a_while() -> None:
    house = House()
    topic = house.new("growing", 1, 1)
    house.run()
    house.making.make(topic, [1, 2])
    assert not house.making.is_ready(topic.id)
    house.run()
    assert house.making.is_ready(topic.id)


def test_folders_are_filled_evenly() -> None:
    house = House(folders=3)
    house.new("spread", 1, 9)
    house.run()
    assert [folder.log_count for folder in house.folders] == [3, 3, 3]


def test_a_deleted_topic_is_not_made_any_further() -> None:
    house = House()
    topic = house.new("gone", 1, 3 * LOGS_A_TURN)
    house.delete(topic)
    house.run()
    assert house.folders[0].logs == {}
    assert len(house.folders[0].deleted) == LOGS_A_TURN
    assert house.woken == []


def test_a_topic_of_the_same_name_waits_for_the_name() -> None:
    house = House()
    first = house.new("again", 1, LOGS_A_TURN + 1)
    house.delete(first)
    second = house.new("again", 2, LOGS_A_TURN + 1)
    house.delete(second)
    third = house.new("again", 3, LOGS_A_TURN + 1)
    house.run()
    assert house.making.is_ready(third.id)
    assert set(house.partitions.values()) == {third.id}
    assert {topic_id for topic_id, _ in house.folders[0].logs.values()} == {third.id}
    assert house.woken == [third.id]


def test_what_cannot_be_made_is_tried_again() -> None:
    house = House()
    house.folders[0].faults = [StorageFault("x", "no room")]
    topic = house.new("late", 1, 2)
    house.run()
    assert len(house.partitions) == 1
    assert not house.making.is_ready(topic.id)
    assert house.deadline_ms == RETRY_MS
    house.making.expire()
    house.run()
    assert house.making.is_ready(topic.id)


def test_without_a_folder_everything_waits() -> None:
    house = House()
    house.folders[0].failed = StorageFault("x", "offline")
    topic = house.new("nowhere", 1, 2)
    house.run()
    assert not house.making.is_ready(topic.id)
    assert house.deadline_ms == RETRY_MS


def test_a_log_that_is_not_safe_is_a_failed_partition() -> None:
    house = House()
    topic = house.new("unsafe", 1, 2)
    house.folders[0].logs["unsafe", 0][1].fail(StorageFault("x", "the disk failed"))
    house.run()
    assert len(house.failures) == 1
    assert house.making.is_ready(topic.id)
