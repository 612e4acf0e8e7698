"""The exercises of the decks run, with threads and with asyncio, and give what they must (rows S237 to S240)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

from examples.exercise_1_random_numbers import with_asyncio as numbers_asyncio
from examples.exercise_1_random_numbers import with_threads as numbers_threads
from examples.exercise_2_iris import with_asyncio as iris_asyncio
from examples.exercise_2_iris import with_threads as iris_threads
from examples.exercise_3_vowels import with_asyncio as vowels_asyncio
from examples.exercise_3_vowels import with_threads as vowels_threads
from millrace import Broker


@pytest.fixture(scope="module", params=["threads", "asyncio"])
def bootstrap(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """A broker of its own for each variant: the exercises have fixed topics."""
    with Broker() as broker:
        yield broker.bootstrap_servers, request.param


def test_exercise_1(bootstrap: tuple[str, str]) -> None:
    address, variant = bootstrap
    run = numbers_threads.run(address) if variant == "threads" else asyncio.run(numbers_asyncio.run(address))
    sent, received = run
    assert {name: len(numbers) for name, numbers in sent.items()} == {"fast": 20, "slow": 20}
    assert received == sent


def test_exercise_2(bootstrap: tuple[str, str]) -> None:
    address, variant = bootstrap
    merged = iris_threads.run(address) if variant == "threads" else asyncio.run(iris_asyncio.run(address))
    assert merged == iris_threads.read_iris()


def test_exercise_3(bootstrap: tuple[str, str]) -> None:
    address, variant = bootstrap
    if variant == "threads":
        sent, counted = vowels_threads.run(address, producers=4, consumers=3)
    else:
        sent, counted = asyncio.run(vowels_asyncio.run(address, producers=4, consumers=3))
    assert sum(sent.values()) == 4 * vowels_threads.WORDS
    assert sum(counted, Counter()) == sent
    assert len(counted) == 3
    assert all(counted), "a consumer had nothing to do"


def test_iris_is_fishers() -> None:
    """The means of 1936, so that no cell was mistyped unnoticed."""
    rows = iris_threads.read_iris()
    assert Counter(row["species"] for row in rows) == {"setosa": 50, "versicolor": 50, "virginica": 50}
    means = {
        attribute: round(sum(float(row[attribute]) for row in rows) / len(rows), 3) for attribute in list(rows[0])[:4]
    }
    assert means == {
        "sepal_length_cm": 5.843, "sepal_width_cm": 3.057, "petal_length_cm": 3.758, "petal_width_cm": 1.199,
    }  # fmt: skip


@pytest.mark.parametrize("producers", [1, 2, 5, 9])
def test_each_attribute_is_dealt_to_one_producer(producers: int) -> None:
    attributes = list(iris_threads.read_iris()[0])
    shares = iris_threads.deal(attributes, producers)
    assert sorted(each for share in shares for each in share) == sorted(attributes)
    assert len(shares) == min(producers, 5)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("ba", "fewer than 3"), ("baba", "fewer than 3"), ("bababa", "exactly 3"), ("babababa", "more than 3")],
)
def test_vowels_are_counted(word: str, kind: str) -> None:
    assert vowels_threads.kind_of(word) == kind
