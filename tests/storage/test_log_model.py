"""Random work on a log beside a dumb list of batches: appends, reads, retention, truncation, crashes, restarts."""

from __future__ import annotations

import pytest

from tests.storage.log_model import Driver


@pytest.mark.parametrize("seed", range(60))
def test_the_log_is_what_a_dumb_list_is(seed: int) -> None:
    Driver(seed).run(150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_the_log_is_what_a_dumb_list_is_for_many_seeds(seed: int) -> None:
    Driver(seed).run(400)
