"""Write anew what is generated in ``docs/``; ``--check`` only tells what is stale and exits with 1.

A page is generated as a whole, or between two marks: ``<!-- generated: name -->`` and ``<!-- end of name -->``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tools.docs_architecture import file_map
from tools.docs_commands import commands_page
from tools.docs_configuration import configuration_page
from tools.docs_decisions import decision_list
from tools.docs_figures import KEPT, figures_page, figures_part
from tools.docs_protocol import protocol_table
from tools.rows import rows_page

HOUSE = Path(__file__).resolve().parent.parent
DOCS = HOUSE / "docs"

PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "configuration.md": configuration_page,
    "rows.md": rows_page,
}
PARTS: dict[tuple[str, str], Callable[[], str]] = {
    ("architecture.md", "file map"): file_map,
    ("compatibility.md", "protocol"): protocol_table,
    ("decisions/README.md", "decisions"): decision_list,
    ("../README.md", "figures"): figures_part,
}


def generated() -> dict[Path, str]:
    """Every page that has generated text, as it should be."""
    pages = {DOCS / name: make() for name, make in PAGES.items()}
    if KEPT.exists():
        pages[DOCS / "figures.md"] = figures_page()
    for (name, part), make in PARTS.items():
        path = (DOCS / name).resolve()
        pages[path] = replace_part(pages.get(path) or path.read_text(encoding="utf8"), part, make())
    return pages


def replace_part(page: str, part: str, content: str) -> str:
    start, end = f"<!-- generated: {part} -->\n", f"<!-- end of {part} -->\n"
    before, found_start, rest = page.partition(start)
    _, found_end, after = rest.partition(end)
    if not (found_start and found_end):
        raise ValueError(f"the page has no part between {start.strip()} and {end.strip()}")
    return f"{before}{start}{content}{end}{after}"


def stale() -> list[Path]:
    """The pages that are not as they should be."""
    return [
        path for path, content in generated().items() if not path.exists() or path.read_text(encoding="utf8") != content
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is stale")
    options = parser.parse_args()
    old = stale()
    for path in old:
        print(f"{'stale' if options.check else 'written'}: {path.relative_to(HOUSE)}")
        if not options.check:
            path.write_text(generated()[path], encoding="utf8")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
