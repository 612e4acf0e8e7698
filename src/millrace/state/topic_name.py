"""What a topic may be called: Kafka's rules, in one place for creation, look-ups and configs."""

from __future__ import annotations

import re
from typing import Final

LENGTH_MAX: Final = 249  # a folder's name is 255 bytes at most; "-", a partition number and ".index" must fit too
_LEGAL: Final = re.compile(r"[a-zA-Z0-9._-]+", re.ASCII)


def fault_in(name: str) -> str | None:
    """Why ``name`` cannot be a topic's name, or None when it can."""
    if not name:
        return "a topic name may not be empty"
    if name in (".", ".."):
        return f"a topic may not be called '{name}'"
    if len(name) > LENGTH_MAX:
        return f"a topic name of {len(name)} characters, expected at most {LENGTH_MAX}: '{name}'"
    if not _LEGAL.fullmatch(name):
        return f"topic name '{name}' has other characters than ASCII letters, digits, '.', '_' and '-'"
    return None
