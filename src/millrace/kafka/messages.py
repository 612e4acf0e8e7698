"""Every message of Kafka's protocol as a class: ``messages.ProduceRequest``; its declaration is read on first use.

The declarations stand in ``declarations/``, one file an API; their language is described in ``schema/model``. A class
serves all versions of its message. Fields have Kafka's names in snake_case; arrays are lists, nullable values may be
None, a uuid is 16 bytes, ``bytes`` decode to bytes, ``records`` stay a memoryview of the buffer they came in. Inner
structs hang on the class: ``messages.ProduceRequest.TopicProduceData``. Type checkers read ``messages.pyi``.
"""

from __future__ import annotations

import os

from millrace.schema.classes import Body
from millrace.schema.compile import decode, decoder, encode, encoder, source_of
from millrace.schema.library import Declared, Library
from millrace.schema.model import VERSION_MAX
from millrace.schema.wire import skip_tags

__all__ = [
    "API_KEYS",
    "api_name",
    "decode",
    "decoder",
    "encode",
    "encoder",
    "header_version",
    "listeners",
    "request_type",
    "response_type",
    "skip_tags",
    "source_of",
    "stable_versions",
    "versions",
]

_API_VERSIONS = 18
_LIBRARY = Library(
    os.path.join(os.path.dirname(__file__), "declarations"),
    __name__,
    lambda declared: ("",) if declared.key is None else ("Request", "Response"),
)

API_KEYS: tuple[int, ...] = tuple(sorted(key for _, key in _LIBRARY.by_key))
"""The keys of all declared APIs."""


def __getattr__(name: str) -> type[Body]:
    if name not in _LIBRARY.by_name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = _LIBRARY.message_class(name)
    return found


def __dir__() -> list[str]:
    return sorted(globals().keys() | _LIBRARY.by_name.keys())


def request_type(key: int) -> type[Body]:
    """The class of an API's request; KeyError for a key that is not declared."""
    return _LIBRARY.message_class(_api(key).name + "Request")


def response_type(key: int) -> type[Body]:
    """The class of an API's response; KeyError for a key that is not declared."""
    return _LIBRARY.message_class(_api(key).name + "Response")


def api_name(key: int) -> str:
    """Kafka's name of an API, such as ``Produce``; a key that is not declared is named by its number."""
    declared = _LIBRARY.by_key.get((None, key))
    return declared.name if declared else f"api {key}"


def versions(key: int) -> tuple[int, int]:
    """First and last version that is declared, one that Kafka itself does not offer yet included."""
    low, high = _LIBRARY.header(_api(key)).versions
    return low, high


def stable_versions(key: int) -> tuple[int, int]:
    """First and last version that Kafka offers."""
    header = _LIBRARY.header(_api(key))
    return header.versions.low, header.versions.high if header.unstable is None else header.unstable - 1


def listeners(key: int) -> tuple[str, ...]:
    """Who serves an API in Kafka: ``broker``, ``controller`` or both."""
    return _LIBRARY.header(_api(key)).listeners


def header_version(key: int, version: int, *, response: bool = False) -> int:
    """The version of the header before a request (1, or 2 if it is flexible) or before its response (0, or 1).

    An ApiVersions response always has header 0 (KIP-511): who asks does not know yet what the broker understands.
    """
    is_flexible = version >= _first_flexible(key)
    if response:
        return 1 if is_flexible and key != _API_VERSIONS else 0
    return 2 if is_flexible else 1


_flexible: dict[int, int] = {}


def _first_flexible(key: int) -> int:
    first = _flexible.get(key)
    if first is None:
        declared = _LIBRARY.header(_api(key)).flexible
        first = _flexible[key] = VERSION_MAX + 1 if declared is None else declared
    return first


def _api(key: int) -> Declared:
    return _LIBRARY.by_key[None, key]
