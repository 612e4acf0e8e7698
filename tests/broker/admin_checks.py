"""What Apache Kafka 4.3.1 answers to requests about topics and configs, as checks that run against any broker.

Each check gets ``ask(request, version) -> response`` and uses topics of its own. They were written from answers of
Apache Kafka, and run against it (``tests/compat``) as well as against ours, so they cannot drift from either. Codes and
values are compared, sentences are not. Where we differ on purpose the check asks ``ask.is_kafka``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from millrace.kafka import codes, messages

Codes = list[tuple[Any, ...]]
TOPIC, BROKER, LOGGER, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = 0, 1, 2, 3


class Ask(Protocol):
    is_kafka: bool
    node_id: int

    def __call__(self, request: Any, version: int) -> Any: ...


def new_topic(
    name: str,
    partitions: int = 1,
    replicas: int = 1,
    configs: dict[str, str | None] | None = None,
    assignments: list[tuple[int, list[int]]] | None = None,
) -> Any:
    request = messages.CreateTopicsRequest
    return request.CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        configs=[request.CreatableTopicConfig(name=key, value=value) for key, value in (configs or {}).items()],
        assignments=[
            request.CreatableReplicaAssignment(partition_index=index, broker_ids=ids)
            for index, ids in assignments or []
        ],
    )


def create(ask: Ask, *topics: Any, version: int = 7, validate_only: bool = False, timeout_ms: int = 10_000) -> Any:
    request = messages.CreateTopicsRequest(topics=list(topics), timeout_ms=timeout_ms, validate_only=validate_only)
    return ask(request, version)


def created(response: Any) -> Codes:
    return [(each.name, int(each.error_code)) for each in response.topics]


def describe_topic(ask: Ask, name: str, *, auto_create: bool = False, version: int = 12) -> Any:
    topic = messages.MetadataRequest.MetadataRequestTopic(name=name)
    request = messages.MetadataRequest(topics=[topic], allow_auto_topic_creation=auto_create)
    return ask(request, version).topics[0]


# CreateTopics


def check_created_topic_is_described(ask: Ask) -> None:
    response = create(ask, new_topic("made", 2, configs={"retention.ms": "1000"}))
    (result,) = response.topics
    assert (result.error_code, result.error_message) == (codes.NONE, None)
    assert (result.num_partitions, result.replication_factor, result.topic_config_error_code) == (2, 1, 0)
    assert result.topic_id != bytes(16)
    configs = {config.name: (config.value, config.config_source, config.read_only) for config in result.configs}
    assert configs["retention.ms"] == ("1000", 1, False)
    assert configs["segment.bytes"] == ("1073741824", 5, False)
    assert [config.name for config in result.configs] == sorted(configs)
    found = describe_topic(ask, "made")
    assert (found.error_code, found.topic_id, found.is_internal) == (0, result.topic_id, False)
    assert [
        (each.partition_index, each.leader_id, each.leader_epoch, list(each.replica_nodes), list(each.isr_nodes))
        for each in sorted(found.partitions, key=lambda each: each.partition_index)
    ] == [(index, ask.node_id, 0, [ask.node_id], [ask.node_id]) for index in (0, 1)]


def check_defaults_from_the_broker(ask: Ask) -> None:
    for version in (2, 4, 7):
        name = f"defaults-{version}"
        assert created(create(ask, new_topic(name, -1, -1), version=version)) == [(name, 0)]
        assert len(describe_topic(ask, name).partitions) == 1


def check_validate_only_creates_nothing(ask: Ask) -> None:
    (result,) = create(ask, new_topic("never-made", 3), validate_only=True).topics
    assert (result.error_code, result.num_partitions) == (0, 3)
    assert describe_topic(ask, "never-made").error_code == codes.UNKNOWN_TOPIC_OR_PARTITION


def check_numbers_of_partitions_and_replicas(ask: Ask) -> None:
    response = create(
        ask,
        new_topic("too-many-replicas", 1, 2),
        new_topic("no-replicas", 1, 0),
        new_topic("minus-two-replicas", 1, -2),
        new_topic("no-partitions", 0, 1),
        new_topic("minus-two-partitions", -2, 1),
    )
    assert created(response) == [
        ("too-many-replicas", codes.INVALID_REPLICATION_FACTOR),
        ("no-replicas", codes.INVALID_REPLICATION_FACTOR),
        ("minus-two-replicas", codes.INVALID_REPLICATION_FACTOR),
        ("no-partitions", codes.INVALID_PARTITIONS),
        ("minus-two-partitions", codes.INVALID_PARTITIONS),
    ]
    assert all(each.error_message for each in response.topics)
    vast = create(ask, new_topic("vast", 2**31 - 1), validate_only=True)
    assert created(vast) == [("vast", codes.POLICY_VIOLATION)]


def check_names_of_topics(ask: Ask) -> None:
    bad = ["", ".", "..", "a b", "x" * 250, "é", "a/b", "a\n"]
    assert created(create(ask, *(new_topic(name) for name in bad))) == [
        (name, codes.INVALID_TOPIC_EXCEPTION) for name in bad
    ]
    good = ["x" * 249, "A.b-c9", "..."]
    assert created(create(ask, *(new_topic(name) for name in good), validate_only=True)) == [(name, 0) for name in good]


def check_collisions_of_names(ask: Ask) -> None:
    assert created(create(ask, new_topic("metric.name"))) == [("metric.name", 0)]
    assert created(create(ask, new_topic("metric_name"))) == [("metric_name", codes.INVALID_TOPIC_EXCEPTION)]
    assert created(create(ask, new_topic("metric.name"))) == [("metric.name", codes.TOPIC_ALREADY_EXISTS)]
    both = created(create(ask, new_topic("both.names"), new_topic("both_names"), validate_only=True))
    # Kafka looks at topics that exist only.
    second = 0 if ask.is_kafka else codes.INVALID_TOPIC_EXCEPTION
    assert both == [("both.names", 0), ("both_names", second)]


def check_duplicates_in_a_request(ask: Ask) -> None:
    response = create(ask, new_topic("twice"), new_topic("once"), new_topic("twice"), validate_only=True)
    assert created(response) == [("once", 0), ("twice", codes.INVALID_REQUEST)]


def check_metadata_topic_cannot_be_created(ask: Ask) -> None:
    response = create(ask, new_topic("__cluster_metadata"))
    assert created(response) == [("__cluster_metadata", codes.INVALID_REQUEST)]


def check_configs_at_creation(ask: Ask) -> None:
    cases: list[tuple[str, dict[str, str | None], int]] = [
        ("unknown-config", {"nope": "1"}, codes.INVALID_CONFIG),
        ("wrong-config", {"retention.ms": "x"}, codes.INVALID_CONFIG),
        ("null-config", {"retention.ms": None}, codes.INVALID_CONFIG),
        ("conflict", {"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"}, codes.INVALID_CONFIG),
        ("wrong-policy", {"cleanup.policy": "nope"}, codes.INVALID_CONFIG),
        ("small-segment", {"segment.bytes": "10"}, codes.INVALID_CONFIG),
        ("no-policy", {"cleanup.policy": ""}, codes.NONE),
        ("isr-of-two", {"min.insync.replicas": "2"}, codes.NONE),
        ("blanks", {"retention.ms": " 12 "}, codes.NONE),
    ]
    response = create(ask, *(new_topic(name, configs=configs) for name, configs, _ in cases), validate_only=True)
    assert created(response) == [(name, code) for name, _, code in cases]


def check_manual_assignments(ask: Ask) -> None:
    me, nobody = ask.node_id, ask.node_id + 1
    made = create(ask, new_topic("by-hand", -1, -1, assignments=[(1, [me]), (0, [me])]))
    assert created(made) == [("by-hand", 0)]
    assert made.topics[0].num_partitions == 2
    cases = [
        ("with-count", new_topic("with-count", 1, -1, assignments=[(0, [me])]), codes.INVALID_REQUEST),
        ("with-factor", new_topic("with-factor", -1, 1, assignments=[(0, [me])]), codes.INVALID_REQUEST),
        ("unknown-broker", new_topic("unknown-broker", -1, -1, assignments=[(0, [nobody])]), 39),
        ("gap", new_topic("gap", -1, -1, assignments=[(1, [me])]), 39),
        ("index-twice", new_topic("index-twice", -1, -1, assignments=[(0, [me]), (0, [me])]), 39),
        ("no-broker", new_topic("no-broker", -1, -1, assignments=[(0, [])]), 39),
        ("broker-twice", new_topic("broker-twice", -1, -1, assignments=[(0, [me, me])]), 39),
        ("uneven", new_topic("uneven", -1, -1, assignments=[(0, [me]), (1, [me, nobody])]), 39),
    ]
    assert created(create(ask, *(topic for _, topic, _ in cases))) == [(name, code) for name, _, code in cases]


def check_no_time_to_create(ask: Ask) -> None:
    for timeout_ms in (0, -1):
        name = f"no-time{timeout_ms}"
        assert created(create(ask, new_topic(name), timeout_ms=timeout_ms)) == [(name, codes.REQUEST_TIMED_OUT)]


# CreatePartitions


def more(ask: Ask, *topics: tuple[str, int, list[list[int]] | None], validate_only: bool = False) -> Codes:
    request = messages.CreatePartitionsRequest
    response = ask(
        request(
            topics=[
                request.CreatePartitionsTopic(
                    name=name,
                    count=count,
                    assignments=None
                    if assignments is None
                    else [request.CreatePartitionsAssignment(broker_ids=ids) for ids in assignments],
                )
                for name, count, assignments in topics
            ],
            timeout_ms=10_000,
            validate_only=validate_only,
        ),
        3,
    )
    return [(each.name, int(each.error_code)) for each in response.results]


def check_more_partitions(ask: Ask) -> None:
    me, nobody = ask.node_id, ask.node_id + 1
    create(ask, new_topic("growing", 2))
    assert more(ask, ("growing", 2, None)) == [("growing", codes.INVALID_PARTITIONS)]
    assert more(ask, ("growing", 1, None)) == [("growing", codes.INVALID_PARTITIONS)]
    assert more(ask, ("growing", -1, None)) == [("growing", codes.INVALID_PARTITIONS)]
    assert more(ask, ("not-there", 4, None)) == [("not-there", codes.UNKNOWN_TOPIC_OR_PARTITION)]
    assert more(ask, ("growing", 5, None), ("growing", 6, None)) == [("growing", codes.INVALID_REQUEST)]
    assert more(ask, ("growing", 4, None), validate_only=True) == [("growing", 0)]
    assert len(describe_topic(ask, "growing").partitions) == 2
    assert more(ask, ("growing", 4, None)) == [("growing", 0)]
    assert len(describe_topic(ask, "growing").partitions) == 4
    for assignments in ([[me]], [[me], [nobody]], [[me], []], [[me], [me, me]]):
        assert more(ask, ("growing", 6, assignments)) == [("growing", codes.INVALID_REPLICA_ASSIGNMENT)]
    assert more(ask, ("growing", 6, [[me], [me]])) == [("growing", 0)]


# DeleteTopics


def delete(ask: Ask, *topics: Any, version: int = 6, names: list[str] | None = None) -> Codes:
    request = messages.DeleteTopicsRequest(topics=list(topics), topic_names=names or [], timeout_ms=10_000)
    response = ask(request, version)
    return sorted((each.name or "", each.topic_id, int(each.error_code)) for each in response.responses)


def doomed(name: str | None = None, topic_id: bytes = bytes(16)) -> Any:
    return messages.DeleteTopicsRequest.DeleteTopicState(name=name, topic_id=topic_id)


def check_deletion(ask: Ask) -> None:
    none = bytes(16)
    topic_id = create(ask, new_topic("doomed")).topics[0].topic_id
    unknown_id = b"\x11" * 16
    assert delete(ask, version=1, names=["not-there"]) == [("not-there", none, 3)]
    assert delete(ask, doomed("not-there")) == [("not-there", none, codes.UNKNOWN_TOPIC_OR_PARTITION)]
    assert delete(ask, doomed("a b")) == [("a b", none, codes.UNKNOWN_TOPIC_OR_PARTITION)]
    assert delete(ask, doomed("__cluster_metadata"))[0][2] == codes.UNKNOWN_TOPIC_OR_PARTITION
    assert delete(ask, doomed(topic_id=unknown_id)) == [("", unknown_id, codes.UNKNOWN_TOPIC_ID)]
    assert delete(ask, doomed()) == [("", none, codes.INVALID_REQUEST)]
    assert delete(ask, doomed("doomed", topic_id)) == [("doomed", topic_id, codes.INVALID_REQUEST)]
    assert delete(ask, doomed("doomed"), doomed("doomed")) == [("doomed", none, codes.INVALID_REQUEST)]
    twice_by_id = delete(ask, doomed(topic_id=topic_id), doomed(topic_id=topic_id))
    assert twice_by_id == [("", topic_id, codes.INVALID_REQUEST)]
    both_ways = delete(ask, doomed("doomed"), doomed(topic_id=topic_id))
    assert both_ways == [("doomed", topic_id, codes.INVALID_REQUEST)]
    assert describe_topic(ask, "doomed").error_code == 0
    assert delete(ask, doomed(topic_id=topic_id)) == [("doomed", topic_id, 0)]
    assert delete(ask, doomed(topic_id=topic_id)) == [("", topic_id, codes.UNKNOWN_TOPIC_ID)]
    assert describe_topic(ask, "doomed").error_code == codes.UNKNOWN_TOPIC_OR_PARTITION
    again = create(ask, new_topic("doomed")).topics[0]
    assert again.error_code == 0
    assert again.topic_id != topic_id
    assert delete(ask, version=4, names=["doomed"])[0][2] == 0


# Metadata


def check_metadata_by_id(ask: Ask) -> None:
    topic_id = create(ask, new_topic("by-id")).topics[0].topic_id
    wanted = messages.MetadataRequest.MetadataRequestTopic
    topics = [wanted(name=None, topic_id=topic_id), wanted(name=None, topic_id=b"\x22" * 16), wanted(name="not-there")]
    response = ask(messages.MetadataRequest(topics=topics), 12)
    assert {(each.error_code, each.name, each.topic_id) for each in response.topics} == {
        (0, "by-id", topic_id),
        (codes.UNKNOWN_TOPIC_ID, None, b"\x22" * 16),
    }
    for version, topic in ((10, wanted(name="by-id", topic_id=topic_id)), (11, wanted(name=None))):
        failed = ask(messages.MetadataRequest(topics=[topic]), version)
        assert [each.error_code for each in failed.topics] == [codes.INVALID_REQUEST]
        assert failed.brokers == []


def check_metadata_in_every_version(ask: Ask) -> None:
    create(ask, new_topic("versions"))
    wanted = messages.MetadataRequest.MetadataRequestTopic
    for version in range(14):
        request = messages.MetadataRequest(
            topics=[wanted(name="versions"), wanted(name="versions"), wanted(name="a b")]
        )
        if version >= 8:
            request.include_topic_authorized_operations = True
            request.include_cluster_authorized_operations = version <= 10
        response = ask(request, version)
        assert {(each.name, int(each.error_code)) for each in response.topics} == {("versions", 0), ("a b", 17)}
        assert len(response.topics) == 2
        assert [each.node_id for each in response.brokers] == [ask.node_id]
        assert response.controller_id == (-1 if version == 0 else ask.node_id)
        assert (response.cluster_id is None) == (version < 2)
        assert {each.topic_authorized_operations for each in response.topics} == {3576 if version >= 8 else -(2**31)}
        assert response.cluster_authorized_operations == (8096 if 8 <= version <= 10 else -(2**31))
        found = next(each for each in response.topics if each.name == "versions")
        assert (found.topic_id != bytes(16)) == (version >= 10)
        assert found.partitions[0].leader_epoch == (0 if version >= 7 else -1)


def check_all_topics_and_none(ask: Ask) -> None:
    create(ask, new_topic("among-all"))
    for version, topics, is_all in ((0, [], True), (1, [], False), (1, None, True), (12, None, True), (12, [], False)):
        response = ask(messages.MetadataRequest(topics=topics), version)
        assert ("among-all" in {each.name for each in response.topics}) == is_all
        assert len(response.topics) > 0 or not is_all


def check_automatic_creation(ask: Ask) -> None:
    refused = describe_topic(ask, "made-by-asking", auto_create=False, version=9)
    assert refused.error_code == codes.UNKNOWN_TOPIC_OR_PARTITION
    for name in ("a b", ".."):
        assert describe_topic(ask, name, auto_create=True).error_code == codes.INVALID_TOPIC_EXCEPTION
    for name, is_internal in (("made-by-asking", False), ("__consumer_offsets", True)):
        first = describe_topic(ask, name, auto_create=True)
        assert first.is_internal == is_internal
        if not ask.is_kafka:  # Kafka lets the client ask again
            assert first.error_code == 0
            assert len(first.partitions) == (50 if is_internal else 1)


def described_partitions(ask: Ask, names: list[str], limit: int = 2000, cursor: tuple[str, int] | None = None) -> Any:
    request = messages.DescribeTopicPartitionsRequest
    return ask(
        request(
            topics=[request.TopicRequest(name=name) for name in names],
            response_partition_limit=limit,
            cursor=None if cursor is None else request.Cursor(topic_name=cursor[0], partition_index=cursor[1]),
        ),
        0,
    )


def pages(response: Any) -> tuple[list[tuple[Any, ...]], tuple[str, int] | None]:
    cursor = response.next_cursor
    return (
        [
            (each.name, int(each.error_code), [part.partition_index for part in each.partitions])
            for each in response.topics
        ],
        None if cursor is None else (cursor.topic_name, cursor.partition_index),
    )


def check_pages_of_partitions(ask: Ask) -> None:
    create(ask, new_topic("page-a", 2), new_topic("page-b", 2))
    response = described_partitions(ask, ["page-b", "not-there", "a b", "page-a", "page-a"])
    assert pages(response) == (
        [("a b", 17, []), ("not-there", 3, []), ("page-a", 0, [0, 1]), ("page-b", 0, [0, 1])],
        None,
    )
    assert {each.topic_authorized_operations for each in response.topics} == {3576}
    partition = response.topics[2].partitions[0]
    assert (partition.leader_id, partition.leader_epoch, partition.offline_replicas) == (ask.node_id, 0, [])
    assert (partition.eligible_leader_replicas, partition.last_known_elr) == ([], [])
    names = ["page-a", "page-b", "page-c"]
    assert pages(described_partitions(ask, names, 1)) == ([("page-a", 0, [0])], ("page-a", 1))
    assert pages(described_partitions(ask, names, 2)) == ([("page-a", 0, [0, 1])], ("page-b", 0))
    assert pages(described_partitions(ask, names, 0)) == ([("page-a", 0, [0])], ("page-a", 1))
    whole = [("page-a", 0, [0, 1]), ("page-b", 0, [0, 1])]
    assert pages(described_partitions(ask, names, 4)) == (whole, ("page-c", 0))
    assert pages(described_partitions(ask, names, 2, ("page-a", 1))) == (
        [("page-a", 0, [1]), ("page-b", 0, [0])],
        ("page-b", 1),
    )
    assert pages(described_partitions(ask, ["page-a"], 2, ("page-a", 7))) == ([("page-a", 0, [])], None)
    assert pages(described_partitions(ask, [], 1, ("page-a0", 0))) == ([("page-b", 0, [0])], ("page-b", 1))
    for cursor in (("page-b", 0), ("page-a", -1)):
        assert pages(described_partitions(ask, ["page-a"], 2, cursor))[0] == [("page-a", codes.INVALID_REQUEST, [])]


def check_cluster(ask: Ask) -> None:
    for version in (0, 1, 2):
        response = ask(messages.DescribeClusterRequest(include_cluster_authorized_operations=True), version)
        assert [(each.broker_id, each.is_fenced) for each in response.brokers] == [(ask.node_id, False)]
        assert (response.error_code, response.controller_id) == (0, ask.node_id)
        assert response.cluster_authorized_operations == 8096
    for kind, code in ((2, codes.MISMATCHED_ENDPOINT_TYPE), (3, codes.UNSUPPORTED_ENDPOINT_TYPE), (0, 115)):
        response = ask(messages.DescribeClusterRequest(endpoint_type=kind), 1)
        assert (response.error_code, response.brokers) == (code, [])


def check_producer_ids(ask: Ask) -> None:
    def init(version: int = 4, **fields: Any) -> tuple[int, int, int]:
        request = messages.InitProducerIdRequest(transaction_timeout_ms=60_000, **fields)
        response = ask(request, version)
        return int(response.error_code), response.producer_id, response.producer_epoch

    given = [init(version, transactional_id=None) for version in (0, 1, 2, 3, 4, 5)]
    given.append(init(transactional_id=None, producer_id=3, producer_epoch=0))
    assert [(code, epoch) for code, _, epoch in given] == [(0, 0)] * 7
    assert len({producer_id for _, producer_id, _ in given}) == 7
    assert init(transactional_id=None, producer_id=3) == (codes.INVALID_REQUEST, -1, -1)
    assert init(transactional_id=None, producer_epoch=3) == (codes.INVALID_REQUEST, -1, -1)
    assert init(transactional_id="") == (codes.INVALID_REQUEST, -1, -1)


CHECKS: list[Callable[[Ask], None]] = [value for name, value in list(globals().items()) if name.startswith("check_")]
