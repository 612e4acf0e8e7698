"""The place where a row runs: a broker of one of the two kinds, its folder, and how large the loads are."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools.apache_kafka import ApacheKafka
from tools.broker_process import BrokerProcess
from tools.our_broker import OurBroker

OURS = "ours"
APACHE = "apache"


@dataclass(slots=True)
class Lab:
    """What a row is given. ``scale`` multiplies the size of the large loads, ``quick`` shortens the others."""

    kind: str
    work_dir: Path
    scale: float = 1.0
    quick: bool = False
    kafka_heap_mb: int = 1024
    shared_broker: BrokerProcess | None = None
    topic_count: int = 0
    notes: dict[str, object] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        return self.kind == OURS

    @property
    def broker(self) -> BrokerProcess:
        assert self.shared_broker is not None, "a row that starts its own broker asked for the shared one"
        return self.shared_broker

    def count(self, full: int, quick: int) -> int:
        """A load that is shortened by --quick only."""
        return quick if self.quick else full

    def scaled(self, full: int, least: int = 1) -> int:
        """A load that --scale makes smaller (and --quick by another factor of twenty)."""
        return max(least, int(full * self.scale * (0.05 if self.quick else 1)))

    def topic(self) -> str:
        """A name that this run has not used."""
        self.topic_count += 1
        return f"bench-{self.topic_count}"

    def note(self, name: str, value: object) -> None:
        """Something for the JSON file that is no measure: counts, sizes."""
        self.notes[name] = value

    def make_broker(
        self, folder: Path, config: Mapping[str, str] | None = None, open_files_max: int | None = None
    ) -> BrokerProcess:
        if self.is_ours:
            return OurBroker(folder, config, open_files_max=open_files_max)
        return ApacheKafka(folder, config, self.kafka_heap_mb, open_files_max=open_files_max)

    @contextmanager
    def fresh_broker(
        self, config: Mapping[str, str] | None = None, open_files_max: int | None = None, *, start: bool = True
    ) -> Iterator[BrokerProcess]:
        """A broker of its own in an empty folder, both gone at the end; with ``start=False`` only prepared."""
        folder = Path(tempfile.mkdtemp(prefix=f"{self.kind}-", dir=self.work_dir))
        broker = self.make_broker(folder, config, open_files_max)
        try:
            if start:
                broker.start()
            else:
                broker.prepare()
            yield broker
        finally:
            broker.kill()
            shutil.rmtree(folder, ignore_errors=True)


def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = 120.0, poll_s: float = 0.02) -> float:
    """Wait for a condition; the seconds it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > timeout_s:
            raise TimeoutError(f"{what}: not within {timeout_s:.0f} s")
        time.sleep(poll_s)
    return time.monotonic() - began


def drop_page_cache(folder: Path) -> int:
    """Have the kernel forget the contents of all files below a folder; the bytes they hold."""
    os.sync()
    total = 0
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            total += os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
    return total
