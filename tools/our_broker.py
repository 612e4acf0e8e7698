"""Our broker as a user starts it: ``millrace up`` as a child process on a free loopback port."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tools.broker_process import BrokerProcess

READY = re.compile(rb"^millrace ready.*PLAINTEXT://127\.0\.0\.1:(\d+)", re.MULTILINE)


class OurBroker(BrokerProcess):
    """``millrace up`` beside this interpreter; the line ``millrace ready`` names the port."""

    name = "Millrace"

    @property
    def data_dir(self) -> Path:
        return self.base_dir / "millrace-data"

    @property
    def log_dir(self) -> Path:
        return self.data_dir / "broker-1"

    def _prepare(self) -> None:
        # the output of an earlier run would name an earlier port
        if self.output_file.exists():
            self.output_file.replace(self.output_file.with_suffix(".before.txt"))

    def _command(self) -> list[str]:
        # on a restart the same port again, so that clients find it
        settings = {"listeners": f"PLAINTEXT://127.0.0.1:{self.port}", **self.config}
        command = [str(Path(sys.executable).with_name("millrace")), "up", "--data", str(self.data_dir)]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        return command

    def answers(self) -> bool:
        ready = READY.search(self.output_file.read_bytes())
        if ready is None:
            return False
        self.port = int(ready[1])
        return super().answers()
