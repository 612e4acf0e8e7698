"""The machine of one partition of ``__consumer_offsets``: who decides what, and what comes when.

groups_store       what the log holds: metadata records and committed offsets (durable)
groups_members     members and state of one group (volatile)
groups_rebalance   the phases of a rebalance and their deadlines
groups_classic     JoinGroup, SyncGroup, Heartbeat, LeaveGroup
groups_offsets     OffsetCommit, OffsetFetch, OffsetDelete, expiry
groups_admin       DescribeGroups, ListGroups, DeleteGroups
groups_records     the records themselves
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from millrace.state.deadlines import Timer
from millrace.state.groups_admin import GroupAdmin
from millrace.state.groups_classic import ClassicGroups
from millrace.state.groups_members import EMPTY
from millrace.state.groups_offsets import GroupOffsetRequests
from millrace.state.groups_rebalance import GroupLimits, Rebalances
from millrace.state.groups_store import GroupStore
from millrace.state.machine import Call, Decision, Effect, Entry, Env

# After a load, groups with a record are made alive, and at expiry they are looked through, this many at a time.
GROUPS_AT_ONCE: Final = 100
# Tombstones of expired offsets in one batch; a batch is kept far below what a topic allows.
TOMBSTONES_AT_ONCE: Final = 1000

Handler = Callable[[Call, Any, Env], Decision]


class TopicsDeleted:
    """Asked by the broker itself when topics are gone: (name, id) of each."""

    __slots__ = ("topics",)

    def __init__(self, topics: Iterable[tuple[str, bytes]]) -> None:
        self.topics = tuple(topics)


class Groups:
    """See the module. Requests are messages; DescribeGroups, DeleteGroups and OffsetFetch name groups of this
    partition only, OffsetFetch in the form of version 8 and later."""

    __slots__ = (
        "_asleep",
        "_expiring",
        "_expiry",
        "_handlers",
        "admin",
        "limits",
        "offsets",
        "rebalances",
        "store",
    )

    def __init__(self, limits: GroupLimits) -> None:
        self.limits = limits
        self.store = GroupStore()
        self.rebalances = Rebalances(self.store, limits)
        self.offsets = GroupOffsetRequests(self.store, self.rebalances)
        self.admin = GroupAdmin(self.store, self.rebalances, self.offsets)
        self._asleep: list[str] | None = None  # loaded groups that are not alive yet; None until the first decision
        self._expiry = Timer(self._on_expiry)
        self._expiring: list[str] = []  # what is left of a round of expiry
        classic = ClassicGroups(self.rebalances)
        self._handlers: dict[str, Handler] = {
            "OffsetCommitRequest": self.offsets.commit,
            "OffsetFetchRequest": self.offsets.fetch,
            "HeartbeatRequest": classic.heartbeat,
            "JoinGroupRequest": classic.join,
            "SyncGroupRequest": classic.sync,
            "LeaveGroupRequest": classic.leave,
            "DescribeGroupsRequest": self.admin.describe,
            "ListGroupsRequest": self.admin.list,
            "DeleteGroupsRequest": self.admin.delete,
            "OffsetDeleteRequest": self.offsets.delete,
        }

    # -- the machine -------------------------------------------------------------------------------------------------

    def decide(self, request: Any, token: Any, env: Env) -> Decision:
        if self._asleep is None:
            self._wake(env)
        if isinstance(request, TopicsDeleted):
            return self.offsets.delete_topics(request.topics)
        return self._handlers[type(request.request).__name__](request, token, env)

    def replay(self, entry: Entry) -> None:
        self.store.replay(entry)

    def expire(self, env: Env) -> Decision:
        if self._asleep is None:
            self._wake(env)
        decision = Decision()
        if self._asleep:
            self._enliven(env, decision)
        deadlines = self.rebalances.deadlines
        while (timer := deadlines.due(env.mono_ms)) is not None:
            action, subject = timer.action, timer.subject
            action(*subject, env, decision)
        return decision

    def next_deadline(self) -> int | None:
        if self._asleep or (self._asleep is None and self.store.groups):
            return 0  # at once: members of loaded groups need their deadlines
        return self.rebalances.deadlines.next()

    def outbox(self) -> Iterable[Effect]:
        return ()

    # -- after a load ------------------------------------------------------------------------------------------------

    def _wake(self, env: Env) -> None:
        """The log is loaded and time begins: whoever was a member has one session time-out to be heard of."""
        self._asleep = [group_id for group_id, stored in self.store.groups.items() if stored is not None]
        self.rebalances.deadlines.set(self._expiry, env.mono_ms + self.limits.offsets_retention_check_interval_ms)

    def _enliven(self, env: Env, decision: Decision) -> None:
        assert self._asleep is not None
        for _ in range(min(GROUPS_AT_ONCE, len(self._asleep))):
            group_id = self._asleep.pop()
            group = self.rebalances.find(group_id, env)
            if group is not None:
                self.rebalances.check_size(group, env, decision)

    # -- expiry ------------------------------------------------------------------------------------------------------

    def _on_expiry(self, env: Env, decision: Decision) -> None:
        """Offsets whose time is over, and groups that have neither members nor offsets; some groups at a time."""
        if not self._expiring:
            self._expiring = self.admin.group_ids()
        written = decision.records
        for _ in range(min(GROUPS_AT_ONCE, len(self._expiring))):
            if len(written) >= TOMBSTONES_AT_ONCE:
                break
            group_id = self._expiring.pop()
            group = self.rebalances.look(group_id, env)
            if group is None:
                continue
            if self.offsets.expire(group, env.wall_ms, written, TOMBSTONES_AT_ONCE):
                if group.state == EMPTY:
                    self.admin.bury(group, decision)
            elif len(written) >= TOMBSTONES_AT_ONCE:
                self._expiring.append(group_id)  # there may be more of it
        pause_ms = 1 if self._expiring else self.limits.offsets_retention_check_interval_ms
        self.rebalances.deadlines.set(self._expiry, env.mono_ms + pause_ms)
