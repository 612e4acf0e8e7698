"""What a log costs: an append, opening many logs, a restart after a crash, and seeks into what is not in memory.

python -m tools.measure_log [--logs 1000] [--gigabytes 1.0] [--folder DIR]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from millrace.base.checksum import crc32c
from millrace.base.ports import Ticket
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch
from millrace.runtime.disk import RealDisk
from millrace.storage import names
from millrace.storage.file_slice import FileSlice
from millrace.storage.folder import LogFolder
from millrace.storage.log import Log
from millrace.storage.settings import PlainLogConfig

CONFIG = PlainLogConfig()
TOPIC_ID = bytes(range(16))
SMALL_BYTES = 100  # of a record in a batch of its own
SEEKS = 1000
GIGABYTE = 1 << 30


def start(root: Path) -> tuple[RealDisk, LogFolder, dict[tuple[str, int], Log]]:
    """A disk whose completions wait until they are asked for, and the logs on it."""
    disk = RealDisk(root, post=lambda deliver: None)
    folder = LogFolder(disk)
    return disk, folder, folder.load(lambda topic, partition, topic_id: CONFIG, 0)


def create(folder: LogFolder, name: str) -> Log:
    log, ticket = folder.create_log(name, 0, TOPIC_ID, CONFIG, 0)
    folder.disk.finish(ticket)
    return log


@contextmanager
def timed(what: str, per: int = 1) -> Iterator[None]:
    """Print wall and CPU time, of one of ``per`` things."""
    wall, cpu = time.perf_counter(), time.thread_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    unit, scale = ("us", 1e6) if per > 1 else ("s", 1.0)
    print(f"{what:<58} {wall / per * scale:9.3f} {unit} wall {cpu / per * scale:9.3f} {unit} CPU")


def measure_appends(root: Path) -> None:
    disk, folder, _ = start(root)
    for size, count in ((1000, 50_000), (128 * 1024, 4_000)):
        for is_idempotent in (False, True):
            log = create(folder, f"append-{size}-{is_idempotent}")
            options = {"producer_id": 1, "producer_epoch": 0, "base_sequence": 0} if is_idempotent else {}
            content = build_batch([NewRecord(None, bytes(size - 70))], timestamp_ms=1, **options)
            with timed(f"append a batch of {len(content)} B{', idempotent' * is_idempotent}", count):
                for index in range(count):
                    batch = Batch(content)
                    if is_idempotent:
                        batch.base_sequence = index
                        log.producers.check(batch, 0)
                    log.append(batch, 0, 1)
                    if index % 64 == 0:
                        disk.deliver()
            disk.finish(log.flush())
    disk.close()


def measure_many(root: Path, count: int) -> None:
    disk, folder, _ = start(root)
    with timed(f"create {count} logs"):
        tickets = [folder.create_log(f"many{index}", 0, TOPIC_ID, CONFIG, 0) for index in range(count)]
        for _, ticket in tickets:
            disk.finish(ticket)
    content = build_batch([NewRecord(None, bytes(900))], timestamp_ms=1)
    for log, _ in tickets:
        for _ in range(6):
            log.append(Batch(content), 0, 1)
    with timed(f"close {count} logs with six batches each"):
        disk.finish(folder.close(0))
    disk.close()
    with timed(f"open {count} logs after a clean end"):
        disk, folder, logs = start(root)
    assert sum(log.log_end_offset for log in logs.values()) == 6 * count
    disk.close()


def measure_restart(root: Path, gigabytes: float) -> None:
    disk, folder, _ = start(root)
    log = create(folder, "restart")
    content = build_batch(
        [NewRecord(None, bytes(SMALL_BYTES))], timestamp_ms=1, producer_id=1, producer_epoch=0, base_sequence=0
    )
    count = int(gigabytes * GIGABYTE * 0.999) // len(content)
    for index in range(count):
        log.append(Batch(content), 0, 1)
        if index % 256 == 0:
            disk.deliver()
    disk.close()  # as kill -9: nothing is flushed or written any more
    with timed(f"restart after a crash, {count} batches of {len(content)} B in one segment"):
        disk, _, logs = start(root)
    print(f"  {logs['restart', 0].recovered}")
    disk.close()
    (root / names.RECOVERY_POINTS).unlink()
    with timed("the same without a checkpoint: every batch is checked"):
        disk, _, logs = start(root)
    assert logs["restart", 0].log_end_offset == count
    disk.close()


def measure_seeks(root: Path, gigabytes: float) -> None:
    disk, folder, _ = start(root)
    log = create(folder, "seeks")
    content = build_batch([NewRecord(None, bytes(980)) for _ in range(16)], timestamp_ms=0)
    count = int(gigabytes * GIGABYTE) // len(content)
    for index in range(count):
        struct.pack_into(">qq", content, 27, index, index)  # base and largest timestamp
        struct.pack_into(">I", content, 17, crc32c(memoryview(content)[21:]))
        log.append(Batch(content), 0, index)
        if index % 64 == 0:
            disk.deliver()
    disk.finish(folder.close(0))
    disk.close()
    os.sync()
    for path in (root / "seeks-0").iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)
    disk, _, logs = start(root)
    log = logs["seeks", 0]
    chance = random.Random(1)

    def by_offset() -> None:
        found = log.read(chance.randrange(log.log_end_offset), 1 << 20, log.end, True)
        slice_ = disk.finish(found) if isinstance(found, Ticket) else found
        assert isinstance(slice_, FileSlice)
        piece = slice_.next_piece(1 << 16)
        if isinstance(piece, Ticket):
            disk.finish(piece)

    def by_time() -> None:
        assert disk.finish(log.offset_for_time(chance.randrange(count))) is not None

    for what, seek in (("offset", by_offset), ("time", by_time)):
        print_percentiles(f"seek by {what} into {gigabytes} GB, not in memory", seek)
    disk.close()


def print_percentiles(what: str, action: Callable[[], None]) -> None:
    times = []
    for _ in range(SEEKS):
        begin = time.perf_counter()
        action()
        times.append((time.perf_counter() - begin) * 1e3)
    times.sort()
    print(
        f"{what:<58} p50 {times[SEEKS // 2]:.2f} ms, p99 {times[SEEKS * 99 // 100]:.2f} ms, longest {times[-1]:.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--logs", type=int, default=1000)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--folder", default=None, help="where to write; the system's temporary folder")
    arguments = parser.parse_args()
    root = Path(tempfile.mkdtemp(dir=arguments.folder))
    try:
        measure_appends(root / "appends")
        measure_many(root / "many", arguments.logs)
        measure_restart(root / "restart", min(arguments.gigabytes, 1.0))
        measure_seeks(root / "seeks", arguments.gigabytes)
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
