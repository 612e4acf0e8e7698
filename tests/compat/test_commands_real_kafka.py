"""The commands work against Apache Kafka, too: the same tests, pointed at it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import apache_kafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]

TESTS = ("tests/cli/test_topics.py", "tests/cli/test_produce_consume.py", "tests/cli/test_groups.py")
HOUSE = Path(__file__).resolve().parents[2]


@pytest.mark.timeout(600)
def test_the_commands_work_on_apache_kafka(tmp_path: Path) -> None:
    settings = {"group.initial.rebalance.delay.ms": "0", "offsets.topic.num.partitions": "4"}
    with apache_kafka.ApacheKafka(tmp_path, settings) as kafka:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
            cwd=HOUSE,
            env={**os.environ, "MILLRACE_TESTS_ON": kafka.bootstrap},
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stdout
