"""The broker's loggers as a resource with configs (KIP-412): their levels, read and changed while it runs.

Levels have Kafka's names. ``root`` is the root of our own loggers, not of the program the broker may be embedded in.
Levels are kept nowhere: a restarted broker starts with those of its configuration, as Kafka does.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from millrace.base.errors import Refused
from millrace.kafka import codes
from millrace.state.cluster_configs import DELETE, SET

ROOT: Final = "root"
OURS: Final = "millrace"
TRACE: Final = 5

LEVELS: Final = {
    "TRACE": TRACE,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
}


def levels() -> dict[str, str]:
    """The level in force of each logger, by name."""
    names = [name for name in logging.root.manager.loggerDict if name == OURS or name.startswith(f"{OURS}.")]
    found = {ROOT: _level_name(logging.getLogger(OURS).getEffectiveLevel())}
    for name in sorted(names):
        found[name] = _level_name(logging.getLogger(name).getEffectiveLevel())
    return found


def _level_name(number: int) -> str:
    """The name of the highest level that is not above ``number``."""
    return max((level, name) for name, level in LEVELS.items() if level <= max(number, TRACE))[1]


def check(changes: Sequence[Any]) -> None:
    """Refuse what cannot be set; ``changes`` are the entries of an IncrementalAlterConfigs request."""
    known = levels()
    for change in changes:
        if change.config_operation not in (SET, DELETE):
            raise Refused(codes.INVALID_REQUEST, f"a logger's level can be set or deleted, not extended: {change.name}")
        if change.name not in known:
            raise Refused(codes.INVALID_CONFIG, f"there is no logger {change.name}")
        if change.config_operation == DELETE and change.name in (ROOT, OURS):
            raise Refused(codes.INVALID_REQUEST, "the root logger always has a level")
        if change.config_operation == SET and change.value not in LEVELS:
            raise Refused(
                codes.INVALID_CONFIG, f"level {change.value} of {change.name}: expected one of {', '.join(LEVELS)}"
            )


def apply(changes: Sequence[Any]) -> None:
    """Set the levels; a deleted one is inherited again."""
    for change in changes:
        logger = logging.getLogger(OURS if change.name == ROOT else change.name)
        logger.setLevel(LEVELS[change.value] if change.config_operation == SET else logging.NOTSET)
