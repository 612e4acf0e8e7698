"""What Apache Kafka 4.3.1 answers to requests about configs; see ``admin_checks``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from millrace.kafka import codes, messages
from tests.broker.admin_checks import (
    APPEND,
    BROKER,
    CLIENT_METRICS,
    DELETE,
    GROUP,
    LOGGER,
    SET,
    SUBTRACT,
    TOPIC,
    Ask,
    Codes,
    create,
    new_topic,
)

Change = tuple[str, int, str | None]


def alter(ask: Ask, *resources: tuple[int, str, dict[str, str | None]], validate_only: bool = False) -> Codes:
    request = messages.AlterConfigsRequest
    response = ask(
        request(
            resources=[
                request.AlterConfigsResource(
                    resource_type=kind,
                    resource_name=name,
                    configs=[request.AlterableConfig(name=key, value=value) for key, value in configs.items()],
                )
                for kind, name, configs in resources
            ],
            validate_only=validate_only,
        ),
        2,
    )
    return [(each.resource_type, each.resource_name, int(each.error_code)) for each in response.responses]


def change(ask: Ask, *resources: tuple[int, str, list[Change]], validate_only: bool = False) -> Codes:
    request = messages.IncrementalAlterConfigsRequest
    response = ask(
        request(
            resources=[
                request.AlterConfigsResource(
                    resource_type=kind,
                    resource_name=name,
                    configs=[
                        request.AlterableConfig(name=key, config_operation=operation, value=value)
                        for key, operation, value in changes
                    ],
                )
                for kind, name, changes in resources
            ],
            validate_only=validate_only,
        ),
        1,
    )
    return [(each.resource_type, each.resource_name, int(each.error_code)) for each in response.responses]


def code_of_change(ask: Ask, kind: int, name: str, *changes: Change) -> int:
    return int(change(ask, (kind, name, list(changes)))[0][2])


def described(ask: Ask, *resources: tuple[int, str, list[str] | None], documented: bool = False) -> list[Any]:
    request = messages.DescribeConfigsRequest
    response = ask(
        request(
            resources=[
                request.DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=keys)
                for kind, name, keys in resources
            ],
            include_synonyms=True,
            include_documentation=documented,
        ),
        4,
    )
    return list(response.results)


def values(ask: Ask, kind: int, name: str, *keys: str) -> dict[str, tuple[str | None, int]]:
    (result,) = described(ask, (kind, name, list(keys) or None))
    assert result.error_code == 0
    return {config.name: (config.value, config.config_source) for config in result.configs}


def own_values(ask: Ask, name: str) -> dict[str, str | None]:
    return {key: value for key, (value, source) in values(ask, TOPIC, name).items() if source == 1}


def check_described_topic(ask: Ask) -> None:
    create(ask, new_topic("shown", configs={"retention.ms": "1000"}))
    (whole,) = described(ask, (TOPIC, "shown", None))
    configs = {config.name: config for config in whole.configs}
    assert len([name for name in configs if not name.startswith("millrace.")]) == 33
    assert {config.read_only for config in configs.values()} == {False}
    assert {config.documentation for config in configs.values()} == {None}
    retention = configs["retention.ms"]
    assert (retention.value, retention.config_source, retention.config_type) == ("1000", 1, 5)
    assert (retention.synonyms[0].name, retention.synonyms[0].value, retention.synonyms[0].source) == (
        "retention.ms",
        "1000",
        1,
    )
    assert configs["cleanup.policy"].config_type == 7
    policy = configs["cleanup.policy"].synonyms
    assert [(each.name, each.value, each.source) for each in policy] == [("log.cleanup.policy", "delete", 5)]
    (some,) = described(ask, (TOPIC, "shown", ["retention.ms", "nope", "segment.bytes"]), documented=True)
    assert sorted(config.name for config in some.configs) == ["retention.ms", "segment.bytes"]
    assert all(config.documentation for config in some.configs)
    (all_of_them,) = described(ask, (TOPIC, "shown", []))
    assert len(all_of_them.configs) == len(whole.configs)


def check_what_cannot_be_described(ask: Ask) -> None:
    me = str(ask.node_id)
    results = described(
        ask,
        (TOPIC, "not-there", None),
        (TOPIC, "a b", None),
        (TOPIC, "", None),
        (BROKER, "77", None),
        (BROKER, "x", None),
        (LOGGER, "", None),
        (LOGGER, "77", None),
        (CLIENT_METRICS, "", None),
        (GROUP, "", None),
        (BROKER, me, ["nope"]),
    )
    assert [int(each.error_code) for each in results] == [3, 17, 17, 42, 42, 42, 42, 42, 42, 0]
    assert {len(each.configs) for each in results} == {0}
    unknown_type = described(ask, (3, "x", None), (BROKER, me, None))
    assert [(each.error_code, each.configs) for each in unknown_type] == [(42, []), (42, [])]


def check_described_broker(ask: Ask) -> None:
    shown = values(ask, BROKER, str(ask.node_id))
    assert shown["num.partitions"] == ("1", 5)
    (result,) = described(ask, (BROKER, str(ask.node_id), ["num.partitions", "log.retention.ms", "broker.id"]))
    assert {config.name: config.read_only for config in result.configs} == {
        "num.partitions": True,
        "log.retention.ms": False,
        "broker.id": True,
    }


def check_other_resources(ask: Ask) -> None:
    assert values(ask, CLIENT_METRICS, "nobody") == {
        "interval.ms": ("300000", 5),
        "match": ("", 5),
        "metrics": ("", 5),
    }
    group = values(ask, GROUP, "nobody")
    assert len(group) == 17
    assert group["consumer.session.timeout.ms"] == ("45000", 5)
    loggers = values(ask, LOGGER, str(ask.node_id))
    assert loggers["root"][1] == 6


def check_replacing_all(ask: Ask) -> None:
    create(ask, new_topic("replaced", configs={"retention.ms": "1000"}))
    assert alter(ask, (TOPIC, "replaced", {"retention.bytes": "7"}), validate_only=True) == [(TOPIC, "replaced", 0)]
    assert own_values(ask, "replaced") == {"retention.ms": "1000"}
    assert alter(ask, (TOPIC, "replaced", {"retention.bytes": "5"})) == [(TOPIC, "replaced", 0)]
    assert own_values(ask, "replaced") == {"retention.bytes": "5"}
    refused: list[tuple[int, str, dict[str, str | None], int]] = [
        (TOPIC, "not-there", {"retention.bytes": "5"}, codes.UNKNOWN_TOPIC_OR_PARTITION),
        (TOPIC, "a b", {}, codes.INVALID_TOPIC_EXCEPTION),
        (TOPIC, "", {}, codes.INVALID_REQUEST),
        (3, "replaced", {"retention.ms": "1"}, codes.INVALID_REQUEST),
        (LOGGER, str(ask.node_id), {"root": "INFO"}, codes.INVALID_REQUEST),
        (0, "x", {}, codes.INVALID_REQUEST),
    ]
    outcome = alter(ask, *((kind, name, configs) for kind, name, configs, _ in refused))
    assert outcome == [(kind, name, code) for kind, name, _, code in refused]
    wrong: list[tuple[dict[str, str | None], int]] = [
        ({"nope": "5"}, codes.INVALID_CONFIG),
        ({"retention.ms": "x"}, codes.INVALID_CONFIG),
        ({"retention.ms": None}, codes.INVALID_REQUEST),
    ]
    for configs, code in wrong:
        assert alter(ask, (TOPIC, "replaced", configs)) == [(TOPIC, "replaced", code)]
    assert own_values(ask, "replaced") == {"retention.bytes": "5"}
    assert alter(ask, (TOPIC, "replaced", {})) == [(TOPIC, "replaced", 0)]
    assert own_values(ask, "replaced") == {}


def check_changing_some(ask: Ask) -> None:
    create(ask, new_topic("changed", configs={"retention.ms": "1000", "retention.bytes": "1"}))
    first = change(
        ask,
        (TOPIC, "changed", [("retention.ms", SET, "5"), ("retention.bytes", DELETE, None)]),
        validate_only=True,
    )
    assert first == [(TOPIC, "changed", 0)]
    assert own_values(ask, "changed") == {"retention.ms": "1000", "retention.bytes": "1"}
    second: list[Change] = [
        ("retention.ms", SET, "5"),
        ("retention.bytes", DELETE, None),
        ("cleanup.policy", APPEND, "compact"),
    ]
    assert change(ask, (TOPIC, "changed", second)) == [(TOPIC, "changed", 0)]
    assert own_values(ask, "changed") == {"retention.ms": "5", "cleanup.policy": "delete,compact"}
    for changes, policy in (
        (("cleanup.policy", APPEND, "compact,delete"), "delete,compact"),
        (("cleanup.policy", SUBTRACT, "delete"), "compact"),
        (("cleanup.policy", SUBTRACT, "compact"), ""),
    ):
        assert code_of_change(ask, TOPIC, "changed", changes) == 0
        assert own_values(ask, "changed")["cleanup.policy"] == policy


def check_changes_that_are_refused(ask: Ask) -> None:
    create(ask, new_topic("unchanged"))
    cases: list[tuple[list[Change], int]] = [
        ([("retention.ms", APPEND, "5")], codes.INVALID_CONFIG),
        ([("retention.ms", SUBTRACT, "5")], codes.INVALID_CONFIG),
        ([("nope", APPEND, "5")], codes.INVALID_CONFIG),
        ([("nope", SET, "5")], codes.INVALID_CONFIG),
        ([("retention.ms", SET, "")], codes.INVALID_CONFIG),
        ([("retention.ms", SET, None)], codes.INVALID_REQUEST),
        ([("retention.ms", SET, "1"), ("retention.ms", SET, "2")], codes.INVALID_REQUEST),
        ([("remote.storage.enable", SET, "true")], codes.INVALID_CONFIG),
        ([("retention.ms", 4, "1")], codes.UNKNOWN_SERVER_ERROR if ask.is_kafka else codes.INVALID_REQUEST),
        ([("nope", DELETE, None)], codes.NONE),
        ([("segment.ms", DELETE, None)], codes.NONE),
    ]
    for changes, code in cases:
        assert change(ask, (TOPIC, "unchanged", changes)) == [(TOPIC, "unchanged", code)], changes
    assert own_values(ask, "unchanged") == {}
    some: list[Change] = [("retention.ms", SET, "6")]
    mixed = change(ask, (3, "x", []), (0, "y", []), (TOPIC, "not-there", some), (TOPIC, "unchanged", some))
    assert mixed == [(3, "x", 42), (0, "y", 42), (TOPIC, "not-there", 3), (TOPIC, "unchanged", 0)]
    twice = change(ask, (TOPIC, "unchanged", some), (TOPIC, "unchanged", some))
    assert twice == [(TOPIC, "unchanged", 42)] * 2


def check_broker_configs(ask: Ask) -> None:
    me = str(ask.node_id)
    cases: list[tuple[str, Change, int]] = [
        (me, ("log.cleaner.threads", SET, "2"), 0),
        ("", ("log.cleaner.threads", SET, "1"), 0),
        (me, ("log.cleanup.policy", APPEND, "compact"), 0),
        (me, ("num.partitions", SET, "9"), 42),
        (me, ("num.partitions", DELETE, None), 0),
        (me, ("log.retention.ms", APPEND, "9"), 40),
        (me, ("log.retention.ms", SET, "x"), 42),
        (me, ("log.retention.ms", 9, "1"), 42),
        ("", ("broker.rack", SET, "x"), 42),
        ("77", ("log.retention.ms", SET, "1"), 42),
        ("x", ("log.retention.ms", SET, "1"), 42),
        (me, ("some.plugin.of.mine", SET, "1"), 0),
        (me, ("some.plugin.of.mine", DELETE, None), 0),
    ]
    for name, wanted, code in cases:
        assert change(ask, (BROKER, name, [wanted])) == [(BROKER, name, code)], wanted
    (result,) = described(ask, (BROKER, me, ["log.cleaner.threads", "log.cleanup.policy"]))
    shown = {config.name: config for config in result.configs}
    threads = shown["log.cleaner.threads"]
    assert (threads.value, threads.config_source) == ("2", 2)
    assert [(each.value, each.source) for each in threads.synonyms] == [("2", 2), ("1", 3), ("1", 5)]
    assert shown["log.cleanup.policy"].value == "delete,compact"
    assert values(ask, BROKER, "")["log.cleaner.threads"] == ("1", 3)
    create(ask, new_topic("inherits"))
    assert values(ask, TOPIC, "inherits")["cleanup.policy"] == ("delete,compact", 2)
    undo: list[Change] = [("log.cleaner.threads", DELETE, None), ("log.cleanup.policy", DELETE, None)]
    assert change(ask, (BROKER, me, undo), (BROKER, "", undo[:1])) == [(BROKER, me, 0), (BROKER, "", 0)]
    assert values(ask, BROKER, me, "log.cleaner.threads") == {"log.cleaner.threads": ("1", 5)}


def check_loggers(ask: Ask) -> None:
    me = str(ask.node_id)
    name = next(name for name in sorted(values(ask, LOGGER, me)) if name != "root" and "." in name)
    before = values(ask, LOGGER, me, name)
    assert code_of_change(ask, LOGGER, me, (name, SET, "TRACE")) == 0
    assert values(ask, LOGGER, me, name) == {name: ("TRACE", 6)}
    assert code_of_change(ask, LOGGER, me, (name, DELETE, None)) == 0
    assert values(ask, LOGGER, me, name) == before
    cases: list[tuple[str, Change, int]] = [
        (me, (name, SET, "LOUD"), codes.INVALID_CONFIG),
        (me, ("no.such.logger", SET, "INFO"), codes.INVALID_CONFIG),
        (me, (name, APPEND, "INFO"), codes.INVALID_REQUEST),
        (me, ("root", DELETE, None), codes.INVALID_REQUEST),
        ("77", ("root", SET, "INFO"), codes.INVALID_REQUEST),
        ("", ("root", SET, "INFO"), codes.INVALID_REQUEST),
        ("x", ("root", SET, "INFO"), codes.INVALID_REQUEST),
    ]
    for resource, wanted, code in cases:
        assert code_of_change(ask, LOGGER, resource, wanted) == code, wanted


def check_client_metrics(ask: Ask) -> None:
    cases: list[tuple[str, dict[str, str | None], int]] = [
        ("m", {"interval.ms": "100"}, 0),
        ("n", {"interval.ms": "1"}, codes.INVALID_REQUEST),
        ("o", {"nope": "1"}, codes.INVALID_REQUEST),
        ("", {}, codes.INVALID_REQUEST),
        ("p", {"match": "client_id=a"}, 0),
        ("q", {"match": "foo=a"}, codes.INVALID_CONFIG),
        ("r", {"match": "client_id=["}, codes.INVALID_CONFIG),
        ("t", {"match": "client_id"}, codes.INVALID_CONFIG),
        ("u", {"interval.ms": "x"}, codes.INVALID_CONFIG),
    ]
    outcome = alter(ask, *((CLIENT_METRICS, name, configs) for name, configs, _ in cases))
    assert outcome == [(CLIENT_METRICS, name, code) for name, _, code in cases]
    assert values(ask, CLIENT_METRICS, "m")["interval.ms"] == ("100", 7)
    assert code_of_change(ask, CLIENT_METRICS, "m", ("metrics", APPEND, "a")) == codes.INVALID_CONFIG


def check_group_configs(ask: Ask) -> None:
    assert alter(ask, (GROUP, "g", {"nope": "1"}), (GROUP, "", {})) == [
        (GROUP, "g", codes.INVALID_CONFIG),
        (GROUP, "", codes.INVALID_REQUEST),
    ]


def listed(ask: Ask, version: int, *kinds: int) -> Any:
    return ask(messages.ListConfigResourcesRequest(resource_types=list(kinds)), version)


def check_listed_resources(ask: Ask) -> None:
    create(ask, new_topic("listed"))
    me = str(ask.node_id)
    everything = {(each.resource_type, each.resource_name) for each in listed(ask, 1).config_resources}
    assert {(TOPIC, "listed"), (BROKER, me), (LOGGER, me)} <= everything
    brokers = {(each.resource_type, each.resource_name) for each in listed(ask, 1, BROKER, LOGGER).config_resources}
    assert brokers == {(BROKER, me), (LOGGER, me)}
    alter(ask, (CLIENT_METRICS, "listed-metrics", {"interval.ms": "100"}))
    assert "listed-metrics" in {each.resource_name for each in listed(ask, 0).config_resources}
    for kinds in ((3,), (TOPIC, 0)):
        response = listed(ask, 1, *kinds)
        assert (response.error_code, response.config_resources) == (codes.UNSUPPORTED_VERSION, [])


CHECKS: list[Callable[[Ask], None]] = [value for name, value in list(globals().items()) if name.startswith("check_")]
