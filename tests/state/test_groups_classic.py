"""Membership of classic groups: joining, generations, assignments, static members, leaving, time-outs."""

from __future__ import annotations

from millrace.kafka import codes
from millrace.state.groups_classic import new_member_id
from tests.contracts.machine import check_replay
from tests.state.group_clients import Clients


def test_a_new_member_is_first_given_an_id_and_then_joins() -> None:
    clients = Clients()
    member_id = clients.new_id()
    assert member_id.startswith("client-")
    token = clients.join(member_id)
    assert token not in clients.answers
    clients.advance(2999)
    assert token not in clients.answers
    clients.advance(1)
    answer = clients.answers[token]
    assert (answer.error_code, answer.generation_id, answer.leader, answer.protocol_name) == (0, 1, member_id, "range")
    assert [member.member_id for member in answer.members] == [member_id]


def test_an_older_client_joins_at_once() -> None:
    clients = Clients()
    token = clients.join(version=3)
    clients.advance(3000)
    assert clients.answers[token].member_id == clients.answers[token].leader


def test_the_first_rebalance_waits_longer_while_members_come() -> None:
    clients = Clients()
    first, second = clients.new_id(), clients.new_id()
    token = clients.join(first)
    clients.advance(2000)
    clients.join(second)
    clients.advance(1000)
    assert token not in clients.answers
    clients.advance(3000)
    assert clients.answers[token].generation_id == 1
    assert len(clients.answers[token].members) == 2


def test_only_the_leader_learns_of_the_members_and_all_get_their_assignment() -> None:
    clients = Clients()
    first, second = clients.new_id(), clients.new_id()
    tokens = {first: clients.join(first), second: clients.join(second)}
    clients.advance(6000)
    leader = clients.answers[tokens[first]].leader
    follower = second if leader == first else first
    assert clients.answers[tokens[follower]].members == []
    waiting = clients.sync(follower, 1)
    assert waiting not in clients.answers
    leading = clients.sync(leader, 1, {leader: b"L", follower: b"F"})
    assert clients.answers[leading].assignment == b"L"
    assert clients.answers[waiting].assignment == b"F"
    assert clients.state() == "Stable"
    assert clients.answers[clients.sync(follower, 1)].assignment == b"F"


def test_a_member_without_an_assignment_gets_an_empty_one() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    tokens = [clients.join(leader), clients.join(follower)]
    assert all(token in clients.answers for token in tokens)
    clients.sync(leader, 2, {leader: b"all"})
    assert clients.answers[clients.sync(follower, 2)].assignment == b""


def test_members_are_told_to_rejoin_when_one_comes() -> None:
    clients = Clients()
    (leader,) = clients.stable(1)
    token = clients.join(clients.new_id())
    assert clients.heartbeat(leader, 1) == codes.REBALANCE_IN_PROGRESS
    assert token not in clients.answers
    clients.join(leader)
    assert clients.answers[token].generation_id == 2


def test_who_does_not_rejoin_in_time_is_left_out() -> None:
    clients = Clients()
    (leader,) = clients.stable(1, rebalance_timeout_ms=20_000, session_timeout_ms=100_000)
    newcomer = clients.new_id()
    token = clients.join(newcomer, rebalance_timeout_ms=20_000)
    clients.advance(19_999)
    assert token not in clients.answers
    clients.advance(1)
    answer = clients.answers[token]
    assert (answer.leader, len(answer.members)) == (newcomer, 1)
    assert clients.heartbeat(leader, 1) == codes.UNKNOWN_MEMBER_ID


def test_a_member_that_is_not_heard_of_is_taken_out() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    for _ in range(3):
        clients.advance(5000)
        assert clients.heartbeat(leader, 1) in (codes.NONE, codes.REBALANCE_IN_PROGRESS)
    assert clients.heartbeat(follower, 1) == codes.UNKNOWN_MEMBER_ID
    assert clients.state() == "PreparingRebalance"


def test_a_group_whose_members_are_gone_is_empty_and_says_so_in_the_log() -> None:
    clients = Clients()
    clients.stable(2)
    clients.advance(20_000)
    assert clients.state() == "Empty"
    generation = clients.groups.rebalances.groups["g"].generation
    clients.restart()
    assert clients.state() == "Empty"
    clients.new_id()
    assert clients.groups.rebalances.groups["g"].generation == generation == 2


def test_commits_keep_a_session_alive() -> None:
    clients = Clients()
    (leader,) = clients.stable(1)
    for _ in range(5):
        clients.advance(9000)
        assert clients.commit({("orders", 0): 1}, member_id=leader, generation=1) == [codes.NONE]


def test_a_member_that_joined_and_never_asks_for_its_assignment_is_taken_out() -> None:
    clients = Clients()
    first, second = clients.new_id(), clients.new_id()
    token = clients.join(first, rebalance_timeout_ms=5000)
    clients.join(second, rebalance_timeout_ms=5000)
    clients.advance(6000)
    leader = clients.answers[token].leader
    silent = second if leader == first else first
    clients.sync(leader, 1, {leader: b"x", silent: b"y"})
    assert clients.heartbeat(silent, 1) == codes.NONE
    clients.advance(5000)
    assert clients.heartbeat(silent, 1) == codes.UNKNOWN_MEMBER_ID
    assert clients.heartbeat(leader, 1) == codes.REBALANCE_IN_PROGRESS


