"""The values of all keys: a broker's in three layers as in Kafka, and a topic's as one frozen object for the hot path.

``BrokerConfig`` keeps what the file said, what was set for the cluster and what was set for this broker while running;
the latter win. ``topic_config`` lays a topic's own values over the broker's defaults. Refusals are
:class:`~millrace.base.errors.Refused` with INVALID_CONFIG, whose message is fit for a client and for the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from millrace.base.errors import Refused
from millrace.base.keys import Change, InvalidValue, Key, Status, Value, misspelt
from millrace.base.keys_broker import OWN_BROKER_KEYS
from millrace.base.keys_foreign import FOREIGN_BROKER_KEYS
from millrace.base.keys_group import GROUP_KEYS
from millrace.base.keys_topic import TOPIC_KEYS
from millrace.base.listeners import Listener, parse_address_limits, parse_listeners

INVALID_CONFIG = 40
INVALID_REQUEST = 42
BROKER_KEYS: dict[str, Key] = {**OWN_BROKER_KEYS, **FOREIGN_BROKER_KEYS}
assert len(BROKER_KEYS) == len(OWN_BROKER_KEYS) + len(FOREIGN_BROKER_KEYS), "a broker key is declared in two rooms"

# What old versions of Kafka had, and books still name; with what takes its place.
OLD_NAMES = {
    "compressed.topics": "Kafka 0.8 had it; today each topic has compression.type",
    "compression.codec": "Kafka 0.8 had it; compression.type takes its place",
    "inter.broker.protocol.version": "Kafka 3 had it; versions are negotiated",
    "log.message.format.version": "Kafka 3 had it; records are stored in format v2",
    "zookeeper.connect": "Kafka 3 had it; a broker alone needs no ZooKeeper",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicConfig:
    """What one topic's log must know; each field is the topic key of the same name."""

    cleanup_policy: frozenset[str]
    compression_type: str
    compression_gzip_level: int
    compression_lz4_level: int
    compression_zstd_level: int
    delete_retention_ms: int
    file_delete_delay_ms: int
    flush_messages: int
    flush_ms: int
    flush_on_ack: str
    index_interval_bytes: int
    max_compaction_lag_ms: int
    max_message_bytes: int
    message_timestamp_after_max_ms: int
    message_timestamp_before_max_ms: int
    message_timestamp_type: str
    min_cleanable_dirty_ratio: float
    min_compaction_lag_ms: int
    min_insync_replicas: int
    preallocate: bool
    retention_bytes: int
    retention_ms: int
    segment_bytes: int
    segment_index_bytes: int
    segment_jitter_ms: int
    segment_ms: int
    unclean_leader_election_enable: bool
    validate_records: str

    @property
    def is_compacted(self) -> bool:
        return "compact" in self.cleanup_policy

    @property
    def is_deleted_from(self) -> bool:
        """Whether retention drops segments."""
        return "delete" in self.cleanup_policy


