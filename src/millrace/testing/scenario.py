"""Scenarios of the simulator: one seed is options, faults and workload; run one, or many from the command line.

python -m millrace.testing.scenario --seeds 1000
python -m millrace.testing.scenario --seed 17 --verbose
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from millrace.base.ports import Ticket
from millrace.broker.broker import Broker
from millrace.broker.machine_host import MachineHost
from millrace.kafka import messages
from millrace.kafka.batch import batches_in
from millrace.kafka.record import iter_records
from millrace.state.cluster import ClusterMachine
from millrace.testing.history import History, Violation
from millrace.testing.simulated_clients import Client, CompactedConsumer, Consumer, Member, Producer
from millrace.testing.simulation import SimulatedNode, World

DURABLE, FAST, COMPACTED = "durable", "fast", "compacted"
GROUP: Final = "group"
CALM_US: Final = 60_000_000  # after the faults everything must finish within so much
CRASH_AFTER_ANSWER: Final = 0.001
LARGEST_BATCH_BYTES: Final = 300
SETTINGS: Final = {
    "node.id": "1",
    "listeners": "PLAINTEXT://127.0.0.1:0",
    "offsets.topic.num.partitions": "2",
    "group.initial.rebalance.delay.ms": "100",
    "log.retention.check.interval.ms": "700",
    "log.flush.offset.checkpoint.interval.ms": "900",
    "log.cleaner.backoff.ms": "200",
}


class Result:
    """What one run did."""

    def __init__(self, scenario: Scenario) -> None:
        self.trace_hash = scenario.world.trace_hash
        self.events = scenario.world.events
        self.crashes = scenario.crashes
        self.acked = scenario.history.records_acked
        self.seen = scenario.history.records_seen


class Scenario:
    """One seed's run: a workload under faults, then calm, then the final claims."""

    def __init__(self, seed: int, *, plant: Callable[[Broker], None] | None = None, span_us: int = 6_000_000) -> None:
        self.world = World(seed)
        rng = self.world.random
        settings = dict(SETTINGS)
        settings["log.index.interval.bytes"] = str(rng.choice((64, 256, 4096)))
        self.node = SimulatedNode(self.world, settings, plant)
        self.node.on_sent = self._maybe_crash_at_once
        self.history = History()
        self.history.durable_topics.update((DURABLE, COMPACTED))
        self.span_us = span_us
        self.crashes = 0
        self.admin = Client(self.world, self.node, "admin")
        self.clients: list[Any] = []
        self.producers: list[Producer] = []
        self._high_watermarks: dict[Any, int] = {}
        self.world.checks.append(self._check_step)
        self._segment_bytes = rng.choice((2_000, 20_000, 1 << 20))

    def run(self) -> Result:
        """Raises Violation, or whatever bug it finds; the result otherwise."""
        self.node.start()
        self._create_topics()
        self.world.after(self.world.random.randint(100_000, 1_000_000), self._fault)
        self.world.run_until(self.span_us)
        self._calm()
        return Result(self)

    # -- workload ----------------------------------------------------------------------------------------------------

    def _create_topics(self) -> None:
        topic = messages.CreateTopicsRequest.CreatableTopic
        setting = messages.CreateTopicsRequest.CreatableTopicConfig
        configs = [setting(name="internal.segment.bytes", value=str(self._segment_bytes))]
        compaction = [
            setting(name="cleanup.policy", value="compact"),
            setting(name="min.cleanable.dirty.ratio", value="0.1"),
            setting(name="file.delete.delay.ms", value="200"),
        ]
        request = messages.CreateTopicsRequest(
            topics=[
                topic(name=DURABLE, num_partitions=1, replication_factor=1, configs=configs),
                topic(name=FAST, num_partitions=1, replication_factor=1, configs=configs),
                topic(name=COMPACTED, num_partitions=1, replication_factor=1, configs=configs + compaction),
            ],
            timeout_ms=5_000,
        )

        def created(response: Any) -> None:
            known = {0, 36}  # done, or done before
            if response is None or any(each.error_code not in known for each in response.topics):
                self.admin.later(self._create_topics)
                return
            self._start_clients()

        self.admin.ask(19, request, created)

    def _start_clients(self) -> None:
        if self.clients:
            return
        world, node, history = self.world, self.node, self.history
        rng = world.random
        for index in range(rng.randint(1, 3)):
            self.producers.append(Producer(world, node, f"p{index}", history, DURABLE, -1))
        self.producers.append(Producer(world, node, "fast", history, FAST, 1))
        self.producers.append(Producer(world, node, "keyed", history, COMPACTED, -1))
        self.clients.extend(self.producers)
        self.clients.extend(Consumer(world, node, f"c{index}", history, DURABLE) for index in range(rng.randint(1, 2)))
        self.clients.append(Consumer(world, node, "cf", history, FAST))
        self.clients.append(CompactedConsumer(world, node, "cc", history, COMPACTED))
        # each commits for a topic of its own: what is read back must not be older than its last acknowledged commit
        self.clients.extend(Member(world, node, f"m-{topic}", history, GROUP, topic) for topic in (DURABLE, FAST))
        for client in self.clients:
            client.start()

    # -- faults ------------------------------------------------------------------------------------------------------

    def _fault(self) -> None:
        if self.world.now_us >= self.span_us:
            return
        rng = self.world.random
        kind = rng.choice(("crash", "crash", "kill", "cut", "cut", "slow", "full", "stop"))
        self.world.note("fault", kind)
        if kind in ("crash", "kill"):
            self._crash(power=kind == "crash")
        elif kind == "stop" and self.node.is_up:
            self.node.stop(lambda: self._crash(power=True))
        elif kind == "cut":
            for link in [each for each in self.node.connections if rng.random() < 0.5]:
                link.cut()
        elif kind == "slow":
            self.node.slow_until_us = self.world.now_us + rng.randint(10_000, 500_000)
        elif kind == "full":
            self.node.fill_disk(rng.randint(0, 2_000))
            self.world.after(rng.randint(10_000, 300_000), self._make_room)
        self.world.after(rng.randint(50_000, 1_500_000), self._fault)

    def _maybe_crash_at_once(self) -> None:
        """The worst moment: an answer has just left."""
        rng = self.world.random
        if rng.random() < CRASH_AFTER_ANSWER and self.world.now_us < self.span_us:
            self.world.after(0, lambda: self._crash(power=True) if self.node.is_up else None)

    def _make_room(self) -> None:
        self.node.fill_disk(None)

    def _crash(self, *, power: bool) -> None:
        self.crashes += 1
        self._high_watermarks.clear()
        self.node.crash(power=power)
        self.world.after(self.world.random.randint(1_000, 200_000), self._restart)

    def _restart(self) -> None:
        if not self.node.is_up and self.node.broker is None:
            self.node.fill_disk(None)
            self.node.start()

    # -- claims ------------------------------------------------------------------------------------------------------

    def _check_step(self) -> None:
        broker = self.node.broker
        if broker is None or not self.node.is_up:
            return
        for key, partition in broker.partitions.items():
            high_watermark, end = partition.high_watermark.offset, partition.log.log_end_offset
            if high_watermark > end:
                raise Violation(f"{partition}: high watermark {high_watermark} above the log's end {end}")
            if high_watermark < self._high_watermarks.get(key, 0):
                raise Violation(f"{partition}: the high watermark went back to {high_watermark}")
            self._high_watermarks[key] = high_watermark

    def _calm(self) -> None:
        """No more faults: everyone finishes, then the logs and machines are looked at."""
        world = self.world
        self.node.fill_disk(None)
        self.node.slow_until_us = 0
        if self.node.broker is None:
            self._restart()
        for client in self.clients:
            client.is_stopped = isinstance(client, Producer)
        if self.clients:  # somebody who begins where compaction has been
            late = CompactedConsumer(world, self.node, "late", self.history, COMPACTED)
            self.clients.append(late)
            late.start()
        deadline_us = world.now_us + CALM_US
        while world.now_us < deadline_us and not self._is_settled():
            world.run_until(world.now_us + 100_000)
        if not self._is_settled():
            raise Violation("not everything finished after the faults had ended")
        for client in self.clients:
            client.is_stopped = True
        world.run_until(world.now_us + 2_000_000)
        self._check_end()

    def _is_settled(self) -> bool:
        if not self.node.is_up or not self.clients or not all(each.is_settled for each in self.producers):
            return False
        broker = self.node.broker
        assert broker is not None
        ends = {topic: broker.partitions[topic, 0].log.log_end_offset for topic in (DURABLE, COMPACTED)}
        return all(each.offset >= ends.get(each.topic, 0) for each in self.clients if isinstance(each, Consumer))

    def _check_end(self) -> None:
        broker = self.node.broker
        assert broker is not None
        for topic in (DURABLE, FAST):
            values = _read_log(broker, topic)
            for index, (offset, _) in enumerate(values):
                if offset != values[0][0] + index:
                    raise Violation(f"{topic}: offsets are not dense at {offset}")
            if topic == DURABLE:
                self.history.check_log(topic, values)
            _check_indexes(broker, topic)
        latest = self.history.check_compacted(COMPACTED, _read_keys(broker, COMPACTED))
        for client in self.clients:
            if isinstance(client, CompactedConsumer) and client.latest != latest:
                raise Violation(f"{COMPACTED}: {client.name} has {client.latest}, the log has {latest}")
        _check_indexes(broker, COMPACTED)
        for host in [broker.controller, *broker.coordinators.values()]:
            if host is not None and host.loaded:
                _check_replay(broker, host)


