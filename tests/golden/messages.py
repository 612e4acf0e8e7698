"""The golden bytes of messages: where they lie, how they are made, how they are read.

Each line is a message, a version and what Apache Kafka 4.3.1's own class wrote for the full sample of it, in hex. The
oracle test compares the file with the classes again; who has no Java virtual machine still compares with the file.

    python -m tests.golden.messages     write the file anew, from Kafka's classes
"""

from __future__ import annotations

from pathlib import Path

from tests.kafka.sample_messages import all_pairs, sample

FILE = Path(__file__).with_name("messages.hex")


def golden_bytes() -> dict[tuple[str, int], bytes]:
    """What Kafka wrote, by message and version."""
    found = {}
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            name, version, *content = line.split()  # a message without fields has no bytes
            found[name, int(version)] = bytes.fromhex("".join(content))
    return found


def main() -> None:
    from tests.oracle.java_messages import to_java, written_by_java

    lines = ["# message version bytes: written by Apache Kafka 4.3.1's classes through python -m tests.golden.messages"]
    for cls, version in all_pairs():
        content = written_by_java(to_java(sample(cls, version)), version)
        lines.append(f"{cls.NAME} {version} {content.hex()}".rstrip())
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
