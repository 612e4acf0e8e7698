"""The keys of a group: Kafka has them for its newer group protocols, so all are refused until those are built."""

from __future__ import annotations

from millrace.base.keys import Change, Key, Status, Type, Validator, Value, at_least, one_of

_NO_CONSUMER = "the consumer group protocol of KIP-848 is not built yet"
_NO_SHARE = "share groups (KIP-932) are not built yet"
_NO_STREAMS = "the streams group protocol of KIP-1071 is not built yet"


def _key(name: str, kind: Type, default: Value, valid: Validator | None, doc: str) -> Key:
    note = {"consumer": _NO_CONSUMER, "share": _NO_SHARE, "streams": _NO_STREAMS}[name.partition(".")[0]]
    return Key(
        name=name,
        type=kind,
        default=default,
        valid=valid,
        doc=doc,
        change=Change.CLUSTER,
        status=Status.REFUSED,
        note=note,
    )


_ISOLATION = one_of("read_committed", "read_uncommitted")
_SESSION = "How long a member may be silent before its work goes to others."
_HEARTBEAT = "How often a member must be heard."
_ASSIGNMENT = "The least time between two computations of who has what."

_KEYS = (
    _key("consumer.session.timeout.ms", Type.INT, 45_000, at_least(1), _SESSION),
    _key("consumer.heartbeat.interval.ms", Type.INT, 5000, at_least(1), _HEARTBEAT),
    _key("consumer.assignment.interval.ms", Type.INT, 1000, at_least(0), _ASSIGNMENT),
    _key("share.session.timeout.ms", Type.INT, 45_000, at_least(1), _SESSION),
    _key("share.heartbeat.interval.ms", Type.INT, 5000, at_least(1), _HEARTBEAT),
    _key("share.record.lock.duration.ms", Type.INT, 30_000, at_least(1000), "How long a record stays with its member."),
    _key("share.delivery.count.limit", Type.INT, 5, at_least(2), "How often a record is delivered at the most."),
    _key("share.partition.max.record.locks", Type.INT, 2000, at_least(100), "How many records may be out at once."),
    _key("share.auto.offset.reset", Type.STRING, "latest", None, "Where a new group begins."),
    _key("share.isolation.level", Type.STRING, "read_uncommitted", _ISOLATION, "Whether open transactions are seen."),
    _key("share.renew.acknowledge.enable", Type.BOOLEAN, True, None, "Whether a member may prolong its hold."),
    _key("share.assignment.interval.ms", Type.INT, 1000, at_least(0), _ASSIGNMENT),
    _key("streams.session.timeout.ms", Type.INT, 45_000, at_least(1), _SESSION),
    _key("streams.heartbeat.interval.ms", Type.INT, 5000, at_least(1), _HEARTBEAT),
    _key("streams.num.standby.replicas", Type.INT, 0, at_least(0), "How many warm copies a task's state has."),
    _key(
        "streams.initial.rebalance.delay.ms", Type.INT, 3000, at_least(0), "How long an empty group waits for members."
    ),
    _key("streams.assignment.interval.ms", Type.INT, 1000, at_least(0), _ASSIGNMENT),
)

GROUP_KEYS: dict[str, Key] = {key.name: key for key in _KEYS}
