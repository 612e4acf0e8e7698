"""One broker of either kind in the foreground, until its standard input is closed: for suites that start their own."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from compat.brokers import KINDS, make


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m compat.serve")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    config = dict(setting.split("=", 1) for setting in options.set)
    folder = Path(tempfile.mkdtemp(prefix="millrace-compat-"))
    broker = make(options.kind, folder, config, options.port)
    try:
        with broker:
            print(f"ready {broker.bootstrap}", flush=True)
            sys.stdin.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