class BrokerConfig:
    """The values of a broker's keys; immutable: a change while running makes a new one."""

    __slots__ = ("_ip_limits", "_topic_defaults", "_values", "cluster", "own", "static", "unknown")

    def __init__(
        self,
        static: Mapping[str, str] | None = None,
        cluster: Mapping[str, str] | None = None,
        own: Mapping[str, str] | None = None,
    ) -> None:
        """``static`` is what the file and the command line said, the others what was set while running."""
        self.static = dict(static or {})
        self.cluster = dict(cluster or {})
        self.own = dict(own or {})
        self.unknown = tuple(name for name in self.static if name not in BROKER_KEYS)
        for name in self.unknown:
            _check_unknown(name)
        try:
            self._values = {key.name: self._value_of(key) for key in BROKER_KEYS.values()}
            _check_together(self)
            self.listeners()
            self._ip_limits = parse_address_limits(self.text("max.connections.per.ip.overrides"))
        except InvalidValue as wrong:
            raise Refused(INVALID_CONFIG, str(wrong)) from None
        self._topic_defaults = _topic_defaults(self)

    def _value_of(self, key: Key) -> Value:
        for layer in (self.own, self.cluster, self.static):
            if key.name in layer:
                value = key.parse(layer[key.name])
                if layer is self.static:
                    _check_refused(key, value)
                return value
        return key.default

    def with_dynamic(self, cluster: Mapping[str, str], own: Mapping[str, str]) -> BrokerConfig:
        """The same broker with other values set while running; raises Refused."""
        return BrokerConfig(self.static, cluster, own)

    def get(self, name: str) -> Any:
        """The value of a key; the name must be declared."""
        return self._values[name]

    def integer(self, name: str) -> int:
        value = self._values[name]
        assert type(value) is int, f"{name} is no integer"
        return value

    def number(self, name: str) -> float:
        value: Any = self._values[name]
        assert type(value) in (int, float), f"{name} is no number"
        return float(value)

    def flag(self, name: str) -> bool:
        value = self._values[name]
        assert isinstance(value, bool), f"{name} is no flag"
        return value

    def text(self, name: str) -> str:
        """A text; the empty one if the key has no value."""
        value = self._values[name]
        assert value is None or isinstance(value, str), f"{name} is no text"
        return value or ""

    def items(self, name: str) -> tuple[str, ...]:
        """A list; the empty one if the key has no value."""
        value = self._values[name]
        assert value is None or isinstance(value, tuple), f"{name} is no list"
        return value or ()

    def is_set(self, name: str) -> bool:
        return name in self.own or name in self.cluster or name in self.static

    def notices(self) -> list[str]:
        """One line for each key that was set and has no effect here, to be said once at start."""
        without_effect = [
            f"{name} has no effect: {BROKER_KEYS[name].note}"
            for name in self.static
            if name in BROKER_KEYS and BROKER_KEYS[name].status is Status.ACCEPTED
        ]
        return without_effect + [
            f"{name} has no effect: {OLD_NAMES.get(name, 'it is no key of ours')}" for name in self.unknown
        ]

    def topic_defaults(self) -> TopicConfig:
        """What a topic without values of its own has; the same object until a broker's key changes."""
        return self._topic_defaults

    def connections_per_ip_max(self, host: str) -> int:
        """The most connections from one address."""
        return self._ip_limits.get(host, self.integer("max.connections.per.ip"))

    def log_dirs(self) -> tuple[str, ...]:
        return self.items("log.dirs") or self.items("log.dir")

    def listeners(self) -> tuple[Listener, ...]:
        """Where to listen and what to tell clients; raises InvalidValue."""
        return parse_listeners(
            self.items("listeners"),
            self.items("advertised.listeners") if self.is_set("advertised.listeners") else None,
            self.text("listener.security.protocol.map"),
            self.items("controller.listener.names"),
            allow_insecure=self.flag("millrace.allow.insecure.listeners"),
        )


_OVERRIDES = {key: key.removeprefix("millrace.").replace(".", "_") for key in TOPIC_KEYS}
_OVERRIDES["internal.segment.bytes"] = "segment_bytes"
_FIELDS = {field.name for field in fields(TopicConfig)}


def topic_config(overrides: Mapping[str, str], broker: BrokerConfig) -> TopicConfig:
    """A topic's values over the broker's defaults; the overrides have passed :func:`validate_topic_overrides`."""
    if not overrides:
        return broker.topic_defaults()
    values = {
        _OVERRIDES[name]: _of_field(TOPIC_KEYS[name], text) for name, text in overrides.items() if name in TOPIC_KEYS
    }
    if "internal.segment.bytes" in overrides:
        values["segment_bytes"] = _of_field(TOPIC_KEYS["internal.segment.bytes"], overrides["internal.segment.bytes"])
    return replace(broker.topic_defaults(), **{name: value for name, value in values.items() if name in _FIELDS})


def validate_topic_override(name: str, value: str | None) -> None:
    """Raise Refused if a topic may not have this value; None stands for a value that was left out."""
    key = TOPIC_KEYS.get(name)
    if key is None:
        near = misspelt(name, TOPIC_KEYS)
        raise Refused(INVALID_CONFIG, f"unknown topic configuration {name}" + (f": is {near} meant?" if near else ""))
    if value is None:
        raise Refused(INVALID_CONFIG, f"{name} must have a value")
    try:
        _check_refused(key, key.parse(value))
    except InvalidValue as wrong:
        raise Refused(INVALID_CONFIG, str(wrong)) from None


def validate_topic_overrides(overrides: Mapping[str, str | None], broker: BrokerConfig) -> None:
    """Raise Refused if a topic may not have these values, one by one or together."""
    for name, value in overrides.items():
        validate_topic_override(name, value)
    config = topic_config({name: value for name, value in overrides.items() if value is not None}, broker)
    if config.min_compaction_lag_ms > config.max_compaction_lag_ms:
        raise Refused(
            INVALID_CONFIG,
            f"min.compaction.lag.ms {config.min_compaction_lag_ms} is above"
            f" max.compaction.lag.ms {config.max_compaction_lag_ms}",
        )


