"""The pytest plug-in as a user meets it: two fixtures by name, one broker for all tests, a fresh topic for each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from millrace import Broker

USERS_TESTS = """
from confluent_kafka import Producer

seen = []


def test_a(millrace_broker, millrace_topic):
    producer = Producer({"bootstrap.servers": millrace_broker.bootstrap_servers})
    producer.produce(millrace_topic, b"x")
    assert producer.flush(20) == 0
    seen.append((millrace_broker.bootstrap_servers, millrace_topic))


def test_b(millrace_broker, millrace_topic):
    assert millrace_broker.bootstrap_servers == seen[0][0]
    assert millrace_topic != seen[0][1]
    assert millrace_topic.startswith("test_b-")
"""


def test_the_fixtures_are_there(tmp_path: Path) -> None:
    (tmp_path / "test_users.py").write_text(USERS_TESTS)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", os.fspath(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "2 passed" in run.stdout


def test_who_does_not_take_them_pays_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_users.py").write_text(
        "import sys\n\ndef test_a():\n    assert 'millrace.testing.broker' not in sys.modules\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", os.fspath(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("case", ["plain", "with [brackets] and / more", "ä" * 300])
def test_a_topic_name_is_one(millrace_broker: Broker, millrace_topic: str, case: str) -> None:
    assert 1 <= len(millrace_topic) <= 249
    assert millrace_topic.isascii()
    assert not set(millrace_topic) & set("[]/ ")
