"""What it costs to look into record batches: microseconds a thousand records, best of several runs.

python -m tools.measure_records
"""

from __future__ import annotations

import json
import os
import random
import sys
import timeit
from collections.abc import Callable

from millrace.kafka import compression
from millrace.kafka.batch import Batch
from millrace.kafka.record import NewRecord, build_batch, check_lengths, check_records, iter_records, record_keys

LIMIT_BYTES = 1 << 30
SHAPES = ((1000, 100), (1000, 1000), (128, 1000), (100, 10_000))
RUNS = 7


def microseconds(call: Callable[[], object], repeat: int) -> float:
    return min(timeit.repeat(call, number=repeat, repeat=RUNS)) / repeat * 1e6


def walks() -> None:
    print(f"{'records of':>14} {'header+crc':>11} {'lengths':>9} {'keys':>9} {'all':>9} {'full':>9} {'build':>9}")
    for count, size in SHAPES:
        records = [NewRecord(b"key-%06d" % number, random.randbytes(size)) for number in range(count)]
        batch = Batch(memoryview(build_batch(records, timestamp_ms=1_700_000_000_000)))
        repeat = max(3, 20_000 // count)
        calls: list[Callable[[], object]] = [
            lambda batch=batch: Batch(batch.buffer).is_valid_crc,
            lambda batch=batch: check_lengths(batch),
            lambda batch=batch: record_keys(batch, LIMIT_BYTES),
            lambda batch=batch: list(iter_records(batch, LIMIT_BYTES)),
            lambda batch=batch: check_records(batch, LIMIT_BYTES),
            lambda records=records: build_batch(records, timestamp_ms=0),
        ]
        costs = [microseconds(call, repeat) / count * 1000 for call in calls]
        print(f"{count:>6} x {size:>5} {costs[0]:>11.1f} " + " ".join(f"{cost:>9.1f}" for cost in costs[1:]))


def codecs() -> None:
    chance = random.Random(1)
    plain = b"".join(
        json.dumps({"id": number, "sensor": f"s-{chance.randrange(50)}", "value": chance.random()}).encode()
        for number in range(3000)
    )
    print(f"\n{'codec':>8} {'ratio':>6} {'compress':>12} {'decompress':>12}")
    for codec in range(1, compression.ZSTD + 1):
        packed = compression.compress(codec, plain)
        there = len(plain) / microseconds(lambda codec=codec: compression.compress(codec, plain), 20)
        back = len(plain) / microseconds(lambda c=codec, p=packed: compression.decompress(c, p, LIMIT_BYTES), 20)
        ratio = len(plain) / len(packed)
        print(f"{compression.NAMES[codec]:>8} {ratio:>6.2f} {there:>7.0f} MB/s {back:>7.0f} MB/s")


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores; microseconds a thousand records\n")
    walks()
    codecs()
