"""Which brokers a client can reach over the listener it came in by."""

from __future__ import annotations

from typing import NamedTuple

from millrace.broker.api import Context


class ReachableBroker(NamedTuple):
    """One broker at the client's listener."""

    id: int
    host: str
    port: int
    rack: str | None


def reachable_brokers(context: Context) -> dict[int, ReachableBroker]:
    """Living brokers that have the listener the client uses, by id; this broker first if it is among them."""
    broker = context.broker
    reachable = {}
    for each in broker.image.brokers.values():
        endpoint = each.endpoint(context.listener)
        if endpoint is not None and not each.fenced:
            reachable[each.id] = ReachableBroker(each.id, endpoint.host, endpoint.port, each.rack)
    return reachable