def test_a_given_id_that_is_not_used_is_forgotten() -> None:
    clients = Clients()
    member_id = clients.new_id()
    clients.advance(10_000)
    assert clients.answers[clients.join(member_id)].error_code == codes.UNKNOWN_MEMBER_ID


def test_the_protocol_that_most_prefer_of_those_that_all_know_is_taken() -> None:
    clients = Clients()
    ids = [clients.new_id() for _ in range(3)]
    wishes = [("a", "b", "c"), ("b", "c"), ("c", "b")]
    tokens = [clients.join(each, protocols=names) for each, names in zip(ids, wishes, strict=True)]
    clients.advance(60_000)
    assert {clients.answers[token].protocol_name for token in tokens} == {"b"}


def test_a_member_that_shares_no_protocol_is_refused() -> None:
    clients = Clients()
    clients.stable(1)
    assert clients.answers[clients.join(protocols=("zebra",))].error_code == codes.INCONSISTENT_GROUP_PROTOCOL
    assert clients.answers[clients.join(protocol_type="connect")].error_code == codes.INCONSISTENT_GROUP_PROTOCOL
    fresh = clients.join(group_id="other", protocols=())
    assert clients.answers[fresh].error_code == codes.INCONSISTENT_GROUP_PROTOCOL


def test_a_full_group_takes_nobody_in() -> None:
    clients = Clients(group_size_max=2)
    clients.stable(2)
    assert clients.answers[clients.join()].error_code == codes.GROUP_MAX_SIZE_REACHED


def test_a_group_that_is_larger_than_is_now_allowed_shrinks_after_a_restart() -> None:
    clients = Clients()
    members = clients.stable(3)
    clients.make = lambda: type(clients.groups)(clients.groups.limits)
    clients.groups.limits.group_size_max = 2
    clients.restart()
    clients.advance(0)
    assert clients.state() == "PreparingRebalance"
    answers = [clients.join(each) for each in members]
    clients.advance(60_000)
    found = sorted(clients.answers[token].error_code for token in answers)
    assert found == [codes.NONE, codes.NONE, codes.GROUP_MAX_SIZE_REACHED]


def test_a_static_member_that_restarts_keeps_its_assignment_without_a_rebalance() -> None:
    clients = Clients()
    token = clients.join(instance_id="one")
    old = clients.wait(token).member_id
    assert old.startswith("one-")
    clients.sync(old, 1, {old: b"mine"}, instance_id="one")
    answer = clients.answers[clients.join(instance_id="one")]
    assert (answer.error_code, answer.generation_id, answer.skip_assignment) == (codes.NONE, 1, True)
    assert answer.member_id != old
    assert answer.leader == answer.member_id
    assert clients.heartbeat(old, 1, "one") == codes.FENCED_INSTANCE_ID
    assert clients.answers[clients.sync(answer.member_id, 1, instance_id="one")].assignment == b"mine"
    clients.restart()
    assert clients.heartbeat(answer.member_id, 1, "one") == codes.NONE


def test_an_older_static_leader_is_told_its_old_name_so_that_it_assigns_nothing() -> None:
    clients = Clients()
    token = clients.join(instance_id="one", version=5)
    old = clients.wait(token).member_id
    clients.sync(old, 1, {old: b"mine"}, instance_id="one")
    answer = clients.answers[clients.join(instance_id="one", version=5)]
    assert (answer.leader, answer.members, answer.skip_assignment) == (old, [], False)


def test_a_static_member_with_another_choice_of_protocol_makes_a_rebalance() -> None:
    clients = Clients()
    token = clients.join(instance_id="one", protocols=("range",))
    old = clients.wait(token).member_id
    clients.sync(old, 1, {old: b"mine"}, instance_id="one")
    answer = clients.answers[clients.join(instance_id="one", protocols=("sticky",))]
    assert answer.error_code == codes.INCONSISTENT_GROUP_PROTOCOL
    answer = clients.answers[clients.join(instance_id="one", protocols=("sticky", "range"))]
    assert (answer.error_code, answer.generation_id, answer.protocol_name) == (codes.NONE, 2, "sticky")


def test_two_with_one_instance_id_fence_each_other() -> None:
    clients = Clients()
    first = clients.join(instance_id="one")
    second = clients.join(instance_id="one")
    assert clients.answers[first].error_code == codes.FENCED_INSTANCE_ID
    clients.advance(60_000)
    assert clients.answers[second].error_code == codes.NONE


