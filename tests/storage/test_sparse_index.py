"""Sparse indexes: what is in the file, what is in memory, and what is dropped to keep within bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from millrace.base.ports import Disk
from millrace.storage.indexes import OffsetIndex, TimeIndex
from millrace.storage.sparse_index import IndexCache
from millrace.storage.steps import run
from tests.storage.making import disk_in_memory


def index_of(disk: Disk, cache: IndexCache | None = None, name: str = "i.index", *, is_new: bool = True) -> OffsetIndex:
    return OffsetIndex(disk, name, cache or IndexCache(), is_new=is_new)


@given(
    keys=st.lists(st.integers(0, 200), unique=True).map(sorted),
    written=st.integers(0, 60),
    asked=st.lists(st.integers(-1, 210), max_size=20),
)
def test_a_look_up_is_that_of_a_sorted_list(keys: list[int], written: int, asked: list[int]) -> None:
    disk = disk_in_memory()
    index = index_of(disk)
    for count, key in enumerate(keys):
        if count == written:
            index.write()
        index.add(key, key * 10)
    for key in asked:
        run(index.load(key))
        expected = max((each for each in keys if each <= key), default=None)
        assert index.floor(key) == (None if expected is None else (expected, expected * 10))
    assert index.count == len(keys)
    assert index.entries() == [(key, key * 10) for key in keys]
    assert index.last() == ((keys[-1], keys[-1] * 10) if keys else None)


def test_what_is_in_the_file_is_loaded_only_when_it_is_needed() -> None:
    disk = disk_in_memory()
    index = index_of(disk)
    for key in (10, 20, 30):
        index.add(key, key)
    index.write()
    assert index.loaded is None
    index.add(40, 40)
    assert index.is_ready(45)
    assert not index.is_ready(35)
    assert index.last() == (40, 40)
    run(index.load(35))
    assert index.floor(35) == (30, 30)
    again = index_of(disk, is_new=False)
    assert again.count == 3, "the tail was not written"
    assert again.last() == (30, 30)


def test_the_least_recently_used_is_dropped() -> None:
    disk = disk_in_memory()
    cache = IndexCache(bytes_max=100)
    indexes = [index_of(disk, cache, f"{number}.index") for number in range(4)]
    for index in indexes:
        for key in range(5):
            index.add(key, key)
        index.write()
        run(index.load(0))
        assert cache.size_bytes <= 100
    assert [index.loaded is not None for index in indexes] == [False, False, True, True]
    indexes[2].floor(1)
    run(indexes[0].load(0))
    assert [index.loaded is not None for index in indexes] == [True, False, True, False]
    indexes[0].drop()
    indexes[2].drop()
    assert cache.size_bytes == 0


def test_what_was_forgotten_is_cut_from_the_file_when_it_is_written() -> None:
    disk = disk_in_memory()
    index = index_of(disk)
    for key in range(10):
        index.add(key, key)
    index.write()
    index.keep(4)
    assert index.is_unwritten
    assert index.entries() == [(key, key) for key in range(4)]
    index.add(50, 50)
    index.write()
    assert not index.is_unwritten
    assert len(disk.read_whole("i.index")) == 5 * 8
    assert index_of(disk, is_new=False).entries()[-1] == (50, 50)


def test_entries_that_do_not_follow_are_not_trusted() -> None:
    disk = disk_in_memory()
    file = disk.open("i.index", create=True)
    sound = b"".join(OffsetIndex.ENTRY.pack(key, key) for key in range(5))
    file.append([sound + bytes(80)])  # a file that was made long in advance, or whose end never reached the disk
    index = index_of(disk, is_new=False)
    index.keep_sound()
    assert index.count == 5


def test_times_increase_strictly() -> None:
    index = TimeIndex(disk_in_memory(), "i.timeindex", IndexCache(), is_new=True)
    for timestamp, offset in ((-1, 0), (100, 1), (100, 2), (90, 3), (110, 0), (110, 5)):
        index.maybe_add(timestamp, offset)
    assert index.entries() == [(100, 1), (110, 5)]
    assert [index.offset_for(timestamp) for timestamp in (99, 100, 109, 110, 999)] == [0, 1, 1, 5, 5]
