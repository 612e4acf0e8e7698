"""The cluster machine: its log says everything, in any order of keys, and the committed image follows it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.kafka import codes, messages, records
from millrace.kafka.removal_marks import is_removal_mark
from millrace.state.cluster import ClusterMachine
from millrace.state.cluster_image import RESOURCE_TOPIC, ClusterImage
from millrace.state.machine import Entry
from tests.contracts.machine import Bench, check_replay

CreatableTopic = messages.CreateTopicsRequest.CreatableTopic
CreatableTopicConfig = messages.CreateTopicsRequest.CreatableTopicConfig
DIRECTORY = b"\x07" * 16


class Cluster:
    """A bench with brokers that are registered, and short words for requests."""

    def __init__(self, brokers: int = 1, seed: int = 0, **config: str) -> None:
        static = {name.replace("_", "."): value for name, value in config.items()}
        self.bench = Bench(lambda: ClusterMachine(BrokerConfig(static)), seed=seed)
        for broker_id in range(1, brokers + 1):
            self.register(broker_id)
        self.commit()

    @property
    def machine(self) -> Any:
        return self.bench.machine

    @property
    def image(self) -> ClusterImage:
        image: ClusterImage = self.machine.image
        return image

    def register(self, broker_id: int) -> Any:
        listener = messages.BrokerRegistrationRequest.Listener(name="PLAINTEXT", host="here", port=9000 + broker_id)
        return self.ask(
            messages.BrokerRegistrationRequest(
                broker_id=broker_id, incarnation_id=bytes(16), listeners=[listener], log_dirs=[DIRECTORY]
            )
        )

    def ask(self, request: Any, version: int = 7) -> Any:
        before = self.machine.replayed.as_plain(), self.image.as_plain()
        asked = len(self.bench.log)
        response = self.bench.ask_now(request, version)
        if len(self.bench.log) == asked:
            assert (self.machine.replayed.as_plain(), self.image.as_plain()) == before, "decided, not replayed"
        return response

    def commit(self) -> Any:
        return self.machine.commit(len(self.bench.log))

    def create(self, *names: str, partitions: int = 1, replicas: int = 1, **configs: str) -> Any:
        settings_ = [CreatableTopicConfig(name=key.replace("_", "."), value=value) for key, value in configs.items()]
        topics = [
            CreatableTopic(name=name, num_partitions=partitions, replication_factor=replicas, configs=settings_)
            for name in names
        ]
        return self.ask(messages.CreateTopicsRequest(topics=topics))

    def delete(self, *names: str) -> Any:
        topics = [messages.DeleteTopicsRequest.DeleteTopicState(name=name) for name in names]
        return self.ask(messages.DeleteTopicsRequest(topics=topics), 6)

    def grow(self, name: str, count: int) -> Any:
        topic = messages.CreatePartitionsRequest.CreatePartitionsTopic(name=name, count=count, assignments=None)
        return self.ask(messages.CreatePartitionsRequest(topics=[topic]), 3)

    def configure(self, kind: int, name: str, **configs: str) -> Any:
        resource = messages.AlterConfigsRequest.AlterConfigsResource
        config = messages.AlterConfigsRequest.AlterableConfig
        wanted = [config(name=key.replace("_", "."), value=value) for key, value in configs.items()]
        return self.ask(
            messages.AlterConfigsRequest(resources=[resource(resource_type=kind, resource_name=name, configs=wanted)]),
            2,
        )


def durable(machine: Any) -> Any:
    return machine.replayed.as_plain()


def test_the_first_registration_founds_the_cluster() -> None:
    cluster = Cluster()
    assert cluster.image.features == {"metadata.version": 30}
    assert cluster.image.brokers[1].epoch == 1
    assert cluster.register(1).broker_epoch == 2
    assert cluster.image.brokers[1].epoch == 1
    cluster.commit()
    assert cluster.image.brokers[1].epoch == 2
    endpoint = cluster.image.brokers[1].endpoint("PLAINTEXT")
    assert endpoint is not None
    assert (endpoint.host, endpoint.port) == ("here", 9001)
    assert cluster.image.brokers[1].endpoint("OTHER") is None


def test_what_is_not_committed_is_not_in_the_image_but_counts() -> None:
    cluster = Cluster()
    cluster.create("made")
    assert cluster.image.topic("made") is None
    assert cluster.create("made").topics[0].error_code == codes.TOPIC_ALREADY_EXISTS
    half = cluster.machine.commit(len(cluster.bench.log) - 1)
    assert [topic.name for topic in half.topics_created] == ["made"]
    assert cluster.commit().partitions_added == [(cluster.image.topic("made"), 0)]


def test_a_commit_tells_what_it_changed() -> None:
    cluster = Cluster()
    cluster.create("first", "second", partitions=2, retention_ms="5")
    delta = cluster.commit()
    assert [topic.name for topic in delta.topics_created] == ["first", "second"]
    assert delta.configs == {(RESOURCE_TOPIC, "first"), (RESOURCE_TOPIC, "second")}
    assert [topic.partition_count for topic in delta.topics_created] == [2, 2]
    cluster.grow("first", 5)
    (grown,) = cluster.commit().partitions_added
    assert (grown[0].name, grown[1], grown[0].partition_count) == ("first", 2, 5)
    cluster.delete("first")
    cluster.create("short-lived")
    cluster.delete("short-lived")
    delta = cluster.commit()
    assert [topic.name for topic in delta.topics_removed] == ["first"]
    assert not delta.topics_created
    assert delta.configs == set()
    assert not cluster.commit()


def test_a_topic_of_the_same_name_is_another_one() -> None:
    cluster = Cluster()
    old_id = cluster.create("again", retention_ms="5").topics[0].topic_id
    cluster.commit()
    cluster.delete("again")
    new_id = cluster.create("again", partitions=3).topics[0].topic_id
    delta = cluster.commit()
    assert [(topic.id, topic.partition_count) for topic in delta.topics_removed] == [(old_id, 1)]
    assert [(topic.id, topic.partition_count) for topic in delta.topics_created] == [(new_id, 3)]
    assert cluster.image.configs(RESOURCE_TOPIC, "again") == {}
    assert cluster.image.topic_by_id(old_id) is None
    check_replay(cluster.bench, durable)


def test_producer_ids_come_in_blocks_for_the_living_epoch_only() -> None:
    cluster = Cluster()
    allocate = messages.AllocateProducerIdsRequest
    first = cluster.ask(allocate(broker_id=1, broker_epoch=1), 0)
    second = cluster.ask(allocate(broker_id=1, broker_epoch=1), 0)
    assert (first.producer_id_start, first.producer_id_len) == (0, 1000)
    assert (second.producer_id_start, second.producer_id_len) == (1000, 1000)
    for broker_id, epoch, code in ((2, 1, codes.BROKER_ID_NOT_REGISTERED), (1, 9, codes.STALE_BROKER_EPOCH)):
        with pytest.raises(Refused) as refusal:
            cluster.ask(allocate(broker_id=broker_id, broker_epoch=epoch), 0)
        assert refusal.value.code == code
    cluster.bench.restart()
    assert cluster.machine.replayed.next_producer_id == 2000


def test_deletion_can_be_switched_off() -> None:
    cluster = Cluster(delete_topic_enable="false")
    cluster.create("kept")
    for version, code in ((6, codes.TOPIC_DELETION_DISABLED), (2, codes.INVALID_REQUEST)):
        with pytest.raises(Refused) as refusal:
            cluster.ask(messages.DeleteTopicsRequest(topic_names=["kept"]), version)
        assert refusal.value.code == code


def test_replicas_go_round_the_brokers() -> None:
    cluster = Cluster(brokers=3)
    cluster.create("spread", partitions=9, replicas=2)
    cluster.commit()
    topic = cluster.image.topic("spread")
    assert topic is not None
    leaders = [partition.leader for partition in topic.partitions]
    assert {leader: leaders.count(leader) for leader in leaders} == {1: 3, 2: 3, 3: 3}
    pairs = {tuple(partition.replicas) for partition in topic.partitions}
    assert len(pairs) == 6, "every broker is followed by each of the others"
    assert all(partition.isr == partition.replicas for partition in topic.partitions)
    assert all(partition.directories == (DIRECTORY, DIRECTORY) for partition in topic.partitions)
    refused = cluster.create("wide", replicas=4).topics[0]
    assert refused.error_code == codes.INVALID_REPLICATION_FACTOR


def test_one_request_is_bounded() -> None:
    cluster = Cluster()
    assert cluster.create("vast", partitions=50_000).topics[0].error_code == codes.POLICY_VIOLATION
    assert cluster.create("large", partitions=10_000).topics[0].error_code == codes.NONE
    more = cluster.grow("large", 2**31 - 1).results[0]
    assert more.error_code == codes.POLICY_VIOLATION


def test_ids_of_topics_are_random_uuids() -> None:
    cluster = Cluster()
    response = cluster.create(*(f"topic-{number}" for number in range(200)))
    ids = [topic.topic_id for topic in response.topics]
    assert len(set(ids)) == 200
    assert all(topic_id[6] >> 4 == 4 and topic_id[8] >> 6 == 2 for topic_id in ids)
    assert not any(topic_id[0] >> 2 == 62 for topic_id in ids), "'-' would begin the text form"


def test_every_record_has_a_key_and_a_value_that_kafka_can_read() -> None:
    cluster = busy_cluster(random.Random(3), 60)
    for entry in cluster.bench.log:
        assert entry.key
        assert entry.value is not None
        records.decode_metadata(entry.value)


# Histories

NAMES = ["a", "b", "c.d", "c_d", "e"]


def busy_cluster(choice: random.Random, steps: int) -> Cluster:
    """A cluster after some requests that chance chose."""
    cluster = Cluster(brokers=2, seed=choice.getrandbits(32))
    for _ in range(steps):
        name = choice.choice(NAMES)
        what = choice.randrange(7)
        if what <= 1:
            cluster.create(name, partitions=choice.randint(1, 3), replicas=choice.randint(1, 2), retention_ms="5")
        elif what == 2:
            cluster.delete(name)
        elif what == 3:
            cluster.grow(name, choice.randint(2, 5))
        elif what == 4:
            cluster.configure(RESOURCE_TOPIC, name, **choice.choice([{}, {"retention_ms": "7"}, {"segment_ms": "9"}]))
        elif what == 5:
            cluster.ask(messages.AllocateProducerIdsRequest(broker_id=1, broker_epoch=1), 0)
        elif choice.random() < 0.5:
            cluster.commit()
        else:
            cluster.machine.commit(choice.randint(0, len(cluster.bench.log)))
    return cluster


def compacted(log: list[Entry], upto: int, *, drop_marks: bool) -> list[Entry]:
    """What is left when everything below ``upto`` was cleaned: of each key the newest, perhaps no marks."""
    newest = {entry.key: entry.offset for entry in log[:upto]}
    return [
        entry
        for entry in log
        if entry.offset >= upto
        or (newest[entry.key] == entry.offset and not (drop_marks and is_removal_mark(entry.value)))
    ]


def replayed(entries: list[Entry]) -> Any:
    machine = ClusterMachine(BrokerConfig())
    for entry in entries:
        machine.replay(entry)
    machine.commit(1 << 60)
    assert machine.image.as_plain() == machine.replayed.as_plain()
    return machine.image.as_plain()


@given(st.randoms(use_true_random=False), st.integers(0, 40))
@settings(max_examples=60)
def test_the_log_gives_the_state_whatever_was_compacted_and_in_any_order(choice: Any, steps: int) -> None:
    cluster = busy_cluster(choice, steps)
    check_replay(cluster.bench, durable)
    cluster.commit()
    expected = cluster.image.as_plain()
    log = cluster.bench.log
    assert replayed(log) == expected
    upto = choice.randint(0, len(log))
    for drop_marks in (False, True):
        assert replayed(compacted(log, upto, drop_marks=drop_marks)) == expected
        newest_only = compacted(log, len(log), drop_marks=drop_marks)
        choice.shuffle(newest_only)
        assert replayed(newest_only) == expected
