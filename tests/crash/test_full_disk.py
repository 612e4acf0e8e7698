"""Disks that are full or fail while producers write: theirs is refused, all else goes on, nothing acknowledged is lost.

The full disk is a real one: a small file system in memory, mounted where the tests run as root, and skipped elsewhere.
"""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from millrace.kafka import codes
from millrace.testing.faulty_disk import DiskSwitch, FaultyDisk
from millrace.testing.thread_host import ThreadHost
from tests.clients.wire import Wire
from tests.crash import asking
from tools.our_broker import OurBroker

MIB = 1 << 20
SIZE_MIB = 20
BALLAST_BYTES = 4 * MIB
VALUE = b"." * 100_000
ANSWER_S = 30.0
CONFIG = {"offsets.topic.num.partitions": "1", "log.cleaner.enable": "false"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "millrace-test", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount on this machine")
    if mounted.returncode:
        pytest.skip(f"cannot mount a small file system: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


class Filler:
    """Writes to a topic until it is refused; keeps what was acknowledged."""

    def __init__(self, wire: Wire, topic: str) -> None:
        self.wire = wire
        self.topic = topic
        self.acknowledged: dict[int, bytes] = {}
        self._count = 0

    def write(self) -> int:
        value = b"%s:%d" % (self.topic.encode(), self._count) + VALUE
        self._count += 1
        answer = asking.produce(self.wire, self.topic, [value], -1)
        if not answer.code:
            self.acknowledged[answer.value] = value
        return answer.code

    def fill(self) -> None:
        for _ in range(2 * SIZE_MIB * MIB // len(VALUE)):
            code = self.write()
            if code:
                assert code == codes.KAFKA_STORAGE_ERROR, f"a full disk was answered with error code {code}"
                return
        raise AssertionError("the disk took more than there was room for")

    def check(self, wire: Wire) -> None:
        _, records = asking.read_all(wire, self.topic)
        found = dict(records)
        for offset, value in self.acknowledged.items():
            assert found.get(offset) == value, f"{self.topic}: the record acknowledged at {offset} is not there"


def test_a_full_disk_refuses_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(BALLAST_BYTES))
    base_dir = small_disk.parent / "broker"
    broker = OurBroker(base_dir, {**CONFIG, "log.dirs": str(small_disk / "here")}).start()
    try:
        with Wire(broker.bootstrap) as wire:
            assert asking.create_topic(wire, "filled", 1, {"internal.segment.bytes": "3000000"}).code == 0
            assert asking.find_coordinator(wire, "g").code in (0, codes.COORDINATOR_NOT_AVAILABLE)
            asking.patiently(lambda: asking.commit_offset(wire, "g", "filled", 1))
            filler = Filler(wire, "filled")
            filler.fill()
            assert len(filler.acknowledged) > 100, "the disk was full too early"
            filler.check(wire)  # consumers go on reading
            exhaust(small_disk)
            committed = commit_until_refused(wire)
            assert asking.committed_offset(wire, "g", "filled") == committed
            filler.check(wire)
            ballast.unlink()
            wait_until(lambda: filler.write() == 0, "the disk has room again")
            wait_until(
                lambda: asking.commit_offset(wire, "g", "filled", 1_000).code == 0, "offsets are committed again"
            )
        broker.kill()
        broker.start()
        with Wire(broker.bootstrap) as wire:
            filler.check(wire)
            assert asking.committed_offset(wire, "g", "filled") == 1_000
        assert broker.stop() == 0
    finally:
        broker.kill()
    assert "Traceback" not in broker.last_output(1000)


def commit_until_refused(wire: Wire) -> int:
    """Fill what is left of the last page; the last offset that was acknowledged."""
    for offset in range(2, 500):
        code = asking.commit_offset(wire, "g", "filled", offset).code
        if code:
            assert code == codes.NOT_COORDINATOR, f"refused with code {code}"  # what Kafka makes of a storage error
            return offset - 1
    raise AssertionError("offsets are committed on a full disk, and there is no end of it")


def exhaust(folder: Path) -> None:
    """Take the last whole pages, so that also small records soon have no room."""
    with contextlib.suppress(OSError), (folder / "rest").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1_000))


