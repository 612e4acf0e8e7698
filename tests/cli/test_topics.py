"""``millrace topics`` and ``millrace configs`` against a broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
Answer = Callable[..., Any]


def test_create_list_describe_alter_delete(run: Run, answer: Answer, millrace_topic: str) -> None:
    made = answer("topics", "create", millrace_topic, "--partitions", "3", "--config", "retention.ms=1000")
    assert made == {"topic": millrace_topic, "created": True}
    assert {"name": millrace_topic, "partitions": 3, "replication_factor": 1} in answer("topics", "list")
    (topic,) = answer("topics", "describe", millrace_topic)
    assert [each["index"] for each in topic["partitions"]] == [0, 1, 2]
    assert topic["partitions"][0] == {
        "index": 0, "leader": 1, "replicas": [1], "isr": [1], "start_offset": 0, "end_offset": 0,
    }  # fmt: skip
    assert topic["configs"] == {"retention.ms": "1000"}
    assert answer("topics", "alter", millrace_topic, "--partitions", "5")["partitions"] == 5
    assert len(answer("topics", "describe", millrace_topic)[0]["partitions"]) == 5
    assert answer("topics", "delete", millrace_topic, "--yes") == {"deleted": [millrace_topic]}
    assert millrace_topic not in [each["name"] for each in answer("topics", "list")]


def test_in_a_pipe_columns_are_parted_by_tabs(run: Run, millrace_topic: str) -> None:
    run("topics", "create", millrace_topic, "--partitions", "2")
    lines = run("topics", "list").stdout.splitlines()
    assert lines[0].split("\t") == ["TOPIC", "PARTITIONS", "REPLICAS"]
    assert f"{millrace_topic}\t2\t1" in lines
    assert f"{millrace_topic}: 2 partitions" in run("topics", "describe", millrace_topic).stdout


def test_a_topic_that_is_there(run: Run, answer: Answer, millrace_topic: str) -> None:
    assert run("topics", "create", millrace_topic).exit_code == 0
    again = run("topics", "create", millrace_topic)
    assert again.exit_code == 1
    assert f"topic {millrace_topic}" in again.stderr
    assert answer("topics", "create", millrace_topic, "--if-not-exists")["created"] is False


def test_a_topic_that_is_not_there(run: Run, millrace_topic: str) -> None:
    for command in (("describe", millrace_topic), ("delete", millrace_topic, "--yes")):
        result = run("topics", *command)
        assert result.exit_code == 1
        assert millrace_topic in result.stderr
    assert run("topics", "alter", millrace_topic, "--partitions", "2").exit_code == 1


def test_validate_only_makes_nothing(answer: Answer, run: Run, millrace_topic: str) -> None:
    assert answer("topics", "create", millrace_topic, "--validate-only")["created"] is False
    assert run("topics", "describe", millrace_topic).exit_code == 1
    wrong = run("topics", "create", millrace_topic, "--validate-only", "--config", "retention.ms=soon")
    assert wrong.exit_code == 1
    assert "retention.ms" in wrong.stderr


def test_fewer_partitions_are_refused(run: Run, millrace_topic: str) -> None:
    run("topics", "create", millrace_topic, "--partitions", "3")
    result = run("topics", "alter", millrace_topic, "--partitions", "2")
    assert result.exit_code == 1
    assert result.stderr.startswith("millrace: ")


def test_delete_asks_first(run: Run, millrace_topic: str) -> None:
    run("topics", "create", millrace_topic)
    result = run("topics", "delete", millrace_topic)
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert run("topics", "describe", millrace_topic).exit_code == 0


def test_topic_configs(run: Run, answer: Answer, millrace_topic: str) -> None:
    of_topic = ("--topic", millrace_topic)
    run("topics", "create", millrace_topic)
    assert answer("configs", "describe", *of_topic) == []
    answer("configs", "set", *of_topic, "retention.ms=1000", "cleanup.policy=compact")
    found = answer("configs", "describe", *of_topic)
    assert {each["name"]: each["value"] for each in found} == {"retention.ms": "1000", "cleanup.policy": "compact"}
    assert {each["source"] for each in found} == {"topic"}
    answer("configs", "unset", *of_topic, "retention.ms")
    assert [each["name"] for each in answer("configs", "describe", *of_topic)] == ["cleanup.policy"]
    everything = {each["name"]: each for each in answer("configs", "describe", *of_topic, "--all")}
    assert everything["retention.ms"]["value"] == "604800000"
    assert everything["retention.ms"]["is_default"]


def test_broker_configs(run: Run, answer: Answer) -> None:
    answer("configs", "set", "--broker", "default", "log.retention.ms=3600000")
    found = {each["name"]: each for each in answer("configs", "describe", "--broker", "1")}
    assert found["log.retention.ms"]["source"] == "cluster"
    answer("configs", "set", "--broker", "1", "log.retention.ms=7200000")
    found = {each["name"]: each for each in answer("configs", "describe", "--broker", "1")}
    assert (found["log.retention.ms"]["source"], found["log.retention.ms"]["value"]) == ("broker", "7200000")
    answer("configs", "unset", "--broker", "1", "log.retention.ms")
    answer("configs", "unset", "--broker", "default", "log.retention.ms")
    fixed = run("configs", "set", "--broker", "1", "log.dirs=/elsewhere")
    assert fixed.exit_code == 1
    assert "log.dirs" in fixed.stderr


def test_configs_misused(run: Run) -> None:
    for wrong in (
        ("describe",),
        ("describe", "--topic", "a", "--broker", "1"),
        ("describe", "--broker", "first"),
        ("set", "--topic", "a", "retention.ms"),
    ):
        assert run("configs", *wrong).exit_code == 2
