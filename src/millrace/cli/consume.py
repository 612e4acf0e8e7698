"""``millrace consume``: the records of topics on standard output."""

from __future__ import annotations

import base64
import datetime
import json
import re
import sys
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from millrace.cli.moment import BadMoment, Moment, parse_moment
from millrace.cli.options import Cluster, Failed, Misused, cluster_options, complete_topic
from millrace.client.properties import CONSUMER

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Message

    from millrace.client.admin import Admin

POLL_S: Final = 0.2
DEFAULT_FORMAT: Final = "%v\\n"
Place = tuple[str, int]


@click.command()
@click.argument("topics", metavar="TOPIC...", nargs=-1, required=True, shell_complete=complete_topic)
@click.option("--from-beginning", is_flag=True, help="The same as --from earliest.")
@click.option("--from", "start", metavar="WHERE", help="An offset, earliest, latest, a time, or how long ago (-15m).")
@click.option("--group", metavar="ID", help="As a member of this group, which remembers how far it has read.")
@click.option("--partition", "partitions", type=click.IntRange(min=0), multiple=True, help="Only these. Repeatable.")
@click.option("--max", "records_max", metavar="N", type=click.IntRange(min=1), help="End after so many records.")
@click.option("--until-end", is_flag=True, help="End where the log ended when this began.")
@click.option(
    "--idle", "idle_s", metavar="SECONDS", type=click.FloatRange(min=0), help="End when nothing came so long."
)
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    help=r"%t topic, %p partition, %o offset, %k key, %v value, %h headers, %T time, %s bytes; \n \t.  [default: %v\n]",
)
@click.option("--show-key", is_flag=True, help=r"The same as --format '%k\t%v\n'.")
@click.option(
    "--isolation", type=click.Choice(["read_committed", "read_uncommitted"]), help="[default: read_committed]"
)
@cluster_options
def consume(
    cluster: Cluster,
    topics: tuple[str, ...],
    from_beginning: bool,
    start: str | None,
    group: str | None,
    partitions: tuple[int, ...],
    records_max: int | None,
    until_end: bool,
    idle_s: float | None,
    form: str | None,
    show_key: bool,
    isolation: str | None,
) -> None:
    """Write the records of topics to standard output, and follow them until Ctrl-C.

    New records only, unless --from says otherwise or the group has read before.

    \b
    Examples:
      millrace consume orders --from-beginning
      millrace consume orders --from -15m --until-end --json
      millrace consume orders --group audit --max 100
      millrace consume orders --from-beginning --format '%p:%o %k %v\\n'
    """
    if from_beginning and start:
        raise Misused("say either --from-beginning or --from")
    if group and (partitions or until_end):
        raise Misused(
            "with --group the group says which partitions are read and from where: no --partition, --until-end"
        )
    try:
        moment = parse_moment("earliest" if from_beginning else start or "latest", time.time_ns() // 1_000_000)
    except BadMoment as wrong:
        raise Misused(f"--from {wrong}") from None
    if group and not moment.end:
        raise Misused("with --group only --from earliest and --from latest are possible; see 'groups reset-offsets'")
    settings = cluster.settings(CONSUMER)
    settings["auto.offset.reset"] = moment.end or "earliest"
    settings["group.id"] = group or f"millrace-consume-{uuid.uuid4().hex[:8]}"
    settings["enable.auto.commit"] = bool(group)
    if isolation:
        settings["isolation.level"] = isolation
    write = _json_line if cluster.as_json else _formatter(r"%k\t%v\n" if show_key else form or DEFAULT_FORMAT)
    run = _Run(cluster, settings, write, records_max, idle_s)
    if group:
        run.subscribe(list(topics))
    else:
        run.assign(topics, partitions, moment, until_end)
    run.follow()


class _Run:
    """One run of the command."""

    def __init__(
        self,
        cluster: Cluster,
        settings: dict[str, Any],
        write: Callable[[Message], bytes],
        records_max: int | None,
        idle_s: float | None,
    ) -> None:
        from confluent_kafka import Consumer, KafkaException

        self._cluster = cluster
        self._admin: Admin = cluster.admin()
        self._write = write
        self._left = records_max
        self._idle_s = idle_s
        self._ends: dict[Place, int] | None = None  # what is left to read up to, of --until-end
        try:
            self._consumer: Consumer = Consumer(settings)
        except KafkaException as error:
            raise Misused(str(error.args[0].str())) from None

    def subscribe(self, topics: list[str]) -> None:
        self._admin.topics(topics)  # one that is not there is said now, not waited for
        self._consumer.subscribe(topics)

    def assign(self, topics: tuple[str, ...], partitions: tuple[int, ...], moment: Moment, until_end: bool) -> None:
        from confluent_kafka import TopicPartition

        found = self._admin.topics_with_offsets(topics)
        starts: dict[Place, int] = {}
        ends: dict[Place, int] = {}
        for topic in found:
            for each in topic.partitions:
                if not partitions or each.index in partitions:
                    place = topic.name, each.index
                    ends[place] = each.end_offset
                    starts[place] = each.end_offset if moment.end == "latest" else each.start_offset
            missing = set(partitions) - {each.index for each in topic.partitions}
            if missing:
                raise Failed(f"{topic.name} has no partition {', '.join(map(str, sorted(missing)))}")
        if moment.offset >= 0:
            starts = {place: max(first, moment.offset) for place, first in starts.items()}
        elif moment.timestamp_ms >= 0:
            starts = self._admin.offsets_at(starts, moment.timestamp_ms)
        if until_end:
            self._ends = {place: end for place, end in ends.items() if starts[place] < end}
        self._consumer.assign([TopicPartition(topic, index, first) for (topic, index), first in starts.items()])

    def follow(self) -> None:
        """Until Ctrl-C, the number of records, the end or the idle time is reached."""
        out = sys.stdout.buffer
        try:
            while not self._is_at_end():
                message = self._next()
                if message is None:
                    break
                out.write(self._write(message))
                if self._left is not None:
                    self._left -= 1
                self._pass(message)
        except KeyboardInterrupt:
            pass  # the way to end it
        finally:
            self._consumer.close()
        out.flush()

    def _is_at_end(self) -> bool:
        if self._ends is not None:
            for topic, index in list(self._ends):
                self._pass_position(topic, index)
        return self._left == 0 or self._ends == {}

    def _next(self) -> Message | None:
        """The next record; None when nothing came for as long as was said."""
        quiet_since_s = time.monotonic()
        while True:
            message = self._consumer.poll(0)
            if message is None:
                sys.stdout.buffer.flush()
                message = self._consumer.poll(POLL_S)
            if message is not None:
                self._check(message)
                return message
            if self._idle_s is not None and time.monotonic() - quiet_since_s >= self._idle_s:
                return None
            if self._is_at_end():
                return None

    def _check(self, message: Message) -> None:
        error = message.error()
        if error is not None:
            raise Failed(error.str().removeprefix("Broker: "))

    def _pass(self, message: Message) -> None:
        if self._ends is None:
            return
        place = (message.topic() or "", message.partition() or 0)
        if place in self._ends and (message.offset() or 0) + 1 >= self._ends[place]:
            del self._ends[place]

    def _pass_position(self, topic: str, index: int) -> None:
        """Markers and compaction leave offsets without a record: the position passes them all the same."""
        from confluent_kafka import TopicPartition

        assert self._ends is not None
        (at,) = self._consumer.position([TopicPartition(topic, index)])
        if at.offset >= self._ends[topic, index]:
            del self._ends[topic, index]


# -- how a record is written -----------------------------------------------------------------------------------------


def _time_of(message: Message) -> int | None:
    kind, timestamp_ms = message.timestamp()
    return timestamp_ms if kind else None


def _text_fields(name: str, value: bytes | None) -> dict[str, str | None]:
    """As text where it is text, else in base64 under another name: nothing is lost."""
    if value is None:
        return {name: None}
    try:
        return {name: value.decode()}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(value).decode()}


