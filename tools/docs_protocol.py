"""The table of requests in ``docs/compatibility.md``: from the router, and from what clients were seen to send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from millrace.broker.apis import APIS
from millrace.kafka import messages

CLIENTS_FILE = Path(__file__).resolve().parent.parent / "docs" / "clients.json"


def protocol_table() -> str:
    """What is answered, with the versions here and in Kafka, who asked for it, and what is not answered."""
    served = {api.key: api for api in APIS}
    clients: dict[str, Any] = json.loads(CLIENTS_FILE.read_text(encoding="utf8"))
    names = [f"{name} {facts['version']}" for name, facts in clients.items()]
    head = ["key", "request", "here", "Kafka 4.3.1", *names]
    lines = [
        "Versions that are answered here, that Kafka's broker answers, and that each client was seen to send in a",
        "workout that checks its answers (`python -m tools.exercised`).",
        "",
        f"| {' | '.join(head)} |",
        "|" + "---|" * len(head),
    ]
    for key, api in sorted(served.items()):
        cells = [str(key), api.name, _range(api.min_version, api.max_version), _range(*messages.stable_versions(key))]
        cells += [", ".join(map(str, facts["requests"].get(str(key), []))) for facts in clients.values()]
        lines.append(f"| {' | '.join(cells)} |")
    offered = [key for key in messages.API_KEYS if "broker" in messages.listeners(key) and _is_stable(key)]
    missing = [messages.api_name(key) for key in sorted(offered) if key not in served]
    lines += ["", f"{len(served)} requests are answered. Kafka's broker answers these too, which are not built yet and"]
    lines += [f"not advertised: {', '.join(missing)}.", ""]
    return "\n".join(lines)


def _range(first: int, last: int) -> str:
    return f"{first} to {last}" if first < last else str(first)


def _is_stable(key: int) -> bool:
    first, last = messages.stable_versions(key)
    return first <= last
