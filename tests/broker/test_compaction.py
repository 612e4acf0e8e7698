"""When logs are cleaned, what happens when they change meanwhile, and when they cannot be cleaned."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from millrace.base.errors import DiskFull, MillraceError, StorageFault
from millrace.base.ports import Disk
from millrace.broker.compaction import FAILURES_MAX, REST_AFTER_FAILURE_MS, CleanEnd, Compaction
from millrace.broker.deadlines import Deadlines
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.storage import names
from millrace.storage.checkpoint import parse_offsets
from millrace.storage.cleaner import CleanedGroup, Cleaning, CleanJob, CleanStats
from millrace.storage.log import Log
from millrace.testing.simulated_disk import SimulatedDisk
from tests.storage.test_cleaner import Config

NOW_MS = 1_700_000_000_000
KEYS = {"log.cleaner.backoff.ms": 15_000, "log.cleaner.dedupe.buffer.size": 1 << 20}


@dataclass(frozen=True)
class TopicConfig(Config):
    """A topic's configuration as partitions have it."""

    @property
    def is_compacted(self) -> bool:
        return "compact" in self.cleanup_policy


@dataclass
class HeldCleaner:
    """A cleaner that works when it is told to."""

    jobs: list[tuple[Disk, CleanJob, Callable[[CleanedGroup], None], Callable[[CleanEnd], None]]] = field(
        default_factory=list
    )
    seen: list[str] = field(default_factory=list)
    is_stopped: bool = False

    def start(self, disk: Disk, job: CleanJob, on_group: Any, on_end: Any) -> None:
        self.jobs.append((disk, job, on_group, on_end))
        self.seen.append(job.folder)

    def stop(self) -> None:
        self.is_stopped = True

    def write(self) -> Callable[[], None]:
        """Do the oldest job; what is returned tells of it."""
        disk, job, on_group, on_end = self.jobs.pop(0)
        cleaning = Cleaning(disk, job)
        groups = list(cleaning.groups())

        def tell() -> None:
            for group in groups:
                on_group(group)
            on_end(CleanEnd(cleaning.end_offset, cleaning.stats))

        return tell

    def fail(self, error: MillraceError) -> None:
        self.jobs.pop(0)[3](CleanEnd(-1, CleanStats(), error))


class Folder:
    """As much of a log folder as compaction sees."""

    def __init__(self, disk: SimulatedDisk) -> None:
        self.disk = disk
        self.failed: StorageFault | None = None


class House:
    """As much of a broker as compaction sees."""

    def __init__(self) -> None:
        self.disk = SimulatedDisk(random.Random(0))
        self.now_ms = 0
        self.deadlines = Deadlines()
        self.folder = Folder(self.disk)
        self.folders = [self.folder]
        self.topic_logs = SimpleNamespace(folder_of={})
        self.config = SimpleNamespace(integer=KEYS.__getitem__, flag=lambda name: True)
        self.controller: Any = None
        self.coordinators: dict[Any, Any] = {}
        self.deferred: list[Callable[[], None]] = []
        self.cleaner = HeldCleaner()
        self.compaction = self.make_compaction()

    def make_compaction(self) -> Compaction:
        return Compaction(self, self.cleaner, eager_bytes=1000)  # type: ignore[arg-type]

    def mono_ms(self) -> int:
        return self.now_ms

    def wall_ms(self) -> int:
        return NOW_MS + self.now_ms

    def defer(self, action: Callable[[], None]) -> None:
        self.deferred.append(action)

    def partition(self, topic: str, config: TopicConfig, batches: int = 100) -> Any:
        log = Log.open(self.disk, f"{topic}-0", config, now_ms=NOW_MS)
        made = Partition(topic, log, config)
        self.topic_logs.folder_of[made] = self.folder
        made.fill(batches)
        return made

    def run(self, ms: int = 0) -> None:
        """Let time pass, and everything that is due happen."""
        self.now_ms += ms
        self.deadlines.expire(self.now_ms)
        while self.deferred or self.disk.pending:
            if self.deferred:
                self.deferred.pop(0)()
            else:
                self.disk.step()


class Partition:
    """As much of a partition as compaction sees."""

    def __init__(self, topic: str, log: Log, config: TopicConfig) -> None:
        self.topic, self.index, self.log, self.config = topic, 0, log, config
        self.failed: StorageFault | None = None

    @property
    def high_watermark(self) -> Any:
        return self.log.end

    def fill(self, batches: int) -> None:
        for number in range(batches):
            batch = build_batch([NewRecord(b"key-%d" % (number % 9), b"x" * 60)], timestamp_ms=NOW_MS)
            self.log.append(Batch(batch), 0, NOW_MS)
        self.log.advance_checkpoint()
        disk = self.log.disk
        assert isinstance(disk, SimulatedDisk)
        disk.settle()


@pytest.fixture
def house() -> House:
    return House()


def test_the_dirtiest_compacted_log_is_cleaned_and_its_checkpoint_kept(house: House) -> None:
    house.partition("plain", TopicConfig(cleanup_policy=frozenset({"delete"})))
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    assert house.cleaner.seen == ["orders-0"]
    before = orders.log.size_bytes
    house.cleaner.write()()
    house.run(2000)
    assert orders.log.size_bytes < before / 4
    assert not house.compaction.uncleanable
    house.run(15_000)
    kept = parse_offsets("", house.disk.read_whole(names.CLEANER_OFFSETS))
    assert kept == {("orders", 0): orders.log.active.base_offset}
    assert house.cleaner.seen == ["orders-0"]  # nothing is dirty
    again = house.make_compaction()
    again.start()
    house.compaction.stop()
    house.run(20_000)
    assert house.cleaner.seen == ["orders-0"]


