"""The picture of a run for the README: an SVG with one bar a measure, ours as a share of Apache Kafka's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from bench.model import Verdict

WIDTH = 860
LABEL_WIDTH = 430
BAR_HEIGHT = 18
LINE_HEIGHT = 28
TOP = 64
RATIO_MIN, RATIO_MAX = 0.02, 5.0
GOOD, BAD, AXIS, INK = "#2a7f62", "#c0392b", "#b8bec6", "#1f2933"


def x_of(ratio: float) -> float:
    """Where a ratio lies on the logarithmic axis."""
    inside = min(max(ratio, RATIO_MIN), RATIO_MAX)
    share = math.log(inside / RATIO_MIN) / math.log(RATIO_MAX / RATIO_MIN)
    return LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - 60)


def text(x: float, y: float, content: str, *, size: int = 12, anchor: str = "start", color: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}">'
        f"{escape(content)}</text>"
    )


def bar(verdict: Verdict, y: float) -> list[str]:
    """From the line of equality to the ratio; a tick where the budget is."""
    assert verdict.ratio is not None
    measure = verdict.measure
    better = verdict.ratio >= 1 if measure.higher_is_better else verdict.ratio <= 1
    left, right = sorted((x_of(1.0), x_of(verdict.ratio)))
    label = f"{verdict.row.title}: {measure.name}"
    parts = [
        text(LABEL_WIDTH - 10, y + 13, label, anchor="end"),
        f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 1):.1f}" height="{BAR_HEIGHT}" rx="2" '
        f'fill="{GOOD if better else BAD}"/>',
        text(right + 6, y + 13, f"{verdict.ratio:.2f} x", size=11),
    ]
    if measure.ratio is not None:
        tick = x_of(measure.ratio)
        parts.append(
            f'<line x1="{tick:.1f}" y1="{y - 3:.1f}" x2="{tick:.1f}" y2="{y + BAR_HEIGHT + 3:.1f}" '
            f'stroke="{INK}" stroke-width="1.5" stroke-dasharray="3 2"/>'
        )
    return parts


def svg(results: Sequence[Verdict], caption: str) -> str:
    shown = [verdict for verdict in results if verdict.ratio is not None]
    # throughput first: there longer to the right is better, below it longer to the left is
    shown.sort(key=lambda verdict: not verdict.measure.higher_is_better)
    height = TOP + LINE_HEIGHT * len(shown) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(caption)}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        text(16, 26, "Millrace beside Apache Kafka 4.3.1", size=17),
        text(16, 46, caption, size=12),
    ]
    for ratio in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0):
        x = x_of(ratio)
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - 30}" stroke="{AXIS}" '
            f'stroke-width="{2 if ratio == 1.0 else 0.5}"/>'
        )
        parts.append(text(x, height - 14, f"{ratio:g} x", size=11, anchor="middle"))
    for number, verdict in enumerate(shown):
        parts += bar(verdict, TOP + number * LINE_HEIGHT)
    return "\n".join([*parts, "</svg>", ""])


def write(path: Path, results: Sequence[Verdict], caption: str) -> None:
    path.write_text(svg(results, caption))
