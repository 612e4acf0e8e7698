"""What Apache Kafka 4.3.1 answers to requests about consumer groups, as checks that run against any broker.

Written from answers of Apache Kafka, and run against it (``tests/compat``) as well as against ours. Membership in
depth is compared with Kafka's own coordinator in ``tests/state/test_groups_oracle``; here it is the requests on the
wire: their versions, what is refused before a coordinator is asked, several groups in one request.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from millrace.kafka import codes, messages
from tests.broker.admin_checks import Ask, create, describe_topic, new_topic

POLLS_MAX = 10_000
Connect = Callable[[], Ask]
JoinProtocol = messages.JoinGroupRequest.JoinGroupRequestProtocol


def ready(ask: Ask, topic: str, group_id: str = "any") -> bytes:
    """Make a topic and wait until the coordinator answers; the topic's id."""
    create(ask, new_topic(topic, 2))
    for _ in range(POLLS_MAX):
        request = messages.ListGroupsRequest()
        found = ask(messages.FindCoordinatorRequest(key_type=0, coordinator_keys=[group_id]), 6).coordinators[0]
        if found.error_code == 0 and ask(request, 5).error_code == 0 and fetch(ask, [group_id])[group_id][0] == 0:
            return bytes(describe_topic(ask, topic).topic_id)
    raise AssertionError("no coordinator")


def join_request(group_id: str, member_id: str = "", instance_id: str | None = None, **fields: Any) -> Any:
    values: dict[str, Any] = {
        "session_timeout_ms": 30_000,
        "rebalance_timeout_ms": 30_000,
        "protocol_type": "consumer",
        "protocols": [JoinProtocol(name="range", metadata=b"\0\1\0\0\0\0\0\0\0\0\0\0\0\0")],
    }
    return messages.JoinGroupRequest(
        group_id=group_id, member_id=member_id, group_instance_id=instance_id, **{**values, **fields}
    )


def join(ask: Ask, group_id: str, version: int = 9, member_id: str = "", **fields: Any) -> Any:
    """Join, as a new member by default; the second answer, if it takes two steps."""
    answer = ask(join_request(group_id, member_id, **fields), version)
    if answer.error_code == codes.MEMBER_ID_REQUIRED:
        answer = ask(join_request(group_id, answer.member_id, **fields), version)
    return answer


def sync(ask: Ask, group_id: str, joined: Any, version: int = 5, assignment: bytes = b"mine") -> Any:
    assigned = messages.SyncGroupRequest.SyncGroupRequestAssignment
    return ask(
        messages.SyncGroupRequest(
            group_id=group_id,
            generation_id=joined.generation_id,
            member_id=joined.member_id,
            protocol_type="consumer" if version >= 5 else None,
            protocol_name="range" if version >= 5 else None,
            assignments=[assigned(member_id=each.member_id, assignment=assignment) for each in joined.members],
        ),
        version,
    )


def leave(ask: Ask, group_id: str, *member_ids: str, version: int = 5) -> Any:
    identity = messages.LeaveGroupRequest.MemberIdentity
    if version < 3:
        return ask(messages.LeaveGroupRequest(group_id=group_id, member_id=member_ids[0]), version)
    members = [identity(member_id=each) for each in member_ids]
    return ask(messages.LeaveGroupRequest(group_id=group_id, members=members), version)


def commit(
    ask: Ask, group_id: str, topics: dict[Any, dict[int, int]], version: int = 10, **fields: Any
) -> dict[Any, dict[int, int]]:
    """Commit (topic, by name or id, to partition to offset); the codes in the same form."""
    request = messages.OffsetCommitRequest
    wanted = []
    for topic, offsets in topics.items():
        partitions = [
            request.OffsetCommitRequestPartition(partition_index=index, committed_offset=offset, committed_metadata="n")
            for index, offset in offsets.items()
        ]
        named = {"topic_id": topic} if isinstance(topic, bytes) else {"name": topic}
        wanted.append(request.OffsetCommitRequestTopic(partitions=partitions, **named))
    answer = ask(request(group_id=group_id, topics=wanted, **fields), version)
    return {
        topic.topic_id if version >= 10 else topic.name: {
            each.partition_index: int(each.error_code) for each in topic.partitions
        }
        for topic in answer.topics
    }


