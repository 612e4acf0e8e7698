"""Names, checkpoint files and identities: Kafka's forms, and what is refused."""

from __future__ import annotations

import pytest

from millrace.base.errors import StorageFault
from millrace.storage import names
from millrace.storage.checkpoint import encode_offsets, parse_offsets
from millrace.storage.identity import (
    FolderIdentity,
    encode_partition_metadata,
    parse_folder_identity,
    parse_partition_metadata,
)


def test_offsets_in_names() -> None:
    assert names.stem(42) == "00000000000000000042"
    found = names.offsets_with(
        ["00000000000000000042.log", "00000000000000000007.log", "x.log", "00000000000000000042.log.swap", "7.log"],
        names.LOG,
    )
    assert found == [7, 42]
    assert names.offset_of("00000000000000000042.index.deleted") == 42
    assert names.offset_of("leader-epoch-checkpoint") is None


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("orders-0", ("orders", 0)),
        ("a-b.c_d-12", ("a-b.c_d", 12)),
        ("orders", None),
        ("orders-", None),
        ("orders-x", None),
        ("-0", None),
        ("orders-0.0123456789abcdef0123456789abcdef-delete", None),
        ("root", None),
    ],
)
def test_folders_of_partitions(name: str, found: tuple[str, int] | None) -> None:
    assert names.parse_partition_folder(name) == found


def test_folders_that_wait_to_be_removed_keep_to_the_length_of_a_name() -> None:
    parted = names.deleted_folder("t" * 249 + "-10", "0" * 32)
    assert len(parted) == 255
    assert parted.endswith(f".{'0' * 32}-delete")
    assert names.parted_folder_kind(names.deleted_folder("orders-0", "a" * 32)) == "delete"
    assert names.parted_folder_kind("orders-0") is None


def test_offsets_by_partition() -> None:
    offsets = {("orders", 0): 5, ("a-b", 12): 0}
    content = encode_offsets(offsets)
    assert content == b"0\n2\norders 0 5\na-b 12 0\n"
    assert parse_offsets("f", content) == offsets
    assert parse_offsets("f", encode_offsets({})) == {}


@pytest.mark.parametrize(
    "content", [b"", b"0\n2\norders 0 5\n", b"9\n0\n", b"0\n1\norders 0\n", b"0\n1\norders x 5\n", b"0\n-\n"]
)
def test_a_torn_checkpoint_is_a_fault(content: bytes) -> None:
    with pytest.raises(StorageFault):
        parse_offsets("f", content)


def test_meta_properties() -> None:
    identity = FolderIdentity(3, "abcdefghijklmnopqrstuw", bytes(range(16)))
    assert parse_folder_identity("f", identity.encode()) == identity
    kafkas = (
        b"#\n#Thu Nov 19 23:00:00 UTC 2026\nnode.id=1\ndirectory.id=AAECAwQFBgcICQoLDA0ODw\nversion=1\ncluster.id=x\n"
    )
    assert parse_folder_identity("f", kafkas) == FolderIdentity(1, "x", bytes(range(16)))
    for content in (
        b"",
        b"version=0\nbroker.id=1\n",
        b"version=1\nnode.id=x\ncluster.id=y\n",
        identity.encode() + b"directory.id=a",
    ):
        with pytest.raises(StorageFault):
            parse_folder_identity("f", content)


def test_partition_metadata() -> None:
    topic_id = bytes(range(16))
    content = encode_partition_metadata(topic_id)
    assert content == b"version: 0\ntopic_id: AAECAwQFBgcICQoLDA0ODw"
    assert parse_partition_metadata("f", content + b"\n") == topic_id
    for broken in (
        b"",
        b"version: 1\ntopic_id: AAECAwQFBgcICQoLDA0ODw",
        b"version: 0\ntopic_id: AAEC",
        b"version: 0\n",
    ):
        with pytest.raises(StorageFault):
            parse_partition_metadata("f", broken)
