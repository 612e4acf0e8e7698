"""``millrace produce``: lines of standard input, or files, as records of a topic."""

from __future__ import annotations

import base64
import binascii
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import click

from millrace.cli import show
from millrace.cli.options import Cluster, Failed, Misused, cluster_options, complete_topic
from millrace.client.properties import PRODUCER

if TYPE_CHECKING:
    from confluent_kafka import Producer

CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")
PROGRESS_AFTER_S: Final = 2.0
PROGRESS_EVERY_S: Final = 0.5
CLOSE_S: Final = 60.0


@dataclass(slots=True)
class Outgoing:
    """One record on its way."""

    value: bytes | None
    key: bytes | None = None
    headers: list[tuple[str, bytes | None]] = field(default_factory=list)
    partition: int = -1
    timestamp_ms: int = 0


@click.command()
@click.argument("topic", shell_complete=complete_topic)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--key", help="The key of every record.")
@click.option("--key-separator", metavar="TEXT", help="A line is KEY TEXT VALUE; one without TEXT has no key.")
@click.option("--header", "headers", metavar="NAME=VALUE", multiple=True, help="A header of every record. Repeatable.")
@click.option("--partition", type=click.IntRange(min=0), help="The partition; chosen by the key if not said.")
@click.option("--null", "null_marker", metavar="TEXT", help="A value of just this text is a null (a tombstone).")
@click.option("--whole", is_flag=True, help="Each file is one record, not each line.")
@click.option(
    "--format", "form", type=click.Choice(["lines", "json"]), default="lines", show_default=True,
    help="json: lines as 'millrace consume --json' writes them.",
)  # fmt: skip
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), help="At most so many records a second.")
@click.option("--compression", type=click.Choice(CODECS), help="The codec of the batches.")
@click.option("--acks", type=click.Choice(["all", "1", "0"]), help="When a record counts as written.  [default: all]")
@cluster_options
def produce(
    cluster: Cluster,
    topic: str,
    files: tuple[str, ...],
    key: str | None,
    key_separator: str | None,
    headers: tuple[str, ...],
    partition: int | None,
    null_marker: str | None,
    whole: bool,
    form: str,
    rate: float | None,
    compression: str | None,
    acks: str | None,
) -> None:
    """Write the lines of standard input, or of files, to a topic: a line is a record.

    \b
    Examples:
      echo hello | millrace produce orders
      millrace produce orders --key-separator : < orders.txt
      millrace produce pictures --whole *.png --header type=png
      millrace consume a --json --until-end | millrace produce b --format json
    """
    if whole and (not files or form == "json"):
        raise Misused("--whole needs files, and no --format json")
    if key_separator == "":
        raise Misused("--key-separator must not be empty")
    settings = cluster.settings(PRODUCER)
    settings.setdefault("enable.idempotence", "true" if acks in (None, "all") else "false")
    if compression:
        settings["compression.type"] = compression
    if acks:
        settings["acks"] = acks
    settings.setdefault("linger.ms", "5")
    form_of = _Form(
        key.encode() if key is not None else None, key_separator, _headers(headers), partition, null_marker, form
    )
    records = form_of.whole_files(files) if whole else form_of.lines(_lines(files))
    _Run(cluster, topic, settings, rate).send(records)


def _headers(items: tuple[str, ...]) -> list[tuple[str, bytes | None]]:
    """Unlike other pairs a name may come several times."""
    found: list[tuple[str, bytes | None]] = []
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise Misused(f"--header {item}: expected NAME=VALUE")
        found.append((name, value.encode()))
    return found


def _lines(files: tuple[str, ...]) -> Iterator[bytes]:
    for name in files or ("-",):
        if name == "-":
            yield from sys.stdin.buffer
        else:
            with open(name, "rb") as file:
                yield from file


@dataclass(slots=True)
class _Form:
    """How what is read becomes records."""

    key: bytes | None
    key_separator: str | None
    headers: list[tuple[str, bytes | None]]
    partition: int | None
    null_marker: str | None
    form: str

    def whole_files(self, files: tuple[str, ...]) -> Iterator[Outgoing]:
        for name in files:
            with open(name, "rb") as file:
                yield self._record(self.key, file.read())

    def lines(self, lines: Iterable[bytes]) -> Iterator[Outgoing]:
        separator = self.key_separator.encode() if self.key_separator else None
        for number, raw in enumerate(lines, start=1):
            line = raw.removesuffix(b"\n").removesuffix(b"\r")
            if self.form == "json":
                yield self._of_json(line, number)
                continue
            key, value = self.key, line
            if separator is not None:
                before, found, after = line.partition(separator)
                if found:
                    key, value = before, after
            yield self._record(key, value)

    def _record(self, key: bytes | None, value: bytes) -> Outgoing:
        is_null = self.null_marker is not None and value == self.null_marker.encode()
        return Outgoing(None if is_null else value, key, self.headers, -1 if self.partition is None else self.partition)

    def _of_json(self, line: bytes, number: int) -> Outgoing:
        try:
            fields = json.loads(line)
            if not isinstance(fields, dict):
                raise TypeError("expected an object with key, value, headers")
            headers = [
                (header["name"], _bytes_of(header, "value")) for header in fields.get("headers") or ()
            ] + self.headers
            key = _bytes_of(fields, "key")
            return Outgoing(
                _bytes_of(fields, "value"),
                self.key if key is None else key,
                headers,
                -1 if self.partition is None else self.partition,
                int(fields.get("timestamp_ms") or 0),
            )
        except (ValueError, TypeError, KeyError, AttributeError, binascii.Error) as wrong:
            raise Failed(f"line {number}: {wrong}") from None


