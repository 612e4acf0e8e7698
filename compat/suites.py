"""The clients' suites: where their sources come from, and how each is run against a broker."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from compat.brokers import make
from tools.broker_process import BrokerProcess
from tools.kafka_jars import KAFKA_VERSION, cache_dir
from tools.processes import child_setup

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
TEST_TIMEOUT_S = 120
RUN_TIMEOUT_S = 3 * 3600


@dataclass(frozen=True, slots=True)
class Suite:
    """One client's tests. ``left_out`` are folders and files that are not run, with the reason that is printed."""

    name: str
    version: str
    package: str
    shim: str
    tests: tuple[str, ...]
    left_out: Mapping[str, str]
    arguments: tuple[str, ...]
    broker_config: Mapping[str, str]
    own_broker: bool  # whether the suite starts the broker itself, through its shim

    @property
    def source_variable(self) -> str:
        return f"COMPAT_{self.name.upper().replace('-', '_')}_SOURCE"


KAFKA_PYTHON = Suite(
    name="kafka-python",
    version="3.0.12",
    package="kafka_python",
    shim="compat.shim_kafka_python",
    tests=("test/integration",),
    left_out={
        "test/integration/test_sasl_integration.py": "starts brokers of its own with SASL",
        "test/integration/test_ssl_integration.py": "starts brokers of its own with TLS",
    },
    arguments=(),
    broker_config={"num.partitions": "4", "group.min.session.timeout.ms": "1000"},
    own_broker=False,
)
AIOKAFKA = Suite(
    name="aiokafka",
    version="0.14.0",
    package="aiokafka",
    shim="compat.shim_aiokafka",
    tests=("tests",),
    left_out={
        "tests/test_sasl.py": "needs Kerberos and SASL listeners",
    },
    # the tests marked ssl need certificates that the suite's own image makes; tests without a broker are not collected
    arguments=(f"--docker-image=kafka:2.13_{KAFKA_VERSION}", "--no-pull", "-m", "not ssl", "-W", "default"),
    broker_config={},
    own_broker=True,
)
SUITES = {suite.name: suite for suite in (KAFKA_PYTHON, AIOKAFKA)}


def compat_cache() -> Path:
    return cache_dir() / "compat"


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def environment_python() -> Path:
    """The interpreter of the suites' own environment; made when missing or when the requirements changed."""
    folder = compat_cache() / f"venv-{sys.version_info.major}.{sys.version_info.minor}"
    python, stamp = folder / "bin" / "python", folder / "requirements.txt"
    wanted = REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    say("making the environment of the clients' suites")
    venv.create(folder, with_pip=True, clear=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", REQUIREMENTS], check=True)
    stamp.write_text(wanted)
    return python


def source_of(suite: Suite) -> Path:
    """The unpacked sources with the tests: named by a variable, or cached, or downloaded."""
    named = os.environ.get(suite.source_variable)
    if named:
        return Path(named).resolve()
    folder = compat_cache() / f"{suite.package}-{suite.version}"
    if not (folder / suite.tests[0]).is_dir():
        say(f"fetching the sources of {suite.name} {suite.version}")
        compat_cache().mkdir(parents=True, exist_ok=True)
        fetchers: list[Callable[[Suite, Path], Path]] = [from_package_index, from_project_page]
        for fetch in fetchers:
            with tempfile.TemporaryDirectory(dir=compat_cache()) as scratch:
                unpacked = fetch(suite, Path(scratch))
                if (unpacked / suite.tests[0]).is_dir():  # a source package may come without its tests
                    shutil.rmtree(folder, ignore_errors=True)
                    unpacked.rename(folder)
                    return folder
        raise SystemExit(f"no sources of {suite.name} {suite.version} with tests: set {suite.source_variable}")
    return folder


def from_package_index(suite: Suite, scratch: Path) -> Path:
    command = [environment_python(), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, "--dest", scratch, f"{suite.name}=={suite.version}"], check=True)
    return unpack(next(scratch.glob("*.tar.gz")), scratch)


