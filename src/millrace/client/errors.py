"""How a request to a cluster fails: one kind of error, with one line that is fit for the user."""

from __future__ import annotations


class ClientError(Exception):
    """The cluster refused, or did not answer; ``code`` is Kafka's name of the error."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code
