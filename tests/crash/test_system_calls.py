"""What the kernel is asked, in which order: with acks=all the flush has ended before the answer is sent."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from millrace.kafka import messages
from millrace.kafka.record import NewRecord, build_batch
from tests.clients.wire import Wire
from tools.broker_process import BrokerFailed
from tools.our_broker import OurBroker

CALLS = "fdatasync,fsync,sync_file_range,sendto,sendmsg,write,writev,pwrite64,pwritev,pwritev2,sendfile,splice"
# "PID call(FD<what it is>, ..." and, where another thread came in between, "... <unfinished ...>" with its resumption
BEGUN = re.compile(r"^(?P<thread>\d+) +(?P<call>\w+)\(\d+<(?P<target>.*?)>(?=[,) ])(?P<rest>.*)$")
RESUMED = re.compile(r"^(?P<thread>\d+) +<\.\.\. (?P<call>\w+) resumed>(?P<rest>.*)$")
FLUSHES = ("fdatasync", "fsync")


@contextlib.contextmanager
def traced(pid: int, output: Path) -> Iterator[None]:
    """strace on a process and all its threads while the block runs; skips where it may not look."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("strace is not on this machine")
    command = [program, "-f", "-yy", "-s", "0", "-e", f"trace={CALLS}", "-o", str(output), "-p", str(pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        assert strace.stderr is not None
        first = strace.stderr.readline()
        if "attached" not in first:
            strace.kill()
            pytest.skip(f"strace may not look: {first.strip()}")
        try:
            yield
        finally:
            strace.send_signal(signal.SIGINT)
            strace.stderr.read()


def steps(trace: str, log_file: str, peer: str) -> list[str]:
    """What was done to the log's file and the peer's socket, in order; each call counts when it has returned, but
    for the answer, which counts when it begins."""
    found: list[str] = []
    waiting: dict[str, str] = {}
    for line in trace.splitlines():
        resumed = RESUMED.match(line)
        if resumed is not None:
            step = waiting.pop(resumed["thread"], None)
            if step is not None:
                found.append(step)
            continue
        begun = BEGUN.match(line)
        if begun is None:
            continue
        if begun["target"].endswith(log_file):
            step = "flushed" if begun["call"] in FLUSHES else "written"
        elif peer in begun["target"]:
            found.append("answered")
            continue
        else:
            continue
        if "<unfinished" in begun["rest"]:
            waiting[begun["thread"]] = step
        else:
            found.append(step)
    return found


def produce(wire: Wire, acks: int) -> None:
    request = messages.ProduceRequest
    batch = bytes(build_batch([NewRecord(b"key", b"value")], timestamp_ms=1_700_000_000_000))
    topic = request.TopicProduceData(
        name="orders", partition_data=[request.PartitionProduceData(index=0, records=batch)]
    )
    answer = wire.ask(request(acks=acks, timeout_ms=10_000, topic_data=[topic]), 9)
    assert answer.responses[0].partition_responses[0].error_code == 0


def create(wire: Wire) -> None:
    request = messages.CreateTopicsRequest
    topic = request.CreatableTopic(name="orders", num_partitions=1, replication_factor=1)
    answer = wire.ask(request(topics=[topic], timeout_ms=10_000))
    assert answer.topics[0].error_code == 0


def test_the_flush_has_ended_before_an_answer_to_acks_all_is_sent(tmp_path: Path) -> None:
    with OurBroker(tmp_path) as broker, Wire(broker.bootstrap) as wire:
        create(wire)
        order = {}
        for acks in (-1, 1):
            output = tmp_path / f"acks{acks}.txt"
            with traced(broker.pid, output):
                produce(wire, acks)
            order[acks] = steps(output.read_text(), "/orders-0/00000000000000000000.log", f"{broker.port}->")
    assert order[-1] == ["written", "flushed", "answered"]
    assert order[1][:2] == ["written", "answered"]  # so a flush that is missing would be seen


def test_the_folders_of_a_first_start_are_safe_before_it_serves(tmp_path: Path) -> None:
    """A power cut right after the first acknowledgement must not take the folder that it is in."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("strace is not on this machine")
    output = tmp_path / "start.txt"
    calls = "trace=mkdir,rename,fsync,fdatasync,listen"
    # -D: the broker stays this process's child
    broker = OurBroker(tmp_path, command_prefix=(program, "-D", "-f", "-y", "-e", calls, "-o", str(output)))
    try:
        broker.start()
    except BrokerFailed as failed:
        pytest.skip(f"strace may not look: {failed}")
    finally:
        broker.kill()
    found = output.read_text()
    data = f"{tmp_path}/millrace-data"
    made = found.index(f'mkdir("{data}/broker-1"')
    assert found.index(f"<{data}>) = 0", made) < found.index("listen("), "broker-1 is not safe"
    named = found.index(f'rename("{data}/millrace.properties.tmp"')
    assert "millrace.properties.tmp>) = 0" in found[:named], "the content of millrace.properties is not safe"
    assert found.index(f"<{data}>) = 0", named) < found.index("listen("), "the name of millrace.properties is not safe"
    assert f"<{tmp_path}>) = 0" in found, "the data folder's own name is not safe"