def from_project_page(suite: Suite, scratch: Path) -> Path:
    """The archive of the release's tag, at the address that the installed package names as its source."""
    for entry in metadata.metadata(suite.name).get_all("Project-URL") or []:
        label, _, address = entry.partition(", ")
        if label == "Source":
            archive = scratch / "source.tar.gz"
            with urllib.request.urlopen(f"{address}/archive/refs/tags/v{suite.version}.tar.gz", timeout=60) as answer:
                archive.write_bytes(answer.read())
            return unpack(archive, scratch)
    return scratch


def unpack(archive: Path, scratch: Path) -> Path:
    with tarfile.open(archive) as members:
        members.extractall(scratch, filter="data")
    return next(path for path in scratch.iterdir() if path.is_dir())


def run(suite: Suite, kind: str, *, only: str = "") -> list[dict[str, object]]:
    """Run a suite against one kind of broker; an outcome for each test."""
    source, python = source_of(suite), environment_python()
    with tempfile.TemporaryDirectory(prefix="millrace-compat-") as scratch:
        folder = Path(scratch)
        outcomes = folder / "outcomes.jsonl"
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COMPAT_OUTCOMES": str(outcomes),
            "COMPAT_BROKER": kind,
            "COMPAT_PYTHON": sys.executable,
            "COMPAT_ROOT": str(ROOT),
            "PATH": f"{stand_in_programs(folder)}{os.pathsep}{os.environ['PATH']}",
        }
        here = tests_alone(suite, source, folder / "suite")
        if suite.own_broker:
            run_pytest(suite, python, here, environment, only)
        else:
            with make(kind, folder / "broker", suite.broker_config) as broker:
                point_at(broker, folder, environment)
                run_pytest(suite, python, here, environment, only)
        return [json.loads(line) for line in outcomes.read_text().splitlines()]


def tests_alone(suite: Suite, source: Path, folder: Path) -> Path:
    """The tests and their settings without the client beside them: the installed client, with its compiled parts, is
    the one to test, and what the tests write must not stay in the sources."""
    top = suite.tests[0].partition("/")[0]
    shutil.copytree(source / top, folder / top)
    shutil.copy(source / "pyproject.toml", folder)
    return folder


def point_at(broker: BrokerProcess, folder: Path, environment: dict[str, str]) -> None:
    """How kafka-python's suite is told of a broker that it does not start."""
    environment["KAFKA_URI"] = f"kafka://{broker.bootstrap}"
    environment["KAFKA_VERSION"] = KAFKA_VERSION
    environment["KAFKA_ROOT"] = str(folder)  # it only looks whether the folder is there


def stand_in_programs(folder: Path) -> Path:
    """aiokafka's set-up calls ``ktutil`` before any test; no test of this run needs what it would make."""
    programs = folder / "bin"
    programs.mkdir()
    true = shutil.which("true")
    assert true is not None
    (programs / "ktutil").symlink_to(true)
    return programs


def run_pytest(suite: Suite, python: Path, source: Path, environment: Mapping[str, str], only: str) -> None:
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "--tb=line",
        "--show-capture=no",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-p", "compat.recorder", "-p", suite.shim, f"--timeout={TEST_TIMEOUT_S}", "--timeout-method=signal"]
    command += [*suite.arguments, *(f"--ignore={path}" for path in suite.left_out)]
    command += ["-k", only] if only else []
    # the outcomes are the recorder's; the exit code says no more than that some failed
    finished = subprocess.run(
        [*command, *suite.tests],
        cwd=source,
        env=dict(environment),
        check=False,
        timeout=RUN_TIMEOUT_S,
        preexec_fn=child_setup(),
    )
    if finished.returncode not in (0, 1):
        say(f"the suite of {suite.name} ended with {finished.returncode}: its outcomes may not be whole")
