"""The keys of a topic, which may change while it is in use; where one is not set, a broker's key gives its default."""

from __future__ import annotations

from millrace.base.keys import (
    INT_MAX,
    LONG_MAX,
    Change,
    Key,
    Status,
    Type,
    Validator,
    Value,
    at_least,
    between,
    between_or,
    items_of,
    one_of,
)

_MINUTE_MS = 60_000
_HOUR_MS = 3_600_000

COMPRESSION_TYPES = ("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")
TIMESTAMP_TYPES = ("CreateTime", "LogAppendTime")
VALIDATE_RECORDS = ("header", "lengths", "full")
FLUSH_ON_ACK = ("alone", "always", "never")


def _key(
    name: str,
    type: Type,  # noqa: A002
    default: Value,
    valid: Validator | None,
    doc: str,
    *synonyms: tuple[str, int],
    internal: bool = False,
    accepted: str = "",
) -> Key:
    return Key(
        name=name,
        type=type,
        default=default,
        valid=valid,
        doc=doc,
        synonyms=synonyms,
        internal=internal,
        change=Change.CLUSTER,
        status=Status.ACCEPTED if accepted else Status.HONOURED,
        note=accepted,
        as_set=name == "cleanup.policy",
    )


def _refused(
    name: str,
    type: Type,  # noqa: A002
    default: Value,
    valid: Validator | None,
    doc: str,
    note: str,
    *synonyms: tuple[str, int],
) -> Key:
    return Key(
        name=name,
        type=type,
        default=default,
        valid=valid,
        doc=doc,
        status=Status.REFUSED,
        note=note,
        change=Change.CLUSTER,
        synonyms=synonyms,
    )


_NO_TIERS = "there is no tiered storage yet"
_NO_REPLICATION = "there is no replication between brokers yet"

