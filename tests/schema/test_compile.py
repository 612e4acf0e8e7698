"""What compiled codecs do at the corners that Kafka's own messages do not reach, and that they are compiled once."""

from __future__ import annotations

import pytest

from millrace.base.errors import PeerError
from millrace.kafka import messages, records
from millrace.schema.classes import make_class
from millrace.schema.compile import decode, decoder, encode, encoder
from millrace.schema.decoding import struct_min
from millrace.schema.parse import parse
from millrace.schema.wire import more, read_varint, varint


def message(text: str) -> type:
    (declared,) = parse("data Sack  versions 0-1  flexible 1\n" + text)
    return make_class(declared, __name__)


def test_compiled_once() -> None:
    assert decoder(messages.FetchRequest, 12) is decoder(messages.FetchRequest, 12)
    assert encoder(messages.FetchRequest, 12) is encoder(messages.FetchRequest, 12)
    assert encoder(messages.FetchRequest, 12) is not encoder(messages.FetchRequest, 13)


def test_every_array_element_takes_a_byte() -> None:
    # else a count could announce more elements than there are bytes, and the check before allocating would be wrong
    classes = [kind(key) for key in messages.API_KEYS for kind in (messages.request_type, messages.response_type)]
    classes += [getattr(records, name) for name in records.NAMES]
    for cls in classes:
        for version in range(cls.VERSIONS[0], cls.VERSIONS[1] + 1):
            for struct in cls.MESSAGE.structs():
                for field in struct.fields:
                    if field.array and field.struct is not None and field.versions.covers(version):
                        assert struct_min(field.struct, version, cls.MESSAGE.is_flexible(version)) > 0


def test_elements_of_no_bytes_cannot_be_counted_without_bound() -> None:
    cls = message("  items [Item]\n    late int8 1+\n")
    with pytest.raises(PeerError, match="announces 2147483647"):
        decode(cls, 0, b"\x7f\xff\xff\xff")
    assert decode(cls, 0, b"\x00\x00\x00\x01x")[0].items == [cls.Item()]


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("kind", ["int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "bool", "uuid"])
def test_arrays_of_every_fixed_type(kind: str, version: int) -> None:
    cls = message(f"  items [{kind}]\n")
    one = {"bool": True, "uuid": b"u" * 16, "float64": 0.5}.get(kind, 7)
    for count in (0, 1, 16, 17, 126, 127, 128, 300):
        sack = cls(items=[one] * count)
        content = encode(sack, version)
        assert decode(cls, version, memoryview(content)) == (sack, len(content))
        with pytest.raises(PeerError):
            decode(cls, version, content[:-1])


def test_strings_have_at_most_32767_bytes_both_ways() -> None:
    cls = message("  label string\n")
    longest = cls(label="x" * 32767)
    for version in (0, 1):
        assert decode(cls, version, encode(longest, version))[0] == longest
        with pytest.raises(AssertionError, match="label"):
            encode(cls(label="x" * 32768), version)
    with pytest.raises(PeerError, match="label announces 32768"):
        decode(cls, 1, varint(32769) + b"x" * 40000)


def test_a_uuid_of_another_length_is_our_bug() -> None:
    cls = message("  id uuid\n  ids [uuid]\n")
    for broken in (cls(id=b"short"), cls(ids=[b"short"])):
        with pytest.raises(AssertionError, match="16 bytes"):
            encode(broken, 1)


def test_a_null_that_a_version_does_not_allow() -> None:
    cls = message("  label string?1+\n")
    assert decode(cls, 1, b"\x00\x00")[0].label is None
    with pytest.raises(PeerError, match="label is null, which this version does not allow"):
        decode(cls, 0, b"\xff\xff")
    with pytest.raises(AttributeError):
        encode(cls(label=None), 0)


def test_varints() -> None:
    for value in (0, 1, 127, 128, 300, 2**14 - 1, 2**14, 2**21, 2**28, 2**32 - 1):
        coded = varint(value)
        assert read_varint(coded + b"rest", 0) == (value, len(coded))
    for broken in (b"", b"\x80", b"\xff\xff\xff\xff\x1f", b"\xff\xff\xff\xff\xff\x01"):
        with pytest.raises(PeerError):
            read_varint(broken, 0)
    assert more(b"\x01", 0, 0x80) == (128, 1)
