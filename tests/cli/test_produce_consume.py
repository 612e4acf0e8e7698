"""``millrace produce`` and ``millrace consume``: what goes in comes out."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
Answer = Callable[..., Any]


def records(run: Run, topic: str, *more: str) -> list[dict[str, Any]]:
    """All records of a topic as ``--json`` writes them."""
    result = run("consume", topic, "--from-beginning", "--until-end", "--json", *more)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_lines_there_and_back(run: Run, answer: Answer, millrace_topic: str) -> None:
    assert answer("produce", millrace_topic, input="one\ntwo\r\n\nlast without an end")["records"] == 4
    result = run("consume", millrace_topic, "--from-beginning", "--until-end")
    assert result.stdout == "one\ntwo\n\nlast without an end\n"


def test_keys_headers_and_nulls(run: Run, millrace_topic: str) -> None:
    run(
        "produce", millrace_topic, "--key-separator", ":", "--null", "gone", "--header", "a=1", "--header", "a=2=3",
        input="k:v:w\nno key\nk:gone\n",
    )  # fmt: skip
    found = [{name: each.get(name) for name in ("key", "value", "headers")} for each in records(run, millrace_topic)]
    headers = [{"name": "a", "value": "1"}, {"name": "a", "value": "2=3"}]
    assert found == [
        {"key": "k", "value": "v:w", "headers": headers},
        {"key": None, "value": "no key", "headers": headers},
        {"key": "k", "value": None, "headers": headers},
    ]


def test_files_by_line_and_whole(run: Run, millrace_topic: str, tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"1\n2\n")
    (tmp_path / "picture").write_bytes(bytes(range(256)))
    run("produce", millrace_topic, os.fspath(tmp_path / "lines"), "--key", "same")
    run("produce", millrace_topic, "--whole", os.fspath(tmp_path / "picture"))
    found = records(run, millrace_topic)
    assert [each.get("value") for each in found[:2]] == ["1", "2"]
    assert found[0]["key"] == "same"
    assert "value_base64" in found[2]


def test_json_makes_an_equal_copy(run: Run, millrace_topic: str) -> None:
    copy = f"{millrace_topic}-copy"
    run("produce", millrace_topic, "--header", "h=x", "--key-separator", "=", input="k=v\nlonely\n")
    run("produce", millrace_topic, "--whole", os.devnull)
    written = run("consume", millrace_topic, "--from-beginning", "--until-end", "--json").stdout
    assert run("produce", copy, "--format", "json", input=written).exit_code == 0
    kept = ("key", "value", "headers", "timestamp_ms")
    assert [{name: each.get(name) for name in kept} for each in records(run, copy)] == [
        {name: each.get(name) for name in kept} for each in records(run, millrace_topic)
    ]


@pytest.mark.parametrize("line", ["no json", "[]", '{"value_base64": "%"}', '{"headers": [{"value": "x"}]}'])
def test_lines_that_are_no_records(run: Run, millrace_topic: str, line: str) -> None:
    result = run("produce", millrace_topic, "--format", "json", input=f"{line}\n")
    assert result.exit_code == 1
    assert "line 1:" in result.stderr


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_compression(run: Run, millrace_topic: str, codec: str) -> None:
    run("produce", millrace_topic, "--compression", codec, input="same\n" * 100)
    assert [each["value"] for each in records(run, millrace_topic)] == ["same"] * 100


def test_a_rate_is_kept(answer: Answer, millrace_topic: str) -> None:
    begun_s = time.monotonic()
    assert answer("produce", millrace_topic, "--rate", "20", input="x\n" * 10)["records"] == 10
    assert time.monotonic() - begun_s >= 0.45  # the last of ten is due 9/20 s after the first


def test_a_partition(run: Run, millrace_topic: str) -> None:
    run("topics", "create", millrace_topic, "--partitions", "3")
    run("produce", millrace_topic, "--partition", "2", input="x\ny\n")
    assert {each["partition"] for each in records(run, millrace_topic)} == {2}
    assert len(records(run, millrace_topic, "--partition", "2")) == 2
    assert records(run, millrace_topic, "--partition", "0") == []
    missing = run("consume", millrace_topic, "--partition", "7")
    assert missing.exit_code == 1
    assert "no partition 7" in missing.stderr


def test_from_offset_time_and_how_many(run: Run, millrace_topic: str) -> None:
    lines = "".join(f'{{"value": "{number}", "timestamp_ms": {1_767_225_600_000 + number}}}\n' for number in range(10))
    run("produce", millrace_topic, "--format", "json", input=lines)

    def values(*options: str) -> str:
        result = run("consume", millrace_topic, "--until-end", "--format", "%v", *options)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    assert values("--from", "7") == "789"
    assert values("--from", "@1767225600004") == "456789"
    assert values("--from", "2026-01-01T00:00:00.008+00:00") == "89"
    assert values("--from", "earliest", "--max", "2") == "01"
    assert values("--from", "latest") == ""
    assert values("--from", "99") == ""


def test_a_group_goes_on_where_it_was(run: Run, millrace_topic: str) -> None:
    run("produce", millrace_topic, input="1\n2\n3\n")
    of_group = ("consume", millrace_topic, "--group", millrace_topic, "--from-beginning", "--max")
    assert run(*of_group, "2").stdout == "1\n2\n"
    assert run(*of_group, "1").stdout == "3\n"


def test_idle_ends_it(run: Run, millrace_topic: str) -> None:
    run("produce", millrace_topic, input="x\n")
    result = run("consume", millrace_topic, "--from-beginning", "--idle", "2")
    assert (result.exit_code, result.stdout) == (0, "x\n")


def test_formats(run: Run, millrace_topic: str) -> None:
    run("produce", millrace_topic, "--key", "k", "--header", "h=1", input="value\n")
    form = r"%t|%p|%o|%k|%v|%s|%h|%%\t\n"
    result = run("consume", millrace_topic, "--from-beginning", "--max", "1", "--format", form)
    assert result.stdout == f"{millrace_topic}|0|0|k|value|5|h=1|%\t\n"
    assert run("consume", millrace_topic, "--from-beginning", "--max", "1", "--show-key").stdout == "k\tvalue\n"
    stamped = run("consume", millrace_topic, "--from-beginning", "--max", "1", "--format", "%T").stdout
    assert stamped.startswith("20")
    wrong = run("consume", millrace_topic, "--format", "%x")
    assert wrong.exit_code == 2
    assert "%x" in wrong.stderr


def test_refusals(run: Run, millrace_topic: str) -> None:
    assert run("consume", millrace_topic).exit_code == 1  # there is no such topic, and reading makes none
    run("topics", "create", millrace_topic, "--config", "max.message.bytes=1000")
    big = run("produce", millrace_topic, "--whole", __file__)
    assert big.exit_code == 1
    assert "large" in big.stderr.lower()
    for wrong in (
        ("produce", millrace_topic, "--whole"),
        ("produce", millrace_topic, "--header", "nameless"),
        ("produce", millrace_topic, "--key-separator", ""),
        ("consume", millrace_topic, "--from", "yesterday"),
        ("consume", millrace_topic, "--from", "3", "--from-beginning"),
        ("consume", millrace_topic, "--group", "g", "--from", "3"),
        ("consume", millrace_topic, "--group", "g", "--until-end"),
    ):
        result = run(*wrong, input="")
        assert result.exit_code == 2, wrong
        assert result.stderr
