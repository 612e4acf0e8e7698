"""The file map of ``docs/architecture.md``: every floor and room with its job, from the docstrings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
PACKAGE = HOUSE / "src" / "millrace"


def floors() -> list[str]:
    """The floors in their order, from the line of the architecture page that says it."""
    page = (HOUSE / "docs" / "architecture.md").read_text(encoding="utf8")
    line = re.search(r"^floors: (.+)$", page, re.MULTILINE)
    assert line is not None, "docs/architecture.md has no line that begins with 'floors: '"
    return [name.strip() for name in line[1].split(",")]


def first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf8"))) or "").split("\n")[0]


def file_map() -> str:
    """Floors that are built, lowest first, each with its rooms."""
    lines: list[str] = []
    for floor in floors():
        folder = PACKAGE / floor
        rooms = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
        if not rooms:
            continue
        lines += [f"### `{floor}/`", "", first_line(folder / "__init__.py"), "", "| room | its one job |", "|---|---|"]
        lines += [f"| `{path.stem}` | {first_line(path)} |" for path in rooms]
        lines.append("")
    return "\n".join(lines)
