"""A broker on a traced disk, in this process, under load, killed and started again: the trace with its marks."""

from __future__ import annotations

import io
import os
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from millrace.kafka import codes
from millrace.runtime.disk_trace import DiskTrace, Event, read_trace
from millrace.testing.faulty_disk import FaultyDisk
from millrace.testing.thread_host import ThreadHost
from tests.clients.wire import Wire
from tests.crash import asking
from tests.crash.claims import mark
from tests.crash.rebuild import FolderTrace

T = TypeVar("T")
FOLDERS: Final = ("root", "broker-1")
DURABLE: Final = ("orders", "payments")
FAST: Final = "clicks"
GROUPS: Final = ("billing", "shipping")
SETTINGS: Final = {
    "listeners": "PLAINTEXT://127.0.0.1:0",
    "offsets.topic.num.partitions": "2",
    "log.cleaner.enable": "false",  # its child process writes beside the traced disk
    "log.retention.check.interval.ms": "150",
    "log.flush.offset.checkpoint.interval.ms": "100",
    "group.initial.rebalance.delay.ms": "0",
}
FINISH_S = 60.0


class TracedHost(ThreadHost):
    """A broker in a thread, whose disks write to one trace."""

    def __init__(self, trace: DiskTrace) -> None:
        super().__init__()
        self._trace = trace

    def _make_disk(self, root: str, **options: Any) -> FaultyDisk:
        trace = FolderTrace(self._trace, os.path.basename(root))
        return FaultyDisk(root, switch=self.switch, trace=trace, **options)


class Run:
    """What the clients share: where the broker is, the trace, how much was done."""

    def __init__(self, trace: DiskTrace, seed: int) -> None:
        self.trace = trace
        self.seed = seed
        self.bootstrap = ""
        self.acknowledged_end = dict.fromkeys(DURABLE, 0)
        self.failures: list[BaseException] = []
        self.is_up = threading.Event()
        self.done = 0
        self._changed = threading.Condition()

    def mark(self, *what: Any) -> None:
        self.trace.mark(mark(*what))

    def on_done(self) -> None:
        with self._changed:
            self.done += 1
            self._changed.notify_all()

    def wait_for(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.done >= count or self.failures, FINISH_S), (
                f"{self.done} requests were answered within {FINISH_S} s, expected {count}"
            )


class Client(threading.Thread):
    """Does its steps one after another, each again until it is answered, whatever becomes of the broker meanwhile."""

    def __init__(self, run: Run, name: str, step_count: int) -> None:
        super().__init__(name=name, daemon=True)
        self.shared = run
        self.random = Random(f"{run.seed} {name}")
        self._step_count = step_count
        self._wire: Wire | None = None

    def run(self) -> None:
        try:
            for number in range(self._step_count):
                self.step(number)
                self.shared.on_done()
        except BaseException as error:  # noqa: BLE001 - the thread that waits for this one raises it
            self.shared.failures.append(error)
            self.shared.on_done()

    def step(self, number: int) -> None:
        raise NotImplementedError

    def answered(self, ask: Callable[[Wire], T]) -> T:
        deadline = time.monotonic() + FINISH_S
        while True:
            try:
                if self._wire is None:
                    self._wire = Wire(self.shared.bootstrap)
                return ask(self._wire)
            except (OSError, struct.error):  # the broker is gone, or its answer is
                self._wire = None
                assert time.monotonic() < deadline, f"{self.name} was not answered within {FINISH_S} s"
                self.shared.is_up.wait(FINISH_S)


class Producer(Client):
    """Idempotent, acks=all, small batches of different sizes."""

    def __init__(self, run: Run, name: str, step_count: int, topic: str) -> None:
        super().__init__(run, name, step_count)
        self._topic = topic
        self._id: tuple[int, int] | None = None
        self._sent = 0

    def step(self, number: int) -> None:
        if self._id is None:
            self._id = self.answered(asking.new_producer_id)
            self.shared.mark("producer", self._id[0])
        chance = self.random
        count = chance.randint(1, 5)
        texts = [f"{self.name}:{index:0{chance.randint(1, 200)}d}" for index in range(self._sent, self._sent + count)]
        producer = (*self._id, self._sent)
        answer = self.answered(
            lambda wire: asking.produce(wire, self._topic, [text.encode() for text in texts], -1, producer)
        )
        assert answer.code == 0, f"{self.name}'s batch at sequence {self._sent} was answered with {answer}"
        self.shared.mark("produced", self.name, self._topic, answer.value, texts, producer)
        self._sent += count
        ends = self.shared.acknowledged_end
        ends[self._topic] = max(ends[self._topic], answer.value + count)


