"""The table of requests in ``docs/compatibility.md``, from the router's own registry."""

from __future__ import annotations

from millrace.broker.apis import APIS
from millrace.kafka import messages


def protocol_table() -> str:
    """What is answered, with the versions here and in Kafka, and what is not."""
    served = {api.key: api for api in APIS}
    lines = ["| key | request | versions here | in Kafka 4.3.1 |", "|---|---|---|---|"]
    for key, api in sorted(served.items()):
        kafka = messages.stable_versions(key)
        lines.append(f"| {key} | {api.name} | {api.min_version} to {api.max_version} | {kafka[0]} to {kafka[1]} |")
    offered = [key for key in messages.API_KEYS if "broker" in messages.listeners(key)]
    missing = [messages.api_name(key) for key in sorted(offered) if key not in served and _is_stable(key)]
    lines += ["", f"{len(served)} requests are answered. Kafka's broker answers these too, which are not built yet and"]
    lines += [f"not advertised: {', '.join(missing)}.", ""]
    return "\n".join(lines)


def _is_stable(key: int) -> bool:
    first, last = messages.stable_versions(key)
    return first <= last
