"""The house is tidy: floors, sizes, names, what may not be below ``runtime/``. A failure says what to do instead."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parent.parent
PACKAGE = HOUSE / "src" / "millrace"
FLOORS = [
    "base", "schema", "kafka", "amqp", "zookeeper", "storage", "state", "broker", "gateways", "runtime", "testing",
    "client", "registry", "agents", "pipelines", "console", "cli",
]  # fmt: skip
ABOVE_THE_BROKER = {"client", "registry", "agents", "pipelines", "console"}
CLOSED_TO_THEM = {"storage", "state", "broker", "gateways", "runtime"}
PURE = FLOORS[: FLOORS.index("runtime")]

ROOM_LINES_MAX = 800
ROOM_LINES_EXPLAINED = 600
FUNCTION_LINES_MAX = 60

BANNED_ROOMS = {
    "utils": "name the one job",
    "common": "name the one job",
    "helpers": "name the one job",
    "manager": "name the one job",
    "impl": "name the one job",
    "misc": "name the one job",
}
BANNED_VARIABLES = {"data": "records, batch, body, content: what it holds"}
# What would let the world in below runtime/; time and chance are arguments, disk and root are ports.
BANNED_IMPORTS = {
    "asyncio", "concurrent", "multiprocessing", "random", "secrets", "select", "selectors", "signal", "socket", "ssl",
    "subprocess", "tempfile", "threading", "time", "uvloop",
}  # fmt: skip
READS_ITS_OWN_PACKAGE = {"schema.library"}  # the declarations, which are part of the program
DRAWS_A_MOMENT = {"rounds.py"}  # sleeps up to a random moment at which to kill; it waits for nothing
BANNED_CALLS = {"open", "input", "print", "datetime.now", "datetime.utcnow", "os.urandom", "uuid.uuid4", "uuid.uuid1"}
# Hosts of package registries; each in two halves, or this file would break its own rule.
REGISTRY_HOSTS = [
    "".join(halves)
    for halves in (
        ("pypi", ".org"), ("pythonhosted", ".org"), ("repo1.maven", ".org"), ("repo.maven.apache", ".org"),
        ("registry.npmjs", ".org"), ("docker", ".io"), ("ghcr", ".io"), ("quay", ".io"), ("crates", ".io"),
    )
]  # fmt: skip


@dataclass(frozen=True)
class Room:
    """One module of the package."""

    path: Path
    name: str
    floor: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def doc(self) -> str:
        return ast.get_docstring(self.tree) or ""


@cache
def rooms() -> tuple[Room, ...]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        text = path.read_text(encoding="utf8")
        floor = parts[0] if len(parts) > 1 else ""
        found.append(Room(path, ".".join(parts), floor, text, ast.parse(text)))
    return tuple(found)


@cache
def tracked() -> tuple[Path, ...]:
    """What git keeps, or would keep if it were added."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=False,
    )
    names = (
        listing.stdout.split("\n")
        if listing.returncode == 0
        else [str(p.relative_to(HOUSE)) for p in PACKAGE.rglob("*.py")]
    )
    return tuple(HOUSE / name for name in names if name and (HOUSE / name).is_file())


RULES: list[Callable[[Room], None]] = []


def rule(check: Callable[[Room], None]) -> Callable[[Room], None]:
    """A rule for every room: it raises AssertionError with what to do instead."""
    RULES.append(check)
    return check