def _bytes_of(fields: dict[str, Any], name: str) -> bytes | None:
    """``name`` as text, or ``name_base64`` for what is no text."""
    if f"{name}_base64" in fields:
        return base64.b64decode(fields[f"{name}_base64"], validate=True)
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return None if value is None else value.encode()
    return json.dumps(value).encode()


class _Run:
    """One run of the command: sends, paces, counts, and says how far it is when that takes long."""

    def __init__(self, cluster: Cluster, topic: str, settings: dict[str, Any], rate: float | None) -> None:
        from confluent_kafka import KafkaException, Producer

        self._cluster = cluster.reach()
        self._topic = topic
        self._rate = rate
        try:
            self._producer: Producer = Producer(settings)
        except KafkaException as error:
            raise Misused(str(error.args[0].str())) from None
        self._started_s = time.monotonic()
        self._told_s = self._started_s + PROGRESS_AFTER_S
        self._has_told = False
        self.sent = self.delivered = self.failed = self.bytes = 0
        self._first_failure = ""

    def send(self, records: Iterable[Outgoing]) -> None:
        was_stopped = False
        try:
            for record in records:
                self._send(record)
        except KeyboardInterrupt:
            was_stopped = True
        self._drain()
        self._clear_progress()
        self._tell(was_stopped)

    def _send(self, record: Outgoing) -> None:
        if self._rate is not None:
            self._pace(self._rate)
        while True:
            try:
                self._producer.produce(
                    self._topic,
                    record.value,
                    record.key,
                    partition=record.partition,
                    on_delivery=self._on_delivery,
                    timestamp=record.timestamp_ms,
                    headers=list(record.headers),
                )
            except BufferError:
                self._wait(0.1)
                continue
            break
        self.sent += 1
        self.bytes += len(record.value or b"") + len(record.key or b"")
        self._wait(0)
        if self.failed and self.failed == self.sent:
            raise Failed(f"{self._topic}: {self._first_failure}")  # nothing ever arrived: no use in going on

    def _pace(self, rate: float) -> None:
        due_s = self._started_s + self.sent / rate
        while (left_s := due_s - time.monotonic()) > 0:
            self._wait(min(left_s, PROGRESS_EVERY_S))

    def _wait(self, seconds: float) -> None:
        self._producer.poll(seconds)
        now_s = time.monotonic()
        if now_s >= self._told_s and sys.stderr.isatty():
            self._told_s = now_s + PROGRESS_EVERY_S
            self._has_told = True
            speed = self.delivered / (now_s - self._started_s)
            click.echo(
                f"\r{self.delivered:,} records written, {show.size(self.bytes)}, {speed:,.0f} a second\x1b[K",
                err=True, nl=False,
            )  # fmt: skip

    def _drain(self) -> None:
        deadline_s = time.monotonic() + CLOSE_S
        while len(self._producer) and time.monotonic() < deadline_s:
            self._wait(0.2)

    def _on_delivery(self, error: Any, message: Any) -> None:
        if error is None:
            self.delivered += 1
            return
        self.failed += 1
        if not self._first_failure:
            self._first_failure = error.str().removeprefix("Broker: ").removeprefix("Local: ")

    def _clear_progress(self) -> None:
        if self._has_told:
            click.echo("\r\x1b[K", err=True, nl=False)

    def _tell(self, was_stopped: bool) -> None:
        missing = self.sent - self.delivered
        seconds = time.monotonic() - self._started_s
        if self._cluster.as_json:
            facts = {"topic": self._topic, "records": self.delivered, "bytes": self.bytes, "failed": missing}
            show.as_json({**facts, "seconds": round(seconds, 3)})
        elif sys.stderr.isatty() and not missing:
            show.done(f"{self.delivered:,} records to {self._topic} in {seconds:.1f} s")
        if missing:
            why = self._first_failure or f"no answer within {CLOSE_S:.0f} s"
            raise Failed(f"{missing} of {self.sent} records to {self._topic} were not written: {why}")
        if was_stopped:
            raise SystemExit(130)
