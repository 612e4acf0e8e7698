"""The members of one classic group and its state, as Kafka's group coordinator keeps them; volatile, without deadlines.

What is here is safe to lose: after a restart a group is made anew from its last record (``groups_rebalance``). The
counters (who awaits a join answer, which protocol is known to how many) are kept as members come, change and go, so
that no step of a rebalance walks all members more than once.
"""

from __future__ import annotations

from typing import Any, Final

from millrace.kafka import messages
from millrace.state.deadlines import Timer

EMPTY: Final = "Empty"
PREPARING: Final = "PreparingRebalance"
COMPLETING: Final = "CompletingRebalance"
STABLE: Final = "Stable"
DEAD: Final = "Dead"  # only in answers: a group that does not exist

CONSUMER_PROTOCOL: Final = "consumer"

Protocols = tuple[tuple[str, bytes], ...]  # name and metadata, the preferred one first


def protocols_of(request: messages.JoinGroupRequest) -> Protocols:
    """A protocol that is named twice counts once, or a group would find none that all its members know."""
    protocols: dict[str, bytes] = {}
    for protocol in request.protocols:
        protocols.setdefault(protocol.name, protocol.metadata)
    return tuple(protocols.items())


class Member:
    """One member of a classic group."""

    __slots__ = (
        "assignment",
        "client_host",
        "client_id",
        "id",
        "instance_id",
        "is_new",
        "join_token",
        "protocols",
        "rebalance_timeout_ms",
        "session",
        "session_timeout_ms",
        "sync_token",
    )

    def __init__(
        self,
        member_id: str,
        instance_id: str | None,
        client_id: str,
        client_host: str,
        rebalance_timeout_ms: int,
        session_timeout_ms: int,
        protocols: Protocols,
        assignment: bytes = b"",
    ) -> None:
        self.id = member_id
        self.instance_id = instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.session_timeout_ms = session_timeout_ms
        self.protocols = protocols
        self.assignment = assignment
        self.is_new = False  # has never been answered a join: not yet known to itself
        self.join_token: Any = None  # who waits for the next generation
        self.sync_token: Any = None  # who waits for the assignment
        self.session: Timer | None = None

    @property
    def is_static(self) -> bool:
        return self.instance_id is not None

    def metadata(self, protocol: str | None) -> bytes:
        for name, metadata in self.protocols:
            if name == protocol:
                return metadata
        raise AssertionError(f"member {self.id} does not know the protocol {protocol} of its group")

    def vote(self, candidates: set[str]) -> str:
        """The first of its protocols that all members know."""
        for name, _ in self.protocols:
            if name in candidates:
                return name
        raise AssertionError(f"member {self.id} knows none of {sorted(candidates)}")


