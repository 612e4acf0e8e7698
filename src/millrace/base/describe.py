"""What DescribeConfigs tells: the value, where it comes from, and which other keys could have set it (KIP-226)."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile

from millrace.base.config import BROKER_KEYS, BrokerConfig
from millrace.base.keys import Change, Key, Type, format_value
from millrace.base.keys_group import GROUP_KEYS
from millrace.base.keys_topic import TOPIC_KEYS


class Source(enum.IntEnum):
    """Where a value comes from; the numbers are those of DescribeConfigs."""

    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_CLUSTER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    GROUP = 8


@dataclass(frozen=True, slots=True)
class Synonym:
    """One key that could give the value, in the order in which they count."""

    name: str
    value: str | None
    source: Source


@dataclass(frozen=True, slots=True)
class ConfigRow:
    """One key of one resource."""

    name: str
    value: str | None
    source: Source
    synonyms: tuple[Synonym, ...]
    type_code: int
    is_read_only: bool
    is_sensitive: bool
    documentation: str


# The names of the broker's keys that give one value; the first that is set wins.
_SAME_SENSE = {
    name: tuple(synonym for synonym, _ in key.synonyms) for key in TOPIC_KEYS.values() for name, _ in key.synonyms
}


def describe_topic(
    overrides: Mapping[str, str], broker: BrokerConfig, names: Collection[str] | None = None
) -> list[ConfigRow]:
    """The keys of a topic: those asked for, or all."""
    rows = []
    for key in _chosen(TOPIC_KEYS, names, overrides):
        synonyms = _layers(key.synonyms[0][0], broker) if key.synonyms else ()
        if key.name in overrides:
            value = format_value(key.parse(overrides[key.name]))
            synonyms = (Synonym(key.name, value, Source.TOPIC), *synonyms)
        else:
            value = _inherited(key, broker)
        rows.append(_row(key, value, synonyms, read_only=False))
    return rows


def describe_broker(broker: BrokerConfig, names: Collection[str] | None = None) -> list[ConfigRow]:
    """The keys of one broker: those asked for, or all, with what was set that is no key of ours."""
    rows = [
        _row(
            key,
            format_value(broker.get(key.name)),
            _layers(key.name, broker),
            read_only=key.change is Change.RESTART,
        )
        for key in _chosen(BROKER_KEYS, names, {**broker.static, **broker.cluster, **broker.own})
    ]
    # Its value could be a secret for all we know, so it is not told.
    rows += [
        ConfigRow(name, None, Source.STATIC_BROKER, (), 0, True, True, "")
        for name in broker.unknown
        if names is None or name in names
    ]
    return rows


def describe_cluster_defaults(broker: BrokerConfig, names: Collection[str] | None = None) -> list[ConfigRow]:
    """What was set while running for every broker; nothing else is told of the cluster as a whole."""
    rows = []
    for name, text in broker.cluster.items():
        key = BROKER_KEYS.get(name)
        if key is None or (names is not None and name not in names):
            continue
        synonyms = tuple(each for each in _layers(name, broker) if each.source is Source.DYNAMIC_CLUSTER)
        rows.append(_row(key, format_value(key.parse(text)), synonyms, read_only=False))
    return rows


def describe_group(overrides: Mapping[str, str], names: Collection[str] | None = None) -> list[ConfigRow]:
    """The keys of a group: those asked for, or all."""
    rows = []
    for key in _chosen(GROUP_KEYS, names, overrides):
        default = format_value(key.default)
        synonyms: tuple[Synonym, ...] = (Synonym(key.name, default, Source.DEFAULT),)
        value = default
        if key.name in overrides:
            value = format_value(key.parse(overrides[key.name]))
            synonyms = (Synonym(key.name, value, Source.GROUP), *synonyms)
        rows.append(_row(key, value, synonyms, read_only=False))
    return rows


def _chosen(keys: Mapping[str, Key], names: Collection[str] | None, set_names: Mapping[str, str]) -> Iterable[Key]:
    if names is not None:
        return [keys[name] for name in names if name in keys]
    return [key for key in keys.values() if not key.internal or key.name in set_names]


def _layers(name: str, broker: BrokerConfig) -> tuple[Synonym, ...]:
    """All that could give the value of ``name``: layer by layer, and within a layer the names of its sense in order.

    As in Kafka the list begins where ``name`` itself comes first: a coarser unit that was set is not told of the finer
    one that has no value, although it counts.
    """
    found: list[Synonym] = []
    names = _SAME_SENSE.get(name, (name,))
    layers = (
        (broker.own, Source.DYNAMIC_BROKER),
        (broker.cluster, Source.DYNAMIC_CLUSTER),
        (broker.static, Source.STATIC_BROKER),
    )
    for values, source in layers:
        found += [Synonym(each, _shown(each, values[each]), source) for each in names if each in values]
    for each in names:
        default = format_value(BROKER_KEYS[each].default)
        if default is not None:
            found.append(Synonym(each, _shown(each, default), Source.DEFAULT))
    return tuple(dropwhile(lambda synonym: synonym.name != name, found))


def _inherited(key: Key, broker: BrokerConfig) -> str | None:
    """What a topic has that says nothing itself, in the topic key's own unit."""
    for name, factor in key.synonyms:
        value = broker.get(name)
        if value is not None:
            return format_value(value * factor if factor != 1 else value)
    return format_value(key.default)


def _shown(name: str, text: str) -> str | None:
    return None if BROKER_KEYS[name].is_sensitive else text


def _row(key: Key, value: str | None, synonyms: tuple[Synonym, ...], *, read_only: bool) -> ConfigRow:
    return ConfigRow(
        name=key.name,
        value=None if key.is_sensitive else value,
        source=synonyms[0].source if synonyms else Source.DEFAULT,
        synonyms=synonyms,
        type_code=key.type.value,
        is_read_only=read_only,
        is_sensitive=key.type is Type.PASSWORD,
        documentation=key.doc,
    )
