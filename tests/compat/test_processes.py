"""What /proc says of a process and its children."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from tools import processes

HELD_BYTES = 30_000_000
# a child that holds memory, has a child of its own, says when it is ready and ends with its input
PROGRAM = f"""
import subprocess, sys
held = b"x" * {HELD_BYTES}
child = subprocess.Popen([sys.executable, "-c", "import sys; print('up', flush=True); sys.stdin.read()"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_a_tree_is_measured_with_its_children() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=processes.child_setup(open_files_max=77),
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        grandchild = int(parent.stdout.readline())
        measured = processes.usage(parent.pid)
        assert list(processes.descendants(parent.pid)) == [grandchild]
        assert measured.rss_bytes > HELD_BYTES
        assert measured.peak_rss_bytes >= measured.rss_bytes
        assert measured.tree_rss_bytes > measured.rss_bytes
        assert measured.tree_cpu_s >= measured.cpu_s > 0
        assert 3 <= measured.open_files < 77
        limits = (processes.PROC / str(parent.pid) / "limits").read_text()
        assert next(line for line in limits.splitlines() if line.startswith("Max open files")).split()[3] == "77"
        parent.stdin.close()


def test_the_name_of_a_process_may_hold_anything() -> None:
    assert processes.stat_fields(os.getpid())[0] in "RSDZT"
    assert processes.cpu_seconds(os.getpid()) > 0


def test_a_free_port_can_be_listened_on() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", processes.free_port()))
        listener.listen()
