"""The real disk on a file system in memory, which cannot say what can be read without waiting."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from millrace.runtime.disk import RealDisk

MEMORY = Path("/dev/shm")


@pytest.mark.skipif(not os.path.ismount(MEMORY), reason="there is no file system in memory here")
def test_a_file_in_memory_is_read() -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        disk = RealDisk(folder, post=lambda deliver: None)
        file = disk.open("log", create=True)
        file.append((b"record",))
        assert file.read(0, 6) == b"record"  # at once: a ticket would be one each time
        here, there = socket.socketpair()
        with here, there:
            assert file.send_to(here.fileno(), 0, 6) in (0, 6)  # 0: read it and write it, please
        disk.close()