def fetch(
    ask: Ask, group_ids: list[str], topics: dict[Any, list[int]] | None = None, version: int = 10
) -> dict[str, tuple[int, dict[Any, dict[int, tuple[int, int]]]]]:
    """Of each group its code and (topic to partition to offset and code)."""
    request = messages.OffsetFetchRequest
    by_id = version >= 10
    if version >= 8:
        wanted = None
        if topics is not None:
            wanted = [
                request.OffsetFetchRequestTopics(**{"topic_id" if by_id else "name": name}, partition_indexes=indexes)
                for name, indexes in topics.items()
            ]
        groups = [request.OffsetFetchRequestGroup(group_id=group_id, topics=wanted) for group_id in group_ids]
        answers = ask(request(groups=groups), version).groups
    else:
        single = None
        if topics is not None:
            single = [
                request.OffsetFetchRequestTopic(name=name, partition_indexes=indexes)
                for name, indexes in topics.items()
            ]
        answers = [ask(request(group_id=group_ids[0], topics=single), version)]
    return {
        group_id: (
            int(each.error_code),
            {
                topic.topic_id if by_id else topic.name: {
                    one.partition_index: (one.committed_offset, int(one.error_code)) for one in topic.partitions
                }
                for topic in each.topics
            },
        )
        for group_id, each in zip(group_ids, answers, strict=True)
    }


def describe(ask: Ask, *group_ids: str, version: int = 6, operations: bool = False) -> list[Any]:
    request = messages.DescribeGroupsRequest(groups=list(group_ids), include_authorized_operations=operations)
    return list(ask(request, version).groups)


# FindCoordinator


def check_every_version_finds_the_coordinator(connect: Connect) -> None:
    ask = connect()
    ready(ask, "found")
    for version in range(4):
        answer = ask(messages.FindCoordinatorRequest(key="g"), version)
        assert (answer.error_code, answer.node_id, answer.host != "", answer.port > 0) == (0, ask.node_id, True, True)
        if version:
            assert answer.error_message == "NONE"
    for version in range(4, 7):
        answers = ask(messages.FindCoordinatorRequest(coordinator_keys=["g", "h", "g"]), version).coordinators
        assert [(each.key, each.error_code, each.node_id) for each in answers] == [
            ("g", 0, ask.node_id),
            ("h", 0, ask.node_id),
            ("g", 0, ask.node_id),
        ]


def check_share_coordinators_are_for_brokers_that_have_them(connect: Connect) -> None:
    """Kafka answers so before version 6, ours in every version: it has no share coordinator."""
    ask = connect()
    found = ask(messages.FindCoordinatorRequest(key_type=2, coordinator_keys=["g:AAAAAAAAAAAAAAAAAAAAAA:0"]), 5)
    each = found.coordinators[0]
    assert (each.error_code, each.node_id, each.host, each.port) == (codes.INVALID_REQUEST, -1, "", -1)


# What is refused before a coordinator is asked


def check_a_group_needs_a_name(connect: Connect) -> None:
    ask = connect()
    ready(ask, "nameless")
    assert ask(join_request("", "m"), 9).error_code == codes.INVALID_GROUP_ID
    assert ask(messages.HeartbeatRequest(), 4).error_code == codes.INVALID_GROUP_ID
    assert leave(ask, "", "m").error_code == codes.INVALID_GROUP_ID
    request = messages.SyncGroupRequest(protocol_type="consumer", protocol_name="range")
    assert ask(request, 5).error_code == codes.INVALID_GROUP_ID
    assert ask(messages.OffsetDeleteRequest(), 0).error_code == codes.INVALID_GROUP_ID
    assert commit(ask, "", {"nameless": {0: 1}}, 9) == {"nameless": {0: 0}}
    assert fetch(ask, [""], {"nameless": [0]}, 9)[""] == (0, {"nameless": {0: (1, 0)}})