class ClassicGroup:
    """One group: its members, its generation, and where it stands in a rebalance."""

    __slots__ = (
        "_known",
        "awaiting_join_count",
        "generation",
        "id",
        "join_timer",
        "leader",
        "members",
        "new_member_added",
        "pending",
        "pending_sync",
        "previous_state",
        "protocol",
        "protocol_type",
        "state",
        "state_timestamp_ms",
        "static_members",
        "subscribed_topics",
        "sync_timer",
    )

    def __init__(self, group_id: str, state: str, state_timestamp_ms: int) -> None:
        self.id = group_id
        self.state = state
        self.previous_state = DEAD
        self.state_timestamp_ms = state_timestamp_ms  # -1 in records older than version 2
        self.generation = 0
        self.protocol_type: str | None = None
        self.protocol: str | None = None
        self.leader: str | None = None
        self.members: dict[str, Member] = {}
        self.static_members: dict[str, str] = {}  # instance id to member id
        self.pending: dict[str, Timer] = {}  # member ids that were given out and have not joined yet
        self.pending_sync: set[str] = set()
        self.awaiting_join_count = 0
        self.new_member_added = False
        self.subscribed_topics: frozenset[str] | None = None  # None: not known
        self.join_timer: Timer | None = None
        self.sync_timer: Timer | None = None
        self._known: dict[str, int] = {}  # protocol to the number of members that know it

    # -- questions ---------------------------------------------------------------------------------------------------

    @property
    def uses_consumer_protocol(self) -> bool:
        return self.protocol_type == CONSUMER_PROTOCOL

    @property
    def have_all_joined(self) -> bool:
        return len(self.members) == self.awaiting_join_count and not self.pending

    @property
    def rebalance_timeout_ms(self) -> int:
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    def is_subscribed_to(self, topic: str) -> bool:
        """An unreadable subscription of the consumer protocol counts as one to everything, as in Kafka."""
        if self.subscribed_topics is None:
            return self.uses_consumer_protocol
        return topic in self.subscribed_topics

    def supports(self, protocol_type: str, protocols: Protocols) -> bool:
        """May a member with these protocols join?"""
        if self.state == EMPTY:
            return bool(protocol_type) and bool(protocols)
        if self.protocol_type != protocol_type:
            return False
        count = len(self.members)
        return any(self._known.get(name, 0) == count for name, _ in protocols)

    def accepts(self, member_id: str, size_max: int) -> bool:
        """Is there room for this member? While a rebalance is prepared those who wait are counted, so that the last
        to rejoin are left out when the limit was lowered."""
        if self.state == EMPTY:
            return True
        member = self.members.get(member_id)
        if self.state == PREPARING:
            return (member is not None and member.join_token is not None) or self.awaiting_join_count < size_max
        return member is not None or len(self.members) < size_max

    # -- members -----------------------------------------------------------------------------------------------------

    def add(self, member: Member, protocol_type: str) -> None:
        if member.instance_id is not None:
            assert member.instance_id not in self.static_members, f"group {self.id} has two of {member.instance_id}"
            self.static_members[member.instance_id] = member.id
        if not self.members:
            self.protocol_type = protocol_type
        assert self.protocol_type == protocol_type, f"group {self.id} is of type {self.protocol_type}"
        if self.leader is None:
            self.leader = member.id
        self.members[member.id] = member
        self._count(member.protocols, 1)
        if member.join_token is not None:
            self.awaiting_join_count += 1
        self.pending.pop(member.id, None)

    def remove(self, member_id: str) -> Member | None:
        """Take it out, wherever it is; its tokens are the caller's to answer before."""
        member = self.members.pop(member_id, None)
        if member is not None:
            assert member.join_token is None, f"member {member_id} is removed while it waits"
            assert member.sync_token is None, f"member {member_id} is removed while it waits"
            self._count(member.protocols, -1)
            if member.instance_id is not None:
                self.static_members.pop(member.instance_id, None)
        if self.leader == member_id:
            self.leader = next(iter(self.members), None)
        self.pending.pop(member_id, None)
        self.pending_sync.discard(member_id)
        return member

    def rename(self, member: Member, new_id: str) -> None:
        """A static member came back under a new id: it keeps its place, its assignment and the leadership.

        Kafka goes on waiting for the old id to ask for its assignment, and rebalances when it does not; here the new
        one is waited for.
        """
        del self.members[member.id]
        if member.id in self.pending_sync:
            self.pending_sync.remove(member.id)
            self.pending_sync.add(new_id)
        if self.leader == member.id:
            self.leader = new_id
        member.id = new_id
        member.is_new = False
        self.members[new_id] = member
        assert member.instance_id is not None
        self.static_members[member.instance_id] = new_id

    def change_protocols(self, member: Member, protocols: Protocols) -> None:
        if protocols != member.protocols:
            self._count(member.protocols, -1)
            member.protocols = protocols
            self._count(protocols, 1)

    def wait_join(self, member: Member, token: Any) -> None:
        assert member.join_token is None, f"member {member.id} waits twice"
        member.join_token = token
        self.awaiting_join_count += 1

    def take_join_token(self, member: Member) -> Any:
        """The token of a member that waits for the next generation, or None; it waits no longer."""
        token = member.join_token
        if token is not None:
            member.join_token = None
            self.awaiting_join_count -= 1
        return token

    def elect_joined_leader(self) -> bool:
        """Let a member lead that has rejoined; False when nobody has."""
        if self.leader is None:
            return False
        if self.members[self.leader].join_token is not None:
            return True
        for member in self.members.values():
            if member.join_token is not None:
                self.leader = member.id
                return True
        return False

    # -- generations -------------------------------------------------------------------------------------------------

    def move_to(self, state: str, wall_ms: int) -> None:
        self.previous_state = self.state
        self.state = state
        self.state_timestamp_ms = wall_ms

    def start_generation(self, wall_ms: int) -> None:
        """The next generation, with the protocol that most members prefer of those that all know."""
        self.generation += 1
        self.protocol = self.select_protocol() if self.members else None
        self.subscribed_topics = self._read_subscriptions()
        self.move_to(COMPLETING if self.members else EMPTY, wall_ms)
        self.pending_sync.clear()

    def select_protocol(self) -> str:
        """On a tie Kafka takes what its hash table holds first; here the earliest voter's choice wins."""
        count = len(self.members)
        candidates = {name for name, known in self._known.items() if known == count}
        votes: dict[str, int] = {}
        for member in self.members.values():
            name = member.vote(candidates)
            votes[name] = votes.get(name, 0) + 1
        return max(votes, key=votes.__getitem__)

    def read_subscriptions(self) -> None:
        """After loading: what the members subscribe to."""
        self.subscribed_topics = self._read_subscriptions()

    def _read_subscriptions(self) -> frozenset[str] | None:
        if not self.uses_consumer_protocol:
            return None
        if not self.members:
            return frozenset()
        if self.protocol is None:
            return None
        topics: set[str] = set()
        for member in self.members.values():
            subscribed = subscribed_topics(member.metadata(self.protocol))
            if subscribed is None:
                return None
            topics.update(subscribed)
        return frozenset(topics)

    def _count(self, protocols: Protocols, change: int) -> None:
        known = self._known
        for name, _ in protocols:
            count = known.get(name, 0) + change
            if count:
                known[name] = count
            else:
                known.pop(name, None)


def subscribed_topics(metadata: bytes) -> list[str] | None:
    """The topics of a consumer's subscription, None if it cannot be read. Every version of it begins as version 0
    does: the version, then the topics (KIP-429)."""
    count = int.from_bytes(metadata[2:6], "big", signed=True)
    if len(metadata) < 6 or metadata[0] & 0x80 or count < 0:
        return None
    topics: list[str] = []
    position = 6
    for _ in range(count):
        start = position + 2
        length = int.from_bytes(metadata[position:start], "big", signed=True)
        position = start + length
        if length < 0 or position > len(metadata):
            return None
        try:
            topics.append(metadata[start:position].decode())
        except UnicodeDecodeError:
            return None
    return topics
