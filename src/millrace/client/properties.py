"""Kafka's client properties, as in a ``client.properties`` file, in the terms of librdkafka.

Most names are the same; some differ, some say in classes and stores of Java what librdkafka says in words and PEM
files, and some have no meaning outside of Java. What cannot be carried over is refused by name: a client that quietly
leaves out half of its security settings is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from millrace.base.properties import BadProperties, parse_properties

ADMIN: Final = "admin"
PRODUCER: Final = "producer"
CONSUMER: Final = "consumer"

_EVERYONE: Final = (ADMIN, PRODUCER, CONSUMER)


class BadClientProperty(ValueError):
    """A property that cannot be used; the message names it and says why."""


Settings = dict[str, object]
_Turn = Callable[[str, str, Settings], None]


def read_client_properties(path: str) -> dict[str, str]:
    """The properties of a file; BadClientProperty if it cannot be read."""
    try:
        with open(path, encoding="utf8") as file:
            return parse_properties(file.read())
    except OSError as error:
        raise BadClientProperty(f"{path}: {error.strerror}") from None
    except (BadProperties, UnicodeDecodeError) as wrong:
        raise BadClientProperty(f"{path}: {wrong}") from None


def librdkafka_settings(properties: Mapping[str, str], kind: str) -> Settings:
    """The settings of one kind of client; properties of the other kinds and of Java alone are left out."""
    settings: Settings = {}
    for name, value in properties.items():
        rule = _RULES.get(name)
        if rule is None:
            if name in _OF_JAVA_ALONE or name.startswith(_PREFIXES_OF_JAVA_ALONE):
                continue
            raise BadClientProperty(f"{name} is no client property that is known here")
        kinds, turn = rule
        if kind in kinds:
            turn(name, value, settings)
    return settings


# -- how one is turned into the other --------------------------------------------------------------------------------


def _same(name: str, value: str, settings: Settings) -> None:
    settings[name] = value


def _renamed(to: str) -> _Turn:
    def turn(_: str, value: str, settings: Settings) -> None:
        settings[to] = value

    return turn


def _kilobytes(to: str) -> _Turn:
    def turn(name: str, value: str, settings: Settings) -> None:
        if not value.isdigit():
            raise BadClientProperty(f"{name}={value}: expected a number of bytes")
        settings[to] = max(int(value) // 1024, 1)

    return turn


_JAAS_OPTION: Final = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))')
_JAAS_MODULES: Final = ("PlainLoginModule", "ScramLoginModule", "OAuthBearerLoginModule")


def _jaas(name: str, value: str, settings: Settings) -> None:
    """``org.apache...ScramLoginModule required username="..." password="...";``"""
    module = value.split(None, 1)[0] if value.strip() else ""
    if not module.endswith(_JAAS_MODULES):
        raise BadClientProperty(f"{name}: expected one of {', '.join(_JAAS_MODULES)} with its options")
    if module.endswith("OAuthBearerLoginModule"):
        return  # its options are properties of their own
    options = {match[1]: match[2] or match[3] or "" for match in _JAAS_OPTION.finditer(value)}
    for option in ("username", "password"):
        if option not in options:
            raise BadClientProperty(f"{name}: {option}= is missing")
        settings[f"sasl.{option}"] = re.sub(r"\\(.)", r"\1", options[option])


def _identification(name: str, value: str, settings: Settings) -> None:
    settings[name] = value.strip().lower() or "none"


def _store_type(name: str, value: str, settings: Settings) -> None:
    if value.upper() not in ("PEM", "PKCS12") or (name == "ssl.truststore.type" and value.upper() != "PEM"):
        raise BadClientProperty(f"{name}={value}: Java's key stores cannot be read here; use PEM")


def _truststore(name: str, value: str, settings: Settings) -> None:
    if value.lower().endswith((".jks", ".p12", ".pfx")):
        raise BadClientProperty(f"{name}={value}: Java's key stores cannot be read here; use PEM")
    settings["ssl.ca.location"] = value


def _keystore(name: str, value: str, settings: Settings) -> None:
    if value.lower().endswith(".jks"):
        raise BadClientProperty(f"{name}={value}: Java's key stores cannot be read here; use PEM or PKCS#12")
    if value.lower().endswith((".p12", ".pfx")):
        settings["ssl.keystore.location"] = value
        return
    settings["ssl.certificate.location"] = settings["ssl.key.location"] = value  # Kafka's PEM file holds both


_ASSIGNORS: Final = {
    "RangeAssignor": "range",
    "RoundRobinAssignor": "roundrobin",
    "CooperativeStickyAssignor": "cooperative-sticky",
}


def _assignors(name: str, value: str, settings: Settings) -> None:
    words = []
    for each in value.split(","):
        last = each.strip().rpartition(".")[2]
        if last not in _ASSIGNORS and last not in _ASSIGNORS.values():
            raise BadClientProperty(f"{name}: {last} is not known; expected {', '.join(_ASSIGNORS)}")
        words.append(_ASSIGNORS.get(last, last))
    # Kafka's default names both; librdkafka cannot mix eager and cooperative ones.
    settings[name] = ",".join(words) if "cooperative-sticky" not in words else "cooperative-sticky"


def _isolation(name: str, value: str, settings: Settings) -> None:
    settings[name] = value.lower()


def _dns_lookup(name: str, value: str, settings: Settings) -> None:
    settings[name] = value if value != "default" else "use_all_dns_ips"


def _rules(kinds: tuple[str, ...], turn: _Turn, *names: str) -> dict[str, tuple[tuple[str, ...], _Turn]]:
    return dict.fromkeys(names, (kinds, turn))


_RULES: Final[dict[str, tuple[tuple[str, ...], _Turn]]] = {
    **_rules(
        _EVERYONE, _same,
        "bootstrap.servers", "client.id", "client.rack", "security.protocol", "sasl.mechanism", "metadata.max.age.ms",
        "reconnect.backoff.ms", "reconnect.backoff.max.ms", "retry.backoff.ms", "retry.backoff.max.ms",
        "connections.max.idle.ms", "socket.connection.setup.timeout.ms", "ssl.key.password", "ssl.keystore.password",
        "ssl.cipher.suites", "sasl.kerberos.service.name", "sasl.oauthbearer.token.endpoint.url", "enable.metrics.push",
        "sasl.oauthbearer.client.id", "sasl.oauthbearer.client.secret", "sasl.oauthbearer.scope",
    ),
    **_rules(_EVERYONE, _renamed("socket.timeout.ms"), "request.timeout.ms"),
    **_rules(_EVERYONE, _renamed("socket.send.buffer.bytes"), "send.buffer.bytes"),
    **_rules(_EVERYONE, _renamed("socket.receive.buffer.bytes"), "receive.buffer.bytes"),
    **_rules(_EVERYONE, _jaas, "sasl.jaas.config"),
    **_rules(_EVERYONE, _identification, "ssl.endpoint.identification.algorithm"),
    **_rules(_EVERYONE, _store_type, "ssl.truststore.type", "ssl.keystore.type"),
    **_rules(_EVERYONE, _truststore, "ssl.truststore.location"),
    **_rules(_EVERYONE, _renamed("ssl.ca.pem"), "ssl.truststore.certificates"),
    **_rules(_EVERYONE, _keystore, "ssl.keystore.location"),
    **_rules(_EVERYONE, _renamed("ssl.certificate.pem"), "ssl.keystore.certificate.chain"),
    **_rules(_EVERYONE, _renamed("ssl.key.pem"), "ssl.keystore.key"),
    **_rules(_EVERYONE, _dns_lookup, "client.dns.lookup"),
    **_rules(
        (PRODUCER,), _same,
        "acks", "compression.type", "batch.size", "linger.ms", "delivery.timeout.ms", "enable.idempotence", "retries",
        "max.in.flight.requests.per.connection", "transactional.id", "transaction.timeout.ms",
    ),
    # librdkafka has one name for the level of each codec.
    **_rules(
        (PRODUCER,), _renamed("compression.level"),
        "compression.gzip.level", "compression.lz4.level", "compression.zstd.level",
    ),
    **_rules((PRODUCER,), _renamed("message.max.bytes"), "max.request.size"),
    **_rules((PRODUCER,), _kilobytes("queue.buffering.max.kbytes"), "buffer.memory"),
    **_rules(
        (CONSUMER,), _same,
        "group.id", "group.instance.id", "auto.offset.reset", "enable.auto.commit", "auto.commit.interval.ms",
        "fetch.min.bytes", "fetch.max.bytes", "max.partition.fetch.bytes", "session.timeout.ms",
        "heartbeat.interval.ms", "max.poll.interval.ms", "check.crcs", "allow.auto.create.topics", "group.protocol",
        "group.remote.assignor",
    ),
    **_rules((CONSUMER,), _renamed("fetch.wait.max.ms"), "fetch.max.wait.ms"),
    **_rules((CONSUMER,), _isolation, "isolation.level"),
    **_rules((CONSUMER,), _assignors, "partition.assignment.strategy"),
}  # fmt: skip
_OF_JAVA_ALONE: Final = frozenset(
    (
        "key.serializer", "value.serializer", "key.deserializer", "value.deserializer", "interceptor.classes",
        "metric.reporters", "metrics.num.samples", "metrics.recording.level", "metrics.sample.window.ms",
        "partitioner.class", "partitioner.ignore.keys", "partitioner.adaptive.partitioning.enable",
        "partitioner.availability.timeout.ms", "max.block.ms", "metadata.max.idle.ms", "max.poll.records",
        "default.api.timeout.ms", "exclude.internal.topics", "security.providers", "ssl.enabled.protocols",
        "ssl.engine.factory.class", "ssl.keymanager.algorithm", "ssl.trustmanager.algorithm", "ssl.protocol",
        "ssl.provider", "ssl.secure.random.implementation", "ssl.truststore.password", "auto.include.jmx.reporter",
        "socket.connection.setup.timeout.max.ms", "metadata.recovery.strategy", "config.providers",
        "metadata.recovery.rebootstrap.trigger.ms", "transaction.two.phase.commit.enable", "bootstrap.controllers",
    )
)  # fmt: skip
_PREFIXES_OF_JAVA_ALONE: Final = (
    "sasl.login.",
    "sasl.kerberos.",
    "sasl.client.callback",
    "share.",
    "sasl.oauthbearer.",
)
