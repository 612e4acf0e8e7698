"""Committed offsets: commit, fetch, delete and expiry, decided from what the log holds (``groups_store``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from millrace.kafka import codes, messages
from millrace.state.groups_classic import NO_MEMBER, check_member
from millrace.state.groups_members import COMPLETING, EMPTY, PREPARING, STABLE, ClassicGroup
from millrace.state.groups_rebalance import Rebalances
from millrace.state.groups_records import (
    NO_EXPIRY,
    NO_TOPIC_ID,
    CommittedOffset,
    offset_key,
    offset_value,
    read_offset,
)
from millrace.state.groups_store import Committed, GroupStore
from millrace.state.machine import Call, Decision, Env, Record

NO_OFFSET: Final = -1
NO_RETENTION_TIME: Final = -1
GROUP_NOT_FOUND_FROM: Final = 9  # OffsetCommit: GROUP_ID_NOT_FOUND instead of ILLEGAL_GENERATION
UTF16_UNITS_MAX: Final = 2  # that a sign takes


class GroupOffsetRequests:
    """See the module."""

    __slots__ = ("_rebalances", "_store")

    def __init__(self, store: GroupStore, rebalances: Rebalances) -> None:
        self._store = store
        self._rebalances = rebalances

    # -- commit ------------------------------------------------------------------------------------------------------

    def commit(self, call: Call, token: Any, env: Env) -> Decision:
        """The topics of the request exist and have their ids: the handler has seen to that."""
        request: messages.OffsetCommitRequest = call.request
        code = self._check_commit(request, call.api_version, env)
        if code:
            return Decision(replies=[(token, refuse_commit(request, code))])
        decision = Decision()
        answer = messages.OffsetCommitResponse()
        retention_ms = request.retention_time_ms
        expire_at = NO_EXPIRY if retention_ms == NO_RETENTION_TIME else env.wall_ms + retention_ms
        for topic in request.topics:
            partitions = self._commit_topic(request.group_id, topic, env.wall_ms, expire_at, decision.records)
            answer.topics.append(
                messages.OffsetCommitResponse.OffsetCommitResponseTopic(
                    name=topic.name, topic_id=topic.topic_id, partitions=partitions
                )
            )
        decision.replies.append((token, answer))
        return decision

    def _commit_topic(
        self, group_id: str, topic: Any, wall_ms: int, expire_at: int, written: list[Record]
    ) -> list[messages.OffsetCommitResponse.OffsetCommitResponsePartition]:
        answer_partition = messages.OffsetCommitResponse.OffsetCommitResponsePartition
        topics = self._store.offsets.get(group_id)
        known = topics.get(topic.name) if topics is not None else None
        length_max = self._rebalances.limits.offset_metadata_length_max
        answers = []
        for partition in topic.partitions:
            index = partition.partition_index
            metadata = partition.committed_metadata or ""
            if len(metadata) * UTF16_UNITS_MAX > length_max and java_length(metadata) > length_max:
                answers.append(answer_partition(partition_index=index, error_code=codes.OFFSET_METADATA_TOO_LARGE))
                continue
            committed = known.get(index) if known is not None else None
            key = committed.key if committed is not None else offset_key(group_id, topic.name, index)
            value = offset_value(
                partition.committed_offset,
                partition.committed_leader_epoch,
                metadata,
                wall_ms,
                expire_at,
                topic.topic_id,
            )
            written.append(Record(key, value))
            answers.append(answer_partition(partition_index=index))
        return answers

    def _check_commit(self, request: messages.OffsetCommitRequest, version: int, env: Env) -> int:
        """May this client commit? A commit keeps its member's session alive."""
        group_id = request.group_id
        generation = request.generation_id_or_member_epoch
        if generation < 0 and group_id not in self._rebalances.groups and self._store.groups.get(group_id) is None:
            return codes.NONE  # a consumer without membership, in a group that has none
        group = self._rebalances.find(group_id, env)
        if group is None:
            return codes.GROUP_ID_NOT_FOUND if version >= GROUP_NOT_FOUND_FROM else codes.ILLEGAL_GENERATION
        if generation < 0 and group.state == EMPTY:
            return codes.NONE
        member_id = request.member_id
        if generation < 0 and member_id == NO_MEMBER and request.group_instance_id is None:
            return codes.UNKNOWN_MEMBER_ID
        code = check_member(group, member_id, request.group_instance_id)
        if code:
            return code
        if generation != group.generation:
            return codes.ILLEGAL_GENERATION
        if group.state == COMPLETING:
            return codes.REBALANCE_IN_PROGRESS
        if group.state in (STABLE, PREPARING):
            self._rebalances.keep_session(group, group.members[member_id], env)
        return codes.NONE

    # -- fetch -------------------------------------------------------------------------------------------------------

    def fetch(self, call: Call, token: Any, env: Env) -> Decision:
        """Every group of the request, in the form of version 8 and later; the handler gives older ones this form."""
        request: messages.OffsetFetchRequest = call.request
        answer = messages.OffsetFetchResponse()
        for group in request.groups:
            answer.groups.append(self._fetch_group(group, request.require_stable))
        return Decision(replies=[(token, answer)])

    def _fetch_group(
        self, group: messages.OffsetFetchRequest.OffsetFetchRequestGroup, require_stable: bool
    ) -> messages.OffsetFetchResponse.OffsetFetchResponseGroup:
        response = messages.OffsetFetchResponse
        answer = response.OffsetFetchResponseGroup(group_id=group.group_id)
        offsets = self._store.offsets.get(group.group_id, {})
        unstable = self._store.pending_of(group.group_id) if require_stable and self._store.pending else set()
        if group.topics is None:
            for name, partitions in offsets.items():
                found = [
                    _fetched(index, committed, NO_TOPIC_ID, (group.group_id, name, index) in unstable)
                    for index, committed in partitions.items()
                ]
                answer.topics.append(response.OffsetFetchResponseTopics(name=name, partitions=found))
            return answer
        for topic in group.topics:
            known = offsets.get(topic.name, {})
            found = [
                _fetched(index, known.get(index), topic.topic_id, (group.group_id, topic.name, index) in unstable)
                for index in topic.partition_indexes
            ]
            answer.topics.append(
                response.OffsetFetchResponseTopics(name=topic.name, topic_id=topic.topic_id, partitions=found)
            )
        return answer

    # -- delete ------------------------------------------------------------------------------------------------------

    def delete(self, call: Call, token: Any, env: Env) -> Decision:
        """OffsetDelete (KIP-496): offsets of topics to which nobody in the group is subscribed."""
        request: messages.OffsetDeleteRequest = call.request
        group = self._rebalances.find(request.group_id, env)
        if group is None:
            return _answer_delete(token, codes.GROUP_ID_NOT_FOUND)
        if group.state != EMPTY and not group.uses_consumer_protocol:
            return _answer_delete(token, codes.NON_EMPTY_GROUP)
        decision = Decision()
        response = messages.OffsetDeleteResponse
        answer = response()
        for topic in request.topics:
            is_subscribed = group.is_subscribed_to(topic.name)
            code = codes.GROUP_SUBSCRIBED_TO_TOPIC if is_subscribed else codes.NONE
            partitions = []
            for partition in topic.partitions:
                index = partition.partition_index
                partitions.append(response.OffsetDeleteResponsePartition(partition_index=index, error_code=code))
                if not is_subscribed:
                    self._bury(request.group_id, topic.name, index, decision.records)
            answer.topics.append(response.OffsetDeleteResponseTopic(name=topic.name, partitions=partitions))
        decision.replies.append((token, answer))
        return decision

    def delete_all(self, group_id: str, written: list[Record]) -> None:
        """Tombstones for all offsets of a group, those of open transactions included."""
        store = self._store
        written.extend(Record(committed.key, None) for committed in _all_of(store.offsets.get(group_id, {})))
        for _, topic, index in sorted(store.pending_of(group_id)):
            if store.committed(group_id, topic, index) is None:
                written.append(Record(offset_key(group_id, topic, index), None))

    def delete_topics(self, topics: Iterable[tuple[str, bytes]]) -> Decision:
        """Topics were deleted: their offsets go. One that was committed to a topic of another id, created since under
        the same name, stays."""
        decision = Decision()
        gone = dict(topics)
        for names in self._store.offsets.values():
            for name in gone:
                for committed in names.get(name, {}).values():
                    if read_offset(committed.value).topic_id in (NO_TOPIC_ID, gone[name]):
                        decision.records.append(Record(committed.key, None))
        return decision

    def _bury(self, group_id: str, topic: str, partition: int, written: list[Record]) -> None:
        store = self._store
        committed = store.committed(group_id, topic, partition)
        if committed is not None:
            written.append(Record(committed.key, None))
        elif store.is_pending(group_id, topic, partition):
            written.append(Record(offset_key(group_id, topic, partition), None))

    # -- expiry ------------------------------------------------------------------------------------------------------

    def expire(self, group: ClassicGroup, wall_ms: int, written: list[Record], written_max: int) -> bool:
        """Tombstones for the offsets of a group whose time is over (KIP-211); True if then none is left.

        Nothing expires while members may still be using it: with members, only what no member is subscribed to.
        """
        offsets = self._store.offsets.get(group.id)
        pending = self._store.pending_of(group.id) if self._store.pending else set()
        if offsets is None:
            return not pending
        since_empty = group.protocol_type is not None and group.state == EMPTY and group.state_timestamp_ms != -1
        if group.protocol_type is not None and group.state != EMPTY:
            is_known = group.uses_consumer_protocol and group.subscribed_topics is not None
            if not is_known or group.state != STABLE:
                return False
        all_expired = True
        for topic, partitions in offsets.items():
            if group.is_subscribed_to(topic):
                all_expired = False
                continue
            for index, committed in partitions.items():
                if len(written) >= written_max:
                    return False
                read = read_offset(committed.value)
                since = group.state_timestamp_ms if since_empty else read.commit_timestamp
                if self._is_expired(read, since, wall_ms) and (group.id, topic, index) not in pending:
                    written.append(Record(committed.key, None))
                else:
                    all_expired = False
        return all_expired and not pending

    def _is_expired(self, committed: CommittedOffset, since: int, wall_ms: int) -> bool:
        if committed.expire_timestamp != NO_EXPIRY:  # an old client named its own time
            return wall_ms >= committed.expire_timestamp
        return wall_ms - since >= self._rebalances.limits.offsets_retention_ms


