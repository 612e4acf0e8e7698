"""The real disk with a switch that makes it fail: what a user's test turns to see how the program takes it."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Any

from millrace.base.ports import Buffer, Ticket
from millrace.runtime.disk import RealDisk
from millrace.runtime.disk_file import RealFile


class DiskSwitch:
    """Shared by the disks of one broker: counts writes down, then fails all that follow."""

    def __init__(self) -> None:
        self._writes_left: int | None = None
        self._code = errno.EIO

    def fail_after(self, writes: int, *, full: bool = False) -> None:
        """After so many more writes the disk fails each one, and each flush; ``full``: it has no room instead."""
        assert writes >= 0, f"{writes} writes make no sense"
        self._code = errno.ENOSPC if full else errno.EIO
        self._writes_left = writes

    def heal(self) -> None:
        """Writes succeed again. A folder that went offline stays so until the broker is restarted."""
        self._writes_left = None

    def on_write(self, path: str) -> None:
        if self._writes_left is None:
            return
        if self._writes_left == 0:
            raise OSError(self._code, os.strerror(self._code), path)
        self._writes_left -= 1

    @property
    def fails_flushes(self) -> bool:
        """A full disk can still flush what was written."""
        return self._writes_left == 0 and self._code == errno.EIO

    def check_flush(self, path: str) -> None:
        if self.fails_flushes:
            raise OSError(self._code, os.strerror(self._code), path)


class FaultyFile(RealFile):
    """One of its files."""

    __slots__ = ()

    _disk: FaultyDisk

    def append(self, buffers: Sequence[Buffer]) -> int:
        try:
            self._disk.switch.on_write(self.path)
        except OSError as error:
            raise self._disk.as_fault(self.path, error) from error
        return super().append(buffers)

    def write_at(self, position: int, buffer: Buffer) -> None:
        try:
            self._disk.switch.on_write(self.path)
        except OSError as error:
            raise self._disk.as_fault(self.path, error) from error
        super().write_at(position, buffer)

    def flush(self) -> Ticket[None]:
        try:
            self._disk.switch.check_flush(self.path)
        except OSError as error:
            fault = self._disk.as_fault(self.path, error)
            self._disk.fail(fault)
            ticket: Ticket[None] = Ticket()
            ticket.fail(fault)
            return ticket
        return super().flush()


class FaultyDisk(RealDisk):
    """See the module."""

    def __init__(self, root: str | os.PathLike[str], *, switch: DiskSwitch, **options: Any) -> None:
        super().__init__(root, **options)
        self.switch = switch

    def open(self, path: str, *, create: bool = False) -> RealFile:
        if create and self.fault is not None:
            raise self.fault
        return FaultyFile(self, path, create=create)

    def replace(self, path: str, content: Buffer) -> Ticket[None]:
        try:
            self.switch.on_write(path)
        except OSError as error:
            ticket: Ticket[None] = Ticket()
            ticket.fail(self.as_fault(path, error))
            return ticket
        return super().replace(path, content)
