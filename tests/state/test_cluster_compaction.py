"""The cleaner on the metadata log: the state stays, and what says only that something is gone goes in the end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest

from millrace.base.config import BrokerConfig
from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch, iter_records
from millrace.kafka.removal_marks import METADATA_TOPIC, is_removal_mark
from millrace.state.cluster import ClusterMachine
from millrace.state.machine import Entry
from millrace.storage.cleaner import Cleaning
from millrace.storage.cleaner_choice import Candidate, cleanable, job_for
from millrace.storage.log import Log
from millrace.testing.simulated_disk import SimulatedDisk
from tests.state.test_cluster import busy_cluster

NOW_MS = 1_700_000_000_000
DELETE_RETENTION_MS = 5000
LIMIT_BYTES = 1 << 24


@dataclass(frozen=True)
class Config:
    """A compacted topic's configuration, in small segments."""

    cleanup_policy: frozenset[str] = frozenset({"compact"})
    file_delete_delay_ms: int = 0
    index_interval_bytes: int = 300
    retention_bytes: int = -1
    retention_ms: int = -1
    segment_bytes: int = 1000
    segment_index_bytes: int = 10 << 20
    segment_jitter_ms: int = 0
    segment_ms: int = 604_800_000
    delete_retention_ms: int = DELETE_RETENTION_MS
    max_compaction_lag_ms: int = (1 << 63) - 1
    min_cleanable_dirty_ratio: float = 0.0
    min_compaction_lag_ms: int = 0


def entries_of(log: Log) -> list[Entry]:
    found = []
    for segment in log.segments:
        for batch in batches_in(segment.file.read_now(0, segment.size)):
            found += [
                Entry(each.offset, each.timestamp, each.key, each.value) for each in iter_records(batch, LIMIT_BYTES)
            ]
    return found


def state_of(log: Log) -> Any:
    machine = ClusterMachine(BrokerConfig())
    for entry in entries_of(log):
        machine.replay(entry)
    return machine.replayed.as_plain()


def clean(log: Log, clean_offset: int | None, now_ms: int) -> int:
    log.roll(now_ms)
    while log.checkpointed_offset < log.log_end_offset:
        log.disk.finish(log.advance_checkpoint())
    candidate = Candidate(log, log.config, clean_offset, log.log_end_offset, True)
    found = cleanable(candidate, now_ms)
    assert found is not None
    job = job_for(found, now_ms, table_bytes_max=1 << 16)
    assert job.has_removal_marks
    cleaning = Cleaning(log.disk, job)
    for group in cleaning.groups():
        log.disk.finish(log.swap_cleaned(list(group.old_bases), group.new_base))
    return cleaning.end_offset


@pytest.mark.parametrize("seed", range(5))
def test_marks_of_removal_go_when_their_time_has_come(seed: int) -> None:
    chance = random.Random(seed)
    cluster = busy_cluster(chance, 120)
    log = Log.open(SimulatedDisk(chance), f"{METADATA_TOPIC}-0", Config(), now_ms=NOW_MS)
    for entry in cluster.bench.log:
        log.append(Batch(build_batch([NewRecord(entry.key, entry.value)], timestamp_ms=NOW_MS)), 0, NOW_MS)
    expected = cluster.machine.replayed.as_plain()
    assert state_of(log) == expected
    assert any(is_removal_mark(entry.value) for entry in entries_of(log))

    clean_offset = clean(log, None, NOW_MS)
    marks = [entry for entry in entries_of(log) if is_removal_mark(entry.value)]
    assert marks, "a reader who is under way must see them"
    assert state_of(log) == expected

    for later_ms in (NOW_MS + 1, NOW_MS + DELETE_RETENTION_MS + 2):
        # something new makes it dirty again
        noop = cluster.bench.log[0]
        log.append(Batch(build_batch([NewRecord(noop.key, noop.value)], timestamp_ms=later_ms)), 0, later_ms)
        clean_offset = clean(log, clean_offset, later_ms)
        assert state_of(log) == expected
    left = entries_of(log)
    assert not any(is_removal_mark(entry.value) for entry in left)
    assert len({entry.key for entry in left}) == len(left)
    log.disk.finish(log.close(NOW_MS))
