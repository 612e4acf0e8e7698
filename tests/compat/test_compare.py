"""Two runs of a suite compared: what counts as agreement, and what the allow list may hide."""

from __future__ import annotations

from pathlib import Path

import pytest

from compat import compare as room
from compat import java_tools, report, suites
from compat.compare import compare
from tools import interchange


def outcome(test: str, said: str) -> dict[str, object]:
    return {"test": test, "outcome": said, "reason": f"why {test}" if said == "failed" else "", "seconds": 0.1}


BOTH = [outcome("a", "passed"), outcome("b", "failed"), outcome("c", "skipped")]


def test_equal_runs_agree_and_failures_of_both_are_listed() -> None:
    result = compare(BOTH, BOTH, {})
    assert result.agrees
    assert (result.ran, result.passed, result.skipped) == (3, 1, 1)
    assert result.fails_on_both == {"b": "why b"}
    assert result.fails_here == {}


def test_a_failure_only_here_disagrees_unless_it_is_explained() -> None:
    ours = [outcome("a", "failed"), *BOTH[1:]]
    assert not compare(ours, BOTH, {}).agrees
    assert compare(ours, BOTH, {"a": "not built yet"}).agrees


def test_an_allowed_test_that_passes_must_leave_the_list() -> None:
    result = compare(BOTH, BOTH, {"a": "not built yet"})
    assert result.stale == ("a",)
    assert not result.agrees


def test_a_test_that_did_not_run_here_disagrees() -> None:
    result = compare(BOTH[:2], BOTH, {})
    assert result.missing == ("c",)
    assert not result.agrees


def test_a_failure_only_on_apache_kafka_is_told_and_no_disagreement() -> None:
    result = compare(BOTH, [*BOTH[:2], outcome("c", "failed")], {})
    assert result.fails_there == {"c": "why c"}
    assert result.agrees


def test_an_allow_list_gives_a_reason_for_each_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ALLOW_FOLDER", tmp_path)
    (tmp_path / "allow_x.txt").write_text("# heading\n\na::b  # the reason\n")
    assert room.read_allowed("x") == {"a::b": "the reason"}
    (tmp_path / "allow_x.txt").write_text("a::b\n")
    with pytest.raises(AssertionError, match="a::b has no reason"):
        room.read_allowed("x")


@pytest.mark.parametrize("name", ["kafka-python", "aiokafka", "java"])
def test_the_lists_in_the_repository_can_be_read(name: str) -> None:
    room.read_allowed(name)


def test_a_section_goes_between_its_marks_and_keeps_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = tmp_path / "compatibility.md"
    document.write_text("# Compatibility\n\nbefore\n")
    monkeypatch.setattr(report, "DOCUMENT", document)
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    suite = suites.KAFKA_PYTHON
    report.write_section(suite.name, report.suite_section(suite, compare(BOTH, BOTH, {})))
    document.write_text(document.read_text() + "after\n")
    report.write_section("java", report.tools_section([], ["topics --list"]))
    text = document.read_text()
    assert text.startswith("# Compatibility\n\nbefore\n")
    assert text.endswith("after\n")
    assert text.count(report.BEGIN) == text.count(report.END) == 1
    assert "kafka-python" in text
    assert "topics --list" in text


def test_what_differs_by_nature_is_masked() -> None:
    text = "TopicId: abc_DEF-1 at 127.0.0.1:4711 on 2026-11-19 22:30:01,123\n\n  Offset 3\tof 1795128322533 "
    assert java_tools.masked(text) == "TopicId: <uuid> at <broker> on <time>\nOffset 3 of <ms>"


def test_tools_are_compared_by_step_and_a_subset_may_say_less(tmp_path: Path) -> None:
    names = [step.name for step in java_tools.all_steps(tmp_path)]
    assert len(set(names)) == len(names)
    apache = dict.fromkeys(names, "exit 0\nFetch 4 to 18\nProduce 3 to 13")
    ours = {**apache, "topics --list": "exit 1", "broker-api-versions": "exit 0\nProduce 3 to 13"}
    differences = java_tools.compare(ours, apache, {"topics --list": "because"})
    assert [(one.command, one.explained) for one in differences] == [("topics --list", "because")]


def test_gaps_are_complaints_but_not_a_segments_start_nor_in_compacted_topics() -> None:
    told = """WARNING: something deprecated
Non-consecutive offsets in /d/mill-0/00000000000000000512.log
  -1 is followed by 512
  700 is followed by 702
Non-consecutive offsets in /d/__consumer_offsets-3/00000000000000000000.log
  4 is followed by 9
Mismatches in :/d/mill-0/00000000000000000000.index
  Index offset: 9, log offset: 8
"""
    assert interchange.complaints_in(told) == [
        "/d/mill-0/00000000000000000512.log: 700 is followed by 702",
        "Mismatches in :/d/mill-0/00000000000000000000.index",
        "  Index offset: 9, log offset: 8",
    ]