def check_session_timeouts_have_bounds(connect: Connect) -> None:
    ask = connect()
    ready(ask, "bounds")
    for timeout_ms in (5999, 1_800_001, -1):
        answer = ask(join_request("bounded", "m", session_timeout_ms=timeout_ms), 9)
        assert (answer.error_code, answer.member_id, answer.generation_id) == (codes.INVALID_SESSION_TIMEOUT, "m", -1)
    assert describe(ask, "bounded")[0].error_code == codes.GROUP_ID_NOT_FOUND


def check_sync_must_name_the_protocol(connect: Connect) -> None:
    ask = connect()
    ready(ask, "protocols")
    for type_, name in ((None, None), ("consumer", None), (None, "range")):
        request = messages.SyncGroupRequest(group_id="p", member_id="m", protocol_type=type_, protocol_name=name)
        assert ask(request, 5).error_code == codes.INCONSISTENT_GROUP_PROTOCOL
    assert ask(messages.SyncGroupRequest(group_id="p", member_id="m"), 4).error_code == codes.UNKNOWN_MEMBER_ID


# Offsets


def check_every_version_commits_and_fetches(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "versions")
    offset = 0
    for version in range(2, 11):
        offset += 1
        name: Any = topic_id if version >= 10 else "versions"
        assert commit(ask, "v", {name: {0: offset}}, version) == {name: {0: 0}}
    for version in range(1, 11):
        name = topic_id if version >= 10 else "versions"
        assert fetch(ask, ["v"], {name: [0, 1]}, version) == {"v": (0, {name: {0: (offset, 0), 1: (-1, 0)}})}
        if version >= 2:
            assert fetch(ask, ["v"], None, version) == {"v": (0, {name: {0: (offset, 0)}})}


def check_what_is_not_there_is_refused_on_its_own(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "there")
    unknown = codes.UNKNOWN_TOPIC_OR_PARTITION
    assert commit(ask, "w", {"there": {0: 5, 7: 5}, "nowhere": {0: 5}}, 9) == {
        "there": {0: 0, 7: unknown},
        "nowhere": {0: unknown},
    }
    other = b"x" * 16
    assert commit(ask, "w", {topic_id: {1: 6}, other: {0: 5}}) == {
        topic_id: {1: 0},
        other: {0: codes.UNKNOWN_TOPIC_ID},
    }
    assert commit(ask, "w2", {"nowhere": {0: 5}}, 9) == {"nowhere": {0: unknown}}
    assert fetch(ask, ["w"], {topic_id: [0, 1, 7], other: [0]}) == {
        "w": (0, {topic_id: {0: (5, 0), 1: (6, 0), 7: (-1, 0)}, other: {0: (-1, codes.UNKNOWN_TOPIC_ID)}})
    }
    assert fetch(ask, ["w"], {"there": [0], "nowhere": [0]}, 9) == {
        "w": (0, {"there": {0: (5, 0)}, "nowhere": {0: (-1, 0)}})
    }


def check_several_groups_are_fetched_at_once(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "several")
    for number in range(6):
        commit(ask, f"several-{number}", {topic_id: {0: number}})
    names = [f"several-{number}" for number in (5, 0, 3)]
    found = fetch(ask, [*names, "several-none"])
    assert [found[name] for name in names] == [(0, {topic_id: {0: (number, 0)}}) for number in (5, 0, 3)]
    assert found["several-none"] == (0, {})


