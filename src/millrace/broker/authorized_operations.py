"""What an asker may do to a topic, a group or the cluster, as the bit field that answers carry (KIP-430)."""

from __future__ import annotations

from typing import Final

from millrace.broker.api import Context

# Kafka's codes of operations, by the names that Resource uses.
OPERATION_CODES: Final = {
    "read": 3,
    "write": 4,
    "create": 5,
    "delete": 6,
    "alter": 7,
    "describe": 8,
    "cluster_action": 9,
    "describe_configs": 10,
    "alter_configs": 11,
    "idempotent_write": 12,
}
_TOPIC: Final = ("read", "write", "create", "delete", "alter", "describe", "describe_configs", "alter_configs")
_CLUSTER: Final = (
    "create",
    "cluster_action",
    "describe_configs",
    "alter_configs",
    "idempotent_write",
    "alter",
    "describe",
)
_GROUP: Final = ("read", "describe", "delete", "describe_configs", "alter_configs")


def topic_operations(context: Context, name: str) -> int:
    return _bits(context, _TOPIC, "topic", name)


def group_operations(context: Context, group_id: str) -> int:
    return _bits(context, _GROUP, "group", group_id)


def cluster_operations(context: Context) -> int:
    return _bits(context, _CLUSTER, "cluster", "kafka-cluster")


def _bits(context: Context, operations: tuple[str, ...], kind: str, name: str) -> int:
    return sum(1 << OPERATION_CODES[each] for each in operations if context.allows(each, kind, name))
