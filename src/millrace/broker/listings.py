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
    is_fenced: bool


def reachable_brokers(context: Context, *, fenced: bool = False) -> dict[int, ReachableBroker]:
    """Brokers that have the listener the client uses, by id: the living ones, or with ``fenced`` all."""
    reachable = {}
    for each in context.broker.image.brokers.values():
        endpoint = each.endpoint(context.listener)
        if endpoint is not None and (fenced or not each.fenced):
            reachable[each.id] = ReachableBroker(each.id, endpoint.host, endpoint.port, each.rack, each.fenced)
    return reachable