class FastProducer(Client):
    """acks=1 to a topic that soon drops its segments: nothing is promised, much is unflushed."""

    def step(self, number: int) -> None:
        values = [b"click:%d" % number + b"." * self.random.randint(0, 400) for _ in range(self.random.randint(1, 20))]
        assert self.answered(lambda wire: asking.produce(wire, FAST, values, 1)).code == 0


class Committer(Client):
    """Ever higher offsets for some groups."""

    def step(self, number: int) -> None:
        group, topic = self.random.choice(GROUPS), self.random.choice(DURABLE)

        def ask(wire: Wire) -> asking.Answered:
            found = asking.find_coordinator(wire, group)
            return found if found.code else asking.commit_offset(wire, group, topic, number)

        self.answered(lambda wire: asking.patiently(lambda: ask(wire)))
        self.shared.mark("committed", group, topic, number)


class Admin(Client):
    """Makes topics and deletes them, changes a setting, deletes records."""

    def step(self, number: int) -> None:
        kind = number % 4
        if kind == 0:
            self._create(number)
        elif kind == 1:
            self._configure()
        elif kind == 2:
            self._cut()
        elif number > 8:
            self._drop(number - 11)

    def _create(self, number: int) -> None:
        answer = self.answered(lambda wire: asking.create_topic(wire, f"made-{number}", 2, {}))
        assert answer.code in (0, codes.TOPIC_ALREADY_EXISTS), f"made-{number} was answered with {answer}"
        self.shared.mark("created", f"made-{number}", 2)

    def _configure(self) -> None:
        what = (DURABLE[0], "max.message.bytes", str(self.random.randint(100_000, 900_000)))
        self.shared.mark("configuring", *what)
        assert self.answered(lambda wire: asking.set_config(wire, *what)).code == 0
        self.shared.mark("configured", *what)

    def _cut(self) -> None:
        topic = DURABLE[1]
        offset = self.shared.acknowledged_end[topic] // 2
        self.shared.mark("cutting", topic, offset)
        answer = self.answered(lambda wire: asking.delete_records(wire, topic, offset))
        assert answer.code == 0, f"deleting records of {topic} before {offset} was answered with {answer}"
        self.shared.mark("cut", topic, offset)

    def _drop(self, number: int) -> None:
        name = f"made-{number}"
        self.shared.mark("deleting", name)
        answer = self.answered(lambda wire: asking.delete_topic(wire, name))
        assert answer.code in (0, codes.UNKNOWN_TOPIC_OR_PARTITION), f"{name} was answered with {answer}"
        self.shared.mark("deleted", name)


def traced_run(
    data_dir: Path, *, seed: int = 1, steps: int = 60, settings: dict[str, str] | None = None
) -> list[Event]:
    """Four lives of a broker under load: killed, stopped, killed, stopped. The events of its disks, with marks."""
    content = io.BytesIO()
    trace = DiskTrace(content)
    run = Run(trace, seed)
    host = TracedHost(trace)
    config = {**SETTINGS, **(settings or {}), "log.dirs": str(data_dir)}
    host.start(config)
    config["listeners"] = host.endpoints[0]
    run.bootstrap = host.endpoints[0].partition("://")[2]
    run.is_up.set()
    _create_topics(run)
    clients = _clients(run, steps)
    for client in clients:
        client.start()
    total = sum(client._step_count for client in clients)
    for part, end in ((0.3, host.kill), (0.55, host.stop), (0.8, host.kill)):
        run.wait_for(int(total * part))
        run.is_up.clear()
        end()
        host.start(config)
        run.is_up.set()
    for client in clients:
        client.join(FINISH_S)
    host.stop()
    if run.failures:
        raise run.failures[0]
    assert run.done == total, f"{run.done} of {total} steps were done"
    content.seek(0)
    return list(read_trace(content))


def _create_topics(run: Run) -> None:
    small = {"internal.segment.bytes": "4000", "retention.ms": "-1"}
    fast = {"internal.segment.bytes": "20000", "retention.bytes": "60000", "file.delete.delay.ms": "50"}
    with Wire(run.bootstrap) as wire:
        for name, configs in ((DURABLE[0], small), (DURABLE[1], small), (FAST, fast)):
            assert asking.create_topic(wire, name, 1, configs).code == 0
            run.mark("created", name, 1)


def _clients(run: Run, steps: int) -> list[Client]:
    return [
        Producer(run, "p0", steps, DURABLE[0]),
        Producer(run, "p1", steps, DURABLE[0]),
        Producer(run, "p2", steps, DURABLE[1]),
        FastProducer(run, "fast", 2 * steps),
        Committer(run, "committer", steps),
        Admin(run, "admin", steps // 2),
    ]
