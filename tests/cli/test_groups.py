"""``millrace groups``: state, lag, and offsets that are moved only when asked twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
Answer = Callable[..., Any]


@pytest.fixture
def group(run: Run, millrace_topic: str) -> str:
    """A group that has read two of five records; it has the topic's name."""
    run("produce", millrace_topic, input="0\n1\n2\n3\n4\n")
    result = run("consume", millrace_topic, "--group", millrace_topic, "--from-beginning", "--max", "2")
    assert result.stdout == "0\n1\n", result.stderr
    return millrace_topic


def committed(answer: Answer, group: str) -> int:
    ((described,),) = (answer("groups", "describe", group),)
    (partition,) = described["partitions"]
    offset = partition["committed"]
    assert isinstance(offset, int)
    return offset


def test_list_and_describe(run: Run, answer: Answer, group: str) -> None:
    assert {"group": group, "state": "Empty", "type": "Classic"} in answer("groups", "list")
    (described,) = answer("groups", "describe", group)
    assert described["state"] == "Empty"
    assert described["partitions"] == [
        {
            "topic": group, "partition": 0, "committed": 2, "end": 5, "lag": 3,
            "member": None, "client": None, "host": None,
        }
    ]  # fmt: skip
    assert f"{group}: Empty, 0 members, lag 3" in run("groups", "describe", group).stdout


@pytest.mark.parametrize(
    ("options", "offset"),
    [
        (["--to", "earliest"], 0),
        (["--to", "latest"], 5),
        (["--to", "3"], 3),
        (["--to", "99"], 5),
        (["--by", "-1"], 1),
        (["--by", "-99"], 0),
        (["--to", "-1h"], 0),
        (["--to", "2100-01-01"], 5),
    ],
)
def test_reset_offsets(run: Run, answer: Answer, group: str, options: list[str], offset: int) -> None:
    shown = answer("groups", "reset-offsets", group, *options)
    assert shown["executed"] is False
    assert shown["partitions"] == [{"topic": group, "partition": 0, "from": 2, "to": offset}]
    assert committed(answer, group) == 2
    assert answer("groups", "reset-offsets", group, *options, "--execute")["executed"] is True
    assert committed(answer, group) == offset


def test_reset_offsets_of_a_new_group(run: Run, answer: Answer, group: str) -> None:
    fresh = f"{group}-fresh"
    nothing = run("groups", "reset-offsets", fresh, "--to", "earliest")
    assert nothing.exit_code == 1
    assert "--topic" in nothing.stderr
    answer("groups", "reset-offsets", fresh, "--topic", f"{group}:0", "--to", "4", "--execute")
    assert committed(answer, fresh) == 4


def test_delete(run: Run, answer: Answer, group: str) -> None:
    assert answer("groups", "delete", group) == {"deleted": [group]}
    assert group not in [each["group"] for each in answer("groups", "list")]
    gone = run("groups", "describe", group)
    assert gone.exit_code == 1
    assert f"no group {group}" in gone.stderr


def test_misuse(run: Run, group: str) -> None:
    for wrong in ([], ["--to", "1", "--by", "1"], ["--to", "soon"], ["--to", "1", "--topic", f"{group}:x"]):
        assert run("groups", "reset-offsets", group, *wrong).exit_code == 2
    assert run("groups", "reset-offsets", group, "--to", "1", "--topic", f"{group}:9").exit_code == 1
