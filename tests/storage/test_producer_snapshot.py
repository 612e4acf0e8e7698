"""Producer snapshots: Kafka's entries, and behind them the older batches that Kafka forgets."""

from __future__ import annotations

import pytest

from millrace.base.checksum import crc32c
from millrace.base.errors import StorageFault
from millrace.storage.producer_snapshot import decode_snapshot, encode_snapshot
from millrace.storage.producers import Producer, ProducerStates


def states() -> ProducerStates:
    first = Producer(0)
    for index in range(7):
        first.on_batch(index * 2 + 1, 100 + index * 2 + 1, 1, 1000 + index)
    second = Producer(3)
    second.on_batch(4, 9, 4, 5)
    found = ProducerStates("orders-0")
    found.restore({7: first, 9: second}, 114)
    return found


def test_the_last_five_batches_come_back() -> None:
    before = states()
    after = decode_snapshot("s", bytes(encode_snapshot(before)))
    for producer_id, producer in before.items():
        assert after[producer_id].fields() == producer.fields()
        assert list(after[producer_id].batches()) == list(producer.batches())
    assert len(list(after[7].batches())) == 5


def test_a_snapshot_that_apache_kafka_wrote_has_no_older_batches() -> None:
    content = bytes.fromhex("00010000000000000001") + bytes.fromhex(
        "000000000000000700000000000d00000000000000710000000100000000000003eeffffffffffffffffffffffff"
    )
    crc = crc32c(content[6:])
    content = content[:2] + crc.to_bytes(4, "big") + content[6:]
    found = decode_snapshot("s", content)
    assert list(found[7].batches()) == [(13, 113, 1, 1006)]


@pytest.mark.parametrize("cut", [1, 10, 20, 40, 100])
def test_a_torn_snapshot_is_found(cut: int) -> None:
    content = bytes(encode_snapshot(states()))
    with pytest.raises(StorageFault):
        decode_snapshot("s", content[:-cut])
