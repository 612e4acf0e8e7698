"""Feeds anything to the decoders of all messages: each returns a message or raises PeerError, never anything else.

What comes back as a message is encoded and decoded again and must be the same. A decoder that hangs is shown by a
traceback; one that allocates by an announced length runs into the limit on the address space.

    python -m tests.kafka.fuzz_messages [--seconds 60] [--seed 1]
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import resource
import sys
import time
from collections import Counter

from millrace.base.errors import PeerError
from millrace.kafka.messages import decode, encode
from millrace.schema.classes import Body
from tests.kafka.sample_messages import all_pairs, sample

HANG_S = 30
HEADROOM_BYTES = 512 << 20
ROUND = 2000

LYING_LENGTHS = [
    b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\x7f", b"\x80\x80\x80\x80\x08",
    b"\xff\xff\xff\xff\xff\xff", b"\xff\xff\x03", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xfe",
    b"\x7f\xff", b"\x80\x00", b"\x00\xff\xff\xff", b"\x80", b"\x00",
]  # fmt: skip


def mutate(content: bytes, chance: random.Random) -> bytes:
    """One to four changes: cut, flip, repeat, insert, overwrite, or nothing but chance."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(changed))
        match chance.randrange(7):
            case 0:
                del changed[at:]
            case 1 if changed:
                changed[at - 1] ^= 1 << chance.randrange(8)
            case 2:
                lie = chance.choice(LYING_LENGTHS)
                changed[at : at + len(lie)] = lie
            case 3:
                changed[at:at] = chance.choice(LYING_LENGTHS)
            case 4:
                changed[at:at] = changed[at : at + chance.randint(1, 30)] * chance.randint(1, 20)
            case 5:
                del changed[at : at + chance.randint(1, 8)]
            case 6:
                changed[at:] = chance.randbytes(chance.randint(0, 60))
    return bytes(changed)


def feed(cls: type[Body], version: int, content: bytes) -> bool:
    """Whether the content was a message; raises whatever a decoder must not raise."""
    try:
        message, end = decode(cls, version, memoryview(content))
    except PeerError:
        return False
    assert 0 <= end <= len(content), f"{cls.NAME} {version} ended at {end} of {len(content)}"
    again, _ = decode(cls, version, encode(message, version))
    same = again == message or repr(again) == repr(message)  # a NaN is not equal to itself, but shows alike
    assert same, f"{cls.NAME} {version}: {content.hex()} is not the same after a second turn"
    return True


def run(seed: int, rounds: int) -> Counter[bool]:
    """Feeds so many inputs; how many were messages and how many were refused."""
    chance = random.Random(seed)
    pairs = all_pairs()
    seen: Counter[bool] = Counter()
    for _ in range(rounds):
        cls, version = chance.choice(pairs)
        content = encode(sample(cls, version, chance.randrange(3)), version)
        seen[feed(cls, version, mutate(content, chance))] += 1
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run(arguments.seed, ROUND)
    with open("/proc/self/statm") as statm:
        in_use = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (in_use + HEADROOM_BYTES, resource.RLIM_INFINITY))
    ends = time.monotonic() + arguments.seconds
    seed, seen = arguments.seed, Counter[bool]()
    while time.monotonic() < ends:
        faulthandler.dump_traceback_later(HANG_S, exit=True)
        seed += 1
        try:
            seen += run(seed, ROUND)
        except BaseException:
            print(f"seed {seed} of python -m tests.kafka.fuzz_messages", file=sys.stderr)
            raise
    faulthandler.cancel_dump_traceback_later()
    print(f"{seen.total()} inputs, {seen[True]} were messages, {seen[False]} were refused, nothing else happened")
    return 0


if __name__ == "__main__":
    sys.exit(main())
