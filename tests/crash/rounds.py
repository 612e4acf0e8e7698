"""Rounds of ``kill -9`` under load: nothing acknowledged is lost, nothing is doubled, the broker is soon back.

``make crash`` runs the long version: 200 rounds on a log of 10 GB whose active segment is 1 GiB of one-record batches.
The moments of the kills come from a seed; what the machine does meanwhile does not.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from confluent_kafka.admin import AdminClient, NewTopic

from tests.crash.load import QUICK_RECONNECT, Clockwork, Committer, Place, TopicMaker, Writer, read_from
from tests.crash.prefill import fill
from tools.our_broker import OurBroker

MIB, GIB = 1 << 20, 1 << 30
LOG, ROLLING = "log", "rolling"
SINGLES_BYTES_MAX = 2 * GIB - 1  # the largest segment.bytes: the active segment stays the one that was filled
RESTART_S_MAX = 10.0  # a restart that takes longer is a failure on any machine
SETTLE_S = 60.0
PLACES: list[Place] = [(LOG, 0), *((ROLLING, index) for index in range(4))]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of it."""

    rounds: int
    seed: int = 1
    large_bytes: int = 0  # of the log before its active segment
    single_bytes: int = 0  # of one-record batches in the active segment
    writers: int = 3
    acknowledged_a_round_max: int = 2_000


@dataclass(slots=True)
class Outcome:
    """What was seen."""

    restart_s: list[float] = field(default_factory=list)  # from the start of the process to the first acknowledgement
    ready_s: list[float] = field(default_factory=list)  # to the line that says that it serves
    cpu_s: list[float] = field(default_factory=list)  # of the broker's process, up to that acknowledgement
    kills_while_starting: int = 0
    records_acknowledged: int = 0
    acknowledged_without_offset: int = 0  # so a client learns that a record was there already, when all else is lost
    commits_acknowledged: int = 0
    topics_acknowledged: int = 0
    log_bytes: int = 0
    active_segment_bytes: int = 0

    def summary(self) -> dict[str, float]:
        counts = {name: value for name, value in asdict(self).items() if not isinstance(value, list)}
        times = sorted(self.restart_s)
        return {
            "rounds": len(times),
            "restart_s_max": round(times[-1], 3),
            "restart_s_p99": round(times[int(len(times) * 0.99)], 3),
            "restart_s_median": round(statistics.median(times), 3),
            "ready_s_max": round(max(self.ready_s), 3),
            "cpu_s_max": round(max(self.cpu_s), 3),
            "cpu_s_median": round(statistics.median(self.cpu_s), 3),
            "ready_s_median": round(statistics.median(self.ready_s), 3),
            **counts,
        }


