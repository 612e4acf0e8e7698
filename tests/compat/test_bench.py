"""What the bench says of its figures: budgets, medians, the bytes it sends by hand, and its picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bench import __main__ as command
from bench import load, plot, wire
from bench.model import ROWS, Measure, Row, judge
from millrace.kafka.batch import check_produced

THROUGHPUT = Measure("MB/s", "MB/s", higher_is_better=True, ratio=1.6)
MEMORY = Measure("RSS", "MB", ratio=0.12, limit=110)


def row_of(*measures: Measure) -> Row:
    return Row("row", "a row", measures, lambda lab: {})


@pytest.mark.parametrize(
    ("measure", "ours", "kafka", "met"),
    [
        (THROUGHPUT, [160.0], [100.0], True),
        (THROUGHPUT, [159.0], [100.0], False),
        (THROUGHPUT, [1.0, 200.0, 200.0], [100.0], True),  # the median counts, not the worst round
        (THROUGHPUT, [160.0], [], None),
        (MEMORY, [100.0], [900.0], True),
        (MEMORY, [100.0], [500.0], False),
        (MEMORY, [111.0], [2000.0], False),
        (MEMORY, [100.0], [], None),
        (MEMORY, [120.0], [], False),
        (Measure("time", "s"), [1.0], [1.0], None),
    ],
)
def test_a_budget_is_met_only_if_ratio_and_limit_are(
    measure: Measure, ours: list[float], kafka: list[float], met: bool | None
) -> None:
    assert judge(row_of(measure), measure, ours, kafka).met is met


def test_percentiles_are_nearest_rank() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert load.percentile(values, 0.5) == 51
    assert load.percentile(values, 0.99) == 100
    assert load.percentile([3.0], 0.99) == 3


def test_the_batches_sent_by_hand_are_right() -> None:
    batch = wire.record_batch([b"one", b"two"], 1_700_000_000_000)
    header = check_produced(memoryview(bytearray(batch)))
    assert (header.size, header.last_offset, header.max_timestamp) == (len(batch), 1, 1_700_000_000_000)


def test_the_picture_is_well_formed_and_shows_each_ratio() -> None:
    verdicts = [judge(row_of(THROUGHPUT), THROUGHPUT, [200.0], [100.0]), judge(row_of(MEMORY), MEMORY, [45.0], [900.0])]
    root = ElementTree.fromstring(plot.svg(verdicts, "two cores"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "2.00 x" in texts
    assert "0.05 x" in texts


def test_an_unknown_row_is_refused_by_name() -> None:
    with pytest.raises(SystemExit, match="no such row: nonsense"):
        command.chosen_rows("nonsense")


def test_each_row_has_a_measure_and_names_are_short() -> None:
    assert len(ROWS) >= 20
    for row in ROWS.values():
        assert row.measures
        assert len({measure.name for measure in row.measures}) == len(row.measures)
