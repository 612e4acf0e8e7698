"""The documents cannot drift: what is generated is fresh, a row has its proof, a key that is honoured is read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from millrace.base.config import BROKER_KEYS
from millrace.base.keys import Status
from millrace.base.keys_topic import TOPIC_KEYS
from tests.test_tidy import FLOORS, rooms
from tools import rows
from tools.docs_architecture import floors

HOUSE = Path(__file__).resolve().parent.parent
DOCS = HOUSE / "docs"
ALL_ROWS = [row for section in rows.sections().values() for row in section]


def test_generated_pages_are_fresh() -> None:
    # In a process of its own: other tests of this one may have left settings behind that the commands' help shows.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MILLRACE", "COLUMNS"))}
    code = "from tools import docs; print(docs.stale())"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=HOUSE, env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]", "run make docs"


def test_the_floors_line_is_the_order_that_is_checked() -> None:
    assert floors() == FLOORS


def test_every_row_is_there_once() -> None:
    """The numbered rows are complete; a row that is not worked on is there as 'not yet'."""
    names = [row.id for row in ALL_ROWS]
    assert len(names) == len(set(names))
    expected = {f"S{number:03}" for number in range(1, 247)} | {f"T{number}" for number in range(1, 13)}
    expected |= {f"K{key}" for key in range(93)} | {f"B{number:02}" for number in range(1, 30)}
    expected |= {f"R{number:02}" for number in range(1, 34)} | {f"Z{number:02}" for number in range(1, 21)}
    expected |= {f"F{number:02}" for number in range(1, 12)} | {f"P{number:02}" for number in range(1, 17)}
    expected |= {f"D{number}" for number in range(1, 16)}
    assert not expected - set(names)


def test_a_row_says_what_shows_it() -> None:
    faults = [row.fault() for row in ALL_ROWS]
    faults += [
        f"{row.id} names {test}, which is not there"
        for row in ALL_ROWS
        for test in row.tests
        if not rows.test_exists(test)
    ]
    assert not list(filter(None, faults))


def test_a_missing_test_would_be_noticed() -> None:
    here = "tests/test_docs.py"
    assert rows.test_exists(f"{here}::test_a_missing_test_would_be_noticed")
    assert not rows.test_exists(f"{here}::test_of_another_name")
    assert not rows.test_exists("tests/test_nothing.py")


@cache
def words_of_the_sources() -> str:
    """The text of all rooms but those that declare keys."""
    return "\n".join(room.text for room in rooms() if not room.name.startswith("base.keys_"))


HONOURED = [key.name for key in BROKER_KEYS.values() if key.status is Status.HONOURED]
TOPIC_DEFAULTS = {name for key in TOPIC_KEYS.values() for name, _ in key.synonyms}


def test_a_brokers_key_that_is_honoured_is_read() -> None:
    sources = words_of_the_sources()
    unread = [name for name in HONOURED if name not in TOPIC_DEFAULTS and f'"{name}"' not in sources]
    assert not unread, "these keys are declared as honoured, but no room reads them"


def test_a_topics_key_that_is_honoured_is_read() -> None:
    sources = "\n".join(room.text for room in rooms() if room.floor != "base")
    words = {"cleanup_policy": r"\.(is_compacted|is_deleted_from|cleanup_policy)\b"}
    unread = []
    for key in TOPIC_KEYS.values():
        field = key.name.removeprefix("millrace.").removeprefix("internal.").replace(".", "_")
        if key.status is Status.HONOURED and not re.search(words.get(field, rf"\.{field}\b"), sources):
            unread.append(key.name)
    assert not unread, "these keys are declared as honoured, but no room reads them"


def test_links_between_the_documents_lead_somewhere() -> None:
    for page in [*DOCS.rglob("*.md"), *HOUSE.glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
