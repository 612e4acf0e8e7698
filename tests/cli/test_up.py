"""``millrace up`` as a process: ready, stopped, refused; and ``millrace doctor``."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from confluent_kafka import Producer

from millrace.cli.main import millrace

WAIT_S = 30.0
ANY_PORT = "listeners=PLAINTEXT://127.0.0.1:0"
COMMAND = [sys.executable, "-m", "millrace.cli.main", "up"]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a broker with more options; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def call(*options: str, folder: str = "data") -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, "--data", os.fspath(tmp_path / folder), "--set", ANY_PORT, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield call
    for process in started:
        process.kill()
        process.communicate()


def ready(process: subprocess.Popen[str]) -> str:
    """Wait for the line that says that it serves; the address of its first listener."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("millrace ready "), line or process.communicate()[1]
    return line.split()[2].partition("://")[2]


def refused(*options: str) -> str:
    """What ``up`` says on stderr when it ends with exit code 2, having said nothing on stdout."""
    run = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    lines = run.stderr.splitlines()
    assert lines[-1].startswith("millrace: ")
    return lines[-1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ready_then_stopped_by_a_signal(start: Start, number: signal.Signals) -> None:
    process = start()
    address = ready(process)
    producer = Producer({"bootstrap.servers": address, "log_level": 0})
    producer.produce("topic", b"x")
    assert producer.flush(WAIT_S) == 0
    process.send_signal(number)
    said, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert said == ""
    assert "stopped" in errors.splitlines()[-1]
    assert "ERROR" not in errors


def test_several_listeners_and_ipv6(start: Start) -> None:
    process = start("--set", "listeners=PLAINTEXT://127.0.0.1:0,SIX://[::1]:0",
                    "--set", "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SIX:PLAINTEXT")  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("millrace ready PLAINTEXT://127.0.0.1:")
    six = line.split()[3]
    assert six.startswith("SIX://[::1]:")
    with socket.create_connection(("::1", int(six.rpartition(":")[2])), timeout=WAIT_S):
        pass


def test_a_folder_in_use(start: Start, tmp_path: Path) -> None:
    process = start()
    ready(process)
    said = refused("--data", os.fspath(tmp_path / "data"), "--set", ANY_PORT)
    assert f"is in use by the process with pid {process.pid}" in said


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        listeners = f"listeners=PLAINTEXT://127.0.0.1:{port}"
        said = refused("--data", os.fspath(tmp_path / "data"), "--set", listeners)
        assert f"PLAINTEXT://127.0.0.1:{port}" in said
        metrics = f"millrace.metrics.listener=127.0.0.1:{port}"
        said = refused("--data", os.fspath(tmp_path / "data"), "--set", ANY_PORT, "--set", metrics)
        assert "millrace.metrics.listener" in said


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--set", "log.retntion.ms=1"], "is log.retention.ms meant?"),
        (["--set", "log.retention.ms=soon"], "log.retention.ms"),
        (["--set", "nothing"], "expected NAME=VALUE"),
        (["--set", "listeners=PLAINTEXT://0.0.0.0:0"], "millrace.allow.insecure.listeners"),
        (["--config", "/nowhere/at.all"], "No such file"),
        (["--brokers", "3"], "only 1"),
    ],
)
def test_a_configuration_that_cannot_be_used(options: list[str], named: str, tmp_path: Path) -> None:
    assert named in refused("--data", os.fspath(tmp_path / "data"), *options)
    assert not (tmp_path / "data").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = refused("--data", os.fspath(tmp_path / "file" / "data"), "--set", ANY_PORT)
    assert "Not a directory" in said


def test_a_folder_of_a_newer_version(tmp_path: Path) -> None:
    (tmp_path / "millrace.properties").write_text("format.version=99\n")
    assert "format version 99" in refused("--data", os.fspath(tmp_path), "--set", ANY_PORT)


def test_a_file_of_settings(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "server.properties"
    path.write_text("# a comment\nnum.network.threads=3\nlog.retention.hours = 1\nmillrace.log.format: json\n")
    process = start("--config", os.fspath(path))
    ready(process)
    process.terminate()
    lines = [json.loads(line) for line in process.communicate(timeout=WAIT_S)[1].splitlines()]
    assert any("num.network.threads has no effect" in line["message"] for line in lines)
    assert not any("log.retention.hours" in line["message"] for line in lines)


def test_health_page(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start("--set", f"millrace.metrics.listener=127.0.0.1:{port}")
    ready(process)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=WAIT_S) as page:
        assert page.status == 200
    process.terminate()
    process.communicate(timeout=WAIT_S)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=WAIT_S)


def test_a_bug_ends_the_process_with_exit_code_70(tmp_path: Path) -> None:
    """A planted one: an invariant that breaks while the broker serves."""
    program = (
        "import asyncio, sys\n"
        "from millrace.base.config import BrokerConfig\n"
        "from millrace.runtime import logs, supervisor\n"
        "def broken():\n"
        "    raise AssertionError('planted')\n"
        "def on_ready(endpoints):\n"
        "    print('ready', flush=True)\n"
        "    asyncio.get_running_loop().call_soon(broken)\n"
        "logs.set_up('json', 'info')\n"
        "supervisor.run(BrokerConfig({'log.dirs': sys.argv[1], 'listeners': 'PLAINTEXT://127.0.0.1:0'}), on_ready)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, os.fspath(tmp_path)],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (run.returncode, run.stdout) == (70, "ready\n")
    last = json.loads(run.stderr.splitlines()[-1])
    assert last["level"] == "critical"
    assert "planted" in last["trace"]


def doctor(*options: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    result = CliRunner().invoke(millrace, ["doctor", "--json", *options])
    findings: dict[str, list[tuple[str, str]]] = {}
    for each in json.loads(result.stdout):
        findings.setdefault(each["what"], []).append((each["state"], each["says"]))
    return result.exit_code, findings


def test_doctor_of_a_good_machine(tmp_path: Path) -> None:
    folder = os.fspath(tmp_path / "new")
    code, findings = doctor("--data", folder, "--set", ANY_PORT)
    assert code == 0
    assert findings["Python"][0][0] == "good"
    assert findings[f"folder {folder}"][0] == ("good", "is not there yet and can be made")
    assert any("a flush takes" in says for _, says in findings[f"folder {folder}"])
    assert findings["port"] == [("good", "PLAINTEXT://127.0.0.1:0 is free")]
    human = CliRunner().invoke(millrace, ["doctor", "--data", folder, "--set", ANY_PORT])
    assert human.exit_code == 0
    assert "good    Python: " in human.stdout


def test_doctor_finds_a_taken_port_and_a_strange_folder(tmp_path: Path) -> None:
    (tmp_path / "millrace.properties").write_text("format.version=99\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, findings = doctor("--data", os.fspath(tmp_path), "--set", f"listeners=PLAINTEXT://127.0.0.1:{port}")
    assert code == 1
    assert findings["port"][0][0] == "bad"
    assert findings[f"folder {tmp_path}"][0][0] == "bad"
    assert "99" in findings[f"folder {tmp_path}"][0][1]


def test_doctor_finds_who_uses_a_folder(start: Start, tmp_path: Path) -> None:
    process = start()
    ready(process)
    code, findings = doctor("--data", os.fspath(tmp_path / "data"), "--set", ANY_PORT)
    assert code == 1
    assert findings[f"folder {tmp_path / 'data'}"][0] == ("bad", f"is in use by the process with pid {process.pid}")
