"""``millrace doctor``: whether this machine is fit to run a broker, and what is wrong if it is not."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Final

import click

from millrace.base.config import BrokerConfig
from millrace.base.properties import BadProperties, parse_properties
from millrace.cli import show
from millrace.cli.up import configuration

GOOD: Final = "good"
WARNING: Final = "warning"
BAD: Final = "bad"

# Distribution name -> what is lost without it; "" for one that nothing works without.
LIBRARIES: Final = {
    "click": "",
    "fastcrc": "CRC-32C of records in plain Python: hundreds of times slower",
    "cramjam": "",
    "lz4": "",
    "isal": "",
    "confluent-kafka": "",
    "rich": "",
    "uvloop": "the standard event loop is used: about half the throughput",
}
DESCRIPTORS_WANTED: Final = 4_096
FREE_BYTES_WANTED: Final = 1 << 30
FLUSH_MS_WARNED: Final = 20.0
FLUSHES_TRIED: Final = 10
FORMAT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: str
    says: str


@click.command()
@click.option("--config", "config_path", metavar="FILE", help="As of 'millrace up'.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="As of 'millrace up'.")
@click.option("--data", "data_folder", metavar="DIR", help="As of 'millrace up'.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
def doctor(config_path: str | None, settings: tuple[str, ...], data_folder: str | None, as_json: bool) -> None:
    """Look at Python, libraries, disk, limits, ports, the data folder and the clock.

    Exit code 1 if something would keep a broker from working; a warning does not.
    """
    config = configuration(config_path, settings, data_folder)
    findings = list(_examine(config))
    if as_json:
        show.as_json([asdict(each) for each in findings])
    else:
        for each in findings:
            colour = {GOOD: "green", WARNING: "yellow", BAD: "red"}[each.state]
            state = click.style(f"{each.state:7}", fg=colour) if sys.stdout.isatty() else f"{each.state:7}"
            click.echo(f"{state} {each.what}: {each.says}")
    sys.exit(1 if any(each.state == BAD for each in findings) else 0)


def _examine(config: BrokerConfig) -> Iterator[Finding]:
    yield _python()
    yield from _libraries()
    yield _descriptors()
    yield from _ports(config)
    for folder in config.log_dirs():
        yield from _folder(os.path.abspath(folder))
    yield _time()


def _python() -> Finding:
    version = platform.python_version()
    if platform.python_implementation() != "CPython":
        return Finding("Python", WARNING, f"{version} of {platform.python_implementation()}; only CPython is tested")
    return Finding("Python", GOOD, f"{version}, {sys.platform} {platform.machine()}")


def _libraries() -> Iterator[Finding]:
    found = []
    for name, loss in LIBRARIES.items():
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            yield Finding("library", WARNING if loss else BAD, f"{name} is missing" + (f": {loss}" if loss else ""))
    yield Finding("libraries", GOOD, ", ".join(found))


def _descriptors() -> Finding:
    if os.name != "posix":
        return Finding("descriptors", GOOD, "this system has no such limit")
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    usable = hard if hard != resource.RLIM_INFINITY else soft
    says = f"{soft} now, up to {'any number' if hard == resource.RLIM_INFINITY else hard} on demand"
    if hard != resource.RLIM_INFINITY and usable < DESCRIPTORS_WANTED:
        return Finding("descriptors", WARNING, f"{says}; many connections need {DESCRIPTORS_WANTED} (ulimit -n)")
    return Finding("descriptors", GOOD, says)


def _ports(config: BrokerConfig) -> Iterator[Finding]:
    for each in config.listeners():
        where = f"{each.name}://{each.host}:{each.port}"
        try:
            with contextlib.closing(_bound(each.host, each.port)):
                yield Finding("port", GOOD, f"{where} is free")
        except OSError as error:
            yield Finding("port", BAD, f"{where}: {error.strerror or error}")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError:
        made.close()
        raise
    return made


def _folder(folder: str) -> Iterator[Finding]:
    what = f"folder {folder}"
    parent = folder
    while not os.path.isdir(parent):
        parent = os.path.dirname(parent)
    if not os.access(parent, os.W_OK | os.X_OK):
        yield Finding(what, BAD, f"{parent} cannot be written to by this user")
        return
    if parent != folder:
        yield Finding(what, GOOD, "is not there yet and can be made")
    else:
        yield from _existing(what, folder)
    free = shutil.disk_usage(parent).free
    enough = free >= FREE_BYTES_WANTED
    yield Finding(
        what, GOOD if enough else WARNING, f"{show.size(free)} free" + ("" if enough else ", which is little")
    )
    yield _flushes(what, parent)


def _existing(what: str, folder: str) -> Iterator[Finding]:
    """The format of a folder that holds something, and who uses it."""
    with contextlib.suppress(OSError):
        holder = _lock_holder(folder)
        if holder:
            yield Finding(what, BAD, f"is in use by the process with pid {holder}")
    path = os.path.join(folder, "millrace.properties")
    try:
        with open(path, encoding="utf8") as file:
            version = parse_properties(file.read()).get("format.version", "")
    except FileNotFoundError:
        if any(name != "lost+found" for name in os.listdir(folder)):
            yield Finding(what, WARNING, "is not empty and no data folder of millrace")
        else:
            yield Finding(what, GOOD, "is empty")
        return
    except (OSError, UnicodeDecodeError, BadProperties) as error:
        yield Finding(what, BAD, f"{path}: {error}")
        return
    if not version.isdecimal():
        yield Finding(what, BAD, f"{path} names no format.version")
    elif int(version) > FORMAT_VERSION:
        yield Finding(what, BAD, f"has format version {version}; this millrace reads up to {FORMAT_VERSION}")
    else:
        yield Finding(what, GOOD, f"has format version {version}")


def _lock_holder(folder: str) -> str:
    """The pid of who holds the folder's lock; "" if nobody does."""
    import fcntl

    with open(os.path.join(folder, ".lock"), encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return file.read().strip() or "unknown"
    return ""


def _flushes(what: str, folder: str) -> Finding:
    """How long the disk takes to make a small write safe: what every acks=all waits for."""
    took_ms = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(FLUSHES_TRIED):
            file.write(bytes(4096))
            file.flush()
            begun_s = time.perf_counter()
            os.fdatasync(file.fileno()) if hasattr(os, "fdatasync") else os.fsync(file.fileno())
            took_ms.append((time.perf_counter() - begun_s) * 1000)
    median_ms = statistics.median(took_ms)
    says = f"a flush takes {median_ms:.2f} ms (worst of {FLUSHES_TRIED}: {max(took_ms):.2f} ms)"
    if median_ms > FLUSH_MS_WARNED:
        return Finding(what, WARNING, f"{says}: acks=all will be slow")
    return Finding(what, GOOD, says)


def _time(now_s: Callable[[], float] = time.time) -> Finding:
    """A clock that was never set stamps records with nonsense, and retention then deletes them."""
    now = now_s()
    built = os.path.getmtime(__file__)
    says = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(now))
    if now < built - 86_400:
        return Finding("time", WARNING, f"{says} is before this program was installed: is the clock set?")
    return Finding("time", GOOD, says)
