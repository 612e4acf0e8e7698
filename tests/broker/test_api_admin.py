"""The admin APIs answer as Apache Kafka does; the same checks run on Apache Kafka in ``tests/compat``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.broker import admin_checks, config_checks
from tests.broker.stand_in import AskStandIn, StandIn


@pytest.mark.parametrize("check", admin_checks.CHECKS, ids=lambda check: check.__name__)
def test_topics(check: Callable[[admin_checks.Ask], None]) -> None:
    check(AskStandIn(StandIn()))


@pytest.mark.parametrize("check", config_checks.CHECKS, ids=lambda check: check.__name__)
def test_configs(check: Callable[[admin_checks.Ask], None]) -> None:
    check(AskStandIn(StandIn()))
