"""A folder of declarations: found by name and number, read when asked for, and the stubs that show them to checkers."""

from __future__ import annotations

from pathlib import Path

import pytest

from millrace.kafka import messages, records
from millrace.schema.library import Declared, Library
from millrace.schema.parse import DeclarationError, parse
from tools.write_stubs import stubs

DECLARATIONS = Path(messages.__file__).with_name("declarations")


def sections(declared: Declared) -> tuple[str, ...]:
    return ("Key", "Value") if declared.log else ("",)


def test_a_broken_file_disturbs_only_who_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "mill_07_flour_sack.kmsg").write_text("record 7 FlourSack  log mill\nkey versions 0\nvalue versions 0")
    (tmp_path / "k_raft_thing.kmsg").write_text("data KRaftThing  versions 0\n  a stone")
    (tmp_path / "notes.txt").write_text("not a declaration")
    library = Library(str(tmp_path), "mill", sections)
    assert list(library.by_name) == ["KRaftThing", "FlourSackKey", "FlourSackValue"]
    assert library.by_key["mill", 7].name == "FlourSack"
    assert library.loaded == 0
    assert library.message_class("FlourSackValue").NAME == "FlourSackValue"
    assert library.message_class("FlourSackKey") is library.message_class("FlourSackKey")
    assert library.loaded == 2
    with pytest.raises(DeclarationError, match=r"k_raft_thing\.kmsg:2"):
        library.message_class("KRaftThing")
    with pytest.raises(KeyError):
        library.message_class("Notes")


def test_file_names_say_what_the_files_declare() -> None:
    for library in (messages._LIBRARY, records._LIBRARY):
        for name, declared in library.by_name.items():
            found = parse(Path(declared.path).read_text(), declared.path)
            assert name in {message.name for message in found}
            assert {message.key for message in found} == {declared.key}
            assert library.header(declared).log == declared.log


def test_every_declaration_begins_with_a_sentence() -> None:
    for path in DECLARATIONS.rglob("*.kmsg"):
        assert path.read_text().startswith("# "), f"{path.name}: say first what it is for"


def test_the_stubs_are_up_to_date() -> None:
    for path, wanted in stubs().items():
        assert path.read_text() == wanted, f"{path.name} is old: run python -m tools.write_stubs"