def _all_of(topics: dict[str, dict[int, Committed]]) -> list[Committed]:
    return [committed for partitions in topics.values() for committed in partitions.values()]


def _fetched(
    index: int, committed: Committed | None, topic_id: bytes, is_unstable: bool
) -> messages.OffsetFetchResponse.OffsetFetchResponsePartitions:
    answer = messages.OffsetFetchResponse.OffsetFetchResponsePartitions(
        partition_index=index, committed_offset=NO_OFFSET, committed_leader_epoch=-1, metadata=""
    )
    if is_unstable:
        answer.error_code = codes.UNSTABLE_OFFSET_COMMIT
        return answer
    if committed is None:
        return answer
    read = read_offset(committed.value)
    if NO_TOPIC_ID not in (topic_id, read.topic_id) and topic_id != read.topic_id:
        return answer  # of an older topic of this name
    answer.committed_offset = read.offset
    answer.committed_leader_epoch = read.leader_epoch
    answer.metadata = read.metadata
    return answer


def refuse_commit(request: messages.OffsetCommitRequest, code: int) -> messages.OffsetCommitResponse:
    """The answer that refuses every partition of a request."""
    response = messages.OffsetCommitResponse
    return response(
        topics=[
            response.OffsetCommitResponseTopic(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    response.OffsetCommitResponsePartition(partition_index=partition.partition_index, error_code=code)
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _answer_delete(token: Any, code: int) -> Decision:
    return Decision(replies=[(token, messages.OffsetDeleteResponse(error_code=code))])


def java_length(text: str) -> int:
    """The length of a string as Java counts it: a sign beyond the basic plane is two."""
    return len(text) + sum(1 for sign in text if sign > "\uffff")
