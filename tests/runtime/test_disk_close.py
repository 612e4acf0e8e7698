"""The real disk when its node ends in the middle of things."""

from __future__ import annotations

from pathlib import Path

from millrace.runtime.disk import RealDisk


def test_a_closed_disk_tells_nobody_and_begins_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    disk = RealDisk(tmp_path, post=lambda deliver: None)  # the loop has no turn any more
    file = disk.open("log", create=True)
    file.append((b"record",))
    flushed = file.flush()
    flushed.then(lambda ticket: told.append("flushed"))
    disk.close()
    replaced = disk.replace("checkpoint", b"0")
    assert not flushed.done
    assert not replaced.done
    assert told == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log"]
