"""How answers look: tables with colours in a terminal, tab-separated lines in a pipe, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click


def as_json(value: Any) -> None:
    """One JSON document, indented where a person looks at it."""
    click.echo(json.dumps(value, indent=2 if sys.stdout.isatty() else None, ensure_ascii=False, default=str))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Sequence[str] = (), empty: str = "") -> None:
    """A table; ``right`` are the columns of numbers, ``empty`` is said (on stderr) when there are no rows."""
    rows = [[_text(cell) for cell in row] for row in rows]
    if not rows and empty:
        click.echo(empty, err=True)
        return
    if not sys.stdout.isatty():
        for row in (list(columns), *rows):
            click.echo("\t".join(row))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for number, column in enumerate(columns):
        style = "cyan" if number == 0 else None
        drawn.add_column(column, justify="right" if column in right else "left", style=style, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)


def done(message: str) -> None:
    """What was done, for who looks on; nothing in a pipe's way."""
    click.echo(click.style(message, fg="green") if sys.stderr.isatty() else message, err=True)


def warn(message: str) -> None:
    click.echo(click.style(message, fg="yellow") if sys.stderr.isatty() else message, err=True)


def size(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


def _text(cell: Any) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, list | tuple):
        return ",".join(map(str, cell))
    return str(cell).replace("\t", " ").replace("\n", " ")
