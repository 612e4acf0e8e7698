"""Writes the source of a decoder: straight-line Python for one message in one version.

Fixed-width fields that follow each other, and the length of what comes after them, are read by one ``Struct``. Lengths
and counts are checked against what remains before anything is made of them. A varint is one byte in the common case;
``more`` reads the rest of a longer one.
"""

from __future__ import annotations

from millrace.schema.classes import default_literal, fresh_default
from millrace.schema.model import SCALARS, Field, Message, Struct
from millrace.schema.source import Source, width
from millrace.schema.wire import FEW, STRING_BYTES_MAX


def decoder_source(message: Message, version: int) -> Source:
    """Source of ``decode(buf, pos) -> (message, pos)``."""
    return _Decoder(message, version).write()


def size_min(field: Field, version: int, flexible: bool) -> int:
    """The fewest bytes that a field takes; 0 if it is not there."""
    if not field.versions.covers(version) or field.is_tagged(version):
        return 0
    if field.struct is not None and not field.array:
        return 1 if field.nullable.covers(version) else struct_min(field.struct, version, flexible)
    if field.type in SCALARS and not field.array:
        return width(SCALARS[field.type])
    if flexible and not field.plain:
        return 1
    return 2 if field.type == "string" and not field.array else 4


def struct_min(struct: Struct, version: int, flexible: bool) -> int:
    """The fewest bytes that a struct takes in a version."""
    return sum(size_min(field, version, flexible) for field in struct.fields) + flexible


