"""The list of decisions in ``docs/decisions/README.md``, from their titles."""

from __future__ import annotations

from pathlib import Path

DECISIONS = Path(__file__).resolve().parent.parent / "docs" / "decisions"


def decision_list() -> str:
    lines = []
    for path in sorted(DECISIONS.glob("[0-9]*.md")):
        title = path.read_text(encoding="utf8").partition("\n")[0].lstrip("# ")
        lines.append(f"- [{title}]({path.name})\n")
    return "".join(lines)