def _json_line(message: Message) -> bytes:
    fields: dict[str, Any] = {
        "topic": message.topic(),
        "partition": message.partition(),
        "offset": message.offset(),
        "timestamp_ms": _time_of(message),
        **_text_fields("key", _bytes(message.key())),
        **_text_fields("value", _bytes(message.value())),
    }
    headers = _headers(message)
    if headers:
        fields["headers"] = [{"name": name, **_text_fields("value", value)} for name, value in headers]
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _bytes(value: Any) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


def _headers(message: Message) -> list[tuple[str, bytes | None]]:
    headers: Any = message.headers() or []  # a list of pairs, whatever else its type allows
    return [(name, _bytes(value)) for name, value in headers]


def _headers_of(message: Message) -> bytes:
    return b",".join(name.encode() + b"=" + (value or b"") for name, value in _headers(message))


def _moment_of(message: Message) -> bytes:
    timestamp_ms = _time_of(message)
    if timestamp_ms is None:
        return b"-"
    return datetime.datetime.fromtimestamp(timestamp_ms / 1000).astimezone().isoformat(timespec="milliseconds").encode()


_FIELDS: Final[dict[str, Callable[[Any], bytes]]] = {
    "t": lambda message: message.topic().encode(),
    "p": lambda message: b"%d" % message.partition(),
    "o": lambda message: b"%d" % message.offset(),
    "k": lambda message: _bytes(message.key()) or b"",
    "v": lambda message: _bytes(message.value()) or b"",
    "s": lambda message: b"%d" % len(message.value() or b""),
    "h": _headers_of,
    "T": _moment_of,
    "%": lambda message: b"%",
}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}


def _formatter(form: str) -> Callable[[Message], bytes]:
    """What writes a record in a format; Misused for one that has a letter of no meaning."""
    parts: list[bytes | Callable[[Any], bytes]] = []
    for match in re.finditer(r"%(.?)|\\(.)|([^%\\]+|\\$)", form, re.DOTALL):
        letter, escaped, plain = match.groups()
        if plain is not None:
            parts.append(plain.encode())
        elif escaped is not None:
            parts.append(_ESCAPES.get(escaped, escaped).encode())
        elif letter in _FIELDS:
            parts.append(_FIELDS[letter])
        else:
            raise Misused(f"--format {form!r}: %{letter} has no meaning; known are %{' %'.join(_FIELDS)}")
    return lambda message: b"".join(part if isinstance(part, bytes) else part(message) for part in parts)
