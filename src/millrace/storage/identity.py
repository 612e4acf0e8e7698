"""Whose a folder is: ``meta.properties`` of a log folder, ``partition.metadata`` of a partition's, in Kafka's form."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from millrace.base.errors import StorageFault

UUID_BYTES = 16


def encode_uuid(uuid: bytes) -> str:
    """Kafka's way to write a UUID: URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(uuid).decode().rstrip("=")


def decode_uuid(path: str, text: str) -> bytes:
    try:
        uuid = base64.urlsafe_b64decode(text + "==")
    except ValueError:
        uuid = b""
    if len(uuid) != UUID_BYTES:
        raise StorageFault(path, f"{text!r} is no UUID in base64")
    return uuid


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """What ``meta.properties`` says."""

    node_id: int
    cluster_id: str
    directory_id: bytes

    def encode(self) -> bytes:
        lines = [
            "version=1",
            f"cluster.id={self.cluster_id}",
            f"node.id={self.node_id}",
            f"directory.id={encode_uuid(self.directory_id)}",
        ]
        return "\n".join([*lines, ""]).encode()


def parse_folder_identity(path: str, content: bytes) -> FolderIdentity:
    """Raises StorageFault when the file cannot be right."""
    fields: dict[str, str] = {}
    for line in content.decode(errors="replace").splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            fields[name.strip()] = value.strip()
    if fields.get("version") != "1":
        raise StorageFault(path, f"has version {fields.get('version')}, expected 1")
    if not fields.get("node.id", "").isdigit() or not fields.get("cluster.id"):
        raise StorageFault(path, "names no node.id and cluster.id")
    directory_id = fields.get("directory.id")
    return FolderIdentity(
        int(fields["node.id"]),
        fields["cluster.id"],
        decode_uuid(path, directory_id) if directory_id else bytes(UUID_BYTES),
    )


def encode_partition_metadata(topic_id: bytes) -> bytes:
    return f"version: 0\ntopic_id: {encode_uuid(topic_id)}".encode()


def parse_partition_metadata(path: str, content: bytes) -> bytes:
    """The topic id; raises StorageFault when the file cannot be right."""
    lines = content.decode(errors="replace").splitlines()
    if len(lines) < 2 or lines[0].split() != ["version:", "0"] or not lines[1].startswith("topic_id:"):
        raise StorageFault(path, "does not hold a version and a topic id")
    return decode_uuid(path, lines[1].removeprefix("topic_id:").strip())
