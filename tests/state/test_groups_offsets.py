"""Committed offsets: who may commit, what is kept, deleted and expired, and offsets of open transactions."""

from __future__ import annotations

from typing import Any

import pytest

from millrace.kafka import codes, messages
from millrace.state.groups import TopicsDeleted
from millrace.state.groups_records import NO_EXPIRY, offset_key, offset_value
from millrace.state.groups_store import GroupStore
from millrace.state.machine import Entry
from tests.contracts.machine import check_replay
from tests.state.group_clients import DAY_MS, TOPIC_ID, Clients

ORDERS = ("orders", 0)


def durable(machine: Any) -> object:
    return machine.store.as_plain()


def test_a_consumer_without_membership_commits_and_fetches() -> None:
    clients = Clients()
    assert clients.commit({ORDERS: 5, ("orders", 1): 6, ("payments", 0): 7}) == [0, 0, 0]
    assert clients.committed() == {ORDERS: 5, ("orders", 1): 6, ("payments", 0): 7}
    assert clients.committed("nobody") == {}
    clients.commit({ORDERS: 8})
    clients.restart()
    assert clients.committed()[ORDERS] == 8
    assert clients.state() == "Empty"
    check_replay(clients, durable)


def test_only_members_of_this_generation_commit_in_a_living_group() -> None:
    clients = Clients()
    (leader,) = clients.stable(1)
    assert clients.commit({ORDERS: 1}, member_id=leader, generation=1) == [codes.NONE]
    assert clients.commit({ORDERS: 1}, member_id=leader, generation=2) == [codes.ILLEGAL_GENERATION]
    assert clients.commit({ORDERS: 1}, member_id="nobody", generation=1) == [codes.UNKNOWN_MEMBER_ID]
    assert clients.commit({ORDERS: 1}) == [codes.UNKNOWN_MEMBER_ID]
    clients.join(leader)
    assert clients.commit({ORDERS: 1}, member_id=leader, generation=2) == [codes.REBALANCE_IN_PROGRESS]


def test_a_commit_while_a_rebalance_is_prepared_is_taken() -> None:
    clients = Clients()
    leader, _ = clients.stable(2)
    clients.join(leader)
    assert clients.commit({ORDERS: 3}, member_id=leader, generation=1) == [codes.NONE]


@pytest.mark.parametrize(("version", "code"), [(8, codes.ILLEGAL_GENERATION), (9, codes.GROUP_ID_NOT_FOUND)])
def test_a_member_of_a_group_that_is_not_there_is_refused(version: int, code: int) -> None:
    clients = Clients()
    assert clients.commit({ORDERS: 1}, member_id="m", generation=1, version=version) == [code]
    assert clients.listed() == []


def test_a_note_that_is_too_long_is_refused_on_its_own() -> None:
    clients = Clients(offset_metadata_length_max=10)
    assert clients.commit({ORDERS: 1}, metadata="x" * 11) == [codes.OFFSET_METADATA_TOO_LARGE]
    assert clients.commit({ORDERS: 1}, metadata="é" * 10) == [codes.NONE]
    assert clients.commit({ORDERS: 2}, metadata="\N{GRINNING FACE}" * 6) == [codes.OFFSET_METADATA_TOO_LARGE]
    assert clients.commit({ORDERS: 3}, metadata=None) == [codes.NONE]
    assert clients.committed() == {ORDERS: 3}


def test_an_offset_of_an_older_topic_of_the_name_is_not_given() -> None:
    clients = Clients()
    clients.commit({ORDERS: 5})
    topic = messages.OffsetFetchRequest.OffsetFetchRequestTopics
    for topic_id, expected in ((TOPIC_ID, 5), (b"n" * 16, -1), (bytes(16), 5)):
        wanted = [topic(name="orders", topic_id=topic_id, partition_indexes=[0])]
        group = messages.OffsetFetchRequest.OffsetFetchRequestGroup(group_id="g", topics=wanted)
        answer = clients.ask_now(messages.OffsetFetchRequest(groups=[group]), 10).groups[0]
        assert answer.topics[0].partitions[0].committed_offset == expected


