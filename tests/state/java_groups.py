"""Kafka's own group coordinator shard on a Java virtual machine in this process, with a clock and a log of ours."""

from __future__ import annotations

from typing import Any

import jpype

from millrace.kafka import messages
from millrace.schema.classes import Body
from tests.kafka.java_records import java_class
from tests.oracle.java_messages import to_java, written_by_java

COORDINATOR = "org.apache.kafka.coordinator.group."
RUNTIME = "org.apache.kafka.coordinator.common.runtime."
LATEST = (1 << 63) - 1


class _Clock:
    def __init__(self, shard: JavaShard) -> None:
        self.shard = shard

    def milliseconds(self) -> Any:
        return jpype.JLong(self.shard.wall_base_ms + self.shard.mono_ms)

    def nanoseconds(self) -> Any:
        return jpype.JLong(self.shard.mono_ms * 1_000_000)

    def hiResClockMs(self) -> Any:
        return jpype.JLong(self.shard.mono_ms)


class _Timers:
    """Kafka's timer: operations by key; one that is set again replaces the older."""

    def __init__(self, shard: JavaShard) -> None:
        self.shard = shard
        self.set: dict[str, tuple[int, int, Any]] = {}
        self.count = 0

    def schedule(self, key: str, delay_ms: int, unit: Any, retry: bool, *rest: Any) -> None:
        self.count += 1
        self.set[str(key)] = (self.shard.mono_ms + int(delay_ms), self.count, rest[-1])

    def scheduleIfAbsent(self, key: str, delay_ms: int, unit: Any, retry: bool, operation: Any) -> None:
        if str(key) not in self.set:
            self.schedule(key, delay_ms, unit, retry, operation)

    def cancel(self, key: str) -> None:
        self.set.pop(str(key), None)

    def isScheduled(self, key: str) -> bool:
        return str(key) in self.set

    def due(self, until_ms: int) -> tuple[int, Any] | None:
        if not self.set:
            return None
        key = min(self.set, key=lambda each: self.set[each][:2])
        if self.set[key][0] > until_ms:
            return None
        deadline, _, operation = self.set.pop(key)
        return deadline, operation


class _Executor:
    def schedule(self, *_: Any) -> bool:
        raise AssertionError("classic groups have no tasks")

    def isScheduled(self, key: str) -> bool:
        return False

    def cancel(self, key: str) -> None:
        pass


def _proxy(interface: str, target: Any) -> Any:
    return jpype.JProxy(java_class(interface), inst=target)


