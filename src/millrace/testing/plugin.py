"""The pytest plug-in: ``millrace_broker``, one broker for the whole session, and ``millrace_topic``, a fresh name.

Installing the package is enough; a test takes a fixture by its name. Nothing is imported or started for who does not.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from millrace.testing.broker import Broker

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def millrace_broker() -> Iterator[Broker]:
    """A broker in a thread; ``millrace_broker.bootstrap_servers`` is for any Kafka client."""
    import millrace

    with millrace.Broker() as broker:
        yield broker


@pytest.fixture
def millrace_topic(request: pytest.FixtureRequest) -> str:
    """A topic name that no other test of this session has; the topic is made by its first use."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", request.node.name).strip("-")[:180]
    return f"{name}-{next(_numbers)}"