def test_offsets_go_with_their_topic() -> None:
    clients = Clients()
    clients.commit({ORDERS: 1, ("payments", 0): 2})
    clients.commit({ORDERS: 3}, group_id="h")
    clients.tell(TopicsDeleted([("orders", TOPIC_ID)]))
    assert clients.committed() == {("payments", 0): 2}
    assert clients.committed("h") == {}
    clients.commit({ORDERS: 4})
    clients.tell(TopicsDeleted([("orders", b"another topic id")]))
    assert clients.committed()[ORDERS] == 4
    check_replay(clients, durable)


def delete(clients: Clients, *topics: str, group_id: str = "g") -> Any:
    topic = messages.OffsetDeleteRequest.OffsetDeleteRequestTopic
    partition = messages.OffsetDeleteRequest.OffsetDeleteRequestPartition
    request = messages.OffsetDeleteRequest(
        group_id=group_id,
        topics=[topic(name=name, partitions=[partition(partition_index=0)]) for name in topics],
    )
    return clients.ask_now(request, 0)


def test_offsets_are_deleted_unless_somebody_is_subscribed() -> None:
    clients = Clients()
    (leader,) = clients.stable(1, topics=("orders",))
    clients.commit({ORDERS: 1, ("payments", 0): 2}, member_id=leader, generation=1)
    answer = delete(clients, "orders", "payments")
    found = [topic.partitions[0].error_code for topic in answer.topics]
    assert found == [codes.GROUP_SUBSCRIBED_TO_TOPIC, codes.NONE]
    assert clients.committed() == {ORDERS: 1}
    clients.leave((leader, None))
    assert delete(clients, "orders").topics[0].partitions[0].error_code == codes.NONE
    assert clients.committed() == {}
    assert clients.state() == "Empty"


def test_offsets_of_living_groups_of_other_protocols_are_not_deleted() -> None:
    clients = Clients()
    clients.stable(1, protocol_type="connect")
    assert delete(clients, "orders").error_code == codes.NON_EMPTY_GROUP
    assert delete(clients, "orders", group_id="nobody").error_code == codes.GROUP_ID_NOT_FOUND


def test_a_group_is_deleted_when_it_is_empty_with_all_its_offsets() -> None:
    clients = Clients()
    (leader,) = clients.stable(1)
    clients.commit({ORDERS: 1}, member_id=leader, generation=1)
    assert clients.delete_group() == codes.NON_EMPTY_GROUP
    clients.leave((leader, None))
    assert clients.delete_group() == codes.NONE
    assert clients.delete_group() == codes.GROUP_ID_NOT_FOUND
    assert clients.committed() == {}
    assert clients.listed() == []
    described = clients.describe()
    assert (described.group_state, described.error_code) == ("Dead", codes.GROUP_ID_NOT_FOUND)
    check_replay(clients, durable)
    assert clients.groups.store.as_plain() == GroupStore().as_plain()


def test_groups_are_listed_by_state_and_type() -> None:
    clients = Clients()
    clients.stable(1, group_id="live")
    clients.commit({ORDERS: 1}, group_id="simple")
    assert clients.listed() == ["live", "simple"]
    assert clients.listed(states_filter=["STABLE"]) == ["live"]
    assert clients.listed(states_filter=["empty", "stable"]) == ["live", "simple"]
    assert clients.listed(types_filter=["Consumer"]) == []
    assert clients.listed(types_filter=["Classic"]) == ["live", "simple"]


def test_offsets_of_simple_consumers_expire_after_their_last_commit() -> None:
    clients = Clients()
    clients.commit({ORDERS: 1})
    clients.advance(6 * DAY_MS)
    clients.commit({("orders", 1): 2})
    clients.advance(DAY_MS + 600_000)
    assert clients.committed() == {("orders", 1): 2}
    clients.advance(6 * DAY_MS)
    assert clients.listed() == []
    check_replay(clients, durable)


def test_offsets_of_a_group_expire_after_it_became_empty() -> None:
    clients = Clients()
    (leader,) = clients.stable(1, session_timeout_ms=1_000_000_000)
    clients.commit({ORDERS: 1}, member_id=leader, generation=1)
    clients.advance(8 * DAY_MS)
    assert clients.committed() == {ORDERS: 1}
    clients.leave((leader, None))
    clients.advance(7 * DAY_MS - 1)
    assert clients.committed() == {ORDERS: 1}
    clients.advance(600_001)
    assert clients.committed() == {}
    assert clients.listed() == []