class JavaShard:
    """One shard: ``ask`` gives a token as ``contracts.machine.Bench`` does, answers are messages of ours."""

    def __init__(self, config: dict[str, str], wall_ms: int = 1_000_000_000) -> None:
        self.config = config
        self.wall_base_ms = wall_ms
        self.mono_ms = 0
        self.log: list[tuple[bytes, bytes | None]] = []
        self.answers: dict[int, Any] = {}
        self.count = 0
        self._serde = java_class(COORDINATOR + "GroupCoordinatorRecordSerde")()
        self._errors = java_class("org.apache.kafka.common.protocol.Errors")
        self._future = java_class("java.util.concurrent.CompletableFuture")
        self._futures: dict[int, tuple[Any, int, str]] = {}
        self._address = java_class("java.net.InetAddress").getByName("127.0.0.1")
        self._start()

    def _start(self) -> None:
        properties = java_class("java.util.HashMap")()
        for name, value in self.config.items():
            properties.put(name, value)
        self.timers = _Timers(self)
        config = java_class(COORDINATOR + "GroupCoordinatorConfig").fromProps(properties)
        share_class = java_class(COORDINATOR + "modern.share.ShareGroupConfig")
        required = java_class("java.util.HashMap")()
        required.put("process.roles", "broker")
        required.put("node.id", "1")
        required.put("controller.listener.names", "CONTROLLER")
        abstract = java_class("org.apache.kafka.common.config.AbstractConfig")(
            java_class("org.apache.kafka.server.config.AbstractKafkaConfig").CONFIG_DEF, required, False
        )
        groups = java_class(COORDINATOR + "GroupConfigManager")(
            java_class("java.util.HashMap")(), config, share_class(abstract)
        )
        log_context = java_class("org.apache.kafka.common.utils.LogContext")()
        registry = java_class("org.apache.kafka.timeline.SnapshotRegistry")(log_context)
        builder = java_class(COORDINATOR + "GroupCoordinatorShard$Builder")(config, groups)
        self._shard = (
            builder.withLogContext(log_context)
            .withSnapshotRegistry(registry)
            .withTime(_proxy("org.apache.kafka.common.utils.Time", _Clock(self)))
            .withTimer(_proxy(RUNTIME + "CoordinatorTimer", self.timers))
            .withExecutor(_proxy(RUNTIME + "CoordinatorExecutor", _Executor()))
            .withCoordinatorMetrics(java_class(COORDINATOR + "metrics.GroupCoordinatorMetrics")())
            .withTopicPartition(java_class("org.apache.kafka.common.TopicPartition")("__consumer_offsets", 0))
            .withAuthorizerPlugin(java_class("java.util.Optional").empty())
            .build()
        )
        field = self._shard.getClass().getDeclaredField("groupMetadataManager")
        field.setAccessible(True)
        self._manager = field.get(self._shard)
        buffer = java_class("java.nio.ByteBuffer")
        for offset, (key, value) in enumerate(self.log):
            record = self._serde.deserialize(buffer.wrap(key), None if value is None else buffer.wrap(value))
            self._replay(offset, record)
        self._shard.onLoaded(java_class(RUNTIME + "CoordinatorMetadataImage").EMPTY)

    def restart(self) -> None:
        self._futures.clear()
        self._start()

    def member_ids(self, group_id: str) -> set[str]:
        try:
            return {str(each) for each in self._manager.group(group_id).allMemberIds()}
        except jpype.JException:
            return set()

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, request: Body, version: int) -> int:
        token = self.count
        self.count += 1
        name = request.NAME.removesuffix("Request")
        context = self._context(version)
        made = to_java(request)
        try:
            getattr(self, "_" + name)(token, context, made, version)
        except jpype.JException as error:
            code = int(self._errors.forException(error).code())
            self.answers[token] = self._failed(request, code)
        self._collect()
        return token

    def advance(self, by_ms: int) -> None:
        until = self.mono_ms + by_ms
        while True:
            due = self.timers.due(until)
            if due is None:
                break
            self.mono_ms = max(self.mono_ms, due[0])
            self._run(due[1].generateRecords())
            self._collect()
        self.mono_ms = until

    def delete_topic(self, name: str, topic_id: bytes) -> None:
        topics = java_class("java.util.ArrayList")()
        halves = [jpype.JLong(int.from_bytes(half, "big", signed=True)) for half in (topic_id[:8], topic_id[8:])]
        uuid = java_class("org.apache.kafka.common.Uuid")(*halves)
        topics.add(java_class(COORDINATOR + "GroupCoordinatorShard$DeletedTopic")(uuid, name))
        self._run(self._shard.onTopicsDeleted(topics))

    def _context(self, version: int) -> Any:
        shard = self

        class Context:
            def requestVersion(self) -> int:
                return version

            def clientId(self) -> str:
                return "client"

            def clientAddress(self) -> Any:
                return shard._address

        return _proxy("org.apache.kafka.server.authorizer.AuthorizableRequestContext", Context())

    def _failed(self, request: Body, code: int) -> Any:
        """What Kafka's service makes of an exception."""
        name = request.NAME.removesuffix("Request")
        if isinstance(request, messages.OffsetCommitRequest):
            topic = messages.OffsetCommitResponse.OffsetCommitResponseTopic
            partition = messages.OffsetCommitResponse.OffsetCommitResponsePartition
            return messages.OffsetCommitResponse(
                topics=[
                    topic(
                        name=each.name,
                        topic_id=each.topic_id,
                        partitions=[
                            partition(partition_index=one.partition_index, error_code=code) for one in each.partitions
                        ],
                    )
                    for each in request.topics
                ]
            )
        if isinstance(request, messages.LeaveGroupRequest):
            member = messages.LeaveGroupResponse.MemberResponse
            return messages.LeaveGroupResponse(
                members=[
                    member(member_id=each.member_id, group_instance_id=each.group_instance_id, error_code=code)
                    for each in request.members
                ]
            )
        response = messages.response_type(request.KEY)()  # type: ignore[arg-type]
        assert hasattr(response, "error_code"), name
        response.error_code = code
        return response

    def _JoinGroup(self, token: int, context: Any, request: Any, version: int) -> None:
        future = self._future()
        self._futures[token] = (future, max(version, 7), "JoinGroupResponse")
        self._run(self._shard.classicGroupJoin(context, request, future))

    def _SyncGroup(self, token: int, context: Any, request: Any, version: int) -> None:
        future = self._future()
        self._futures[token] = (future, 5, "SyncGroupResponse")
        self._run(self._shard.classicGroupSync(context, request, future))

    def _Heartbeat(self, token: int, context: Any, request: Any, version: int) -> None:
        self._answer(token, self._run(self._shard.classicGroupHeartbeat(context, request)), 4, "HeartbeatResponse")

    def _LeaveGroup(self, token: int, context: Any, request: Any, version: int) -> None:
        self._answer(token, self._run(self._shard.classicGroupLeave(context, request)), 5, "LeaveGroupResponse")

    def _OffsetCommit(self, token: int, context: Any, request: Any, version: int) -> None:
        response = self._run(self._shard.commitOffset(context, request))
        self._answer(token, response, 9, "OffsetCommitResponse")

    def _OffsetDelete(self, token: int, context: Any, request: Any, version: int) -> None:
        self._answer(token, self._run(self._shard.deleteOffsets(context, request)), 0, "OffsetDeleteResponse")

    def _OffsetFetch(self, token: int, context: Any, request: Any, version: int) -> None:
        answers = java_class("org.apache.kafka.common.message.OffsetFetchResponseData")()
        for group in request.groups():
            answers.groups().add(self._shard.fetchOffsets(group, jpype.JLong(LATEST)))
        self._answer(token, answers, 9, "OffsetFetchResponse")

    def _DescribeGroups(self, token: int, context: Any, request: Any, version: int) -> None:
        answers = java_class("org.apache.kafka.common.message.DescribeGroupsResponseData")()
        answers.setGroups(self._shard.describeGroups(context, request.groups(), jpype.JLong(LATEST)))
        self._answer(token, answers, 6, "DescribeGroupsResponse")

    def _ListGroups(self, token: int, context: Any, request: Any, version: int) -> None:
        answers = java_class("org.apache.kafka.common.message.ListGroupsResponseData")()
        found = self._shard.listGroups(request.statesFilter(), request.typesFilter(), jpype.JLong(LATEST))
        answers.setGroups(found)
        self._answer(token, answers, 5, "ListGroupsResponse")

    def _DeleteGroups(self, token: int, context: Any, request: Any, version: int) -> None:
        answers = java_class("org.apache.kafka.common.message.DeleteGroupsResponseData")()
        answers.setResults(self._run(self._shard.deleteGroups(context, request.groupsNames())))
        self._answer(token, answers, 2, "DeleteGroupsResponse")

    # -- the coordinator's runtime -------------------------------------------------------------------------------------

    def _run(self, result: Any) -> Any:
        for record in result.records():
            value = self._serde.serializeValue(record)
            offset = len(self.log)
            self.log.append((bytes(self._serde.serializeKey(record)), None if value is None else bytes(value)))
            if result.replayRecords():
                self._replay(offset, record)
        if result.appendFuture() is not None:
            result.appendFuture().complete(None)
        return result.response()

    def _replay(self, offset: int, record: Any) -> None:
        self._shard.replay(jpype.JLong(offset), jpype.JLong(-1), jpype.JShort(-1), record)

    def _collect(self) -> None:
        for token, (future, version, name) in list(self._futures.items()):
            if future.isDone():
                del self._futures[token]
                self._answer(token, future.get(), version, name)

    def _answer(self, token: int, response: Any, version: int, name: str) -> None:
        assert token not in self.answers
        cls = getattr(messages, name)
        self.answers[token], _ = messages.decode(cls, version, written_by_java(response, version), 0)
