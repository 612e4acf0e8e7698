"""A log as a deliberately dumb list of batches, and a driver that does random things to both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from millrace.base.errors import DiskFull, Refused
from millrace.base.ports import Ticket
from millrace.kafka.batch import Batch
from millrace.kafka.codes import OFFSET_OUT_OF_RANGE
from millrace.kafka.record import NewRecord, build_batch, iter_records
from millrace.storage.file_slice import FileSlice
from millrace.storage.folder import LogFolder
from millrace.storage.position import LogPosition
from millrace.storage.producers import Producer
from millrace.storage.settings import PlainLogConfig
from millrace.testing.simulated_disk import SimulatedDisk

TOPIC_ID = b"0123456789abcdef"
KEY = ("orders", 0)
LIMIT_BYTES = 1 << 20


@dataclass
class Written:
    """One batch of the model."""

    base_offset: int
    last_offset: int
    max_timestamp: int
    content: bytes


class DumbLog:
    """Every batch ever appended that was not cut off; ``start`` and ``safe`` are promises to the outside."""

    def __init__(self) -> None:
        self.batches: list[Written] = []
        self.start = 0
        self.kept_start = 0  # what DeleteRecords has acknowledged
        self.end = 0
        self.safe = 0

    def visible(self) -> list[Written]:
        return [batch for batch in self.batches if batch.last_offset >= self.start]

    def cut(self, offset: int) -> None:
        self.batches = [batch for batch in self.batches if batch.last_offset < offset]
        self.end = offset
        self.start = min(self.start, offset)
        self.kept_start = min(self.kept_start, offset)
        self.safe = min(self.safe, offset)


class Driver:
    """One folder with one log on a simulated disk, and the model beside it; chance from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.disk = SimulatedDisk(self.random, cold_chance=self.random.choice([0.0, 0.3]))
        self.config = PlainLogConfig(
            segment_bytes=self.random.choice([600, 3000, 50_000]),
            index_interval_bytes=self.random.choice([0, 200, 4096]),
            retention_bytes=self.random.choice([-1, 4000, 20_000]),
            retention_ms=self.random.choice([-1, 500]),
            file_delete_delay_ms=self.random.choice([0, 50]),
        )
        self.model = DumbLog()
        self.now_ms = 1_000_000
        self.epoch = 0
        self.sequences: dict[int, int] = {}
        self.folder = LogFolder(self.disk)
        self.folder.recovery_bytes = self.random.choice([500, 5000, 1 << 20])
        self.log, ticket = self.folder.create_log(*KEY, TOPIC_ID, self.config, self.now_ms)
        self.disk.finish(ticket)

    # -- what may happen ---------------------------------------------------------------------------------------------

    def run(self, steps: int) -> None:
        actions = [
            (self.append, 40),
            (self.flush, 10),
            (self.step, 30),
            (self.read, 12),
            (self.read_by_time, 3),
            (self.roll, 1),
            (self.retain, 2),
            (self.delete_records, 1),
            (self.truncate, 1),
            (self.checkpoint, 2),
            (self.fill_disk, 1),
            (self.make_room, 3),
            (self.recreate, 1),
            (self.crash, 1),
            (self.kill, 1),
            (self.restart, 1),
        ]
        weights = [weight for _, weight in actions]
        for _ in range(steps):
            self.now_ms += self.random.randrange(20)
            self.random.choices([action for action, _ in actions], weights)[0]()
        self.crash()

    def append(self) -> None:
        rng = self.random
        records = [
            NewRecord(None, rng.randbytes(rng.choice([1, 20, 300])), (), self.now_ms - rng.randrange(100))
            for _ in range(rng.randint(1, 4))
        ]
        producer: dict[str, int] = {}
        if rng.random() < 0.5:
            producer_id = rng.randrange(3)
            sequence = self.sequences.get(producer_id, 0)
            producer = {"producer_id": producer_id, "producer_epoch": 0, "base_sequence": sequence}
            self.sequences[producer_id] = sequence + len(records)
        if rng.random() < 0.03:
            self.epoch += 1
        batch = Batch(build_batch(records, **producer))
        try:
            begin = self.log.append(batch, self.epoch, self.now_ms)
        except DiskFull:
            assert self.disk.capacity_bytes is not None
            assert self.log.log_end_offset == self.model.end
            self._forget_sequences()
            return
        assert begin.offset == self.model.end
        written = Written(batch.base_offset, batch.last_offset, batch.max_timestamp, bytes(batch.buffer))
        self.model.batches.append(written)
        self.model.end = batch.next_offset
        assert self.log.log_end_offset == self.model.end

    def flush(self) -> None:
        model, log, cuts = self.model, self.log, self.log.cuts

        def on_flushed(ticket: Ticket[int]) -> None:
            if cuts == log.cuts:
                model.safe = max(model.safe, ticket.result())

        self.log.flush().then(on_flushed)

    def step(self) -> None:
        for _ in range(self.random.randrange(6)):
            self.disk.step()

    def roll(self) -> None:
        with self._perhaps_full():
            self.log.roll(self.now_ms)

    def retain(self) -> None:
        with self._perhaps_full():
            self.log.retain(self.now_ms)
        assert self.log.log_start_offset >= self.model.start
        self.model.start = self.log.log_start_offset

    def delete_records(self) -> None:
        model = self.model
        offset = self.random.randint(model.start, model.end)
        ticket = self.log.delete_records_before(offset)
        model.start = max(model.start, offset)
        if self.random.random() < 0.5:
            with self._perhaps_full():
                self.disk.finish(ticket)
                model.kept_start = max(model.kept_start, offset)
        assert self.log.log_start_offset == model.start

    def truncate(self) -> None:
        if self.random.random() < 0.5 or not self.model.visible():
            return
        offset = self.random.choice(self.model.visible()).base_offset
        if offset < self.log.segments[0].base_offset:
            return
        self.make_room()
        ticket = self.log.truncate_to(offset)
        self.model.cut(offset)
        self.disk.finish(ticket)
        self._forget_sequences()
        self.check_all()

    def _forget_sequences(self) -> None:
        """Producers go on behind what the log has."""
        self.sequences = {
            producer_id: (producer.last_sequence + 1) for producer_id, producer in self.log.producers.items()
        }

    def fill_disk(self) -> None:
        self.disk.capacity_bytes = self.disk.used_bytes() + self.random.randrange(1500)

    def make_room(self) -> None:
        self.disk.capacity_bytes = None

    @contextmanager
    def _perhaps_full(self) -> Iterator[None]:
        """What is done inside may find the disk full, if it is."""
        try:
            yield
        except DiskFull:
            assert self.disk.capacity_bytes is not None

    def recreate(self) -> None:
        """Drop the log, whatever is under way, and make another one of the same name."""
        if self.random.random() < 0.7:
            return
        self.make_room()
        self.folder.delete_log(self.log)
        self.model = DumbLog()
        self.sequences = {}
        self.log, ticket = self.folder.create_log(*KEY, TOPIC_ID, self.config, self.now_ms)
        self.disk.finish(ticket)

    def checkpoint(self) -> None:
        if self.random.random() < 0.5:
            self.folder.checkpoint(self.now_ms)
        else:
            self.log.advance_checkpoint()

    # -- ends and starts ---------------------------------------------------------------------------------------------

    def crash(self) -> None:
        self._start(self.disk.crash())
        assert self.log.recovered is not None

    def kill(self) -> None:
        self.model.safe = self.model.end
        self._start(self.disk.kill())

    def restart(self) -> None:
        self.make_room()
        self.disk.finish(self.folder.close(self.now_ms))
        self.model.safe = self.model.end
        self._start(self.disk.crash())
        assert self.log.recovered is None

    def _start(self, disk: SimulatedDisk) -> None:
        recovery_bytes = self.folder.recovery_bytes
        self.disk = disk
        self.make_room()
        self.folder = LogFolder(disk)
        logs = self.folder.load(lambda topic, partition, topic_id: self.config, self.now_ms)
        assert not self.folder.broken, self.folder.broken
        assert list(logs) == [KEY]
        self.log = logs[KEY]
        assert self.log.topic_id == TOPIC_ID
        self.folder.recovery_bytes = recovery_bytes
        model = self.model
        assert self.log.log_end_offset >= model.safe, "what was flushed is lost"
        assert self.log.log_start_offset >= model.kept_start, "what was deleted is back"
        ends = {batch.last_offset + 1 for batch in model.batches} | {0, model.end}
        assert self.log.log_end_offset in ends or self.log.log_end_offset == self.log.log_start_offset
        model.cut(self.log.log_end_offset)
        model.safe = model.end  # what was found was flushed
        model.start = self.log.log_start_offset
        self._forget_sequences()
        self.check_all()

    # -- what must hold ----------------------------------------------------------------------------------------------

    def check_all(self) -> None:
        log, model = self.log, self.model
        assert (log.log_start_offset, log.log_end_offset) == (model.start, model.end)
        content = b"".join(segment.file.read_now(0, segment.size) for segment in log.segments)
        expected = b"".join(batch.content for batch in model.batches)
        assert expected.endswith(content)
        assert len(content) >= sum(len(batch.content) for batch in model.visible())
        self._check_producers()
        for batch in model.visible():
            assert log.epochs.epoch_of(max(batch.base_offset, model.start)) == Batch(batch.content).leader_epoch
        for segment in log.segments:
            self._check_indexes(segment.base_offset)

    def _check_producers(self) -> None:
        expected: dict[int, Producer] = {}
        last_offsets: dict[int, int] = {}
        for written in self.model.batches:
            batch = Batch(written.content)
            if batch.has_producer:
                producer = expected.setdefault(batch.producer_id, Producer(0))
                producer.on_batch(batch.last_sequence, batch.last_offset, batch.last_offset_delta, batch.max_timestamp)
                last_offsets[batch.producer_id] = batch.last_offset
        found = {producer_id: producer.fields() for producer_id, producer in self.log.producers.items()}
        for producer_id, producer in expected.items():
            if last_offsets[producer_id] >= self.log.segments[0].base_offset or producer_id in found:
                assert found.pop(producer_id) == producer.fields()
        assert not found

    def _check_indexes(self, base_offset: int) -> None:
        segment = self.log.segment_for(base_offset)
        batches: dict[int, Batch] = {}
        content = segment.file.read_now(0, segment.size)
        position = 0
        while position < len(content):
            batches[position] = Batch(content, position)
            position += batches[position].size
        entries = segment.offsets.entries()
        assert [entry[1] for entry in entries] == sorted({entry[1] for entry in entries})
        for relative, position in entries:
            assert batches[position].last_offset == base_offset + relative
        times = segment.times.entries()
        assert times == sorted(times)
        for timestamp, relative in times:
            upto = [batch.max_timestamp for batch in batches.values() if batch.last_offset <= base_offset + relative]
            assert max(upto) == timestamp
        if batches:
            assert segment.largest_timestamp() == max(batch.max_timestamp for batch in batches.values())

    def read(self) -> None:
        rng, model, log = self.random, self.model, self.log
        offset = rng.randint(max(model.start - 2, 0), model.end + 2)
        limit = self._limit()
        max_bytes, at_least_one = rng.choice([1, 100, 1000, 100_000]), rng.random() < 0.5
        if not model.start <= offset <= model.end:
            with pytest.raises(Refused) as refused:
                log.read(offset, max_bytes, limit, at_least_one)
            assert refused.value.code == OFFSET_OUT_OF_RANGE
            return
        found = log.read(offset, max_bytes, limit, at_least_one)
        slice_ = self.disk.finish(found) if isinstance(found, Ticket) else found
        wanted = [
            batch for batch in model.visible() if batch.last_offset >= offset and batch.base_offset < limit.offset
        ]
        expected = b"".join(batch.content for batch in wanted)
        if slice_ is None:
            assert not wanted or (not at_least_one and len(wanted[0].content) > max_bytes)
            return
        content = self._content(slice_)
        assert content
        assert expected.startswith(content)
        assert len(content) >= len(wanted[0].content)
        assert len(content) <= max(max_bytes, len(wanted[0].content))

    def _content(self, slice_: FileSlice) -> bytes:
        content = b""
        while len(slice_):
            piece = slice_.next_piece(333)
            if isinstance(piece, Ticket):
                piece = self.disk.finish(piece)
            content += piece
            slice_.advance(len(piece))
        slice_.release()
        return content

    def _limit(self) -> LogPosition:
        visible = self.model.visible()
        if not visible or self.random.random() < 0.5:
            return self.log.end
        offset = self.random.choice(visible).base_offset
        found = self.log.position_of(max(offset, self.model.start))
        return self.disk.finish(found) if isinstance(found, Ticket) else found

    def read_by_time(self) -> None:
        model = self.model
        timestamp = self.now_ms - self.random.randrange(1000)
        expected = None
        largest = None
        for written in model.visible():
            batch = Batch(written.content)
            for record in iter_records(batch, LIMIT_BYTES):
                if record.offset >= model.start:
                    found = (record.offset, record.timestamp, batch.leader_epoch)
                    if expected is None and record.timestamp >= timestamp:
                        expected = found
                    if largest is None or record.timestamp > largest[1]:
                        largest = found
        assert self.disk.finish(self.log.offset_for_time(timestamp)) == expected
        if model.start == self.log.segments[0].base_offset:
            assert self.disk.finish(self.log.max_timestamp()) == largest