def _read_log(broker: Broker, topic: str) -> list[tuple[int, bytes]]:
    partition = broker.partitions[topic, 0]
    log = partition.log
    offset, found = log.log_start_offset, []
    while offset < log.log_end_offset:
        found_slice = log.read(offset, 1 << 20, log.end, True)
        if isinstance(found_slice, Ticket):
            continue  # cold by chance: ask again
        assert found_slice is not None
        content = found_slice.read_now()
        for batch in batches_in(content):
            if not batch.is_valid_crc:
                raise Violation(f"{topic}: the batch at {batch.base_offset} has a wrong checksum")
            for record in iter_records(batch, 1 << 20):
                if record.offset >= offset:
                    found.append((record.offset, bytes(record.value or b"")))
                    offset = record.offset + 1
    return found


def _read_keys(broker: Broker, topic: str) -> list[tuple[int, bytes, bytes]]:
    """Offset, key and value of all that is left, straight from the segments."""
    return [
        (record.offset, record.key or b"", record.value or b"")
        for segment in broker.partitions[topic, 0].log.segments
        for batch in batches_in(segment.file.read_now(0, segment.size))
        for record in iter_records(batch, 1 << 20)
    ]


def _check_indexes(broker: Broker, topic: str) -> None:
    """An offset is found by a short walk: from one index entry to the next it is not far, and each is right."""
    log = broker.partitions[topic, 0].log
    interval = log.config.index_interval_bytes
    for segment in log.segments:
        segment.offsets.load_now()
        position = 0
        for batch in batches_in(segment.file.read_now(0, segment.size)):
            begin = segment.offsets.position_for(batch.last_offset - segment.base_offset)
            walked = position - begin
            if walked < 0:
                raise Violation(f"{segment}: the index sends offset {batch.base_offset} to {begin}, behind {position}")
            if walked > interval + 4 * LARGEST_BATCH_BYTES:
                raise Violation(
                    f"{segment}: {walked} bytes to walk for offset {batch.base_offset}, expected {interval}"
                )
            position += batch.size


