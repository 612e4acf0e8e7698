"""Apache Kafka passes the checks that our group APIs are tested with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.broker import group_checks
from tests.broker.wire_ask import WireAsk
from tests.compat.test_admin_oracle import AskKafka
from tools.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    config = {"group.initial.rebalance.delay.ms": "0", "offsets.topic.num.partitions": "4"}
    with ApacheKafka(tmp_path_factory.mktemp("kafka"), config) as kafka:
        yield kafka.bootstrap


@pytest.mark.parametrize("check", group_checks.CHECKS, ids=lambda check: check.__name__)
def test_kafka_passes(check: Callable[[group_checks.Connect], None], bootstrap: str) -> None:
    opened: list[WireAsk] = []

    def connect() -> WireAsk:
        opened.append(AskKafka(bootstrap, is_kafka=True))
        return opened[-1]

    try:
        check(connect)
    finally:
        for each in opened:
            each.close()