def test_the_checkpoint_of_a_deleted_topic_is_forgotten(house: House) -> None:
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    house.cleaner.write()()
    house.run(2000)
    house.run(2000)
    assert parse_offsets("", house.disk.read_whole(names.CLEANER_OFFSETS))
    del house.topic_logs.folder_of[orders]
    orders.log.delete()
    for _ in range(3):
        house.run(16_000)
    assert parse_offsets("", house.disk.read_whole(names.CLEANER_OFFSETS)) == {}


def test_a_log_that_was_cut_is_dirty_from_its_start(house: House) -> None:
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    house.cleaner.write()()
    house.run(1000)
    house.disk.finish(orders.log.truncate_to(orders.log.log_end_offset - 1))
    orders.fill(50)
    house.run(16_000)
    ((_, job, _, _),) = house.cleaner.jobs
    assert job.first_dirty_offset == 0


def test_what_was_replaced_is_removed_after_the_delay(house: House) -> None:
    orders = house.partition("orders", TopicConfig(file_delete_delay_ms=60_000))
    house.compaction.start()
    house.run(1000)
    house.cleaner.write()()
    house.run(2000)

    def replaced() -> list[str]:
        return [name for name in house.disk.list(orders.log.folder) if name.endswith(names.DELETED)]

    for _ in range(2):
        house.run(16_000)
        assert replaced()
    for _ in range(4):
        house.run(16_000)
    assert not replaced()


def test_logs_of_machines_are_closed_and_cleaned_in_small_pieces(house: House) -> None:
    offsets = house.partition("__consumer_offsets", TopicConfig(segment_bytes=1 << 30), batches=20)
    house.coordinators["group", 0] = SimpleNamespace(partition=offsets, loaded=False)
    house.compaction.start()
    house.run(1000)
    assert len(offsets.log.segments) == 1  # while it is loaded it is left alone
    house.coordinators["group", 0].loaded = True
    house.run(1000)
    house.run(1000)
    assert house.cleaner.seen == ["__consumer_offsets-0"]
    house.cleaner.write()()
    house.run(1000)
    assert not [name for name in house.disk.list("__consumer_offsets-0") if name.endswith(names.DELETED)]


@pytest.mark.parametrize("change", ["retention", "close"])
def test_what_was_cleaned_of_a_log_that_changed_is_thrown_away(house: House, change: str) -> None:
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    tell = house.cleaner.write()
    if change == "retention":
        orders.log.delete_records_before(orders.log.segments[2].base_offset)
    else:
        orders.log.close(NOW_MS)
        del house.topic_logs.folder_of[orders]
    house.disk.settle()
    tell()
    house.run(0)
    assert not house.compaction.uncleanable
    if change == "retention":
        assert not [name for name in house.disk.list("orders-0") if name.endswith(names.CLEANED)]
        assert house.cleaner.seen == ["orders-0", "orders-0"]  # what is left is looked at anew


def test_a_log_that_cannot_be_cleaned_is_left_alone_after_three_tries(house: House) -> None:
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    for number in range(FAILURES_MAX):
        assert len(house.cleaner.seen) == number + 1
        house.cleaner.fail(StorageFault("orders-0", "is broken"))
        house.run(REST_AFTER_FAILURE_MS - 1000)
        assert len(house.cleaner.seen) == number + 1
        house.run(17_000)
    assert list(house.compaction.uncleanable) == [orders.log]
    house.run(100_000)
    assert len(house.cleaner.seen) == FAILURES_MAX


def test_a_full_disk_is_tried_again_and_again(house: House) -> None:
    house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    for _ in range(3 * FAILURES_MAX):
        house.cleaner.fail(DiskFull("orders-0", "no room"))
        house.run(REST_AFTER_FAILURE_MS)
        house.run(17_000)
    assert not house.compaction.uncleanable
    assert len(house.cleaner.seen) == 3 * FAILURES_MAX + 1


def test_the_active_segment_is_closed_when_it_is_too_old_to_wait(house: House) -> None:
    config = TopicConfig(segment_bytes=1 << 30, max_compaction_lag_ms=30_000)
    orders = house.partition("orders", config)
    house.compaction.start()
    house.run(20_000)
    assert len(orders.log.segments) == 1
    house.run(16_000)
    house.run(16_000)
    assert house.cleaner.seen == ["orders-0"]


def test_nothing_past_an_open_transaction_is_cleaned(house: House) -> None:
    orders = house.partition("orders", TopicConfig(), batches=40)
    options = {"producer_id": 5, "producer_epoch": 0, "base_sequence": 0, "transactional": True}
    batch = build_batch([NewRecord(b"key", b"open")], timestamp_ms=NOW_MS, **options)  # type: ignore[arg-type]
    orders.log.append(Batch(batch), 0, NOW_MS)
    orders.fill(100)
    house.compaction.start()
    house.run(1000)
    ((_, job, _, _),) = house.cleaner.jobs
    assert 0 < job.end_offset <= 40


def test_after_the_end_nothing_is_done(house: House) -> None:
    orders = house.partition("orders", TopicConfig())
    house.compaction.start()
    house.run(1000)
    tell = house.cleaner.write()
    before = [segment.base_offset for segment in orders.log.segments]
    house.compaction.stop()
    tell()
    house.run(100_000)
    assert house.cleaner.is_stopped
    assert [segment.base_offset for segment in orders.log.segments] == before