def check_a_group_that_is_not_there_refuses_its_members(connect: Connect) -> None:
    ask = connect()
    ready(ask, "absent")
    member = {"member_id": "m", "generation_id_or_member_epoch": 1}
    assert commit(ask, "absent", {"absent": {0: 1}}, 8, **member) == {"absent": {0: codes.ILLEGAL_GENERATION}}
    assert commit(ask, "absent", {"absent": {0: 1}}, 9, **member) == {"absent": {0: codes.GROUP_ID_NOT_FOUND}}
    beat = messages.HeartbeatRequest(group_id="absent", member_id="m", generation_id=1)
    assert ask(beat, 4).error_code == codes.UNKNOWN_MEMBER_ID
    for version in range(6):
        answer = leave(ask, "absent", "m", version=version)
        if version < 3:
            assert answer.error_code == codes.UNKNOWN_MEMBER_ID
        else:
            assert (answer.error_code, answer.members[0].error_code) == (0, codes.UNKNOWN_MEMBER_ID)
    assert ask(join_request("absent", "m"), 9).error_code == codes.UNKNOWN_MEMBER_ID
    assert describe(ask, "absent")[0].error_code == codes.GROUP_ID_NOT_FOUND


# Membership


def check_every_version_joins_and_leaves(connect: Connect) -> None:
    ask = connect()
    ready(ask, "joins")
    for version in range(10):
        joined = join(ask, f"join-{version}", version)
        assert (joined.error_code, joined.generation_id, joined.protocol_name) == (0, 1, "range")
        assert joined.leader == joined.member_id == joined.members[0].member_id
        assert joined.member_id.startswith("checks-")
        synced = sync(ask, f"join-{version}", joined, min(version, 5))
        assert (synced.error_code, synced.assignment) == (0, b"mine")
        beat = messages.HeartbeatRequest(group_id=f"join-{version}", member_id=joined.member_id, generation_id=1)
        assert ask(beat, min(version, 4)).error_code == 0
        left = leave(ask, f"join-{version}", joined.member_id, version=min(version, 5))
        assert left.error_code == 0
        assert describe(ask, f"join-{version}")[0].group_state == "Empty"


def check_a_second_member_makes_a_rebalance(connect: Connect) -> None:
    first, second = connect(), connect()
    ready(first, "two")
    one = join(first, "two")
    sync(first, "two", one)
    with ThreadPoolExecutor(1) as pool:
        waiting: Future[Any] = pool.submit(join, second, "two")
        beat = messages.HeartbeatRequest(group_id="two", member_id=one.member_id, generation_id=1)
        for _ in range(POLLS_MAX):
            if first(beat, 4).error_code == codes.REBALANCE_IN_PROGRESS:
                break
        again = first(join_request("two", one.member_id), 9)
        other = waiting.result(timeout=30)
    assert (again.generation_id, other.generation_id, other.leader) == (2, 2, one.member_id)
    assert {each.member_id for each in again.members} == {one.member_id, other.member_id}
    assert other.members == []
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(sync, second, "two", other)
        assert sync(first, "two", again, assignment=b"half").assignment == b"half"
        assert waiting.result(timeout=30).assignment == b"half"
    answer = leave(first, "two", one.member_id, other.member_id, "nobody")
    assert [each.error_code for each in answer.members] == [0, 0, codes.UNKNOWN_MEMBER_ID]


# Groups from outside


def check_groups_are_described_in_every_version(connect: Connect) -> None:
    ask = connect()
    ready(ask, "described")
    joined = join(ask, "shown")
    sync(ask, "shown", joined)
    for version in range(7):
        shown, absent = describe(ask, "shown", "nowhere", version=version, operations=version >= 3)
        assert (shown.error_code, shown.group_state, shown.protocol_type, shown.protocol_data) == (
            0,
            "Stable",
            "consumer",
            "range",
        )
        (member,) = shown.members
        assert (member.member_id, member.client_id, member.client_host) == (joined.member_id, "checks", "/127.0.0.1")
        assert (member.member_metadata[:2], member.member_assignment) == (b"\0\1", b"mine")
        operations = {3, 6, 8, 10, 11}
        expected = sum(1 << each for each in operations) if version >= 3 else -(1 << 31)
        assert shown.authorized_operations == expected
        if version < 6:
            assert (absent.error_code, absent.group_state) == (0, "Dead")
        else:
            assert (absent.error_code, absent.group_state) == (codes.GROUP_ID_NOT_FOUND, "Dead")
            assert absent.error_message == "Group nowhere not found."
    leave(ask, "shown", joined.member_id)


