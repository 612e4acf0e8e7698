"""Jars are taken by their hash: found, else downloaded whole and right, else refused by name."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tools import kafka_jars
from tools.kafka_jars import Jar, JarMissing

CONTENT = b"a jar" * 1000
JAR = Jar("org.example.mill", "race", "1.2", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture(autouse=True)
def empty_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAVEN_LOCAL_REPOSITORY", str(tmp_path / "m2"))
    monkeypatch.setenv("MILLRACE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MAVEN_BASE_URL", (tmp_path / "mirror").as_uri() + "/")
    monkeypatch.setenv("PATH", "")  # no mvn to fall back to


def put(root: Path, content: bytes) -> Path:
    path = root / JAR.repository_path
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def test_a_jar_of_the_local_repository_is_used_where_it_is(tmp_path: Path) -> None:
    path = put(tmp_path / "m2", CONTENT)
    assert kafka_jars.find(JAR) == path


def test_a_jar_with_another_hash_is_not_found(tmp_path: Path) -> None:
    put(tmp_path / "m2", CONTENT[:-1] + b"!")
    assert kafka_jars.find(JAR) is None


def test_a_download_is_kept_once_its_hash_is_right(tmp_path: Path) -> None:
    put(tmp_path / "mirror", CONTENT)
    path = kafka_jars.download(JAR)
    assert path.read_bytes() == CONTENT
    assert kafka_jars.find(JAR) == path


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"more", b"x" * len(CONTENT), b""])
def test_another_file_is_refused_and_nothing_stays(tmp_path: Path, content: bytes) -> None:
    put(tmp_path / "mirror", content)
    with pytest.raises(JarMissing, match=r"org\.example\.mill:race:1\.2"):
        kafka_jars.download(JAR)
    assert list((tmp_path / "cache" / "jars").iterdir()) == []


def test_a_jar_that_cannot_be_had_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(JarMissing, match=r"org.example.mill:race:1.2.*MAVEN_BASE_URL"):
        kafka_jars.download(JAR)


def test_the_lock_table_is_sound() -> None:
    jars = kafka_jars.locked_jars()
    assert len({jar.file_name for jar in jars}) == len(jars) > 40
    for jar in jars:
        assert len(jar.sha256) == 64
        assert jar.size > 0
