"""The host of a machine: appends what it decides, replays it, and answers once the log is safe up to there.

One host runs one machine on one internal partition. A decision's records are one batch; if the append fails nothing
was replayed and the request is refused. Replies wait until the high watermark has passed the last entry that had been
replayed when they were decided, also those without records, because a decision reads what is not committed yet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from millrace.base.errors import MillraceError, Refused
from millrace.base.limits import DECOMPRESSED_BYTES_MAX, REPLAY_SLICE_RECORDS
from millrace.base.ports import Ticket
from millrace.broker.partition import ACKS_ALL, Partition, code_of
from millrace.broker.waiting import Waiting
from millrace.kafka import codes
from millrace.kafka.batch import Batch, batches_in
from millrace.kafka.record import NewRecord, build_batch, control_type, iter_records
from millrace.state.machine import Call, Decision, Entry, Env, Machine

if TYPE_CHECKING:
    from millrace.broker.api import Context
    from millrace.broker.broker import Broker

REPLAY_READ_BYTES = 1 << 20


class _Token:
    """Whom a decision answers; ``wanted`` is None when nobody waits."""

    __slots__ = ("error", "host", "is_answered", "response")

    def __init__(self, host: MachineHost) -> None:
        self.host = host
        self.is_answered = False
        self.response: Any = None
        self.error: Refused | None = None


class MachineHost:
    """See the module. ``loaded`` is false while the log is still being replayed."""

    __slots__ = (
        "_broker",
        "_held",
        "_on_committed",
        "_replayed_end",
        "_waiting_tokens",
        "failed",
        "loaded",
        "machine",
        "partition",
    )

    def __init__(
        self,
        broker: Broker,
        machine: Machine,
        partition: Partition,
        on_committed: Callable[[], None] | None = None,
    ) -> None:
        """``on_committed`` is called when the high watermark has passed entries that were replayed."""
        self._broker = broker
        self.machine = machine
        self.partition = partition
        self.loaded = False
        self.failed = False
        self._replayed_end = partition.log.log_start_offset
        self._held: deque[tuple[int, list[tuple[Any, Any]]]] = deque()
        self._waiting_tokens: dict[_Token, None] = {}  # in order, so that a simulation repeats
        self._on_committed = on_committed
        partition.watch(self)

    # -- loading -----------------------------------------------------------------------------------------------------

    def load_slice(self) -> bool | Ticket[Any]:
        """Replay some more of the log; True when all of it is replayed. A ticket: call again when it is done."""
        partition = self.partition
        end = partition.log.log_end_offset
        count = 0
        while self._replayed_end < end and count < REPLAY_SLICE_RECORDS:
            found = partition.log.read(self._replayed_end, REPLAY_READ_BYTES, partition.log.end, True)
            if isinstance(found, Ticket):
                return found
            assert found is not None, f"{partition}: nothing to read at {self._replayed_end} of {end}"
            content = found.read_now()
            found.release()
            before = self._replayed_end
            for batch in batches_in(content):
                if batch.next_offset > self._replayed_end:
                    count += self._replay_batch(batch)
                    self._replayed_end = batch.next_offset
            assert self._replayed_end > before, f"{partition}: no whole batch at {before}"
        if self._replayed_end < end:
            return False
        self.loaded = True
        return True

    def _replay_batch(self, batch: Batch) -> int:
        replay = self.machine.replay
        control = batch.is_control
        count = 0
        for record in iter_records(batch, DECOMPRESSED_BYTES_MAX):
            count += 1
            marker = control_type(record.key) if control else None
            replay(
                Entry(
                    record.offset,
                    record.timestamp,
                    record.key,
                    record.value,
                    batch.producer_id,
                    batch.producer_epoch,
                    marker,
                )
            )
        return count

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, context: Context, request: Any) -> Any:
        """Decide ``request``; the response, or a Waiting for it. Raises Refused while loading or after a failure."""
        self._check()
        token = _Token(self)
        call = Call(request, context.api_version, context.client_id or "", context.host, context.principal)
        self._run(lambda env: self.machine.decide(call, token, env), token)
        if token.is_answered:
            return self._outcome(token)
        self._waiting_tokens[token] = None
        return Waiting((token,), None, lambda timed_out: self._outcome(token), on_cancel=lambda: self._drop(token))

    def tell(self, request: Any) -> None:
        """Decide a request of our own; nobody waits for an answer."""
        self._check()
        self._run(lambda env: self.machine.decide(request, None, env), None)

    def when_committed(self, callback: Callable[[], None]) -> None:
        """Call back once everything that was replayed so far is committed."""
        if self.partition.high_watermark.offset >= self._replayed_end:
            callback()
        else:
            self._held.append((self._replayed_end, [(lambda _: callback(), None)]))

    def expire(self) -> None:
        """The machine's deadline has come."""
        if self.loaded and not self.failed:
            self._run(self.machine.expire, None)

    def _check(self) -> None:
        if self.failed:
            raise Refused(codes.COORDINATOR_NOT_AVAILABLE, f"{self.partition} is offline")
        if not self.loaded:
            raise Refused(codes.COORDINATOR_LOAD_IN_PROGRESS, f"{self.partition} is being loaded")

    def _run(self, decide: Callable[[Env], Decision], token: _Token | None) -> None:
        decision = decide(self._broker.env())
        if decision.records:
            try:
                self._append(decision)
            except MillraceError as error:
                self._refuse(decision, token, error)
                self._broker.deadlines.set(self, self.machine.next_deadline())
                return
        if decision.replies:
            if decision.at_once or self.partition.high_watermark.offset >= self._replayed_end:
                self._answer(decision.replies)
            else:
                self._held.append((self._replayed_end, decision.replies))
        self._broker.deadlines.set(self, self.machine.next_deadline())

    def _append(self, decision: Decision) -> None:
        now_ms = self._broker.wall_ms()
        built = build_batch([NewRecord(record.key, record.value) for record in decision.records], timestamp_ms=now_ms)
        batch = Batch(built)
        appended = self.partition.append(batch, ACKS_ALL, now_ms)
        replay = self.machine.replay
        for index, record in enumerate(decision.records):
            replay(Entry(appended.base_offset + index, now_ms, record.key, record.value))
        self._replayed_end = appended.end_offset
        if self.partition.high_watermark.offset >= self._replayed_end:
            self._committed()

    def _refuse(self, decision: Decision, token: _Token | None, error: MillraceError) -> None:
        refused = error if isinstance(error, Refused) else Refused(code_of(error), str(error))
        tokens = {id(each): each for each, _ in decision.replies if isinstance(each, _Token)}
        if token is not None:
            tokens[id(token)] = token
        for each in tokens.values():
            self._settle(each, None, refused)

    # -- answering ---------------------------------------------------------------------------------------------------

    def on_advance(self, partition: Partition) -> None:
        """The high watermark moved, or the partition failed."""
        if partition.failed is not None:
            self._fail(Refused(code_of(partition.failed), str(partition.failed)))
            return
        reached = partition.high_watermark.offset
        self._committed()
        while self._held and self._held[0][0] <= reached:
            self._answer(self._held.popleft()[1])

    def _committed(self) -> None:
        if self._on_committed is not None and self.loaded:
            self._on_committed()

    def _answer(self, replies: list[tuple[Any, Any]]) -> None:
        for token, response in replies:
            if token is None:
                continue
            if callable(token):
                token(response)
            else:
                self._settle(token, response, None)

    def _settle(self, token: _Token, response: Any, error: Refused | None) -> None:
        if token.is_answered:
            return
        token.is_answered = True
        if isinstance(response, Refused):  # how a machine refuses a request as a whole
            response, error = None, response
        token.response = response
        token.error = error
        if token in self._waiting_tokens:
            del self._waiting_tokens[token]
            self._broker.waiting.wake(token)

    def _outcome(self, token: _Token) -> Any:
        if token.error is not None:
            raise token.error
        return token.response

    def _drop(self, token: _Token) -> None:
        """Its connection is gone: the decision stands, the answer goes nowhere."""
        token.is_answered = True
        self._waiting_tokens.pop(token, None)

    def _fail(self, error: Refused) -> None:
        """What was replayed may vanish: the machine is dropped, everyone who waits is told to look elsewhere."""
        if self.failed:
            return
        self.failed = True
        self._held.clear()
        self._broker.deadlines.set(self, None)
        for token in list(self._waiting_tokens):
            self._settle(token, None, Refused(codes.NOT_COORDINATOR, str(error)))
