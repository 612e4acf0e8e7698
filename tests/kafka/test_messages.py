"""Messages on the wire: Kafka's own bytes in and out, cut, glued and lied about; what callers build on."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.base.errors import PeerError, Refused
from millrace.kafka import messages
from millrace.kafka.codes import UNSUPPORTED_VERSION
from millrace.kafka.messages import decode, decoder, encode, encoder, source_of
from millrace.schema.classes import Body
from tests.golden.messages import golden_bytes
from tests.kafka import fuzz_messages
from tests.kafka.sample_messages import all_pairs, misplaced, pair_name, sample, values

PAIRS = all_pairs()
CLASSES = {cls.NAME: cls for cls, _ in PAIRS}
GOLDEN = golden_bytes()
each_pair = pytest.mark.parametrize(("cls", "version"), PAIRS, ids=pair_name)

Produce = messages.ProduceRequest
ProduceTopic = Produce.TopicProduceData
ProducePartition = Produce.PartitionProduceData


def test_the_golden_file_holds_every_message_and_version() -> None:
    assert GOLDEN.keys() == {(cls.NAME, version) for cls, version in PAIRS}


@each_pair
def test_what_kafka_wrote_is_read_and_written_again(cls: type[Body], version: int) -> None:
    content = GOLDEN[cls.NAME, version]
    expected = sample(cls, version)
    assert encode(expected, version) == content
    for buffer in (content, bytearray(content), memoryview(content)):
        assert decode(cls, version, buffer) == (expected, len(content))
    glued = b"before" + content + b"after"
    assert decode(cls, version, memoryview(glued), 6) == (expected, 6 + len(content))


@each_pair
def test_every_part_of_a_message_is_refused(cls: type[Body], version: int) -> None:
    content = encode(sample(cls, version, elements=1), version)
    read = decoder(cls, version)
    for size in range(len(content)):
        with pytest.raises(PeerError):
            read(content[:size])


@pytest.mark.parametrize("cls", CLASSES.values(), ids=pair_name)
def test_random_values_come_back(cls: type[Body]) -> None:
    low, high = cls.VERSIONS
    versions = {low, high, high if cls.FLEXIBLE is None else max(low, cls.FLEXIBLE)}
    for version in versions:
        for seed in range(3):
            message = sample(cls, version, elements=seed)
            assert decode(cls, version, encode(message, version))[0] == message


@given(st.data())
def test_any_value_comes_back(draws: st.DataObject) -> None:
    cls, version = draws.draw(st.sampled_from(PAIRS))
    message = draws.draw(values(cls, version))
    content = encode(message, version)
    assert decode(cls, version, content) == (message, len(content))


@given(st.sampled_from(PAIRS), st.binary(max_size=200))
def test_anything_is_a_message_or_a_peer_error(pair: tuple[type[Body], int], content: bytes) -> None:
    fuzz_messages.feed(*pair, content)


def test_mutated_messages_are_messages_or_peer_errors() -> None:
    seen = fuzz_messages.run(seed=20260101, rounds=3000)
    assert seen[True] > 300
    assert seen[False] > 300


def test_lying_lengths_allocate_nothing() -> None:
    inputs = []
    for (name, version), content in GOLDEN.items():
        cls = CLASSES[name]
        if version == cls.VERSIONS[1] and len(content) < 300:
            inputs += [
                (cls, version, content[:at] + lie + content[at + len(lie) :])
                for at in range(0, len(content), 11)
                for lie in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x07")
            ]
    for cls, version, _ in inputs:
        decoder(cls, version)
    tracemalloc.start()
    try:
        for cls, version, content in inputs:
            fuzzed = memoryview(content)
            try:
                decode(cls, version, fuzzed)
            except PeerError:
                continue
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(inputs) > 1000
    assert peak < 200_000


def test_records_are_passed_by_reference_both_ways() -> None:
    class Slice:
        """Stands for bytes of a file: only its length is looked at."""

        def __len__(self) -> int:
            return 70_000

    records = Slice()
    partitions = [ProducePartition(index=1, records=records), ProducePartition(index=2, records=b"abc")]
    request = Produce(acks=-1, topic_data=[ProduceTopic(name="t", partition_data=partitions)])
    for version in range(*Produce.VERSIONS):
        if version < 13:
            parts = encoder(Produce, version)(request)
            assert parts[1] is records
            assert parts[3] == b"abc"
            whole = b"".join(bytes(len(part)) if part is records else part for part in parts)
            found, _ = decode(Produce, version, whole)
            view = found.topic_data[0].partition_data[1].records
            assert isinstance(view, memoryview)
            assert view.obj is whole


def test_null_records_are_not_empty_records() -> None:
    partitions = [ProducePartition(index=1, records=None), ProducePartition(index=2, records=b"")]
    request = Produce(topic_data=[ProduceTopic(name="t", partition_data=partitions)])
    for version in (3, 9):
        found, _ = decode(Produce, version, encode(request, version))
        assert [each.records for each in found.topic_data[0].partition_data] == [None, b""]


def test_unknown_tags_are_kept_and_written_back_in_order() -> None:
    heartbeat = messages.HeartbeatRequest(group_id="g", unknown_tags={300: b"b", 7: b"a"})
    content = encode(heartbeat, 4)
    assert content.endswith(b"\x02\x07\x01a\xac\x02\x01b")
    assert decode(messages.HeartbeatRequest, 4, content)[0] == heartbeat


def test_a_tagged_field_that_is_longer_than_its_value_is_refused() -> None:
    request = messages.FetchRequest(cluster_id="c")
    content = encode(request, 12)
    assert content.endswith(b"\x01\x00\x02\x02c")
    with pytest.raises(PeerError, match="cluster_id"):
        decode(messages.FetchRequest, 12, content[:-3] + b"\x03\x02cx")


@each_pair
def test_a_value_with_no_place_is_dropped_or_refused_by_name(cls: type[Body], version: int) -> None:
    for name, ignorable, message in misplaced(cls, version):
        if ignorable:
            assert decode(cls, version, encode(message, version))[0] != message
            continue
        with pytest.raises(Refused, match=name.rpartition(".")[2]) as refusal:
            encode(message, version)
        assert refusal.value.code == UNSUPPORTED_VERSION


def test_text_that_is_not_utf8_is_read_with_replacement_signs_as_in_kafka() -> None:
    content = encode(messages.HeartbeatRequest(group_id="ab"), 4).replace(b"ab", b"a\xff")
    assert decode(messages.HeartbeatRequest, 4, content)[0].group_id == "a�"


def test_versions_that_are_not_declared_are_refused() -> None:
    for version in (2, 14):
        with pytest.raises(Refused, match="ProduceRequest has versions 3 to 13"):
            decoder(Produce, version)


def test_what_is_asked_of_the_module() -> None:
    assert messages.request_type(0) is Produce
    assert messages.response_type(0) is messages.ProduceResponse
    assert (Produce.KEY, Produce.NAME, Produce.VERSIONS, Produce.FLEXIBLE) == (0, "ProduceRequest", (3, 13), 9)
    assert messages.SaslHandshakeRequest.FLEXIBLE is None
    assert messages.api_name(3) == "Metadata"
    assert messages.api_name(4000) == "api 4000"
    assert messages.versions(22) == (0, 6)
    assert messages.stable_versions(22) == (0, 5)
    assert messages.listeners(1) == ("broker", "controller")
    assert [messages.header_version(18, version) for version in (2, 3)] == [1, 2]
    assert [messages.header_version(18, version, response=True) for version in (2, 3)] == [0, 0]
    assert messages.header_version(3, 9, response=True) == 1
    assert "MetadataResponse" in dir(messages)
    with pytest.raises(KeyError):
        messages.request_type(4000)
    with pytest.raises(AttributeError, match="NoSuchRequest"):
        messages.NoSuchRequest  # noqa: B018


def test_skipped_tags() -> None:
    assert messages.skip_tags(b"\x00rest", 0) == 1
    assert messages.skip_tags(b"..\x01\x80\x01\x02abrest", 2) == 8
    for broken in (b"", b"\x01", b"\x01\x00\x05abc", b"\xff\xff\xff\xff\xff\xff"):
        with pytest.raises(PeerError):
            messages.skip_tags(broken, 0)


def test_a_codec_can_be_read_and_shows_in_tracebacks() -> None:
    assert source_of(Produce, 9, "decode").startswith("def decode(buf, pos=0):")
    with pytest.raises(AttributeError) as caught:
        encode(Produce(topic_data=[ProduceTopic(name=7)]), 9)
    assert ".name.encode()" in str(caught.traceback[-1].statement)


def test_importing_reads_no_declaration() -> None:
    program = "from millrace.kafka import messages, records; print(messages._LIBRARY.loaded, records._LIBRARY.loaded)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "0 0\n"