_KEYS = (
    _key(
        "cleanup.policy",
        Type.LIST,
        ("delete",),
        items_of("compact", "delete"),
        "What happens to old segments: `delete` drops them by time and size, `compact` keeps the last record "
        "of each key, both together do both, and an empty list keeps everything.",
        ("log.cleanup.policy", 1),
    ),
    _key(
        "compression.type",
        Type.STRING,
        "producer",
        one_of(*COMPRESSION_TYPES),
        "The codec that batches are stored in. `producer` stores what arrives; any other value makes the "
        "broker compress anew what arrives in another codec.",
        ("compression.type", 1),
    ),
    _key(
        "compression.gzip.level",
        Type.INT,
        -1,
        between_or(1, 9, -1),
        "How hard gzip tries when the broker itself compresses; -1 is the codec's own default.",
        ("compression.gzip.level", 1),
    ),
    _key(
        "compression.lz4.level",
        Type.INT,
        9,
        between(1, 17),
        "How hard lz4 tries when the broker itself compresses.",
        ("compression.lz4.level", 1),
    ),
    _key(
        "compression.zstd.level",
        Type.INT,
        3,
        between(-131072, 22),
        "How hard zstd tries when the broker itself compresses.",
        ("compression.zstd.level", 1),
    ),
    _key(
        "delete.retention.ms",
        Type.LONG,
        24 * _HOUR_MS,
        at_least(0),
        "How long a compacted topic keeps the marker of a deleted key, so that a reader who started at the "
        "beginning sees it.",
        ("log.cleaner.delete.retention.ms", 1),
    ),
    _key(
        "file.delete.delay.ms",
        Type.LONG,
        _MINUTE_MS,
        at_least(0),
        "How long a dropped segment's file stays on disk before it is removed.",
        ("log.segment.delete.delay.ms", 1),
    ),
    _key(
        "flush.messages",
        Type.LONG,
        LONG_MAX,
        at_least(1),
        "Flush the log to stable storage after so many records, also when nobody waits for it.",
        ("log.flush.interval.messages", 1),
    ),
    _key(
        "flush.ms",
        Type.LONG,
        LONG_MAX,
        at_least(0),
        "Flush the log to stable storage when its oldest record that is not flushed yet is so old.",
        ("log.flush.interval.ms", 1),
        ("log.flush.scheduler.interval.ms", 1),
    ),
    _key(
        "index.interval.bytes",
        Type.INT,
        4096,
        at_least(0),
        "How many bytes of records lie between two entries of the offset index.",
        ("log.index.interval.bytes", 1),
    ),
    _key(
        "max.compaction.lag.ms",
        Type.LONG,
        LONG_MAX,
        at_least(1),
        "The longest time that a record stays uncompacted.",
        ("log.cleaner.max.compaction.lag.ms", 1),
    ),
    _key(
        "max.message.bytes",
        Type.INT,
        1_048_588,
        at_least(0),
        "The largest record batch that is accepted, as it arrives.",
        ("message.max.bytes", 1),
    ),
    _key(
        "message.timestamp.after.max.ms",
        Type.LONG,
        _HOUR_MS,
        at_least(0),
        "How far a producer's timestamp may lie after the broker's clock; a batch beyond it is refused.",
        ("log.message.timestamp.after.max.ms", 1),
    ),
    _key(
        "message.timestamp.before.max.ms",
        Type.LONG,
        LONG_MAX,
        at_least(0),
        "How far a producer's timestamp may lie before the broker's clock; a batch beyond it is refused.",
        ("log.message.timestamp.before.max.ms", 1),
    ),
    _key(
        "message.timestamp.type",
        Type.STRING,
        "CreateTime",
        one_of(*TIMESTAMP_TYPES),
        "Whose clock stamps the records: the producer's (`CreateTime`) or the broker's at the append "
        "(`LogAppendTime`).",
        ("log.message.timestamp.type", 1),
    ),
    _key(
        "min.cleanable.dirty.ratio",
        Type.DOUBLE,
        0.5,
        between(0, 1),
        "The part of a compacted log that must be uncompacted before it is worth cleaning.",
        ("log.cleaner.min.cleanable.ratio", 1),
    ),
    _key(
        "min.compaction.lag.ms",
        Type.LONG,
        0,
        at_least(0),
        "The shortest time that a record stays uncompacted.",
        ("log.cleaner.min.compaction.lag.ms", 1),
    ),
    _key(
        "min.insync.replicas",
        Type.INT,
        1,
        at_least(1),
        "How many replicas must have a record before a producer with acks=all is told so.",
        ("min.insync.replicas", 1),
    ),
    _key(
        "preallocate",
        Type.BOOLEAN,
        False,
        None,
        "Reserve a new segment's whole size on disk at once.",
        ("log.preallocate", 1),
        accepted="segments grow as they are written",
    ),
    _key(
        "retention.bytes",
        Type.LONG,
        -1,
        None,
        "The size that a partition is kept at by dropping its oldest segments; -1 is no limit.",
        ("log.retention.bytes", 1),
    ),
    _key(
        "retention.ms",
        Type.LONG,
        168 * _HOUR_MS,
        at_least(-1),
        "The age at which a segment is dropped, by its newest record; -1 is never.",
        ("log.retention.ms", 1),
        ("log.retention.minutes", _MINUTE_MS),
        ("log.retention.hours", _HOUR_MS),
    ),
    _key(
        "segment.bytes",
        Type.INT,
        1 << 30,
        at_least(1 << 20),
        "The size at which a segment is closed and the next begun.",
        ("log.segment.bytes", 1),
    ),
    _key(
        "segment.index.bytes",
        Type.INT,
        10 << 20,
        at_least(4),
        "The size at which a segment's index is full, which closes the segment.",
        ("log.index.size.max.bytes", 1),
    ),
    _key(
        "segment.jitter.ms",
        Type.LONG,
        0,
        at_least(0),
        "The most that chance takes off `segment.ms`, so that many logs do not roll at the same moment.",
        ("log.roll.jitter.ms", 1),
        ("log.roll.jitter.hours", _HOUR_MS),
    ),
    _key(
        "segment.ms",
        Type.LONG,
        168 * _HOUR_MS,
        at_least(1),
        "The age at which a segment is closed even if it is not full, so that retention and compaction can reach it.",
        ("log.roll.ms", 1),
        ("log.roll.hours", _HOUR_MS),
    ),
    _key(
        "unclean.leader.election.enable",
        Type.BOOLEAN,
        False,
        None,
        "Whether a replica that is not in sync may become leader when no other is left, which loses records.",
        ("unclean.leader.election.enable", 1),
        accepted="there is one replica yet",
    ),
    _refused(
        "follower.replication.throttled.replicas",
        Type.LIST,
        (),
        None,
        "Which replicas of the topic are slowed down while they follow.",
        _NO_REPLICATION,
    ),
    _refused(
        "leader.replication.throttled.replicas",
        Type.LIST,
        (),
        None,
        "Which replicas of the topic are slowed down while they are followed.",
        _NO_REPLICATION,
    ),
    _refused(
        "remote.storage.enable",
        Type.BOOLEAN,
        False,
        None,
        "Whether closed segments move to cheaper storage.",
        _NO_TIERS,
    ),
    _refused(
        "remote.log.copy.disable",
        Type.BOOLEAN,
        False,
        None,
        "Stop moving closed segments to cheaper storage.",
        _NO_TIERS,
    ),
    _refused(
        "remote.log.delete.on.disable",
        Type.BOOLEAN,
        False,
        None,
        "Remove what lies in cheaper storage when it is switched off.",
        _NO_TIERS,
    ),
    _refused(
        "local.retention.bytes",
        Type.LONG,
        -2,
        at_least(-2),
        "The size of a partition that stays on the broker's own disk; -2 is as `retention.bytes`.",
        _NO_TIERS,
        ("log.local.retention.bytes", 1),
    ),
    _refused(
        "local.retention.ms",
        Type.LONG,
        -2,
        at_least(-2),
        "How long a segment stays on the broker's own disk; -2 is as `retention.ms`.",
        _NO_TIERS,
        ("log.local.retention.ms", 1),
    ),
    _key(
        "internal.segment.bytes",
        Type.INT,
        None,
        between(1, INT_MAX),
        "Takes the place of `segment.bytes` without its lower limit: for tests.",
        internal=True,
    ),
    _key(
        "millrace.flush.on.ack",
        Type.STRING,
        "alone",
        one_of(*FLUSH_ON_ACK),
        "When an acks=all acknowledgement waits until the record is on stable storage: `alone` when the "
        "leader is the only replica in sync, `always`, or `never`. The cluster's metadata is flushed in any case.",
        ("millrace.flush.on.ack", 1),
    ),
    _key(
        "millrace.validate.records",
        Type.STRING,
        "header",
        one_of(*VALIDATE_RECORDS),
        "How deep a batch is checked when it arrives: its header and CRC, also the lengths of the records of "
        "a batch that is not compressed, or every record.",
        ("millrace.validate.records", 1),
    ),
)

TOPIC_KEYS: dict[str, Key] = {key.name: key for key in _KEYS}