def _check_replay(broker: Broker, host: MachineHost) -> None:
    """Replaying a machine's log gives the state it has."""
    if isinstance(host.machine, ClusterMachine):
        fresh = MachineHost(broker, ClusterMachine(broker.config), host.partition)
        while fresh.load_slice() is not True:
            pass
        host.partition.unwatch(fresh)
        ours, theirs = host.machine.replayed.as_plain(), fresh.machine.replayed.as_plain()  # type: ignore[attr-defined]
        if ours != theirs:
            raise Violation(f"{host.partition}: replay gives {theirs}, the machine holds {ours}")


def run(seed: int, *, plant: Callable[[Broker], None] | None = None) -> Result:
    """Run one seed."""
    return Scenario(seed, plant=plant).run()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m millrace.testing.scenario", description="Simulate one broker.")
    parser.add_argument("--seeds", type=int, default=50, help="how many seeds to run")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, help="run this one alone")
    options = parser.parse_args()
    seeds = [options.seed] if options.seed is not None else range(options.first, options.first + options.seeds)
    failed = []
    began = time.monotonic()
    totals = {"events": 0, "crashes": 0, "acked": 0, "seen": 0}
    for seed in seeds:
        try:
            result = run(seed)
        except Exception as error:
            if options.seed is not None:
                raise
            failed.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
            continue
        for name in totals:
            totals[name] += getattr(result, name)
        if options.seed is not None:
            print(f"seed {seed}: trace {result.trace_hash}")
    took = time.monotonic() - began
    print(f"{len(seeds)} seeds in {took:.0f} s, {totals}, failed: {failed or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
