"""The admin checks against a whole broker with its disk and its sockets, as a client meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from millrace.testing.broker import Broker
from tests.broker import admin_checks, config_checks, record_checks
from tests.broker.wire_ask import WireAsk

CHECKS = admin_checks.CHECKS + config_checks.CHECKS + record_checks.CHECKS


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(config={"offsets.topic.num.partitions": "50"}) as started:
        yield started


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_as_a_client(check: Callable[[admin_checks.Ask], None], broker: Broker) -> None:
    ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
    try:
        check(ask)
    finally:
        ask.close()


def test_metadata_survives_a_restart() -> None:
    with Broker() as broker:
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        admin_checks.create(ask, admin_checks.new_topic("kept", 3, configs={"retention.ms": "5"}))
        admin_checks.create(ask, admin_checks.new_topic("gone"))
        before = admin_checks.describe_topic(ask, "kept")
        admin_checks.delete(ask, admin_checks.doomed("gone"))
        config_checks.change(ask, (config_checks.BROKER, "", [("log.cleaner.threads", config_checks.SET, "3")]))
        ask.close()
        broker.restart()
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        assert admin_checks.describe_topic(ask, "kept") == before
        assert admin_checks.describe_topic(ask, "gone").error_code == 3
        assert config_checks.own_values(ask, "kept") == {"retention.ms": "5"}
        assert config_checks.values(ask, config_checks.BROKER, "")["log.cleaner.threads"] == ("3", 3)
        ask.close()
