"""Requests about groups against a whole broker, as a client meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millrace.kafka import codes, messages
from millrace.testing.broker import Broker
from tests.broker import group_checks
from tests.broker.admin_checks import Ask, delete, doomed
from tests.broker.wire_ask import WireAsk
from tools import kafka_jars
from tools.apache_kafka import run_tool


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as started:
        yield started


@pytest.fixture
def connect(broker: Broker) -> Iterator[Callable[[], Ask]]:
    opened: list[WireAsk] = []

    def open_one() -> Ask:
        opened.append(WireAsk(broker.bootstrap_servers, is_kafka=False))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.mark.parametrize("check", group_checks.CHECKS, ids=lambda check: check.__name__)
def test_as_a_client(check: Callable[[group_checks.Connect], None], connect: Callable[[], Ask]) -> None:
    check(connect)


def test_a_kind_of_coordinator_that_is_not_here_is_named(connect: Callable[[], Ask]) -> None:
    """Kafka has them; here a client shall fail at once, with a reason."""
    ask = connect()
    for kind, name in ((1, "transaction"), (2, "share"), (7, "coordinator type 7")):
        (found,) = ask(messages.FindCoordinatorRequest(key_type=kind, coordinator_keys=["x"]), 6).coordinators
        assert found.error_code == codes.INVALID_REQUEST
        assert name in found.error_message


def test_offsets_go_with_their_topic(connect: Callable[[], Ask]) -> None:
    ask = connect()
    topic_id = group_checks.ready(ask, "passing")
    group_checks.commit(ask, "stays", {topic_id: {0: 7}})
    delete(ask, doomed("passing"))
    assert group_checks.fetch(ask, ["stays"], version=9) == {"stays": (0, {})}


@pytest.mark.parametrize("way", ["restart", "kill"])
def test_groups_survive(way: str) -> None:
    """A controlled stop, and one as by kill -9: a member goes on, offsets and generations are there."""
    with Broker() as broker:
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        topic_id = group_checks.ready(ask, "survives")
        joined = group_checks.join(ask, "alive")
        group_checks.sync(ask, "alive", joined)
        member = {"member_id": joined.member_id, "generation_id_or_member_epoch": 1}
        assert group_checks.commit(ask, "alive", {topic_id: {0: 42}}, **member) == {topic_id: {0: 0}}
        ask.close()
        if way == "restart":
            broker.restart()
        else:
            broker.kill()
            broker.start()
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        assert group_checks.ready(ask, "survives", "alive") == topic_id
        assert group_checks.fetch(ask, ["alive"]) == {"alive": (0, {topic_id: {0: (42, 0)}})}
        beat = messages.HeartbeatRequest(group_id="alive", member_id=joined.member_id, generation_id=1)
        assert ask(beat, 4).error_code == 0
        assert group_checks.sync(ask, "alive", joined).assignment == b"mine"
        ask.close()


def test_on_a_full_disk_commits_are_refused_and_sessions_still_end() -> None:
    """A group that cannot write its changes goes on in memory; when there is room all is as it should be."""
    with Broker(config={"offsets.topic.num.partitions": "1"}) as broker:
        ask = WireAsk(broker.bootstrap_servers, is_kafka=False)
        topic_id = group_checks.ready(ask, "full")
        joined = group_checks.join(ask, "crowded")
        group_checks.sync(ask, "crowded", joined)
        member = {"member_id": joined.member_id, "generation_id_or_member_epoch": 1}
        group_checks.commit(ask, "crowded", {topic_id: {0: 1}}, **member)
        group_checks.sync(ask, "later", group_checks.join(ask, "later", session_timeout_ms=45_000))
        broker.disk.fail_after(0, full=True)
        refused = group_checks.commit(ask, "crowded", {topic_id: {0: 2}}, **member)
        assert refused == {topic_id: {0: codes.NOT_COORDINATOR}}
        assert group_checks.fetch(ask, ["crowded"]) == {"crowded": (0, {topic_id: {0: (1, 0)}})}
        again = group_checks.join(ask, "crowded", member_id=joined.member_id)
        assert group_checks.sync(ask, "crowded", again).error_code == codes.NOT_COORDINATOR
        broker.advance(31_000)  # the first group ends, and cannot say so in the log
        broker.advance(20_000)
        assert group_checks.describe(ask, "later")[0].group_state == "Empty"
        assert group_checks.describe(ask, "crowded")[0].group_state == "Empty"
        broker.disk.heal()
        assert group_checks.commit(ask, "crowded", {topic_id: {0: 3}}) == {topic_id: {0: 0}}
        assert group_checks.fetch(ask, ["crowded"]) == {"crowded": (0, {topic_id: {0: (3, 0)}})}
        newcomer = group_checks.join(ask, "crowded")
        assert newcomer.generation_id > again.generation_id
        assert group_checks.sync(ask, "crowded", newcomer).assignment == b"mine"
        ask.close()


@pytest.mark.slow
@pytest.mark.oracle
def test_kafkas_tool_reads_what_groups_leave(tmp_path: Path) -> None:
    """DumpLogSegments with its decoder of offsets: every record is one it knows, tombstones among them."""
    with Broker(data_dir=str(tmp_path)) as broker:
        opened: list[WireAsk] = []

        def open_one() -> Ask:
            opened.append(WireAsk(broker.bootstrap_servers, is_kafka=False))
            return opened[-1]

        for check in group_checks.CHECKS:
            check(open_one)
        for each in opened:
            each.close()
    try:
        kafka_jars.jar_paths()
    except kafka_jars.JarMissing as missing:
        pytest.skip(str(missing))
    files = ",".join(str(path) for path in sorted(tmp_path.glob("**/__consumer_offsets-*/*.log")))
    shown = run_tool(
        "org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--offsets-decoder", "--files", files
    )
    records = [line for line in shown.splitlines() if " key: " in line]
    assert sum('"type":"1"' in line for line in records) > 20
    assert sum('"type":"2"' in line for line in records) > 20
    assert any("payload: <DELETE>" in line or line.rstrip().endswith("payload: null") for line in records), records[-5:]
    assert "skipping" not in shown
