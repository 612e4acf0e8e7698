"""Leader epochs: where each begins and ends, and what truncation leaves of them (KIP-101, KIP-320)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from millrace.base.errors import StorageFault
from millrace.storage.epochs import LeaderEpochs


@dataclass
class Ends:
    log_end_offset: int


def epochs(*entries: tuple[int, int], end: int = 100) -> LeaderEpochs:
    found = LeaderEpochs(Ends(end))
    for epoch, start in entries:
        found.assign(epoch, start)
    return found


def test_an_epoch_is_assigned_once_and_in_order() -> None:
    found = epochs((1, 0), (1, 5), (0, 6), (3, 20))
    assert found.entries() == [(1, 0), (3, 20)]
    assert found.latest == 3
    found.assign(4, 20)
    assert found.entries() == [(1, 0), (4, 20)], "epoch 3 appended nothing"
    found.assign(-1, 50)
    assert found.latest == 4


def test_the_epoch_of_an_offset() -> None:
    found = epochs((1, 10), (3, 20))
    assert [found.epoch_of(offset) for offset in (9, 10, 19, 20, 1000)] == [-1, 1, 1, 3, 3]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (-1, (-1, -1)),
        (0, (0, 10)),
        (1, (1, 20)),
        (2, (1, 20)),
        (3, (3, 30)),
        (4, (3, 30)),
        (5, (5, 100)),
        (6, (-1, -1)),
    ],
)
def test_the_end_of_an_epoch(asked: int, answer: tuple[int, int]) -> None:
    assert epochs((1, 10), (3, 20), (5, 30)).end_offset_for(asked) == answer


def test_nothing_is_known_of_an_empty_log() -> None:
    assert epochs().end_offset_for(0) == (-1, -1)
    assert epochs().latest == -1


def test_truncation_at_both_ends() -> None:
    found = epochs((1, 10), (3, 20), (5, 30))
    found.truncate_end(30)
    assert found.entries() == [(1, 10), (3, 20)]
    found.truncate_start(15)
    assert found.entries() == [(1, 15), (3, 20)]
    found.truncate_start(20)
    assert found.entries() == [(3, 20)]
    found.truncate_start(5)
    assert found.entries() == [(3, 20)]
    found.clear()
    assert found.entries() == []


def test_the_file_comes_back() -> None:
    before = epochs((1, 10), (3, 20))
    assert before.is_changed
    assert before.encode() == b"0\n2\n1 10\n3 20\n"
    after = epochs()
    after.decode("f", before.encode())
    assert after.entries() == before.entries()
    assert not after.is_changed


@pytest.mark.parametrize(
    "content",
    [b"", b"0\n", b"1\n0\n", b"0\n2\n1 10\n", b"0\n1\n1\n", b"0\n1\nx 1\n", b"0\n2\n3 1\n2 5\n", b"\xff\n0\n"],
)
def test_a_file_that_cannot_be_right_is_a_fault(content: bytes) -> None:
    with pytest.raises(StorageFault):
        epochs().decode("f", content)
