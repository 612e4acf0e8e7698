"""Many syncs of one file system as one: what thousands of files ask for at once is done by a single ``syncfs``.

A clean stop with ten thousand dirty logs, or as many that are made, would be tens of thousands of ``fsync`` calls, each
a commit of the file system's journal. While few are waiting each is done by itself, because ``syncfs`` also writes what
nobody waits for; above ``SYNCS_ALONE_MAX`` the others gather and share one.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from millrace.base.errors import MillraceError
from millrace.base.limits import SYNCS_ALONE_MAX

Finish = Callable[[Any, MillraceError | None], None]
Submit = Callable[[str, Callable[[], Any], Finish], None]

try:
    _SYNCFS: Any = ctypes.CDLL(None, use_errno=True).syncfs
except (AttributeError, OSError):  # no Linux: each sync is done by itself
    _SYNCFS = None


class GroupSync:
    """See the module. ``submit`` is the disk's way into its pool; all else happens on the loop's thread."""

    __slots__ = ("_alone", "_gathered", "_is_running", "_root", "_submit", "groups")

    def __init__(self, root: str, submit: Submit) -> None:
        self._root = root
        self._submit = submit
        self._alone = 0
        self._gathered: list[tuple[Callable[[], None], Finish]] = []
        self._is_running = False
        self.groups = 0

    @property
    def is_crowded(self) -> bool:
        """Whether so many are waiting that the next would share."""
        return self._alone >= SYNCS_ALONE_MAX and _SYNCFS is not None

    def sync(self, path: str, alone: Callable[[], None], note: Callable[[], None], finish: Finish) -> None:
        """Make durable what ``alone`` would, by it or together with others; ``note`` is called when that is done by
        the group, on a thread of the pool."""
        if self.is_crowded:
            self._gathered.append((note, finish))
            if not self._is_running:
                self._start()
            return
        self._alone += 1

        def finished(value: Any, error: MillraceError | None) -> None:
            self._alone -= 1
            finish(value, error)

        self._submit(path, alone, finished)

    def _start(self) -> None:
        self._is_running = True
        group: list[tuple[Callable[[], None], Finish]] = []

        def work() -> None:
            # Everything gathered until now was written before this call; what comes later belongs to the next group.
            group.extend(self._gathered[: len(self._gathered)])
            del self._gathered[: len(group)]
            _sync_file_system(self._root)
            for note, _ in group:
                note()

        def finished(_: Any, error: MillraceError | None) -> None:
            self._is_running = False
            self.groups += 1
            for _, finish in group:
                finish(None, error)
            if self._gathered and not self._is_running:
                self._start()

        self._submit("", work, finished)


def _sync_file_system(root: str) -> None:
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _SYNCFS(descriptor):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), root)
    finally:
        os.close(descriptor)
