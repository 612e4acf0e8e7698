"""Power cuts at many moments of a traced run: what was acknowledged before is there after a start on what is left."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from random import Random

import pytest

from millrace.runtime.disk_trace import DiskTrace, Event, read_trace
from millrace.testing.thread_host import ThreadHost
from tests.crash.claims import Claims
from tests.crash.rebuild import TracedTree
from tests.crash.traced_load import FOLDERS, SETTINGS, TracedHost, traced_run

AGAIN_CHANCE = 0.3  # of a power cut in the start that follows one


def check_points(events: list[Event], folder: Path, points: int, seed: int) -> int:
    """Cut the power at so many moments; how many claims were made at the last of them."""
    chance = Random(seed)
    chosen = sorted(chance.sample(range(1, len(events) + 1), points))
    tree, claims = TracedTree(FOLDERS), Claims()
    position = 0
    for count, point in enumerate(chosen):
        for event in events[position:point]:
            if event.kind == "mark":
                claims.note(event.path)
            else:
                tree.apply(event)
        position = point
        left = folder / str(count)
        tree.root.write_left_by_crash(Random(f"{seed} {point}"), left)
        if chance.random() < AGAIN_CHANCE:
            left = cut_again(left, folder / f"{count}-again", Random(f"{seed} {point} again"))
        try:
            check_start(left, claims)
        except BaseException as error:
            error.add_note(f"the power was cut after event {point} of {len(events)}, the folder is {left}")
            raise
        shutil.rmtree(left)
    return claims.count


def cut_again(data_dir: Path, left: Path, chance: Random) -> Path:
    """Start on what is there, and cut the power at some moment of that start or after it: the folder that is left."""
    content = io.BytesIO()
    tree = TracedTree.of(data_dir)
    host = TracedHost(DiskTrace(content))
    host.start({**SETTINGS, "log.dirs": str(data_dir)})
    host.kill()
    content.seek(0)
    events = list(read_trace(content))
    for event in events[: chance.randint(0, len(events))]:
        tree.apply(event)
    tree.root.write_left_by_crash(chance, left)
    shutil.rmtree(data_dir)
    return left


def check_start(data_dir: Path, claims: Claims) -> None:
    """A broker starts on what is left, and holds what was claimed."""
    host = ThreadHost()
    host.start({**SETTINGS, "log.dirs": str(data_dir)})
    try:
        claims.check(host.endpoints[0].partition("://")[2])
    finally:
        host.kill()


def test_what_was_acknowledged_is_there_after_a_power_cut(tmp_path: Path) -> None:
    events = traced_run(tmp_path / "traced", steps=40)
    assert check_points(events, tmp_path, 40, seed=1) > 40


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_what_was_acknowledged_is_there_after_a_thousand_power_cuts(tmp_path: Path) -> None:
    events = traced_run(tmp_path / "traced", seed=2, steps=150)
    assert check_points(events, tmp_path, 1_000, seed=2) > 500


def test_an_answer_before_the_flush_is_found(tmp_path: Path) -> None:
    """The check can fail: a broker that is told not to wait for flushes loses what it acknowledged."""
    settings = {"millrace.flush.on.ack": "never", "log.flush.offset.checkpoint.interval.ms": "100000"}
    events = traced_run(tmp_path / "traced", steps=40, settings=settings)
    with pytest.raises(AssertionError, match="acknowledged"):
        check_points(events, tmp_path, 40, seed=1)
