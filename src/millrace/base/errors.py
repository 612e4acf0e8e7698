"""The tree of errors: whose fault it is decides what happens next.

    MillraceError
    ├── PeerError       the other side broke the protocol: answer if possible, then close
    ├── Refused         valid but declined, with Kafka's error code
    ├── StorageFault    the disk lied or failed: the folder goes offline, the node lives
    │   └── DiskFull    there is no room: the file was cut back, try again when there is
    └── Unavailable     cannot be done now: retry later, with Kafka's error code

Our own bugs are ``assert``: they are logged and end the process, because recovery is the tested path.
"""

from __future__ import annotations


class MillraceError(Exception):
    """Base of all errors that are part of normal work; never raised itself."""


class PeerError(MillraceError):
    """The peer sent what the protocol does not allow."""


class Refused(MillraceError):
    """A valid request that is declined; ``code`` is Kafka's error code."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message or f"refused with code {code}")
        self.code = code
        self.message = message


class Unavailable(Refused):
    """Declined for now; the same request may succeed later. ``code`` is one of Kafka's retriable codes."""


class StorageFault(MillraceError):
    """The disk failed or holds what cannot be right; ``path`` is the file or folder."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class DiskFull(StorageFault):
    """No room left; the file was cut back to where it was before the write."""
