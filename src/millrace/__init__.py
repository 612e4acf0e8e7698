"""A Kafka-compatible stream data platform: ``from millrace import Broker`` is a broker inside your program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from millrace.base.version import __version__
    from millrace.testing.broker import Broker

__all__ = ["Broker", "__version__"]


def __getattr__(name: str) -> object:
    """Import on first use: ``import millrace`` alone must cost nothing."""
    if name == "Broker":
        from millrace.testing.broker import Broker

        return Broker
    if name == "__version__":
        from millrace.base.version import __version__

        return __version__
    raise AttributeError(f"module 'millrace' has no attribute {name!r}")
