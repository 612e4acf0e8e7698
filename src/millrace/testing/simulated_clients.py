"""Simulated clients: a producer, a consumer, a group's member and an administrator, each a small machine of its own.

They speak the real protocol through the real codecs, lose their connections, try again, and tell the history what was
acknowledged and what was seen. What may be claimed of that is the checkers' matter.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import pack
from typing import Any

from millrace.kafka import codes, messages
from millrace.kafka.batch import batches_in
from millrace.kafka.record import NewRecord, build_batch, iter_records
from millrace.testing.history import History
from millrace.testing.simulation import Link, SimulatedNode, World

RETRY_US = (1_000, 50_000)
VERSIONS = {0: 9, 1: 12, 2: 7, 3: 9, 8: 8, 9: 7, 11: 7, 12: 4, 13: 4, 14: 5, 19: 5, 20: 5, 22: 4}
Answer = Callable[[Any], None]


class Client:
    """One connection that is made again when it breaks; requests that were under way then get None."""

    def __init__(self, world: World, node: SimulatedNode, name: str) -> None:
        self.world = world
        self.node = node
        self.name = name
        self.is_stopped = False
        self._link: Link | None = None
        self._received = b""
        self._correlation = 0
        self._pending: dict[int, tuple[int, Answer]] = {}

    def ask(self, key: int, request: Any, answer: Answer) -> None:
        """Send a request; ``answer(response)`` comes later, with None if the connection broke first."""
        if self._link is None:
            self._received = b""
            self._link = self.node.connect(self)
        if self._link is None:
            self.later(lambda: answer(None))
            return
        self._correlation += 1
        version = VERSIONS[key]
        header = pack(">hhih", key, version, self._correlation, len(self.name)) + self.name.encode()
        if messages.header_version(key, version) >= 2:
            header += b"\0"
        body = header + messages.encode(request, version)
        self._pending[self._correlation] = (key, answer)
        self._link.write(pack(">i", len(body)) + body)

    def later(self, action: Callable[[], None]) -> None:
        self.world.after(self.world.random.randint(*RETRY_US), action)

    def on_bytes(self, link: Link, content: bytes) -> None:
        if link is not self._link:
            return
        self._received += content
        while len(self._received) >= 4:
            size = int.from_bytes(self._received[:4], "big")
            if len(self._received) < 4 + size:
                return
            frame, self._received = self._received[4 : 4 + size], self._received[4 + size :]
            correlation = int.from_bytes(frame[:4], "big")
            key, answer = self._pending.pop(correlation)
            start = 4 + messages.header_version(key, VERSIONS[key], response=True)
            response, end = messages.decode(messages.response_type(key), VERSIONS[key], frame, start)
            assert end == len(frame), f"{len(frame) - end} bytes behind a response"
            answer(response)

    def on_cut(self, link: Link) -> None:
        if link is not self._link:
            return
        self._link = None
        pending, self._pending = self._pending, {}
        for _, answer in pending.values():
            answer(None)


class Producer(Client):
    """An idempotent producer to one partition: sends in order, resends what was not acknowledged, in order."""

    def __init__(self, world: World, node: SimulatedNode, name: str, history: History, topic: str, acks: int) -> None:
        super().__init__(world, node, name)
        self.history = history
        self.topic = topic
        self.acks = acks
        self.producer_id = -1
        self.epoch = -1
        self.next_sequence = 0
        self.unacked: dict[int, list[bytes]] = {}  # by first sequence
        self.in_flight: set[int] = set()
        self.sent = 0
        self.is_resending = False
        self.must_begin_anew = False

    def start(self) -> None:
        self.ask(22, messages.InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000), self._on_id)

    def _on_id(self, response: Any) -> None:
        if response is None or response.error_code:
            self.later(self.start)
            return
        self.producer_id, self.epoch = response.producer_id, response.producer_epoch
        self.history.producer_started(self.name, self.producer_id)
        self._go_on()

    def _go_on(self) -> None:
        if self.is_resending:
            return
        if not self.is_stopped and len(self.unacked) < 5:
            values = [f"{self.name}:{self.sent + i}".encode() for i in range(self.world.random.randint(1, 4))]
            self.sent += len(values)
            self.unacked[self.next_sequence] = values
            self._send(self.next_sequence)
            self.next_sequence += len(values)
        if not self.is_stopped:
            self.world.after(self.world.random.randint(200, 20_000), self._go_on)

    def _send(self, sequence: int) -> None:
        batch = build_batch(
            [NewRecord(b"k" + value[-1:], value) for value in self.unacked[sequence]],
            timestamp_ms=self.world.wall_ms(),
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            base_sequence=sequence,
        )
        partition = messages.ProduceRequest.PartitionProduceData(index=0, records=bytes(batch))
        topic = messages.ProduceRequest.TopicProduceData(name=self.topic, partition_data=[partition])
        self.in_flight.add(sequence)
        request = messages.ProduceRequest(acks=self.acks, timeout_ms=1000, topic_data=[topic])
        self.ask(0, request, lambda response: self._on_answer(sequence, response))
        if self._link is None:
            self.is_resending = True  # it was not sent, and nothing may overtake it

    def _on_answer(self, sequence: int, response: Any) -> None:
        self.in_flight.discard(sequence)
        outcome = None if response is None else response.responses[0].partition_responses[0]
        if outcome is not None and outcome.error_code == 0:
            values = self.unacked.pop(sequence, None)
            if values is not None:
                self.history.acknowledged(self.topic, self.name, values, outcome.base_offset, self.acks)
        elif outcome is not None and outcome.error_code == codes.DUPLICATE_SEQUENCE_NUMBER:
            self.unacked.pop(sequence, None)
        elif outcome is not None and outcome.error_code in (
            codes.OUT_OF_ORDER_SEQUENCE_NUMBER,
            codes.UNKNOWN_PRODUCER_ID,
        ):
            first = min(self.unacked, default=sequence)
            self.history.out_of_order(self.topic, self.name, sequence, first, self.acks)
            self.is_resending = True
            self.must_begin_anew |= sequence == first  # with acks=1 a power cut may take the state along
        else:
            self.is_resending = True
        if self.is_resending and not self.in_flight:
            self.later(self._resend)

    def _resend(self) -> None:
        """All that is not acknowledged, in order, one after another."""
        if self.in_flight or not self.is_resending:
            return
        self.is_resending = False
        if self.must_begin_anew:
            self.must_begin_anew = False
            self.unacked.clear()
            self.next_sequence = 0
            self.start()
            return
        if not self.unacked:
            self._go_on()
            return
        for sequence in sorted(self.unacked):
            self._send(sequence)
        self.later(self._go_on)

    @property
    def is_settled(self) -> bool:
        return not self.unacked


class Consumer(Client):
    """Reads one partition from its start, with a fetch session, and tells what it saw."""

    def __init__(self, world: World, node: SimulatedNode, name: str, history: History, topic: str) -> None:
        super().__init__(world, node, name)
        self.history = history
        self.topic = topic
        self.offset = 0
        self.session_id = 0
        self.session_epoch = 0

    def start(self) -> None:
        if self.is_stopped:
            return
        wanted = messages.FetchRequest.FetchPartition(
            partition=0, fetch_offset=self.offset, partition_max_bytes=self.world.random.choice((100, 4096, 1 << 20))
        )
        request = messages.FetchRequest(
            max_wait_ms=100,
            min_bytes=1,
            max_bytes=1 << 20,
            session_id=self.session_id,
            session_epoch=self.session_epoch,
            topics=[messages.FetchRequest.FetchTopic(topic=self.topic, partitions=[wanted])],
        )
        self.ask(1, request, self._on_answer)

    def _on_answer(self, response: Any) -> None:
        if response is None or response.error_code:
            self.session_id = self.session_epoch = 0
            self.later(self.start)
            return
        self.session_id = response.session_id
        self.session_epoch += 1
        for topic in response.responses:
            for outcome in topic.partitions:
                self._on_partition(outcome)
        self.world.after(self.world.random.randint(10, 5_000), self.start)

    def _on_partition(self, outcome: Any) -> None:
        if outcome.error_code == codes.OFFSET_OUT_OF_RANGE:
            self.history.out_of_range(self.topic, self.name, self.offset)
            self.offset = 0
            return
        if outcome.error_code or not outcome.records:
            return
        for batch in batches_in(bytes(outcome.records)):
            assert batch.is_valid_crc, f"{self.topic}: a batch at {batch.base_offset} whose checksum is wrong"
            for record in iter_records(batch, 1 << 20):
                if record.offset >= self.offset:
                    self.history.saw(self.topic, self.name, record.offset, self.offset, bytes(record.value or b""))
                    self.offset = record.offset + 1


class CompactedConsumer(Consumer):
    """Reads a compacted topic: offsets have gaps, and what counts is the last value of each key."""

    def __init__(self, world: World, node: SimulatedNode, name: str, history: History, topic: str) -> None:
        super().__init__(world, node, name, history, topic)
        self.latest: dict[bytes, tuple[int, bytes]] = {}

    def _on_partition(self, outcome: Any) -> None:
        if outcome.error_code == codes.OFFSET_OUT_OF_RANGE:
            self.history.out_of_range(self.topic, self.name, self.offset)
        if outcome.error_code or not outcome.records:
            return
        for batch in batches_in(bytes(outcome.records)):
            assert batch.is_valid_crc, f"{self.topic}: a batch at {batch.base_offset} whose checksum is wrong"
            for record in iter_records(batch, 1 << 20):
                if record.offset >= self.offset:
                    self.latest[record.key or b""] = (record.offset, record.value or b"")
            self.offset = max(self.offset, batch.next_offset)


class Member(Client):
    """One member of a classic group: joins, syncs, beats and commits ever higher offsets."""

    def __init__(self, world: World, node: SimulatedNode, name: str, history: History, group: str, topic: str) -> None:
        super().__init__(world, node, name)
        self.history = history
        self.group = group
        self.topic = topic
        self.member_id = ""
        self.generation = -1
        self.offset = 0

    def start(self) -> None:
        if self.is_stopped:
            return
        protocol = messages.JoinGroupRequest.JoinGroupRequestProtocol(name="range", metadata=b"")
        request = messages.JoinGroupRequest(
            group_id=self.group,
            session_timeout_ms=6_000,
            rebalance_timeout_ms=6_000,
            member_id=self.member_id,
            protocol_type="consumer",
            protocols=[protocol],
        )
        self.ask(11, request, self._on_joined)

    def _on_joined(self, response: Any) -> None:
        if response is None:
            self.later(self.start)
            return
        if response.error_code:
            if response.error_code == codes.MEMBER_ID_REQUIRED:
                self.member_id = response.member_id
            elif response.error_code == codes.UNKNOWN_MEMBER_ID:
                self.member_id = ""
            self.later(self.start)
            return
        self.member_id, self.generation = response.member_id, response.generation_id
        assignment = messages.SyncGroupRequest.SyncGroupRequestAssignment
        assignments = [assignment(member_id=each.member_id, assignment=b"mine") for each in response.members]
        request = messages.SyncGroupRequest(
            group_id=self.group,
            generation_id=self.generation,
            member_id=self.member_id,
            protocol_type="consumer",
            protocol_name="range",
            assignments=assignments,
        )
        self.ask(14, request, self._on_synced)

    def _on_synced(self, response: Any) -> None:
        if response is None or response.error_code:
            self.later(self.start)
            return
        self.history.group_synced(self.group, self.generation, self.member_id)
        self._fetch()  # first of all, before a newer commit hides that an older one was lost

    def _commit(self) -> None:
        if self.is_stopped:
            return
        self.offset += 1
        partition = messages.OffsetCommitRequest.OffsetCommitRequestPartition(
            partition_index=0, committed_offset=self.offset, committed_metadata=self.name
        )
        request = messages.OffsetCommitRequest(
            group_id=self.group,
            generation_id_or_member_epoch=self.generation,
            member_id=self.member_id,
            topics=[messages.OffsetCommitRequest.OffsetCommitRequestTopic(name=self.topic, partitions=[partition])],
        )
        offset = self.offset
        self.ask(8, request, lambda response: self._on_committed(offset, response))

    def _on_committed(self, offset: int, response: Any) -> None:
        code = None if response is None else response.topics[0].partitions[0].error_code
        if code == 0:
            self.history.committed(self.group, self.topic, self.name, offset)
            self.later(self._fetch)
        else:
            self.later(self.start)

    def _fetch(self) -> None:
        """Read back: what was acknowledged must be there, or something newer."""
        expected = self.history.last_committed(self.group, self.topic)
        topic = messages.OffsetFetchRequest.OffsetFetchRequestTopic(name=self.topic, partition_indexes=[0])
        request = messages.OffsetFetchRequest(group_id=self.group, topics=[topic], require_stable=True)

        def check(response: Any) -> None:
            if response is not None and not response.error_code and not response.topics[0].partitions[0].error_code:
                self.history.fetched_commit(
                    self.group, self.topic, expected, response.topics[0].partitions[0].committed_offset
                )
            self._commit()

        self.ask(9, request, check)
