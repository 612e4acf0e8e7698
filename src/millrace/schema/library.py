"""A folder of declarations, each file read when one of its messages is first asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from millrace.schema.classes import Body, make_class
from millrace.schema.parse import Header, parse, read_header

SUFFIX = ".kmsg"


_STEM = re.compile(r"(?:([a-z]+)_)?(\d\d)_(.+)")


class Declared(NamedTuple):
    """What the name of a file tells: ``03_metadata``, ``group_01_offset_commit`` or ``end_txn_marker``."""

    path: str
    name: str
    key: int | None
    log: str | None


class Library:
    """Message classes by name; nothing is read before it is needed, except the list of files."""

    def __init__(self, folder: str, module: str, sections: Callable[[Declared], tuple[str, ...]]) -> None:
        """``sections`` tells which messages a file has: the endings of their names, ``("",)`` if there is only one."""
        self.module = module
        self.by_name: dict[str, Declared] = {}
        self.by_key: dict[tuple[str | None, int], Declared] = {}
        self._classes: dict[str, type[Body]] = {}
        self._headers: dict[str, Header] = {}
        for file in sorted(os.listdir(folder)):
            if not file.endswith(SUFFIX):
                continue
            declared = _declared(os.path.join(folder, file), file.removesuffix(SUFFIX))
            if declared.key is not None:
                self.by_key[declared.log, declared.key] = declared
            for section in sections(declared):
                self.by_name[declared.name + section] = declared

    def message_class(self, name: str) -> type[Body]:
        """The class of a message; KeyError if no file declares it."""
        if name not in self._classes:
            declared = self.by_name[name]
            for message in parse(_read(declared.path), declared.path):
                self._classes[message.name] = make_class(message, self.module)
        return self._classes[name]

    @property
    def loaded(self) -> int:
        """How many classes were made so far."""
        return len(self._classes)

    def header(self, declared: Declared) -> Header:
        """The header of a file; the fields are not looked at."""
        if declared.path not in self._headers:
            self._headers[declared.path] = read_header(_read(declared.path), declared.path)
        return self._headers[declared.path]


def _declared(path: str, stem: str) -> Declared:
    match = _STEM.fullmatch(stem)
    log, key, words = (match[1], int(match[2]), match[3]) if match else (None, None, stem)
    return Declared(path, "".join(word.capitalize() for word in words.split("_")), key, log)


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