def validate_broker_override(name: str, value: str, *, own: bool) -> None:
    """Raise Refused if a running broker may not take this value, for itself (``own``) or for the whole cluster."""
    key = BROKER_KEYS.get(name)
    if key is None:
        raise Refused(INVALID_REQUEST, f"unknown broker configuration {name}")
    if key.change is Change.RESTART:
        raise Refused(INVALID_REQUEST, f"{name} cannot change while the broker runs")
    if key.change is Change.PER_BROKER and not own:
        raise Refused(INVALID_REQUEST, f"{name} can be set for one broker only, not for the whole cluster")
    try:
        _check_refused(key, key.parse(value))
    except InvalidValue as wrong:
        raise Refused(INVALID_REQUEST, str(wrong)) from None


def validate_group_override(name: str, value: str) -> None:
    """Raise Refused if a group may not have this value; none may yet."""
    key = GROUP_KEYS.get(name)
    if key is None:
        raise Refused(INVALID_CONFIG, f"unknown group configuration {name}")
    try:
        _check_refused(key, key.parse(value))
    except InvalidValue as wrong:
        raise Refused(INVALID_CONFIG, str(wrong)) from None


def _of_field(key: Key, text: str) -> Any:
    value = key.parse(text)
    return frozenset(value) if key.name == "cleanup.policy" and isinstance(value, tuple) else value


def _topic_defaults(broker: BrokerConfig) -> TopicConfig:
    """Each field from the first of the broker's keys for it that has a value, else from the topic key itself."""
    values: dict[str, Any] = {}
    for key in TOPIC_KEYS.values():
        field = _OVERRIDES[key.name]
        if field not in _FIELDS or not key.synonyms:
            continue
        value: Value = key.default
        for name, factor in key.synonyms:
            found = broker.get(name)
            if found is not None:
                value = found * factor if isinstance(found, int) and factor != 1 else found
                break
        values[field] = value
    values["cleanup_policy"] = frozenset(values["cleanup_policy"])
    values["retention_ms"] = max(values["retention_ms"], -1)  # any negative time is "for ever" in a broker's file
    return TopicConfig(**values)


def _check_unknown(name: str) -> None:
    """A slip of the pen must not pass as a key of some plug-in."""
    near = misspelt(name, BROKER_KEYS)
    if near is not None:
        raise Refused(INVALID_CONFIG, f"unknown configuration {name}: is {near} meant?")
    if name.startswith("millrace."):
        raise Refused(INVALID_CONFIG, f"unknown configuration {name}")


def _check_refused(key: Key, value: Value) -> None:
    if key.status is Status.REFUSED and value != key.default:
        raise InvalidValue(f"{key.name} cannot be set: {key.note}")


def _check_together(config: BrokerConfig) -> None:
    """What must hold between keys, or is asked of one key only in a broker's file."""
    if "broker" not in config.items("process.roles"):
        raise InvalidValue("process.roles must contain broker: a controller alone is not built")
    broker_id = config.integer("broker.id")
    if (
        config.is_set("broker.id")
        and broker_id != -1
        and config.is_set("node.id")
        and broker_id != config.integer("node.id")
    ):
        raise InvalidValue(f"broker.id {broker_id} and node.id {config.integer('node.id')} must be equal")
    if config.integer("queued.max.request.bytes") != -1 and config.integer("queued.max.request.bytes") < 1:
        raise InvalidValue("queued.max.request.bytes must be at least 1, or -1 for no limit")
    shortest, longest = config.integer("group.min.session.timeout.ms"), config.integer("group.max.session.timeout.ms")
    if shortest > longest:
        raise InvalidValue(f"group.min.session.timeout.ms {shortest} is above group.max.session.timeout.ms {longest}")
    for name in ("log.retention.ms", "log.retention.minutes", "log.retention.hours"):
        if config.get(name) == 0:
            raise InvalidValue(f"{name} must be above 0, or -1 for no limit")
    if config.integer("log.cleaner.min.compaction.lag.ms") > config.integer("log.cleaner.max.compaction.lag.ms"):
        raise InvalidValue("log.cleaner.min.compaction.lag.ms must not be above log.cleaner.max.compaction.lag.ms")
