"""Apache Kafka passes the checks that our admin APIs are tested with: they say what it does, not what we think."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from millrace.kafka import messages
from tests.broker import admin_checks, config_checks, record_checks
from tests.broker.wire_ask import WireAsk
from tools.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.real_kafka, pytest.mark.slow]


POLLS_MAX = 10_000
MUTATING_KEYS = (19, 20, 33, 37, 44)
ALL_CHECKS = admin_checks.CHECKS + config_checks.CHECKS + record_checks.CHECKS


class AskKafka(WireAsk):
    """Kafka answers when a change is committed; its broker shows it a moment later, and here that is waited for."""

    _settled = 0

    def __call__(self, request: Any, version: int) -> Any:
        response = super().__call__(request, version)
        if type(request).KEY in MUTATING_KEYS:
            # Metadata is applied in order, one publication after the other: when a topic made after another one was
            # seen is seen too, the publication with the first one is through.
            for _ in range(2):
                AskKafka._settled += 1
                self._see(f"settled-{AskKafka._settled}")
        return response

    def _see(self, name: str) -> None:
        topic = admin_checks.new_topic(name)
        super().__call__(messages.CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 7)
        wanted = messages.MetadataRequest.MetadataRequestTopic(name=name)
        for _ in range(POLLS_MAX):
            request = messages.MetadataRequest(topics=[wanted], allow_auto_topic_creation=False)
            if super().__call__(request, 12).topics[0].error_code == 0:
                return
        raise AssertionError(f"topic {name} is not seen")


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ApacheKafka(tmp_path_factory.mktemp("kafka")) as kafka:
        ask = AskKafka(kafka.bootstrap, is_kafka=True)
        request = messages.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
        assert any(ask(request, 5).error_code == 0 for _ in range(POLLS_MAX)), "no producer ids"
        ask.close()
        yield kafka.bootstrap


@pytest.mark.parametrize("check", ALL_CHECKS, ids=lambda check: check.__name__)
def test_kafka_passes(check: Callable[[admin_checks.Ask], None], bootstrap: str) -> None:
    ask = AskKafka(bootstrap, is_kafka=True)
    try:
        check(ask)
    finally:
        ask.close()