def wait_until(condition: Any, what: str) -> None:
    """``condition`` asks the broker, so this takes no more turns than it has answers for."""
    deadline = time.monotonic() + ANSWER_S
    while not condition():
        assert time.monotonic() < deadline, f"not within {ANSWER_S} s: {what}"


def test_the_other_folder_goes_on_when_one_is_full(small_disk: Path) -> None:
    large = small_disk.parent / "large"
    base_dir = small_disk.parent / "broker"
    broker = OurBroker(base_dir, {**CONFIG, "log.dirs": f"{large},{small_disk / 'here'}"}).start()
    try:
        with Wire(broker.bootstrap) as wire:
            fillers = make_in_both(wire, [large, small_disk / "here"])
            fillers[1].fill()
            for _ in range(10):
                assert fillers[0].write() == 0, "the folder with room refuses"
                assert fillers[1].write() == codes.KAFKA_STORAGE_ERROR
            for filler in fillers:
                filler.check(wire)
        broker.kill()
        broker.start()  # with the one folder as full as it was
        with Wire(broker.bootstrap) as wire:
            for filler in fillers:
                filler.check(wire)
            fillers[0].wire = wire
            assert fillers[0].write() == 0
        assert broker.stop() == 0
    finally:
        broker.kill()
    assert "Traceback" not in broker.last_output(1000)


def make_in_both(wire: Wire, folders: list[Path]) -> list[Filler]:
    """A topic of one partition in each folder."""
    found: dict[int, Filler] = {}
    for number in range(10):
        name = f"topic-{number}"
        assert asking.create_topic(wire, name, 1, {}).code == 0
        (where,) = [index for index, folder in enumerate(folders) if (folder / "broker-1" / f"{name}-0").is_dir()]
        found.setdefault(where, Filler(wire, name))
        if len(found) == len(folders):
            return [found[index] for index in range(len(folders))]
    raise AssertionError("ten topics went to the same folder")


class OneFails(ThreadHost):
    """A broker in a thread, whose switch turns the disk of one log folder only."""

    def __init__(self, failing: Path) -> None:
        super().__init__()
        self._failing = failing

    def _make_disk(self, root: str, **options: Any) -> FaultyDisk:
        is_failing = Path(root).parent == self._failing
        return FaultyDisk(root, switch=self.switch if is_failing else DiskSwitch(), **options)


@pytest.mark.parametrize(
    ("writes", "told"), [(0, "second/broker-1 fails"), (1, "second/broker-1 is offline")], ids=["write", "flush"]
)
def test_the_other_folder_goes_on_when_one_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, writes: int, told: str
) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    host = OneFails(folders[1])
    settings = {**CONFIG, "listeners": "PLAINTEXT://127.0.0.1:0", "log.dirs": ",".join(map(str, folders))}
    host.start(settings)
    try:
        with Wire(host.endpoints[0].partition("://")[2]) as wire:
            fillers = make_in_both(wire, folders)
            for filler in fillers:
                assert filler.write() == 0
            host.fail_disk(writes, False)
            for _ in range(5):
                assert fillers[1].write() == codes.KAFKA_STORAGE_ERROR
                assert fillers[0].write() == 0
            fillers[0].check(wire)
            host.fail_disk(None, False)
        assert any(told in record.getMessage() for record in caplog.records), caplog.text
        host.kill()
        host.start(settings)
        with Wire(host.endpoints[0].partition("://")[2]) as wire:
            for filler in fillers:
                filler.check(wire)
                filler.wire = wire
                assert filler.write() == 0
    finally:
        host.kill()
