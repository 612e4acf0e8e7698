"""A broker killed under load, a few times: the short form of ``make crash``."""

from __future__ import annotations

from pathlib import Path

from tests.crash.rounds import MIB, Plan, Rounds


def test_nothing_acknowledged_is_lost_or_doubled_when_the_broker_is_killed(tmp_path: Path) -> None:
    plan = Plan(rounds=3, large_bytes=4 * MIB, single_bytes=2 * MIB, acknowledged_a_round_max=500)
    outcome = Rounds(tmp_path, plan).run()
    assert len(outcome.restart_s) == 3
    assert outcome.commits_acknowledged > 0
    assert outcome.topics_acknowledged > 0
    assert outcome.active_segment_bytes > 2 * MIB
