"""``millrace logs`` on the folders of a stopped broker."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millrace.cli import log_places
from millrace.cli.logs import logs
from millrace.kafka import records
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch, end_transaction_marker
from millrace.runtime.disk import RealDisk
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig

NOW_MS = 1_700_000_000_000


@pytest.fixture(autouse=True)
def _released() -> Iterator[None]:
    yield
    log_places.release()


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """A data folder with two partitions and an offsets topic."""
    root = tmp_path / "data" / "broker-1"
    for name in ("orders-0", "orders-1", "__consumer_offsets-3"):
        batches = [
            build_batch([NewRecord(b"key", b"value %d" % number, [("h", b"\xff")])], timestamp_ms=NOW_MS, codec=4)
            for number in range(4)
        ]
        if name.startswith("__"):
            key = records.encode_key(records.OffsetCommitKey(group="readers", topic="orders", partition=1))
            value = records.encode_versioned(
                records.OffsetCommitValue(offset=42, metadata="", commit_timestamp=NOW_MS), 3
            )
            batches = [
                build_batch([NewRecord(key, value), NewRecord(key, None), NewRecord(b"\x00", b"")], timestamp_ms=NOW_MS)
            ]
        if name == "orders-1":
            batches.append(
                build_batch(
                    [end_transaction_marker(commit=True, coordinator_epoch=1)],
                    timestamp_ms=NOW_MS,
                    producer_id=5,
                    producer_epoch=0,
                    control=True,
                    transactional=True,
                )
            )
        disk = RealDisk(root)
        log = Log.open(disk, name, PlainLogConfig(), now_ms=NOW_MS)
        for batch in batches:
            log.append(Batch(batch), 0, NOW_MS)
        log.close(NOW_MS).result()
        disk.close()
    (tmp_path / "data" / ".lock").write_text("1234\n")
    return tmp_path / "data"


def run(*arguments: object, answer: str | None = None) -> Result:
    result = CliRunner().invoke(logs, [str(each) for each in arguments], input=answer)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def objects(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def damage(data_folder: Path, position: int = 70) -> Path:
    path = data_folder / "broker-1" / "orders-0" / "00000000000000000000.log"
    content = bytearray(path.read_bytes())
    content[position] ^= 0xFF
    path.write_bytes(content)
    return path


def test_dump_shows_batches_and_records(data_folder: Path) -> None:
    found = objects(run("dump", data_folder / "broker-1" / "orders-0", "--records", "--json"))
    batches = [each for each in found if each["kind"] == "batch"]
    assert [each["base_offset"] for each in batches] == [0, 1, 2, 3]
    assert {each["codec"] for each in batches} == {"zstd"}
    shown = [each for each in found if each["kind"] == "record"]
    assert [each["value"] for each in shown] == [f"value {number}" for number in range(4)]
    assert shown[0]["headers"] == {"h": {"base64": "/w=="}}


def test_dump_for_people_names_files_and_values(data_folder: Path) -> None:
    result = run("dump", data_folder, "-r", "--indexes", "--from", 2, "--limit", 1)
    assert result.exit_code == 0
    assert "value 2" in result.output
    assert "value 1" not in result.output
    assert "value 3" not in result.output
    assert "leader-epoch" in result.output


def test_dump_reads_internal_topics_and_markers(data_folder: Path) -> None:
    found = objects(run("dump", data_folder / "broker-1" / "__consumer_offsets-3", "-r", "--json"))
    first, second, third = (each for each in found if each["kind"] == "record")
    assert first["key"] == {"type": "OffsetCommitKey", "group": "readers", "topic": "orders", "partition": 1}
    assert isinstance(first["value"], dict)
    assert first["value"]["offset"] == 42
    assert second["value"] is None
    assert "problem" in third
    found = objects(run("dump", data_folder / "broker-1" / "orders-1", "-r", "--json"))
    assert found[-1]["control"] == "commit"


def test_verify_is_content_with_what_a_broker_wrote(data_folder: Path) -> None:
    result = run("verify", data_folder)
    assert result.exit_code == 0, result.output
    assert "nothing is wrong" in result.output
    facts = json.loads(run("verify", data_folder, "--json").stdout)
    assert [each["records"] for each in facts] == [3, 4, 5]


def test_verify_names_a_broken_batch_and_fails(data_folder: Path) -> None:
    path = damage(data_folder)
    result = run("verify", data_folder)
    assert result.exit_code == 1
    assert f"{path}: the batch at position 0" in result.output


def test_skip_asks_and_then_replaces(data_folder: Path) -> None:
    path = damage(data_folder)
    before = path.read_bytes()
    refused = run("skip", path.parent, answer="n\n")
    assert refused.exit_code == 1
    assert path.read_bytes() == before
    assert run("skip", path.parent, answer="y\n").exit_code == 0
    assert run("verify", data_folder).exit_code == 0
    assert run("skip", path, "--yes").exit_code == 1  # there is nothing left to skip
    shown = objects(run("dump", path, "-r", "--json"))
    assert [each["records"] for each in shown if each["kind"] == "batch"] == [0, 1, 1, 1]


def test_skip_takes_one_partition(data_folder: Path) -> None:
    assert run("skip", data_folder).exit_code == 2
    assert run("skip", data_folder / "broker-1" / "orders-0", "--position", 0).exit_code == 2


def test_copy_moves_whole_partitions_and_refuses_broken_ones(data_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "other"
    assert run("copy", data_folder / "broker-1", target, "--partition", "orders-1").exit_code == 0
    assert run("verify", target).exit_code == 0
    assert sorted(each.name for each in target.iterdir() if each.is_dir()) == ["orders-1"]
    again = run("copy", data_folder / "broker-1", target, "--partition", "orders-1")
    assert again.exit_code == 1
    assert "already" in again.output
    assert run("copy", data_folder / "broker-1", target, "--partition", "orders-1", "--replace").exit_code == 0
    assert run("copy", data_folder / "broker-1", target, "--partition", "nothing-0").exit_code == 1
    damage(data_folder)
    assert run("copy", data_folder / "broker-1", target, "--partition", "orders-0").exit_code == 1
    assert run("copy", data_folder / "broker-1", target, "--partition", "orders-0", "--force").exit_code == 0


@pytest.mark.parametrize("command", ["dump", "verify", "skip"])
def test_a_folder_that_is_in_use_is_refused(command: str, data_folder: Path) -> None:
    held = os.open(data_folder / ".lock", os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        result = run(command, data_folder / "broker-1" / "orders-0")
        assert result.exit_code == 1
        assert "1234" in result.output
    finally:
        os.close(held)


def test_a_path_without_partitions_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("x")
    assert run("dump", tmp_path).exit_code == 1
    assert run("dump", tmp_path / "some.txt").exit_code == 1
