"""Asking the coordinators of groups: one, or several at once with one answer; and what failures are called there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.broker.api import Context, Coordinator
from millrace.broker.machine_host import MachineHost
from millrace.broker.waiting import Waiting
from millrace.kafka import codes

GROUP: Final = "group"
GROUP_OF_REQUEST: Final = Coordinator(GROUP, lambda request: request.group_id)

# What a log refuses with, as a coordinator's clients know it.
_COORDINATOR_CODES: Final = {
    codes.UNKNOWN_TOPIC_OR_PARTITION: codes.COORDINATOR_NOT_AVAILABLE,
    codes.NOT_ENOUGH_REPLICAS: codes.COORDINATOR_NOT_AVAILABLE,
    codes.REQUEST_TIMED_OUT: codes.COORDINATOR_NOT_AVAILABLE,
    codes.NOT_LEADER_OR_FOLLOWER: codes.NOT_COORDINATOR,
    codes.KAFKA_STORAGE_ERROR: codes.NOT_COORDINATOR,
    codes.MESSAGE_TOO_LARGE: codes.UNKNOWN_SERVER_ERROR,
    codes.RECORD_LIST_TOO_LARGE: codes.UNKNOWN_SERVER_ERROR,
    codes.INVALID_FETCH_SIZE: codes.UNKNOWN_SERVER_ERROR,
}


def coordinator_code(code: int) -> int:
    """The code of a failure as clients of a group coordinator expect it, as in Kafka."""
    return _COORDINATOR_CODES.get(code, code)  # type: ignore[call-overload, no-any-return]


def ask_group(context: Context, group_id: str, request: Any) -> Any:
    """Ask the coordinator of one group: a response or a Waiting; raises Refused."""
    return context.broker.coordinator(GROUP, group_id).ask(context, request)


def ask_in_time(context: Context, group_id: str, request: Any) -> Any:
    """The same for what waits for nothing but the log: refused after ``offsets.commit.timeout.ms``. What was decided
    stands all the same, and may be seen later, as in Kafka."""
    outcome = ask_group(context, group_id, request)
    if not isinstance(outcome, Waiting):
        return outcome
    finish, cancel = outcome.finish, outcome.on_cancel
    timeout_ms = context.broker.config.integer("offsets.commit.timeout.ms")

    def finish_or_give_up(timed_out: bool) -> Any:
        if not timed_out:
            return finish(False)
        if cancel is not None:
            cancel()
        raise Refused(codes.REQUEST_TIMED_OUT, f"group {group_id}: the log was not safe after {timeout_ms} ms")

    outcome.finish = finish_or_give_up
    outcome.deadline_ms = context.mono_ms + timeout_ms
    return outcome


def by_coordinator(
    context: Context, group_ids: Iterable[str]
) -> tuple[dict[MachineHost, list[str]], dict[str, Refused]]:
    """Group ids by the host that coordinates them, and those of which none can be asked now."""
    hosts: dict[MachineHost, list[str]] = {}
    refused: dict[str, Refused] = {}
    for group_id in group_ids:
        try:
            hosts.setdefault(context.broker.coordinator(GROUP, group_id), []).append(group_id)
        except Refused as error:
            refused[group_id] = error
    return hosts, refused


def ask_all(context: Context, asked: Sequence[tuple[MachineHost, Any]], combine: Callable[[list[Any]], Any]) -> Any:
    """Ask several hosts; ``combine`` gets their responses in order, a Refused in place of one that fails."""
    outcomes: list[Any] = []
    for host, request in asked:
        try:
            outcomes.append(host.ask(context, request))
        except Refused as error:
            outcomes.append(error)
    # One host's answer may have come while the next was asked.
    tokens: list[Any] = [outcome.keys[0] for outcome in outcomes if isinstance(outcome, Waiting)]
    waiting = {token: None for token in tokens if not token.is_answered}
    if not waiting:
        return combine([_finished(outcome) for outcome in outcomes])

    def woken(token: Any) -> bool:
        waiting.pop(token, None)
        return not waiting

    def cancel() -> None:
        for outcome in outcomes:
            if isinstance(outcome, Waiting) and outcome.on_cancel is not None:
                outcome.on_cancel()

    def finish(timed_out: bool) -> Any:
        return combine([_finished(outcome) for outcome in outcomes])

    return Waiting(tuple(waiting), None, finish, woken=woken, on_cancel=cancel)


def _finished(outcome: Any) -> Any:
    if not isinstance(outcome, Waiting):
        return outcome
    try:
        return outcome.finish(False)
    except Refused as error:
        return error