def imports(room: Room, *, in_functions: bool | None = None) -> Iterator[tuple[str, int]]:
    """What a room imports, with the line; what only the type checker sees is left out."""
    skipped = {
        id(inner)
        for node in ast.walk(room.tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    inside = {
        id(inner)
        for node in ast.walk(room.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }
    for node in ast.walk(room.tree):
        if id(node) in skipped or (in_functions is not None and (id(node) in inside) is not in_functions):
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def floor_of(imported: str) -> str:
    """The floor that an import reaches, if it reaches into the house."""
    parts = imported.split(".")
    return parts[1] if parts[0] == "millrace" and len(parts) > 1 and parts[1] in FLOORS else ""


@rule
def two_levels_and_no_third(room: Room) -> None:
    assert room.name.count(".") <= 1, f"{room.path}: a floor has rooms, a room has no rooms"
    assert room.floor in FLOORS or room.name in ("__init__", "__main__"), f"{room.path}: {room.floor} is no floor"


@rule
def nobody_imports_upstairs(room: Room) -> None:
    if not room.floor:
        return
    for imported, line in imports(room):
        floor = floor_of(imported)
        if not floor:
            continue
        where = f"{room.path}:{line} imports {imported}"
        assert FLOORS.index(floor) <= FLOORS.index(room.floor), f"{where}: {floor} is above {room.floor}"
        if room.floor in ABOVE_THE_BROKER:
            assert floor not in CLOSED_TO_THEM, f"{where}: what stands above the broker speaks public protocols only"


@rule
def imports_stand_at_the_top(room: Room) -> None:
    if room.floor in ("cli", ""):
        return  # a command imports what it needs when it runs, so that --help is quick
    for imported, line in imports(room, in_functions=True):
        where = f"{room.path}:{line}"
        assert not floor_of(imported), f"{where}: an import inside a function hides a cycle; move {imported} to the top"


@rule
def nothing_of_the_world_below_runtime(room: Room) -> None:
    if room.floor not in PURE:
        return
    for imported, line in imports(room):
        root = imported.split(".")[0]
        assert root not in BANNED_IMPORTS, f"{room.path}:{line}: {root} belongs to runtime/; take a port or an argument"
    for node in ast.walk(room.tree):
        assert not isinstance(node, ast.AsyncFunctionDef | ast.Await), f"{room.path}:{node.lineno}: no coroutines here"
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "open" and room.name in READS_ITS_OWN_PACKAGE:
                continue
            assert called not in BANNED_CALLS, f"{room.path}:{node.lineno}: {called}() belongs to runtime/"


@rule
def sizes(room: Room) -> None:
    assert room.lines <= ROOM_LINES_MAX, f"{room.path}: {room.lines} lines; make two rooms of it"
    if room.lines > ROOM_LINES_EXPLAINED:
        explained = re.search(r"\blong\b|\bone room\b", room.doc)
        assert explained, f"{room.path}: {room.lines} lines; say in the docstring why it is one room"
    for node in ast.walk(room.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or node.lineno) - node.lineno + 1
            assert size <= FUNCTION_LINES_MAX, f"{room.path}:{node.lineno}: {node.name} has {size} lines"


@rule
def the_first_line_says_the_job(room: Room) -> None:
    first = room.doc.split("\n")[0]
    assert first.endswith((".", ":")), f"{room.path}: the docstring's first line is one whole sentence"
    assert 15 <= len(first) <= 117, f"{room.path}: the docstring's first line says the room's one job"


@rule
def names(room: Room) -> None:
    for part in room.name.split("."):
        assert part not in BANNED_ROOMS, f"{room.path}: {part} says nothing; {BANNED_ROOMS[part]}"
    for node in ast.walk(room.tree):
        if isinstance(node, ast.ClassDef):
            bad = node.name.startswith("Base") or node.name.endswith(("Manager", "Helper", "Utils", "Impl"))
            assert not bad, f"{room.path}:{node.lineno}: class {node.name}: name what it is"
        name = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""
        name = node.arg if isinstance(node, ast.arg) else name
        if name in BANNED_VARIABLES:
            raise AssertionError(f"{room.path}:{node.lineno}: {name}: better {BANNED_VARIABLES[name]}")


@rule
def broad_handlers_are_in_two_places_only(room: Room) -> None:
    allowed = {"broker.router", "runtime.supervisor", "testing.scenario"}  # the last names the seed that failed
    for node in ast.walk(room.tree):
        if isinstance(node, ast.ExceptHandler) and room.name not in allowed:
            caught = ast.unparse(node.type) if node.type else ""
            cleans_up = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            broad = caught in ("", "Exception", "BaseException") and not cleans_up
            assert not broad, f"{room.path}:{node.lineno}: name what is caught; only those who answer for all catch all"


@rule
def floors_are_empty_halls(room: Room) -> None:
    if room.name.endswith(".__init__"):
        statements = [node for node in room.tree.body if not isinstance(node, ast.Expr)]
        assert not statements, f"{room.path}: a floor's __init__ has one line that says the floor's job"


@pytest.mark.parametrize("check", RULES, ids=lambda check: check.__name__)
def test_every_room(check: Callable[[Room], None]) -> None:
    faults = []
    for room in rooms():
        try:
            check(room)
        except AssertionError as fault:
            faults.append(str(fault).partition("\n")[0])
    assert not faults, "\n".join(faults)


DOC = '"""A room for the test of a rule."""\n'


@pytest.mark.parametrize(
    ("check", "name", "text"),
    [
        (two_levels_and_no_third, "base.inner.room", DOC),
        (nobody_imports_upstairs, "kafka.room", DOC + "from millrace.storage import log\n"),
        (nobody_imports_upstairs, "console.room", DOC + "from millrace.storage import log\n"),
        (imports_stand_at_the_top, "broker.room", DOC + "def f():\n    from millrace.base import errors\n"),
        (nothing_of_the_world_below_runtime, "state.room", DOC + "import time\n"),
        (nothing_of_the_world_below_runtime, "state.room", DOC + "open('x')\n"),
        (nothing_of_the_world_below_runtime, "broker.room", DOC + "async def f(): ...\n"),
        (sizes, "base.room", DOC + "x = 1\n" * 700),
        (sizes, "base.room", DOC + "def f():\n" + "    x = 1\n" * 60),
        (the_first_line_says_the_job, "base.room", "x = 1\n"),
        (names, "base.utils", DOC),
        (names, "base.room", DOC + "data = 1\n"),
        (names, "base.room", DOC + "class LogManager: ...\n"),
        (broad_handlers_are_in_two_places_only, "base.room", DOC + "try:\n    f()\nexcept Exception:\n    pass\n"),
        (floors_are_empty_halls, "base.__init__", DOC + "import os\n"),
    ],
)
def test_a_rule_finds_what_it_is_for(check: Callable[[Room], None], name: str, text: str) -> None:
    with pytest.raises(AssertionError):
        check(Room(PACKAGE / f"{name}.py", name, name.partition(".")[0], text, ast.parse(text)))


def test_only_the_pipelines_know_spark() -> None:
    for room in rooms():
        if room.floor != "pipelines":
            assert all(imported.split(".")[0] != "pyspark" for imported, _ in imports(room)), room.path


def test_no_file_names_a_registry() -> None:
    for path in tracked():
        content = path.read_bytes()
        for host in REGISTRY_HOSTS:
            assert host.encode() not in content, f"{path}: names {host}; addresses come from the user's own settings"


def test_no_test_sleeps_or_mocks_or_runs_again() -> None:
    for path in sorted((HOUSE / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf8"))
        for node in ast.walk(tree):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            where = f"{path}:{getattr(node, 'lineno', 0)}"
            sleeps = called in ("time.sleep", "sleep") and path.name not in DRAWS_A_MOMENT
            assert not sleeps, f"{where}: wait for the event itself, with a deadline"
            assert not called.endswith(("mock.patch", "patch.object")), f"{where}: write a small fake and hand it in"
            assert "flaky" not in called, f"{where}: a test that fails at times shows a fault; find it"


def test_no_leftovers() -> None:
    marks = [mark + "ME" for mark in ("FIX", "REMOVE ")] + ["XX" + "X", "HA" + "CK"]
    for path in tracked():
        if path.suffix == ".py":
            text = path.read_text(encoding="utf8")
            for mark in marks:
                assert not re.search(rf"\b{mark}\b", text), (
                    f"{path}: {mark}: do it, or say in docs/rows what is missing"
                )
