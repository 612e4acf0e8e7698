"""Classes made from declarations: defaults, equality, how they show, what they refuse."""

from __future__ import annotations

import pytest

from millrace.schema.classes import Body, Part, make_class
from millrace.schema.parse import parse

(MESSAGE,) = parse(
    """
data Sack  versions 0-1  flexible 1
  weight_kg  int32    = -1
  label      string?
  batches    [int64]
  mill       Mill
    id       uuid
    stones   [int8]?  = null
"""
)
Sack: type = make_class(MESSAGE, "mill.sacks")


def test_defaults_are_those_declared_and_never_shared() -> None:
    one, other = Sack(), Sack()
    assert (one.weight_kg, one.label, one.batches, one.mill.id, one.mill.stones) == (-1, "", [], bytes(16), None)
    one.batches.append(1)
    one.mill.stones = [1]
    assert other == Sack()


def test_equal_by_fields_and_tags() -> None:
    assert Sack(weight_kg=2) == Sack(weight_kg=2)
    assert Sack(weight_kg=2) != Sack(weight_kg=3)
    assert Sack() != Sack(unknown_tags={1: b""})
    assert Sack() != "a sack"
    assert Sack.Mill() != Sack()
    with pytest.raises(TypeError):
        hash(Sack())


def test_shows_what_differs_from_the_default() -> None:
    assert repr(Sack()) == "Sack()"
    assert repr(Sack(label=None, mill=Sack.Mill(stones=[1]))) == "Sack(label=None, mill=Sack.Mill(stones=[1]))"


def test_knows_its_name_and_place() -> None:
    assert (Sack.NAME, Sack.KEY, Sack.VERSIONS, Sack.FLEXIBLE) == ("Sack", None, (0, 1), 1)
    assert (Sack.__module__, Sack.Mill.__qualname__) == ("mill.sacks", "Sack.Mill")
    assert issubclass(Sack, Body)
    assert issubclass(Sack.Mill, Part)


def test_has_no_other_fields() -> None:
    with pytest.raises(TypeError):
        Sack(colour="white")
    with pytest.raises(TypeError):
        Sack(3)
    with pytest.raises(AttributeError):
        Sack().colour = "white"