class _Decoder:
    def __init__(self, message: Message, version: int) -> None:
        self.message = message
        self.version = version
        self.flexible = message.is_flexible(version)
        self.title = f"{message.name} version {version}"
        self.source = Source(f"decode {message.name} {version}")
        self.put = self.source.put
        self.run: list[tuple[str, str]] = []

    def write(self) -> Source:
        put, source = self.put, self.source
        put("def decode(buf, pos=0):")
        with source.block():
            put("limit = len(buf)")
            if any(f.type == "records" for s in self.message.structs() for f in s.fields):
                put("view = memoryview(buf)")
            put("try:")
            with source.block():
                self.struct(self.message.root, "o", root=True)
                self.flush()
            put("except (IndexError, struct_error) as error:")
            with source.block():
                put(f"raise PeerError('{self.title} ends in the middle of a field') from error")
            put("return o, pos")
        return source

    def struct(self, struct: Struct, var: str, root: bool = False) -> None:
        """Reads one struct into a new local variable."""
        self.put(f"{var} = new({self.source.use_class(struct, root)})")
        tagged = struct.tagged_fields(self.version)
        for field in struct.fields:
            if field in tagged or not field.versions.covers(self.version):
                self.default(field, f"{var}.{field.name}")
            else:
                self.field(field, f"{var}.{field.name}")
        if self.flexible:
            self.tags(struct, var, tagged)
        else:
            self.put(f"{var}.unknown_tags = None")

    def default(self, field: Field, target: str) -> None:
        """The default, for a field that is not there or may not be; a struct's is made here, faster than by a call."""
        if field.struct is None or field.array or field.default is None:
            self.put(f"{target} = {fresh_default(field) or default_literal(field)}")
            return
        var = self.source.name("d")
        self.put(f"{target} = {var} = new({self.source.use_class(field.struct)})")
        for inner in field.struct.fields:
            self.default(inner, f"{var}.{inner.name}")
        self.put(f"{var}.unknown_tags = None")

    # Runs of fixed-width cells.

    def cell(self, char: str, target: str) -> None:
        self.run.append((char, target))

    def flush(self) -> None:
        """Reads the cells gathered so far."""
        run, self.run = self.run, []
        if not run:
            return
        chars = "".join(char for char, _ in run)
        if chars == "B":
            self.put(f"{run[0][1]} = buf[pos]; pos += 1")
            return
        targets = ", ".join(target for _, target in run)
        comma = "," if len(run) == 1 else ""
        self.put(f"{targets}{comma} = {self.source.use_struct(chars, 'unpack_from')}(buf, pos); pos += {width(chars)}")

    # Fields.

    def field(self, field: Field, target: str) -> None:
        if field.array:
            self.array(field, target)
        elif field.type in SCALARS:
            self.cell(SCALARS[field.type], target)
        elif field.struct is not None:
            self.single(field, target)
        else:
            self.blob(field, target)

    def single(self, field: Field, target: str) -> None:
        assert field.struct is not None
        var = self.source.name("o")
        if not field.nullable.covers(self.version):
            self.struct(field.struct, var)
            self.put(f"{target} = {var}")
            return
        # Kafka marks a null struct by -1, but by 0 in a tagged field; anything over that says that it is there.
        mark = self.source.name("n")
        self.cell("b", mark)
        self.flush()
        self.put(f"if {mark} < {int(field.is_tagged(self.version))}:")
        with self.source.block():
            self.put(f"{target} = None")
        self.put("else:")
        with self.source.block():
            self.struct(field.struct, var)
            self.flush()
            self.put(f"{target} = {var}")

    def length(self, field: Field) -> str:
        """Reads a length or count into a new variable; afterwards it is below 0 for null."""
        count = self.source.name("n")
        if not self.flexible or field.plain:
            self.cell("h" if field.type == "string" and not field.array else "i", count)
            self.flush()
            return count
        self.cell("B", count)
        self.flush()
        self.put(f"if {count} > 127: {count}, pos = more(buf, pos, {count})")
        self.put(f"{count} -= 1")
        return count

    def where(self, field: Field) -> str:
        return repr(f"{self.title}: {field.name}")

    def blob(self, field: Field, target: str) -> None:
        """A string, bytes or records: a length, then so many bytes."""
        count = self.length(field)
        nullable = field.nullable.covers(self.version)
        if nullable:
            self.put(f"if {count} < 0:")
            with self.source.block():
                self.put(f"{target} = None")
            self.put("else:")
            with self.source.block():
                self.blob_value(field, target, count, "")
        else:
            self.blob_value(field, target, count, f"{count} < 0 or ")

    def blob_value(self, field: Field, target: str, count: str, null: str) -> None:
        end = self.source.name("e")
        self.put(f"{end} = pos + {count}")
        most = f" or {count} > {STRING_BYTES_MAX}" if field.type == "string" and self.flexible else ""
        self.put(f"if {null}{end} > limit{most}: lies({self.where(field)}, {count}, limit - pos)")
        value = {
            "string": f"str(buf[pos:{end}], 'utf-8', 'replace')",
            "bytes": f"bytes(buf[pos:{end}])",
            "records": f"view[pos:{end}]",
        }[field.type]
        self.put(f"{target} = {value}; pos = {end}")

    def array(self, field: Field, target: str) -> None:
        count = self.length(field)
        if field.nullable.covers(self.version):
            self.put(f"if {count} < 0:")
            with self.source.block():
                self.put(f"{target} = None")
            self.put("else:")
            with self.source.block():
                self.elements(field, target, count, "")
        else:
            self.elements(field, target, count, f"{count} < 0 or ")

    def elements(self, field: Field, target: str, count: str, null: str) -> None:
        """The elements; each takes at least one byte, so a count past what remains is a lie (as in Kafka)."""
        put, source = self.put, self.source
        if field.struct is not None:
            least = struct_min(field.struct, self.version, self.flexible)
        else:
            least = size_min(field._replace(array=False, plain=False, tag=None), self.version, self.flexible)
        need = count if least <= 1 else f"{count} * {least}"
        check = f"if {null}{need} > limit - pos: lies({self.where(field)}, {count}, limit - pos)"
        if field.type in SCALARS and field.type != "uuid":
            char = SCALARS[field.type]
            put(f"if 0 <= {count} < {FEW}: {target} = list({source.use_few(char)}[{count}].unpack_from(buf, pos))")
            put("else:")
            with source.block():
                put(check)
                put(f"{target} = list(unpack_from('>%d{char}' % {count}, buf, pos))")
            put(f"pos += {need}")
            return
        put(check)
        if field.type == "uuid":
            end = source.name("e")
            put(f"{end} = pos + {need}")
            put(f"{target} = [bytes(buf[i:i + 16]) for i in range(pos, {end}, 16)]; pos = {end}")
            return
        items, var = source.name("a"), source.name("o")
        put(f"{target} = {items} = []")
        put(f"for _ in range({count}):")
        with source.block():
            if field.struct is not None:
                self.struct(field.struct, var)
                self.flush()
            else:
                self.blob(field._replace(array=False, nullable=field.nullable._replace(high=-1, low=0)), var)
            put(f"{items}.append({var})")

    # Tagged fields.

    def tags(self, struct: Struct, var: str, tagged: list[Field]) -> None:
        put, source = self.put, self.source
        count, tag, end = source.name("t"), source.name("k"), source.name("x")
        self.cell("B", count)
        self.flush()
        put(f"{var}.unknown_tags = None")
        put(f"if {count}:")
        with source.block():
            put(f"if {count} > 127: {count}, pos = more(buf, pos, {count})")
            put(f"if {count} * 2 > limit - pos: lies('{self.title}: count of tagged fields', {count}, limit - pos)")
            put(f"for _ in range({count}):")
            with source.block():
                put(f"{tag} = buf[pos]; pos += 1")
                put(f"if {tag} > 127: {tag}, pos = more(buf, pos, {tag})")
                put(f"{end} = buf[pos]; pos += 1")
                put(f"if {end} > 127: {end}, pos = more(buf, pos, {end})")
                put(f"if {end} > limit - pos: lies('{self.title}: a tagged field', {end}, limit - pos)")
                put(f"{end} += pos")
                self.known_tags(tagged, var, tag, end)

    def known_tags(self, tagged: list[Field], var: str, tag: str, end: str) -> None:
        put, source = self.put, self.source
        for field in tagged:
            put(f"if {tag} == {field.tag}:")
            with source.block():
                self.field(field, f"{var}.{field.name}")
                self.flush()
                put(f"if pos != {end}: raise PeerError({self.where(field)} ' does not fill its tagged field')")
                put("continue")
        put(f"if {var}.unknown_tags is None: {var}.unknown_tags = {{}}")
        put(f"{var}.unknown_tags[{tag}] = bytes(buf[pos:{end}]); pos = {end}")
