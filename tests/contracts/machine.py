"""What every machine must hold: a log, its replay, and answers for all who wait.

``Bench`` plays the host: it appends what the machine decides, replays it, and keeps every answer. Each token is
answered at most once; ``check_replay`` replays the log beside the machine and compares what is durable.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from millrace.state.machine import Call, Decision, Entry, Env, Machine


class Bench:
    """A machine with a log in memory and a clock that moves when told."""

    def __init__(self, make: Callable[[], Machine], *, seed: int = 0, image: Any = None, wall_ms: int = 1_000_000_000):
        self.make = make
        self.machine = make()
        self.random = random.Random(seed)
        self.image = image
        self.mono_ms = 0
        self.wall_base_ms = wall_ms
        self.log: list[Entry] = []
        self.answers: dict[Any, Any] = {}  # by token
        self.asked: list[Any] = []
        self.fail_appends = False

    def env(self) -> Env:
        return Env(self.wall_base_ms + self.mono_ms, self.mono_ms, self.random, self.image)

    def ask(self, request: Any, version: int, *, client_id: str = "client", host: str = "127.0.0.1") -> int:
        """Ask as a client does; the token, whose answer is in ``answers`` once it is there."""
        token = len(self.asked)
        self.asked.append(request)
        self._run(self.machine.decide(Call(request, version, client_id, host), token, self.env()), token)
        return token

    def ask_now(self, request: Any, version: int, **caller: str) -> Any:
        """Ask something that is answered at once."""
        return self.answers[self.ask(request, version, **caller)]

    def tell(self, request: Any) -> Decision:
        decision = self.machine.decide(request, None, self.env())
        self._run(decision, None)
        return decision

    def advance(self, by_ms: int) -> None:
        """Let time pass, from deadline to deadline."""
        until = self.mono_ms + by_ms
        for _ in range(1_000_000):
            deadline = self.machine.next_deadline()
            if deadline is None or deadline > until:
                self.mono_ms = until
                return
            self.mono_ms = max(self.mono_ms, deadline)
            self._run(self.machine.expire(self.env()), None)
        raise AssertionError("the machine's deadlines never end")

    def restart(self) -> None:
        """What a new host does: a fresh machine, the log replayed; whoever waited has lost its connection."""
        self.machine = self.make()
        for entry in self.log:
            self.machine.replay(entry)

    def unanswered(self) -> list[int]:
        return [token for token in range(len(self.asked)) if token not in self.answers]

    def _run(self, decision: Decision, token: Any) -> None:
        if decision.records and self.fail_appends:
            for each in {token, *(waiting for waiting, _ in decision.replies)} - {None}:
                self._answer(each, "append failed")
            return
        for record in decision.records:
            entry = Entry(len(self.log), self.wall_base_ms + self.mono_ms, record.key, record.value)
            self.log.append(entry)
            self.machine.replay(entry)
        for each, response in decision.replies:
            self._answer(each, response)

    def _answer(self, token: Any, response: Any) -> None:
        if token is None:
            return
        if self.answers.get(token) == "append failed":
            return  # its request was refused with a failed append: the host drops what comes later
        assert token not in self.answers, f"{self.asked[token]!r} is answered twice"
        self.answers[token] = response


def check_replay(bench: Bench, durable: Callable[[Any], Any]) -> None:
    """The log, replayed into a fresh machine, gives what the living one holds."""
    replayed = bench.make()
    for entry in bench.log:
        replayed.replay(entry)
    assert durable(replayed) == durable(bench.machine)
