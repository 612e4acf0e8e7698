"""Codecs: round trips, forms that other clients write, bombs, and anything broken is refused."""

from __future__ import annotations

import gzip
import random
import tracemalloc
from collections.abc import Callable

import cramjam
import lz4.frame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.base.errors import Refused
from millrace.kafka import codes, compression

PLAIN = b"".join(b"%d the mill race brings the water, " % index for index in range(5000))
LIMIT_BYTES = 1 << 20
CODECS = [compression.GZIP, compression.SNAPPY, compression.LZ4, compression.ZSTD]


def refusal(call: Callable[[], object]) -> int | None:
    """The code that a call is refused with, or None."""
    try:
        call()
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize("codec", range(5))
@pytest.mark.parametrize("plain", [b"", b"x", PLAIN, random.Random(5).randbytes(200_000)], ids=len)
def test_what_was_compressed_comes_back(codec: int, plain: bytes) -> None:
    packed = compression.compress(codec, memoryview(plain))
    assert compression.decompress(codec, memoryview(packed), len(plain)) == plain


@pytest.mark.parametrize("codec", range(5))
def test_one_byte_over_the_limit_is_refused(codec: int) -> None:
    packed = compression.compress(codec, PLAIN)
    with pytest.raises(Refused, match="more than") as refused:
        compression.decompress(codec, packed, len(PLAIN) - 1)
    assert refused.value.code == codes.MESSAGE_TOO_LARGE


@pytest.mark.parametrize("codec", CODECS)
def test_a_bomb_costs_no_more_than_the_limit(codec: int) -> None:
    packed = compression.compress(codec, bytes(64 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(Refused):
            compression.decompress(codec, packed, LIMIT_BYTES)
        assert tracemalloc.get_traced_memory()[1] < 4 * LIMIT_BYTES + len(packed)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("codec", CODECS)
def test_cut_short_anywhere_is_refused(codec: int) -> None:
    packed = compression.compress(codec, PLAIN[:700])
    for size in range(len(packed)):
        if codec == compression.SNAPPY and size == 16:
            continue  # a snappy stream has no end mark: behind its header it is whole, a walk of its records notices
        assert refusal(lambda size=size: compression.decompress(codec, packed[:size], LIMIT_BYTES)) == (  # type: ignore[misc]
            codes.INVALID_RECORD
        )


@given(codec=st.sampled_from(CODECS), noise=st.binary(max_size=300), head=st.integers(0, 40))
def test_anything_is_read_or_refused(codec: int, noise: bytes, head: int) -> None:
    packed = compression.compress(codec, PLAIN[:500])[:head] + noise
    code = refusal(lambda: compression.decompress(codec, packed, LIMIT_BYTES))
    assert code in (None, codes.INVALID_RECORD, codes.MESSAGE_TOO_LARGE)


def test_unknown_codecs_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        compression.decompress(5, b"", LIMIT_BYTES)
    assert refused.value.code == codes.UNSUPPORTED_COMPRESSION_TYPE


def test_raw_snappy_is_read() -> None:
    assert compression.decompress(compression.SNAPPY, bytes(cramjam.snappy.compress_raw(PLAIN)), LIMIT_BYTES) == PLAIN


def test_snappy_streams_may_follow_each_other() -> None:
    packed = compression.compress(compression.SNAPPY, PLAIN) + compression.compress(compression.SNAPPY, b"tail")
    assert compression.decompress(compression.SNAPPY, packed, LIMIT_BYTES) == PLAIN + b"tail"


def test_a_snappy_block_that_lies_about_its_size_is_refused() -> None:
    # 0x7fffffff announced in five bytes, then nothing.
    with pytest.raises(Refused, match="announces"):
        compression.decompress(compression.SNAPPY, b"\xff\xff\xff\xff\x07\x00", 1 << 40)


def test_gzip_members_may_follow_each_other_and_junk_behind_them_is_left() -> None:
    packed = gzip.compress(PLAIN) + gzip.compress(b"tail")
    assert compression.decompress(compression.GZIP, packed + b"\x00\x00junk", LIMIT_BYTES) == PLAIN + b"tail"


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("checksum", [True, False])
def test_lz4_frames_of_every_kind_are_read(linked: bool, checksum: bool) -> None:
    packed = lz4.frame.compress(
        PLAIN * 10,
        block_size=lz4.frame.BLOCKSIZE_MAX4MB,
        block_linked=linked,
        content_checksum=checksum,
        block_checksum=checksum,
        store_size=checksum,
    )
    assert compression.decompress(compression.LZ4, packed, 1 << 24) == PLAIN * 10


def test_zstd_frames_may_follow_each_other() -> None:
    packed = compression.compress(compression.ZSTD, PLAIN) + compression.compress(compression.ZSTD, b"tail")
    assert compression.decompress(compression.ZSTD, packed, LIMIT_BYTES) == PLAIN + b"tail"


def test_levels_are_those_of_kafka() -> None:
    assert compression.is_level(compression.GZIP, -1)
    assert not compression.is_level(compression.GZIP, 0)
    assert not compression.is_level(compression.LZ4, 18)
    assert compression.is_level(compression.ZSTD, -131072)
    assert not compression.is_level(compression.ZSTD, 23)
    assert not compression.is_level(compression.SNAPPY, 1)


@pytest.mark.parametrize(
    ("codec", "low", "high"),
    [(compression.GZIP, 1, 9), (compression.LZ4, 9, 17), (compression.ZSTD, -50, 19)],
)
def test_a_higher_level_is_smaller(codec: int, low: int, high: int) -> None:
    sizes = []
    for level in (low, high):
        packed = compression.compress(codec, PLAIN, level)
        assert compression.decompress(codec, packed, LIMIT_BYTES) == PLAIN
        sizes.append(len(packed))
    assert sizes[1] < sizes[0]