class Rounds:
    """One run of a plan in a folder of its own."""

    def __init__(self, base_dir: Path, plan: Plan, say: bool = False) -> None:
        self.plan = plan
        self.outcome = Outcome()
        self.broker = OurBroker(base_dir, {"offsets.topic.num.partitions": "4"})
        self._random = random.Random(plan.seed)
        self._clockwork = Clockwork()
        self._say = say

    def run(self) -> Outcome:
        broker, plan = self.broker, self.plan
        broker.start()
        try:
            self._make_topics()
            broker.stop()
            first_offset = fill(
                broker.log_dir,
                LOG,
                large_bytes=plan.large_bytes,
                single_bytes=plan.single_bytes,
                segment_bytes=GIB if plan.single_bytes <= GIB else SINGLES_BYTES_MAX,
            )
            broker.start()
            self._crash_and_check(first_offset)
            self._measure_log()
            assert broker.stop() == 0, "the broker did not end in order"
        finally:
            broker.kill()
        return self.outcome

    def _make_topics(self) -> None:
        admin = AdminClient({**QUICK_RECONNECT, "bootstrap.servers": self.broker.bootstrap})
        topics = [
            NewTopic(LOG, 1, 1, config={"segment.bytes": str(SINGLES_BYTES_MAX), "retention.ms": "-1"}),
            NewTopic(ROLLING, 4, 1, config={"internal.segment.bytes": "65536", "retention.ms": "-1"}),
        ]
        for made in admin.create_topics(topics).values():
            made.result(SETTLE_S)

    def _crash_and_check(self, first_offset: int) -> None:
        bootstrap = self.broker.bootstrap
        writers = [Writer(f"writer-{index}", bootstrap, PLACES, self._clockwork) for index in range(self.plan.writers)]
        committer = Committer(bootstrap, ["g0", "g1", "g2"], PLACES[0], lambda: self._clockwork.count)
        topic_maker = TopicMaker(bootstrap, self.plan.rounds)
        for thread in (*writers, committer, topic_maker):
            thread.start()
        for number in range(self.plan.rounds):
            topic_maker.ask()
            self._clockwork.wait_for(
                self._clockwork.count + self._random.randint(1, self.plan.acknowledged_a_round_max), SETTLE_S
            )
            self._crash(number)
        for each in writers:
            each.end(SETTLE_S)
        committer.end(SETTLE_S)
        topic_maker.end(SETTLE_S)
        self._check(writers, committer, first_offset)
        self.outcome.records_acknowledged = self._clockwork.count
        self.outcome.acknowledged_without_offset = sum(
            offset < 0 for each in writers for acknowledged in each.acknowledged.values() for _, offset in acknowledged
        )
        self.outcome.commits_acknowledged = committer.commits
        self.outcome.topics_acknowledged = len(topic_maker.acknowledged)

    def _crash(self, number: int) -> None:
        broker = self.broker
        broker.kill()
        self._look_at_output()
        if self._random.random() < 0.2:  # and once more in the middle of its recovery
            self.outcome.kills_while_starting += 1
            broker.prepare()
            broker.launch()
            time.sleep(self._random.random() * 0.5)  # the moment is drawn, nothing is waited for
            broker.kill()
            self._look_at_output()
        broker.prepare()
        acknowledged = self._clockwork.count
        began_s = time.monotonic()
        broker.launch()
        broker.wait_ready()
        self.outcome.ready_s.append(time.monotonic() - began_s)
        self._clockwork.wait_for(acknowledged + 1, SETTLE_S)
        restart_s = time.monotonic() - began_s
        self.outcome.cpu_s.append(broker.usage().cpu_s)
        self.outcome.restart_s.append(restart_s)
        assert restart_s < RESTART_S_MAX, f"round {number}: {restart_s:.1f} s to the first acknowledged record"
        if self._say:
            print(
                f"round {number}: restart {restart_s:.3f} s with {self.outcome.cpu_s[-1]:.2f} s of CPU, "
                f"{self._clockwork.count} acknowledged",
                flush=True,
            )

    def _look_at_output(self) -> None:
        output = self.broker.output_file.read_text(errors="replace")
        for word in ("Traceback", "CRITICAL", " ERROR "):
            assert word not in output, f"the broker wrote before it was killed:\n{output[-3_000:]}"

    def _check(self, writers: list[Writer], committer: Committer, first_offset: int) -> None:
        for each in writers:
            assert not each.failures, f"{each.name}: {len(each.failures)} records failed, first: {each.failures[0]}"
        assert not committer.violations, "\n".join(committer.violations[:10])
        for place in PLACES:
            begin = first_offset if place[0] == LOG else 0
            check_place(place, read_from(self.broker.bootstrap, place, begin), begin, writers)

    def _measure_log(self) -> None:
        sizes = [path.stat().st_size for path in sorted((self.broker.log_dir / f"{LOG}-0").glob("*.log"))]
        self.outcome.log_bytes = sum(sizes)
        self.outcome.active_segment_bytes = sizes[-1]


def check_place(place: Place, found: list[tuple[int, bytes]], begin: int, writers: list[Writer]) -> None:
    """One partition: offsets dense, each writer's records once and in order, each where it was acknowledged."""
    for index, (offset, _) in enumerate(found):
        assert offset == begin + index, f"{place}: offset {offset} came where {begin + index} was expected"
    by_offset = dict(found)
    numbers: dict[bytes, list[int]] = {}
    for _, value in found:
        name, _, number = value.partition(b":")
        numbers.setdefault(name, []).append(int(number))
    for each in writers:
        expected = list(range(each.sent[place]))
        there = numbers.pop(each.name.encode(), [])
        assert there == expected, (
            f"{place}: {each.name} sent {len(expected)} records, {len(there)} are there, "
            f"missing {sorted(set(expected) - set(there))[:10]}, "
            f"doubled {sorted(n for n in set(there) if there.count(n) > 1)[:10] if len(there) < 20_000 else '?'}"
        )
        for acknowledged, offset in each.acknowledged[place]:
            written = b"%s:%d" % (each.name.encode(), acknowledged)
            assert offset < 0 or by_offset.get(offset) == written, (
                f"{place}: {written!r} was acknowledged at {offset}, where {by_offset.get(offset)!r} is"
            )
    assert not numbers, f"{place}: records of {sorted(numbers)}, whom nobody knows"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash.rounds", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gigabytes", type=float, default=10, help="of the log in all")
    parser.add_argument("--singles-mib", type=int, default=1024, help="of one-record batches in its active segment")
    parser.add_argument("--folder", help="where it is done; a temporary folder if not said")
    options = parser.parse_args()
    single_bytes = options.singles_mib * MIB
    large_bytes = max(int(options.gigabytes * 1e9) - single_bytes, 0)
    plan = Plan(options.rounds, options.seed, large_bytes=large_bytes, single_bytes=single_bytes)
    base_dir = Path(tempfile.mkdtemp(prefix="millrace-crash-", dir=options.folder))
    try:
        outcome = Rounds(base_dir, plan, say=True).run()
    finally:
        shutil.rmtree(base_dir)
    print(json.dumps(outcome.summary(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
