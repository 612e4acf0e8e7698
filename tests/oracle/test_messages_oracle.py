"""Every message and record, in every version, against Kafka's own classes: the same bytes, the same values."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from millrace.base.errors import Refused
from millrace.kafka.messages import HeartbeatRequest, decode, encode
from millrace.schema.classes import Body
from tests.kafka.java_records import java_class
from tests.kafka.sample_messages import all_pairs, edges, misplaced, pair_name, sample, values
from tests.oracle.java_messages import generated_classes, read_by_java, to_java, versions_of, written_by_java

pytestmark = pytest.mark.oracle

PAIRS = all_pairs()
each_pair = pytest.mark.parametrize(("cls", "version"), PAIRS, ids=pair_name)
some = settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


def test_every_message_and_version_of_the_jars_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    theirs = {(name, version) for name, cls in generated_classes().items() for version in versions_of(cls)}
    ours = {(cls.NAME, version) for cls, version in PAIRS}
    with capsys.disabled():
        print(f"\n{len(ours & theirs)} of {len(theirs)} versions of {len(generated_classes())} messages are covered")
    assert ours == theirs


def compare(message: Body, version: int) -> None:
    """Ours to theirs and theirs to ours, byte for byte and value for value."""
    java_message = to_java(message)
    content = encode(message, version)
    assert content == written_by_java(java_message, version)
    assert read_by_java(message.NAME, version, content).equals(java_message)
    found, end = decode(type(message), version, memoryview(content))
    assert found == message
    assert end == len(content)


@each_pair
def test_full_sample(cls: type[Body], version: int) -> None:
    compare(sample(cls, version), version)


@each_pair
def test_defaults_are_kafkas(cls: type[Body], version: int) -> None:
    java_message = generated_classes()[cls.NAME]()
    assert to_java(cls()).equals(java_message)


@each_pair
def test_lengths_at_the_edges(cls: type[Body], version: int) -> None:
    for message in edges(cls, version):
        compare(message, version)


@each_pair
def test_random_values(cls: type[Body], version: int) -> None:
    @some
    @given(values(cls, version))
    def check(message: Body) -> None:
        compare(message, version)

    check()


@each_pair
def test_what_a_version_cannot_carry_is_refused_alike(cls: type[Body], version: int) -> None:
    unsupported = java_class("org.apache.kafka.common.errors.UnsupportedVersionException")
    for name, _, message in misplaced(cls, version):
        try:
            theirs = written_by_java(to_java(message), version)
        except unsupported:
            with pytest.raises(Refused):
                encode(message, version)
        else:
            assert encode(message, version) == theirs, name


def test_text_that_is_not_utf8_is_read_alike() -> None:
    # a lone surrogate is the exception: one replacement sign in Java, three in Python, and no client sends it
    for raw in (
        b"a\xff",
        b"\xc3(",
        b"\xe2\x82",
        b"\xf0\x9f\x98",
        b"\xc0\x80",
        b"\xf5\x80\x80\x80",
        b"\xfe\xfe",
        b"\x80a",
    ):
        content = encode(HeartbeatRequest(group_id="x" * len(raw)), 4).replace(b"x" * len(raw), raw)
        ours, _ = decode(HeartbeatRequest, 4, content)
        assert ours.group_id == str(read_by_java("HeartbeatRequest", 4, content).groupId()), raw