def check_groups_are_listed_in_every_version(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "listed")
    commit(ask, "listed-simple", {topic_id: {0: 1}})
    joined = join(ask, "listed-live")
    sync(ask, "listed-live", joined)
    for version in range(6):
        answer = ask(messages.ListGroupsRequest(), version)
        found = {each.group_id: each for each in answer.groups if each.group_id.startswith("listed-")}
        assert {name: each.protocol_type for name, each in found.items()} == {
            "listed-simple": "",
            "listed-live": "consumer",
        }
        if version >= 4:
            assert {name: each.group_state for name, each in found.items()} == {
                "listed-simple": "Empty",
                "listed-live": "Stable",
            }
        if version >= 5:
            assert {each.group_type for each in found.values()} == {"classic"}
    stable = ask(messages.ListGroupsRequest(states_filter=["stable"]), 4)
    assert [each.group_id for each in stable.groups if each.group_id.startswith("listed-")] == ["listed-live"]
    assert ask(messages.ListGroupsRequest(types_filter=["consumer"]), 5).groups == []
    leave(ask, "listed-live", joined.member_id)


def check_groups_are_deleted_when_they_are_empty(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "deleted")
    for version in range(3):
        joined = join(ask, "deleted")
        sync(ask, "deleted", joined)
        commit(
            ask,
            "deleted",
            {topic_id: {0: 1}},
            member_id=joined.member_id,
            generation_id_or_member_epoch=1 + version * 0,
        )
        request = messages.DeleteGroupsRequest(groups_names=["deleted", "nowhere", "deleted"])
        codes_of = {each.group_id: each.error_code for each in ask(request, version).results}
        assert codes_of == {"deleted": codes.NON_EMPTY_GROUP, "nowhere": codes.GROUP_ID_NOT_FOUND}
        leave(ask, "deleted", joined.member_id)
        codes_of = {each.group_id: each.error_code for each in ask(request, version).results}
        assert codes_of == {"deleted": 0, "nowhere": codes.GROUP_ID_NOT_FOUND}
        assert fetch(ask, ["deleted"]) == {"deleted": (0, {})}


def check_offsets_are_deleted(connect: Connect) -> None:
    ask = connect()
    topic_id = ready(ask, "forgotten")
    commit(ask, "forgets", {topic_id: {0: 1, 1: 2}})
    topic = messages.OffsetDeleteRequest.OffsetDeleteRequestTopic
    partition = messages.OffsetDeleteRequest.OffsetDeleteRequestPartition
    wanted = [
        topic(name="forgotten", partitions=[partition(partition_index=each) for each in (0, 9)]),
        topic(name="nowhere", partitions=[partition(partition_index=0)]),
    ]
    answer = ask(messages.OffsetDeleteRequest(group_id="forgets", topics=wanted), 0)
    unknown = codes.UNKNOWN_TOPIC_OR_PARTITION
    assert answer.error_code == 0
    assert {each.name: {one.partition_index: one.error_code for one in each.partitions} for each in answer.topics} == {
        "forgotten": {0: 0, 9: unknown},
        "nowhere": {0: unknown},
    }
    assert fetch(ask, ["forgets"]) == {"forgets": (0, {topic_id: {1: (2, 0)}})}
    answer = ask(messages.OffsetDeleteRequest(group_id="nowhere", topics=wanted), 0)
    assert (answer.error_code, answer.topics) == (codes.GROUP_ID_NOT_FOUND, [])


CHECKS: list[Callable[[Connect], None]] = [
    check for name, check in list(globals().items()) if name.startswith("check_")
]
