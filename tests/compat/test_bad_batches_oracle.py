"""Apache Kafka answers bad record batches as our table says that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from millrace.kafka import codes
from tests.broker import batch_checks
from tests.broker.wire_ask import WireAsk
from tools.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]
# what Kafka answers while its broker has not yet heard of the topic
PASSING = (codes.UNKNOWN_TOPIC_OR_PARTITION, codes.LEADER_NOT_AVAILABLE, codes.NOT_LEADER_OR_FOLLOWER)
ASKED_MAX = 10_000


def test_kafka_answers_bad_batches_as_the_table_says(tmp_path: Path) -> None:
    with ApacheKafka(tmp_path) as kafka:
        ask = WireAsk(kafka.bootstrap, is_kafka=True)
        batch_checks.create_topics(ask)
        found = {}
        for name, case in batch_checks.CASES.items():
            if name in batch_checks.NO_ANSWER:
                continue
            for _ in range(ASKED_MAX):
                found[name] = batch_checks.produce(ask, batch_checks.topic_of(name), case)
                if found[name] not in PASSING:
                    break
        ask.close()
    assert found == {name: case.code for name, case in batch_checks.CASES.items() if name in found}
