"""The demo runs to its end and has checked what it shows."""

from __future__ import annotations

import pytest

from examples import demo
from examples.exercise_2_iris import with_threads as iris


def test_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "150 rows merged, equal to the file: yes" in said
    assert "each word counted once: yes" in said
    assert "all is right" in said


def test_demo_sees_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """Its check can fail: a row too few, a word too many."""
    rows = iris.read_iris()
    right = (demo.Counter({demo.KINDS[0]: 400}), [demo.Counter({demo.KINDS[0]: each}) for each in (100, 100, 200)])
    wrong = (right[0], [*right[1][:2], demo.Counter({demo.KINDS[0]: 201})])
    assert demo.summary(rows, right, "")
    assert not demo.summary(rows[1:], right, "")
    assert not demo.summary(rows, wrong, "")
