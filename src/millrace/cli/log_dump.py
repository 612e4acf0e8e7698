"""What ``millrace logs dump`` says of a batch, a record, an index entry: plain facts, as text or as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

from millrace.base.errors import PeerError, Refused, StorageFault
from millrace.base.limits import DECOMPRESSED_BYTES_MAX
from millrace.base.ports import Disk
from millrace.kafka import compression, records
from millrace.kafka.batch import DELETE_HORIZON_BIT, TIMESTAMP_TYPE_BIT, Batch
from millrace.kafka.record import CONTROL_ABORT, CONTROL_COMMIT, Record, control_type, iter_records
from millrace.schema.classes import Part
from millrace.storage import names
from millrace.storage.checkpoint import parse_lines
from millrace.storage.cleaner_transactions import decode_transaction_index
from millrace.storage.indexes import OffsetIndex, TimeIndex
from millrace.storage.inspection import Seen
from millrace.storage.producer_snapshot import decode_snapshot

Facts = dict[str, Any]
_CONTROL_NAMES = {CONTROL_ABORT: "abort", CONTROL_COMMIT: "commit"}


def line_of(kind: str, facts: Facts, *, as_json: bool) -> str:
    """One line: a JSON object, or names and values."""
    if as_json:
        return json.dumps({"kind": kind, **facts}, ensure_ascii=False)
    indent = "" if kind == "batch" else "  "
    shown = (f"{name}: {_plain_text(value)}" for name, value in facts.items() if value is not None)
    return f"{indent}{kind} {' '.join(shown)}"


def _plain_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def describe_batch(seen: Seen, file: str) -> Facts:
    """A batch's header; of a broken one what can be said."""
    batch = seen.batch
    if batch is None:
        return {"file": file, "position": seen.position, "size": seen.size, "problem": seen.problem}
    facts: Facts = {
        "base_offset": batch.base_offset,
        "last_offset": batch.last_offset,
        "records": batch.record_count,
        "position": seen.position,
        "size": seen.size,
        "leader_epoch": batch.leader_epoch,
        "LogAppendTime" if batch.attributes & TIMESTAMP_TYPE_BIT else "CreateTime": batch.max_timestamp,
        "codec": compression.NAMES[batch.codec],
        "producer_id": batch.producer_id,
        "producer_epoch": batch.producer_epoch,
        "base_sequence": batch.base_sequence,
        "last_sequence": batch.last_sequence if batch.base_sequence >= 0 else -1,
        "transactional": batch.is_transactional,
        "control": batch.is_control,
        "delete_horizon_ms": batch.base_timestamp if batch.attributes & DELETE_HORIZON_BIT else None,
        "crc": batch.crc,
        "file": file,
        "problem": seen.problem,
    }
    return facts


def records_of(batch: Batch) -> Iterator[Record]:
    """The records up to the first that is broken."""
    try:
        yield from iter_records(batch, DECOMPRESSED_BYTES_MAX)
    except Refused:
        return  # ``logs verify`` says why


def describe_record(record: Record, batch: Batch, decoder: str) -> Facts:
    facts: Facts = {"offset": record.offset, "timestamp": record.timestamp}
    if batch.is_control:
        return facts | _control(record)
    key, value = record.key, record.value
    if decoder in DECODERS:
        try:
            facts |= DECODERS[decoder](key, value)
        except (PeerError, Refused) as error:
            facts |= {"key": shown(key), "value": shown(value), "problem": str(error)}
    else:
        facts |= {"key": shown(key), "value": shown(value)}
    try:
        headers = record.headers
    except Refused as error:
        return facts | {"problem": error.message}
    if headers:
        facts["headers"] = {name: shown(content) for name, content in headers}
    return facts


def _control(record: Record) -> Facts:
    try:
        kind = control_type(record.key)
    except Refused as error:
        return {"problem": error.message}
    return {"control": _CONTROL_NAMES.get(kind, kind), "value": shown(record.value)}


def shown(content: bytes | None) -> Any:
    """Text where it is text, else base64 said to be so."""
    if content is None:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}
    return text if text.isprintable() or not text else {"base64": base64.b64encode(content).decode()}


def _coordinator(log: str) -> Callable[[bytes | None, bytes | None], Facts]:
    def decode(key: bytes | None, value: bytes | None) -> Facts:
        if key is None:
            raise PeerError("a record without a key")
        found = records.decode_key(log, key)
        if found is None:
            return {"key": shown(key), "value": shown(value)}
        return {"key": _fields(found), "value": _fields(records.decode_value(found, value))}

    return decode


def _metadata(key: bytes | None, value: bytes | None) -> Facts:
    if value is None:
        return {"key": shown(key), "value": None}
    return {"key": shown(key), "value": _fields(records.decode_metadata(value))}


def _fields(value: Any) -> Any:
    """A message as names and values, its own name first."""
    if isinstance(value, Part):
        fields = {name: _fields(getattr(value, name)) for name in type(value).FIELDS}
        if not fields.get("unknown_tags"):
            fields.pop("unknown_tags", None)
        return {"type": type(value).__name__, **fields} if hasattr(value, "NAME") else fields
    if isinstance(value, list):
        return [_fields(each) for each in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return shown(bytes(value))
    return value


DECODERS: dict[str, Callable[[bytes | None, bytes | None], Facts]] = {
    "offsets": _coordinator(records.GROUP),
    "transactions": _coordinator(records.TRANSACTION),
    "shares": _coordinator(records.SHARE),
    "metadata": _metadata,
}


def describe_indexes(disk: Disk, folder: str, base: int | None) -> Iterator[tuple[str, Facts]]:
    """The entries of every file of a partition that is not a log; of one segment only where ``base`` says so."""
    for name in disk.list(folder):
        path = f"{folder}/{name}"
        if base is not None and names.offset_of(name) != base:
            continue
        try:
            yield from _entries(path, name, disk.read_whole(path))
        except StorageFault as fault:
            yield "file", {"file": name, "problem": str(fault)}


def _entries(path: str, name: str, content: bytes) -> Iterator[tuple[str, Facts]]:
    first = names.offset_of(name) or 0
    if name.endswith(names.OFFSET_INDEX):
        for relative, position in OffsetIndex.ENTRY.iter_unpack(content[: len(content) // 8 * 8]):
            yield "offset-index", {"offset": first + relative, "position": position, "file": name}
    elif name.endswith(names.TIME_INDEX):
        for timestamp, relative in TimeIndex.ENTRY.iter_unpack(content[: len(content) // 12 * 12]):
            yield "time-index", {"timestamp": timestamp, "offset": first + relative, "file": name}
    elif name.endswith(names.TRANSACTION_INDEX):
        for entry in decode_transaction_index(content, path):
            yield "aborted-transaction", {**entry._asdict(), "file": name}
    elif name.endswith(names.SNAPSHOT):
        for producer_id, producer in decode_snapshot(path, content).items():
            yield (
                "producer",
                {
                    "producer_id": producer_id,
                    "producer_epoch": producer.epoch,
                    "last_sequence": producer.last_sequence,
                    "last_offset": producer.last_offset,
                    "last_timestamp": producer.timestamp,
                    "coordinator_epoch": producer.coordinator_epoch,
                    "transaction_first_offset": producer.transaction_first_offset,
                    "file": name,
                },
            )
    elif name == names.LEADER_EPOCHS:
        for epoch, start_offset in parse_lines(path, content, fields=2):
            yield "leader-epoch", {"epoch": int(epoch), "start_offset": int(start_offset), "file": name}
