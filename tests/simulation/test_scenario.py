"""One broker under simulated faults: seeds that must hold, planted bugs that must be found, traces that must repeat."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from millrace.broker.broker import Broker
from millrace.broker.flusher import Flusher
from millrace.state.machine import Decision
from millrace.storage import scan
from millrace.storage.log import Log
from millrace.storage.sparse_index import SparseIndex
from millrace.testing.scenario import run

SEEDS_IN_CI = 50
SEEDS_FOR_A_PLANTED_BUG = 25


# Seeds that found something once: indexes that a checkpoint on a full disk wrote and never made safe (1263, 1304;
# the same kind, not traced: 1046, 1170, 1278, 1287), a commit that was lost (1338: not traced, it passes since),
# a cleaned segment that a stop in the middle of its swap threw away (176, 770), an active segment behind the end
# of its log (3111).
FOUND = (176, 770, 3111, 1046, 1170, 1263, 1278, 1287, 1304, 1338)


@pytest.mark.parametrize("seed", [*range(1, SEEDS_IN_CI + 1), *FOUND])
def test_every_promise_holds(seed: int) -> None:
    result = run(seed)
    assert result.acked > 0
    assert result.seen > 0


def test_the_same_seed_gives_the_same_trace_whatever_the_hash_seed() -> None:
    def trace(hash_seed: str) -> str:
        code = "from millrace.testing.scenario import run; r = run(7); print(r.trace_hash, r.events, r.acked)"
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert trace("1") == trace("2")


def is_found(plant: Any = None) -> bool:
    """Whether some seed shows a broken promise, or an assertion of our own."""
    for seed in range(1, SEEDS_FOR_A_PLANTED_BUG + 1):
        try:
            run(seed, plant=plant)
        except AssertionError:
            return True
    return False


def test_an_acknowledgement_before_the_flush_is_found() -> None:
    class Hasty(Flusher):
        def request(self, partition: Any) -> None:
            partition.on_flushed(partition.log.log_end_offset)

    def plant(broker: Broker) -> None:
        broker.flusher = Hasty(broker.defer)

    assert is_found(plant)


def test_a_torn_tail_that_is_accepted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "crc32c", lambda content: _Anything())
    assert is_found()


class _Anything(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__


def test_sequence_state_that_is_not_restored_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Log.open

    def forgetful(*arguments: Any, **options: Any) -> Log:
        log = opened(*arguments, **options)
        log.producers.restore({}, log.log_end_offset)
        return log

    monkeypatch.setattr(Log, "open", forgetful)
    assert is_found()


def test_a_group_reply_before_its_commit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    always = property(lambda self: True, lambda self, value: None)
    monkeypatch.setattr(Decision, "at_once", always)
    assert is_found()


def test_a_lost_index_entry_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    add, count = SparseIndex.add, [0]

    def forgetful(self: SparseIndex, *fields: int) -> None:
        count[0] += 1
        if count[0] % 7:
            add(self, *fields)

    monkeypatch.setattr(SparseIndex, "add", forgetful)
    assert is_found()
