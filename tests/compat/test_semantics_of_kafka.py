"""The tests of ``tests/clients/test_semantics`` against Apache Kafka: what they expect is what Kafka does."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.clients import test_semantics
from tools.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]

client = test_semantics.client
globals().update({name: found for name, found in vars(test_semantics).items() if name.startswith("test_")})


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    config = {"group.initial.rebalance.delay.ms": "0", "group.min.session.timeout.ms": "1000"}
    with ApacheKafka(tmp_path_factory.mktemp("kafka"), config) as kafka:
        yield SimpleNamespace(bootstrap_servers=kafka.bootstrap)