def test_a_static_member_that_is_away_keeps_its_place_in_a_rebalance() -> None:
    clients = Clients()
    token = clients.join(instance_id="one", session_timeout_ms=100_000, rebalance_timeout_ms=10_000)
    static = clients.wait(token).member_id
    clients.sync(static, 1, {static: b"mine"}, instance_id="one")
    newcomer = clients.join(clients.new_id(), rebalance_timeout_ms=10_000)
    clients.advance(10_000)
    answer = clients.answers[newcomer]
    assert answer.leader == answer.member_id
    assert {member.member_id for member in answer.members} == {static, answer.member_id}


def test_an_administrator_takes_out_a_static_member_by_its_instance_id() -> None:
    clients = Clients()
    clients.wait(clients.join(instance_id="one"))
    assert clients.leave(("", "one"), ("", "two"), ("", None)) == [0, codes.UNKNOWN_MEMBER_ID, codes.UNKNOWN_MEMBER_ID]
    assert clients.state() == "Empty"


def test_leaving_lets_the_others_rebalance_and_those_who_wait_go_on() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    waiting = clients.join(leader)
    assert waiting not in clients.answers
    assert clients.leave((follower, None)) == [codes.NONE]
    assert clients.answers[waiting].generation_id == 2


def test_who_waits_is_answered_when_it_is_taken_out() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    joins = [clients.join(leader), clients.join(follower)]
    assert all(token in clients.answers for token in joins)
    waiting = clients.sync(follower, 2)
    assert clients.leave((follower, None)) == [codes.NONE]
    assert clients.answers[waiting].error_code == codes.UNKNOWN_MEMBER_ID


def test_asking_again_answers_the_older_request() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    older = clients.join(leader)
    newer = clients.join(leader)
    assert clients.answers[older].error_code == codes.REBALANCE_IN_PROGRESS
    clients.join(follower)
    assert clients.answers[newer].error_code == codes.NONE
    older_sync = clients.sync(follower, 2)
    clients.sync(follower, 2)
    assert clients.answers[older_sync].error_code == codes.REBALANCE_IN_PROGRESS


def test_a_missed_answer_is_given_again_without_a_rebalance() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    answer = clients.answers[clients.join(follower)]
    assert (answer.error_code, answer.generation_id, answer.members) == (codes.NONE, 1, [])
    assert clients.state() == "Stable"
    clients.join(leader)
    assert clients.state() == "PreparingRebalance"


def test_sync_names_the_reason_when_it_refuses() -> None:
    clients = Clients()
    (leader,) = clients.stable(1)

    def code(*arguments: object, **how: object) -> int:
        return int(clients.answers[clients.sync(*arguments, **how)].error_code)  # type: ignore[arg-type]

    assert code("nobody", 1) == codes.UNKNOWN_MEMBER_ID
    assert code(leader, 2) == codes.ILLEGAL_GENERATION
    assert code(leader, 1, protocol_type="connect") == codes.INCONSISTENT_GROUP_PROTOCOL
    assert code(leader, 1, protocol_name="zebra") == codes.INCONSISTENT_GROUP_PROTOCOL
    assert code(leader, 1, group_id="other") == codes.UNKNOWN_MEMBER_ID


def test_members_live_on_through_a_restart_for_one_session() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    clients.restart()
    clients.advance(9000)
    assert clients.heartbeat(leader, 1) == codes.NONE
    clients.advance(2000)
    assert clients.heartbeat(follower, 1) == codes.UNKNOWN_MEMBER_ID


def test_many_groups_are_made_alive_some_at_a_time_after_a_restart() -> None:
    clients = Clients(initial_rebalance_delay_ms=0)
    for number in range(250):
        clients.stable(1, group_id=f"g{number}", session_timeout_ms=1_000_000_000)
    clients.restart()
    assert clients.groups.next_deadline() == 0
    clients.groups.expire(clients.env())
    assert 0 < len(clients.groups.rebalances.groups) < 250
    clients.advance(0)
    assert len(clients.groups.rebalances.groups) == 250


def test_a_failed_append_refuses_and_the_group_finds_its_way() -> None:
    clients = Clients()
    leader, follower = clients.stable(2)
    clients.join(leader)
    clients.join(follower)
    waiting = clients.sync(follower, 2)
    clients.fail_appends = True
    failed = clients.sync(leader, 2, {leader: b"x", follower: b"y"})
    assert clients.answers[failed] == clients.answers[waiting] == "append failed"
    clients.fail_appends = False
    tokens = [clients.join(leader), clients.join(follower)]
    assert [clients.answers[token].generation_id for token in tokens] == [3, 3]
    clients.sync(leader, 3, {leader: b"x", follower: b"y"})
    assert clients.answers[clients.sync(follower, 3)].assignment == b"y"
    check_replay(clients, lambda machine: machine.store.as_plain())


def test_member_ids_are_random_uuids_of_version_4() -> None:
    clients = Clients()
    found = {new_member_id("c", clients.random) for _ in range(100)}
    assert len(found) == 100
    for each in found:
        parts = each.removeprefix("c-").split("-")
        assert [len(part) for part in parts] == [8, 4, 4, 4, 12]
        assert parts[2][0] == "4"
        assert parts[3][0] in "89ab"
