"""What a row of the bench is: its measures, their budgets, and what says that a budget is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.lab import Lab

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a row: ``ratio`` bounds ours / Apache Kafka's, ``limit`` bounds ours; either may be absent."""

    name: str
    unit: str
    higher_is_better: bool = False
    ratio: float | None = None
    limit: float | None = None

    def budget_text(self) -> str:
        sign = "≥" if self.higher_is_better else "≤"
        parts = []
        if self.ratio is not None:
            parts.append(f"{sign} {self.ratio:g} x")
        if self.limit is not None:
            parts.append(f"{sign} {self.limit:g} {self.unit}")
        return ", ".join(parts)

    def keeps(self, value: float, bound: float) -> bool:
        return value >= bound if self.higher_is_better else value <= bound


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: ``run`` measures one broker once and gives a value for each measure.

    ``shared`` rows run one after another on one warm broker; the others start brokers of their own. ``compared`` rows
    run on Apache Kafka too; the others have limits of ours alone.
    """

    name: str
    title: str
    measures: tuple[Measure, ...]
    run: Callable[[Lab], Values]
    shared: bool = True
    compared: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all rounds of one measure say. ``met`` is None where there is no budget or not both sides were measured."""

    row: Row
    measure: Measure
    ours: float | None
    kafka: float | None
    ratio: float | None
    met: bool | None


ROWS: dict[str, Row] = {}


def row(
    name: str, title: str, *measures: Measure, shared: bool = True, compared: bool = True
) -> Callable[[Callable[[Lab], Values]], Callable[[Lab], Values]]:
    """Declare a row; within a room the order of declaration is the order of the table."""

    def declare(run: Callable[[Lab], Values]) -> Callable[[Lab], Values]:
        assert name not in ROWS, f"the row {name} is declared twice"
        ROWS[name] = Row(name, title, measures, run, shared, compared)
        return run

    return declare


def middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def judge(row: Row, measure: Measure, ours: Sequence[float], kafka: Sequence[float]) -> Verdict:
    """Medians over the rounds, and the budget on them."""
    our_value, kafka_value = middle(ours), middle(kafka)
    ratio = None
    if our_value is not None and kafka_value is not None and kafka_value > 0:
        ratio = our_value / kafka_value
    checks: list[bool] = []
    if measure.limit is not None and our_value is not None:
        checks.append(measure.keeps(our_value, measure.limit))
    if measure.ratio is not None:
        if ratio is None:
            return Verdict(row, measure, our_value, kafka_value, ratio, False if False in checks else None)
        checks.append(measure.keeps(ratio, measure.ratio))
    return Verdict(row, measure, our_value, kafka_value, ratio, all(checks) if checks else None)
