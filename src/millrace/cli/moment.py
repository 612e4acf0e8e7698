"""Where to begin, as a user writes it: an offset, ``earliest``, ``latest``, a time, or how long ago."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Final

EARLIEST: Final = "earliest"
LATEST: Final = "latest"
EXPECTED: Final = (
    "expected an offset (42), earliest, latest, a time (2026-01-31, 2026-01-31T12:00:00, with Z or +02:00; else local),"
    " milliseconds since 1970 (@1767225600000) or how long ago (-90s, -15m, -2h, -7d)"
)

_AGO: Final = re.compile(r"-(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS_MS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class BadMoment(ValueError):
    """What was written is no such place; the message says what is."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One of: an end of the log (``end``), an ``offset``, a time (``timestamp_ms``)."""

    end: str = ""
    offset: int = -1
    timestamp_ms: int = -1


def parse_moment(text: str, now_ms: int) -> Moment:
    """BadMoment if it is none."""
    text = text.strip()
    if text in (EARLIEST, LATEST):
        return Moment(end=text)
    if text.isdecimal():
        return Moment(offset=int(text))
    if text.startswith("@") and text[1:].isdecimal():
        return Moment(timestamp_ms=int(text[1:]))
    if ago := _AGO.fullmatch(text):
        return Moment(timestamp_ms=max(now_ms - int(float(ago[1]) * _UNITS_MS[ago[2]]), 0))
    try:
        when = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise BadMoment(f"{text!r}: {EXPECTED}") from None
    return Moment(timestamp_ms=max(int(when.astimezone().timestamp() * 1000), 0))
