"""Writes the source of an encoder: straight-line Python for one message in one version.

The pieces gather in a list; one join makes them one buffer. Where there are ``records``, the value itself becomes a
buffer of its own between two joins, so record bytes are never copied here.
"""

from __future__ import annotations

from millrace.schema.classes import default_literal
from millrace.schema.model import SCALARS, Field, Message, Struct
from millrace.schema.source import Source
from millrace.schema.wire import FEW, STRING_BYTES_MAX


def encoder_source(message: Message, version: int) -> Source:
    """Source of ``encode(message) -> list of buffers``."""
    return _Encoder(message, version).write()


def differs(field: Field, expression: str) -> str:
    """A condition: the value of the field is not its default."""
    if field.default is None:
        return f"{expression} is not None"
    if field.array:
        return f"({expression} is None or len({expression}))"
    if field.struct is not None:
        inner = [differs(each, f"{expression}.{each.name}") for each in field.struct.fields]
        inner.append(f"{expression}.unknown_tags")
        return f"({expression} is None or {' or '.join(inner)})"
    return f"{expression} != {default_literal(field)}"


class _Encoder:
    def __init__(self, message: Message, version: int) -> None:
        self.message = message
        self.version = version
        self.flexible = message.is_flexible(version)
        self.source = Source(f"encode {message.name} {version}")
        self.put = self.source.put
        self.run: list[tuple[str, str]] = []
        self.has_records = any(
            f.type == "records" and f.versions.covers(version) for s in message.structs() for f in s.fields
        )

    def write(self) -> Source:
        put, source = self.put, self.source
        put("def encode(o):")
        with source.block():
            put("out = []; w = out.append")
            if self.has_records:
                put("parts = []")
            self.struct(self.message.root, "o")
            self.flush()
            if self.has_records:
                put("if out: parts.append(join(out))")
                put("return parts")
            else:
                put("return [join(out)]")
        return source

    def struct(self, struct: Struct, var: str) -> None:
        tagged = struct.tagged_fields(self.version)
        for field in struct.fields:
            if field in tagged:
                continue
            if field.versions.covers(self.version):
                self.field(field, f"{var}.{field.name}")
            elif not field.ignorable:
                value = f"{var}.{field.name}"
                self.put(f"if {differs(field, value)}: absent('{struct.name}.{field.name}', {self.version}, {value})")
        if self.flexible:
            self.tags(struct, var, tagged)
        else:
            self.put(f"if {var}.unknown_tags: absent('{struct.name}.unknown_tags', {self.version}, {var}.unknown_tags)")

    # Runs of fixed-width cells.

    def cell(self, char: str, value: str) -> None:
        self.run.append((char, value))

    def flush(self) -> None:
        """Writes the cells gathered so far."""
        packed = self.packed()
        if packed:
            self.put(f"w({packed})")
        self.run.clear()

    def packed(self, char: str = "", value: str = "") -> str:
        """The expression for the cells gathered so far and one more byte; empty if there is none."""
        chars = "".join(each for each, _ in self.run) + char
        values = [each for _, each in self.run] + ([value] if value else [])
        if not chars:
            return ""
        return f"{self.source.use_struct(chars, 'pack')}({', '.join(values)})"

    def length(self, field: Field, count: str) -> None:
        """A length or count in the variable ``count``; -1 is null."""
        if not self.flexible or field.plain:
            self.cell("h" if field.type == "string" and not field.array else "i", count)
            self.flush()
            return
        if not self.run:
            self.put(f"w(ONE_BYTE[{count} + 1] if {count} < 127 else varint({count} + 1))")
            return
        self.put(f"if {count} < 127: w({self.packed('B', f'{count} + 1')})")
        self.put(f"else: w({self.packed()} + varint({count} + 1))")
        self.run.clear()

    # Fields.

    def field(self, field: Field, value: str) -> None:
        if field.array:
            self.array(field, value)
        elif field.type in SCALARS:
            if field.type == "uuid":
                self.put(f"assert len({value}) == 16, 'a uuid has 16 bytes: {field.name}'")
            self.cell(SCALARS[field.type], value)
        elif field.struct is not None:
            self.single(field, value)
        else:
            self.blob(field, value)

    def single(self, field: Field, value: str) -> None:
        assert field.struct is not None
        var = self.source.name("o")
        self.put(f"{var} = {value}")
        if not field.nullable.covers(self.version):
            self.struct(field.struct, var)
            return
        self.flush()
        null = "0" if field.is_tagged(self.version) else "xff"  # as Kafka does
        self.put(f"if {var} is None: w(b'\\{null}')")
        self.put("else:")
        with self.source.block():
            self.cell("b", "1")
            self.struct(field.struct, var)
            self.flush()

    def blob(self, field: Field, value: str) -> None:
        """A string, bytes or records: a length, then so many bytes."""
        piece, count = self.source.name("s"), self.source.name("n")
        made = f"{value}.encode()" if field.type == "string" else value
        if field.nullable.covers(self.version):
            empty = "None" if field.type == "records" else "b''"
            self.put(f"if {value} is None: {piece} = {empty}; {count} = -1")
            self.put(f"else: {piece} = {made}; {count} = len({piece})")
        else:
            self.put(f"{piece} = {made}; {count} = len({piece})")
        if field.type == "string":
            self.put(f"assert {count} <= {STRING_BYTES_MAX}, 'a string too long to be sent: {field.name}'")
        self.length(field, count)
        if field.type != "records":
            self.put(f"w({piece})")
            return
        self.put(f"if {count} > 0:")
        with self.source.block():
            self.put("if out: parts.append(join(out)); out.clear()")
            self.put(f"parts.append({piece})")

    def array(self, field: Field, value: str) -> None:
        items, count = self.source.name("a"), self.source.name("n")
        self.put(f"{items} = {value}")
        if field.nullable.covers(self.version):
            self.put(f"{count} = -1 if {items} is None else len({items})")
            self.length(field, count)
            self.put(f"if {count} > 0:")
            with self.source.block():
                self.elements(field, items, count)
        else:
            self.put(f"{count} = len({items})")
            self.length(field, count)
            self.elements(field, items, count)

    def elements(self, field: Field, items: str, count: str) -> None:
        put, source = self.put, self.source
        if field.type == "uuid":
            put(f"assert all(len(uuid) == 16 for uuid in {items}), 'a uuid has 16 bytes: {field.name}'")
            put(f"w(join({items}))")
            return
        if field.type in SCALARS:
            char = SCALARS[field.type]
            few = f"{source.use_few(char)}[{count}].pack(*{items})"
            put(f"w({few} if {count} < {FEW} else pack('>%d{char}' % {count}, *{items}))")
            return
        var = source.name("o")
        put(f"for {var} in {items}:")
        with source.block():
            if field.struct is not None:
                self.struct(field.struct, var)
            else:
                self.blob(field._replace(array=False, nullable=field.nullable._replace(low=0, high=-1)), var)
            self.flush()

    # Tagged fields.

    def tags(self, struct: Struct, var: str, tagged: list[Field]) -> None:
        if not tagged:
            if not self.run:
                self.put(f"w(tag_section({var}.unknown_tags.items()) if {var}.unknown_tags else b'\\0')")
                return
            fast, slow = self.packed("x"), self.packed()
            self.put(f"if not {var}.unknown_tags: w({fast})")
            self.put(f"else: w({slow} + tag_section({var}.unknown_tags.items()))")
            self.run.clear()
            return
        put, source = self.put, self.source
        self.flush()
        section, mark = source.name("t"), source.name("m")
        put(f"{section} = list({var}.unknown_tags.items()) if {var}.unknown_tags else []")
        for field in tagged:
            put(f"if {differs(field, f'{var}.{field.name}')}:")
            with source.block():
                put(f"{mark} = len(out)")
                self.field(field, f"{var}.{field.name}")
                self.flush()
                put(f"{section}.append(({field.tag}, join(out[{mark}:]))); del out[{mark}:]")
        put(f"w(tag_section({section}) if {section} else b'\\0')")
