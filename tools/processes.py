"""What a process and its children cost, read from /proc: CPU seconds, memory, open files."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Usage:
    """One reading; CPU counts from the start of each process, ``tree`` is the process with all its descendants."""

    cpu_s: float
    rss_bytes: int
    peak_rss_bytes: int
    tree_cpu_s: float
    tree_rss_bytes: int
    open_files: int


def usage(pid: int) -> Usage:
    family = [pid, *descendants(pid)]
    return Usage(
        cpu_s=cpu_seconds(pid),
        rss_bytes=memory_bytes(pid, "VmRSS"),
        peak_rss_bytes=memory_bytes(pid, "VmHWM"),
        tree_cpu_s=sum(cpu_seconds(member) for member in family),
        tree_rss_bytes=sum(memory_bytes(member, "VmRSS") for member in family),
        open_files=sum(1 for _ in (PROC / str(pid) / "fd").iterdir()),
    )


def stat_fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on: the second, the name, may hold blanks and brackets."""
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()


def cpu_seconds(pid: int) -> float:
    """User and system time, with those of children that have ended and were waited for."""
    fields = stat_fields(pid)
    return sum(int(ticks) for ticks in fields[11:15]) / TICKS_PER_S


def memory_bytes(pid: int, field: str) -> int:
    for line in (PROC / str(pid) / "status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0  # a process that has ended but was not waited for has no memory


def descendants(pid: int) -> Iterator[int]:
    for task in (PROC / str(pid) / "task").iterdir():
        try:
            children = (task / "children").read_text().split()
        except OSError:  # the thread has ended in between
            continue
        for child in children:
            yield int(child)
            yield from descendants(int(child))


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def child_setup(open_files_max: int | None = None) -> Callable[[], None]:
    """What runs in a child before its program: it dies with its parent, and may have a limit of open files."""
    libc = ctypes.CDLL(None, use_errno=True)

    def set_up() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if open_files_max is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files_max, open_files_max))

    return set_up