def test_in_a_living_group_only_topics_that_nobody_reads_expire() -> None:
    clients = Clients()
    (leader,) = clients.stable(1, session_timeout_ms=1_000_000_000, topics=("orders",))
    clients.commit({ORDERS: 1, ("payments", 0): 2}, member_id=leader, generation=1)
    clients.advance(8 * DAY_MS)
    assert clients.committed() == {ORDERS: 1}


def test_an_old_client_names_its_own_retention_time() -> None:
    clients = Clients()
    clients.commit({ORDERS: 1}, retention_ms=1000)
    clients.advance(600_000)
    assert clients.committed() == {}


def test_many_offsets_expire_some_at_a_time() -> None:
    clients = Clients()
    for number in range(3):
        clients.commit({("orders", index): 1 for index in range(900)}, group_id=f"g{number}")
    written = len(clients.log)
    clients.mono_ms += 8 * DAY_MS
    decision = clients.groups.expire(clients.env())
    assert 0 < len(decision.records) <= 1001
    clients._run(decision, None)
    clients.advance(100)
    assert clients.listed() == []
    assert len(clients.log) == written + 3 * 901
    check_replay(clients, durable)


# -- offsets of transactions, as they come from the log ----------------------------------------------------------------


class Log:
    """Entries of a log as a transaction's coordinator and producers would write them."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients

    def add(self, offset: int, producer_id: int = -1, partition: int = 0) -> None:
        key = offset_key("g", "orders", partition)
        value = offset_value(offset, -1, "", self.clients.mono_ms, NO_EXPIRY, TOPIC_ID)
        self._append(key, value, producer_id)

    def end(self, producer_id: int, *, commit: bool) -> None:
        self._append(b"\0\0\0\1" if commit else b"\0\0\0\0", b"", producer_id, int(commit))

    def remove(self) -> None:
        self._append(offset_key("g", "orders", 0), None, -1)

    def _append(self, key: bytes, value: bytes | None, producer_id: int, control: int | None = None) -> None:
        entry = Entry(len(self.clients.log), 0, key, value, producer_id, 0, control)
        self.clients.log.append(entry)
        self.clients.machine.replay(entry)


def test_an_offset_of_a_transaction_counts_when_it_is_committed() -> None:
    clients = Clients()
    log = Log(clients)
    log.add(1)
    log.add(5, producer_id=9)
    assert clients.committed() == {ORDERS: 1}
    assert clients.committed(require_stable=True) == {ORDERS: -codes.UNSTABLE_OFFSET_COMMIT}
    log.end(9, commit=True)
    assert clients.committed(require_stable=True) == {ORDERS: 5}
    check_replay(clients, durable)


def test_an_aborted_offset_never_counts() -> None:
    clients = Clients()
    log = Log(clients)
    log.add(5, producer_id=9)
    log.end(9, commit=False)
    log.end(8, commit=True)
    assert clients.committed() == {}
    check_replay(clients, durable)


def test_what_stands_last_in_the_log_wins() -> None:
    clients = Clients()
    log = Log(clients)
    log.add(1, producer_id=9)
    log.add(2, producer_id=8)
    log.add(3)
    log.add(4, producer_id=7)
    log.end(8, commit=True)
    assert clients.committed() == {ORDERS: 3}
    log.end(7, commit=True)
    log.end(9, commit=True)
    assert clients.committed() == {ORDERS: 4}
    check_replay(clients, durable)


def test_a_deleted_offset_does_not_come_back_with_its_transaction() -> None:
    clients = Clients()
    log = Log(clients)
    log.add(1, producer_id=9)
    log.remove()
    log.end(9, commit=True)
    assert clients.committed() == {}


def test_a_group_with_an_open_transaction_is_not_expired_and_is_deleted_whole() -> None:
    clients = Clients()
    log = Log(clients)
    log.add(1, producer_id=9)
    clients.advance(8 * DAY_MS)
    assert clients.listed() == ["g"]
    assert clients.delete_group() == codes.NONE
    log.end(9, commit=True)
    assert clients.committed() == {}
    assert clients.listed() == []


def test_records_of_other_kinds_of_groups_are_left_alone() -> None:
    clients = Clients()
    clients.machine.replay(Entry(0, 0, b"\0\3\0\1g", b"\0\0"))
    clients.machine.replay(Entry(1, 0, b"\xff\xff", b""))
    clients.machine.replay(Entry(2, 0, None, b""))
    assert clients.groups.store.as_plain() == GroupStore().as_plain()
