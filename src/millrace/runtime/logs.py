"""Log lines on stderr: one a event, for people or as JSON, never more of one kind than anyone can read.

Everything logs through the standard library. The kind of a line is where it comes from and its message before the
values are put in, so a peer that misbehaves a thousand times a second is a few lines and a count. Control characters in
values are written as escapes: a client's name cannot forge a line.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from typing import TextIO

BURST = 20  # lines of one kind at once
REFILL_S = 1.0  # and after that one in so many seconds
KINDS_MAX = 1_000

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {10: "\\n", 13: "\\r", 9: "\\t"}


def set_up(form: str, level: str, stream: TextIO | None = None) -> logging.Handler:
    """Write what millrace logs to ``stream`` (stderr) from now on; the handler, for :func:`take_down`."""
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(JsonLine() if form == "json" else HumanLine())
    handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.addHandler(handler)
    logging.getLogger("millrace").setLevel(_LEVELS[level])
    return handler


def take_down(handler: logging.Handler) -> None:
    handler.flush()
    logging.getLogger().removeHandler(handler)


class RateLimit(logging.Filter):
    """Lets a burst of one kind through, then a few; the next one that passes tells how many did not."""

    def __init__(self, mono_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._mono_s = mono_s
        self._kinds: dict[
            tuple[str, int, object], list[float]
        ] = {}  # kind -> [tokens, when they were counted, held back]

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.CRITICAL:
            return True
        kind = (record.name, record.levelno, record.msg)
        now_s = self._mono_s()
        state = self._kinds.get(kind)
        if state is None:
            if len(self._kinds) >= KINDS_MAX:
                self._kinds.clear()
            state = self._kinds[kind] = [float(BURST), now_s, 0.0]
        tokens = min(BURST, state[0] + (now_s - state[1]) / REFILL_S)
        state[1] = now_s
        if tokens < 1:
            state[0] = tokens
            state[2] += 1
            return False
        state[0] = tokens - 1
        record.held_back = int(state[2])
        state[2] = 0.0
        return True


def _message(record: logging.LogRecord) -> str:
    message = record.getMessage().translate(_ESCAPES)
    held_back = getattr(record, "held_back", 0)
    return f"{message} ({held_back} more of this kind were not written)" if held_back else message


def _trace(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[1] is None:
        return ""
    return "".join(traceback.format_exception(record.exc_info[1])).rstrip()


class HumanLine(logging.Formatter):
    """``2026-01-31 12:00:00.123 WARNING net: message``; only a bug's traceback goes on in indented lines."""

    def format(self, record: logging.LogRecord) -> str:
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        room = record.name.removeprefix("millrace.")
        line = f"{moment}.{int(record.msecs):03d} {record.levelname:7} {room}: {_message(record)}"
        trace = _trace(record)
        return line + "".join(f"\n    {each}" for each in trace.splitlines()) if trace else line


class JsonLine(logging.Formatter):
    """One object a line: ``time`` (UTC, ISO 8601), ``level``, ``room``, ``message``, and ``trace`` of a bug."""

    def format(self, record: logging.LogRecord) -> str:
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        fields = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "room": record.name.removeprefix("millrace."),
            "message": _message(record),
        }
        if trace := _trace(record):
            fields["trace"] = trace
        return json.dumps(fields, ensure_ascii=False)
