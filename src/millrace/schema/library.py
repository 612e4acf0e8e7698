"""A folder of declarations, each file read when one of its messages is first asked for."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from millrace.schema.classes import Body, make_class
from millrace.schema.parse import Header, parse, read_header

SUFFIX = ".kmsg"


class Declared(NamedTuple):
    """What the name of a file tells: its path, its message and, for an api, the key."""

    path: str
    name: str
    key: int | None


class Library:
    """Message classes by name; nothing is read before it is needed, except the list of files."""

    def __init__(self, folder: str, module: str) -> None:
        self.module = module
        self.by_name: dict[str, Declared] = {}
        self.by_key: dict[int, Declared] = {}
        self._classes: dict[str, type[Body]] = {}
        self._headers: dict[str, Header] = {}
        for file in sorted(os.listdir(folder)):
            if file.endswith(SUFFIX):
                self._index(os.path.join(folder, file), file.removesuffix(SUFFIX))

    def _index(self, path: str, stem: str) -> None:
        match = re.match(r"(\d+)_(.+)", stem)
        key, words = (int(match[1]), match[2]) if match else (None, stem)
        name = "".join(word.capitalize() for word in words.split("_"))
        declared = Declared(path, name, key)
        if key is None:
            self.by_name[name] = declared
            return
        self.by_key[key] = declared
        self.by_name[name + "Request"] = self.by_name[name + "Response"] = declared

    def message_class(self, name: str) -> type[Body]:
        """The class of a message; KeyError if no file declares it."""
        if name not in self._classes:
            declared = self.by_name[name]
            for message in parse(_read(declared.path), declared.path):
                self._classes[message.name] = make_class(message, self.module)
        return self._classes[name]

    def header(self, declared: Declared) -> Header:
        """The header of a file; the fields are not looked at."""
        if declared.path not in self._headers:
            self._headers[declared.path] = read_header(_read(declared.path), declared.path)
        return self._headers[declared.path]


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
