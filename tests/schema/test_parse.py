"""The language of declarations: what each word means, and what is no declaration."""

from __future__ import annotations

import pytest

from millrace.schema.model import ALWAYS, NEVER, ZERO_UUID, Versions
from millrace.schema.parse import DeclarationError, parse, read_header

DECLARATION = """
# What comes before the header is for people.
api 900 Grind  versions 1-5  flexible 3  unstable 5  listeners broker,controller

request
  name         string          # a comment
  mill_id      uuid     3+
  stones       [Stone]?2+
    weight_kg  int32    = -1   key  ignorable
    hard       bool     2-3  = true
  speed        int16    4  = 0x10  tag 2
  note         string?  = null  plain
  spare        Stone?   5   = null  tag 0

response
  grains       [Grain]
  husks        [Husk]
  largest      Grain

  struct Grain
    size       float64
    stones     [int64]

  struct Husk 2+
    body       bytes
"""


def test_a_whole_api() -> None:
    request, response = parse(DECLARATION)
    assert (request.name, request.kind, request.key) == ("GrindRequest", "request", 900)
    assert (request.versions, request.flexible) == (Versions(1, 5), 3)
    assert [request.is_flexible(version) for version in (2, 3)] == [False, True]
    name, mill_id, stones, speed, note, spare = request.root.fields
    assert (name.type, name.array, name.versions, name.nullable, name.default) == ("string", False, (1, 5), NEVER, "")
    assert (mill_id.versions, mill_id.default) == ((3, 5), ZERO_UUID)
    assert (stones.array, stones.nullable, stones.default) == (True, (2, 5), False)
    assert stones.struct is not None
    weight, hard = stones.struct.fields
    assert (weight.default, weight.key, weight.ignorable) == (-1, True, True)
    assert (hard.versions, hard.default, hard.key) == ((2, 3), True, False)
    assert (speed.versions, speed.default, speed.tag) == ((4, 4), 16, 2)
    assert [speed.is_tagged(version) for version in (3, 4, 5)] == [False, True, False]
    assert (note.default, note.plain) == (None, True)
    assert spare.struct is stones.struct
    assert [field.name for field in request.root.tagged_fields(5)] == ["spare"]
    assert [struct.name for struct in request.structs()] == ["Stone", "GrindRequest"]
    grains, husks, largest = response.root.fields
    assert largest.struct is grains.struct
    assert largest.default is False
    assert husks.struct is not None
    assert husks.struct.versions.within(ALWAYS) == (2, 32767)


def test_a_header_is_read_without_the_rest() -> None:
    header = read_header(DECLARATION)
    assert (header.kind, header.name, header.key) == ("api", "Grind", 900)
    assert (header.versions, header.flexible, header.unstable) == ((1, 5), 3, 5)
    assert header.listeners == ("broker", "controller")


def test_a_record_with_key_and_value_of_their_own_versions() -> None:
    key, value = parse(
        "record 7 Flour  log mill\nkey  versions 0\n  id int32\nvalue  versions 0-2  flexible 2\n  kg int8"
    )
    assert (key.name, key.versions, key.flexible) == ("FlourKey", (0, 0), None)
    assert (value.name, value.versions, value.flexible) == ("FlourValue", (0, 2), 2)
    assert key.key == value.key == 7


def test_a_message_without_sections() -> None:
    (header,) = parse("header Sack  versions 0")
    assert (header.name, header.kind, header.key, header.root.fields) == ("Sack", "header", None, ())


def test_tagged_from_a_later_version_on() -> None:
    (message,) = parse("data Sack  versions 0-9  flexible 0\n  a int8 2+ tag 1 4+")
    (field,) = message.root.fields
    assert [field.is_tagged(version) for version in (3, 4)] == [False, True]
    assert field.versions == (2, 9)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing is declared"),
        ("# only a comment", "nothing is declared"),
        ("mill Sack versions 0", "expected api, record, header or data"),
        ("data Sack", "no versions are declared"),
        ("data Sack  versions x", "no range of versions"),
        ("data Sack  versions 0  colour red", "'colour' is no fact"),
        ("api 1 Sack  versions 0\nquestion\n  a int8", "expected one of request, response"),
        ("data Sack  versions 0\n  a", "a name and a type"),
        ("data Sack  versions 0\n  a [int8", "is no type"),
        ("data Sack  versions 0\n  a Bag", "Bag is not declared"),
        ("data Sack  versions 0\n  a int8\n    b int8", "no fields of its own"),
        ("data Sack  versions 0\n  a int8\n  a int8", "declared twice"),
        ("data Sack  versions 0\n  a Bag\n    b int8\n  c Bag\n    d int8", "Bag is declared twice"),
        ("data Sack  versions 0\n  a int8\n  struct Bag\n    b int8", "no field uses Bag"),
        ("data Sack  versions 0\n  a int8 tag x", "tag needs a number"),
        ("data Sack  versions 0\n  a int8 heavy", "'heavy' is no range"),
        ("data Sack  versions 0\n  a bool = maybe", "neither true nor false"),
        ("data Sack  versions 0\n  a string = full", "null or empty by default"),
        ("data Sack  versions 0\n  a [int8] = 3", "null or empty by default"),
    ],
)
def test_what_is_no_declaration_names_file_and_reason(text: str, reason: str) -> None:
    with pytest.raises(DeclarationError, match=reason) as caught:
        parse(text, "sack.kmsg")
    assert "sack.kmsg" in str(caught.value) or "Sack" in str(caught.value)
