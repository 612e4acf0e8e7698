"""Writes the typing stub of a module of message classes, for type checkers and editors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from millrace.schema.classes import default_literal
from millrace.schema.model import Field, Message, Struct

_TYPES = {"bool": "bool", "float64": "float", "string": "str", "uuid": "bytes", "bytes": "bytes", "records": "Any"}
"""Of scalars in Python; the other ones are int."""


def stub_source(module_source: str, messages: Iterable[Message], remake: str) -> str:
    """The stub: what the module declares in public, then the message classes. ``remake`` tells how to renew it."""
    lines = [
        f"# Written by `{remake}` from the declarations; do not edit.",
        "# ruff: noqa: A002  # fields have Kafka's names",
        "",
        *_module_lines(module_source),
    ]
    for message in sorted(messages, key=lambda each: each.name):
        lines += ["", *_message_lines(message)]
    return "\n".join(lines) + "\n"


def _module_lines(source: str) -> list[str]:
    """Imports, annotated public names and public functions, without their bodies."""
    nodes = ast.parse(source).body
    exported = _exported(nodes)
    imports: list[tuple[str, str]] = []
    names: list[str] = []
    functions: list[str] = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            imports += ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id in exported:
            names.append(f"{node.target.id}: {ast.unparse(node.annotation)}")
        elif isinstance(node, ast.FunctionDef) and node.name in exported:
            signature = source.splitlines()[node.lineno - 1 : node.body[0].lineno - 1]
            functions.append("\n".join(signature) + " ...")
    used = set(re.findall(r"\w+", " ".join(functions))) | {"Body"}
    wanted = [(module, name) for module, name in imports if name in exported | used]
    wanted += [("millrace.schema.classes", "Part")]
    lines = ["from typing import Any", ""]
    for module in sorted({module for module, _ in wanted} - {"typing"}):
        found = sorted(name for each, name in wanted if each == module)
        private = [name for name in found if name not in exported]
        lines += [f"from {module} import {', '.join(private)}"] if private else []
        lines += (f"from {module} import {name} as {name}" for name in found if name in exported)
    return [*lines, "", *names, "", *functions]


def _exported(nodes: list[ast.stmt]) -> set[str]:
    """The names in ``__all__``."""
    for node in nodes:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    raise AssertionError("the module has no __all__")


def _message_lines(message: Message) -> list[str]:
    structs = list(message.structs())
    lines = [f"class {message.name}(Body):"]
    for struct in structs[:-1]:
        lines += [f"    class {struct.name}(Part):", *_struct_lines(struct, message.name, 2), ""]
    return lines + _struct_lines(structs[-1], message.name, 1)


def _struct_lines(struct: Struct, outer: str, depth: int) -> list[str]:
    indent = "    " * depth
    fields = [f"{indent}{field.name}: {_annotation(field, outer)}" for field in struct.fields]
    arguments = [f"{field.name}: {_annotation(field, outer)} = {_default(field)}" for field in struct.fields]
    arguments.append("unknown_tags: dict[int, bytes] | None = None")
    return [
        *fields,
        f"{indent}unknown_tags: dict[int, bytes] | None",
        f"{indent}def __init__(",
        f"{indent}    self,",
        f"{indent}    *,",
        *(f"{indent}    {argument}," for argument in arguments),
        f"{indent}) -> None: ...",
    ]


def _annotation(field: Field, outer: str) -> str:
    name = f"{outer}.{field.struct.name}" if field.struct else _TYPES.get(field.type, "int")
    if field.array:
        name = f"list[{name}]"
    is_nullable = field.nullable.low <= field.nullable.high or field.default is None
    return f"{name} | None" if is_nullable and name != "Any" else name


def _default(field: Field) -> str:
    if field.default is None:
        return "None"
    if field.array or field.struct or field.type == "uuid":
        return "..."
    return {"string": '""', "bytes": 'b""'}.get(field.type) or default_literal(field)
