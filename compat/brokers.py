"""The two brokers that are compared, by their short names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.apache_kafka import ApacheKafka
from tools.broker_process import BrokerProcess
from tools.our_broker import OurBroker
from tools.processes import free_port

OURS = "ours"
APACHE = "apache"
KINDS = (OURS, APACHE)
# As the suites' own brokers are set up: number 0, an address that is advertised by configuration, no wait for members
# before a group's first rebalance.
SUITE_CONFIG = {"node.id": "0", "group.initial.rebalance.delay.ms": "0"}


def make(kind: str, folder: Path, config: Mapping[str, str] | None = None, port: int = 0) -> BrokerProcess:
    port = port or free_port()
    settings = {**SUITE_CONFIG, "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}", **(config or {})}
    broker = OurBroker(folder, settings) if kind == OURS else ApacheKafka(folder, settings)
    broker.port = port
    return broker
