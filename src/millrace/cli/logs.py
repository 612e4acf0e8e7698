"""``millrace logs``: look into the files of a stopped broker, check them, copy partitions, take out a broken batch."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from millrace.base.errors import StorageFault
from millrace.cli import show
from millrace.cli.log_dump import DECODERS, describe_batch, describe_indexes, describe_record, line_of, records_of
from millrace.cli.log_places import Place, find_places, hold
from millrace.cli.options import Failed, Misused
from millrace.storage import mending, names
from millrace.storage.inspection import Report, segment_bases, verify_partition, walk

PATHS = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True))


@click.group()
def logs() -> None:
    """Look into the files of a stopped broker, check and copy them.

    PATH is a data folder, a broker's folder in it, the folder of a partition, or one of its files. Folders of
    Apache Kafka can be read as well. A folder that a running broker holds is refused.

    \b
    Examples:
      millrace logs dump millrace-data/broker-1/orders-0 --records
      millrace logs verify millrace-data
      millrace logs copy millrace-data/broker-1 /mnt/other --partition orders-0
      millrace logs skip millrace-data/broker-1/orders-0
    """


# -- dump --------------------------------------------------------------------------------------------------------------


@logs.command()
@PATHS
@click.option("--records", "-r", is_flag=True, help="The records of each batch too.")
@click.option("--indexes", is_flag=True, help="The entries of indexes, snapshots and epochs too.")
@click.option(
    "--decode",
    type=click.Choice(["auto", "none", *DECODERS]),
    default="auto",
    show_default=True,
    help="How keys and values of internal topics are read; auto goes by the topic's name.",
)
@click.option("--from", "from_offset", metavar="OFFSET", type=int, default=0, help="Begin at the batch with it.")
@click.option("--limit", metavar="COUNT", type=int, help="End after so many batches of each partition.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def dump(
    paths: tuple[str, ...],
    records: bool,
    indexes: bool,
    decode: str,
    from_offset: int,
    limit: int | None,
    as_json: bool,
) -> None:
    """Print the batches of log files, and what is in them."""

    def put(kind: str, facts: dict[str, Any]) -> None:
        click.echo(line_of(kind, facts, as_json=as_json))

    for place in _opened(paths):
        decoder = decode if decode != "auto" else _decoder_for(place)
        if not as_json:
            click.echo(f"{place.path}")
        for seen, base in _batches(place, from_offset, limit):
            put("batch", describe_batch(seen, f"{names.stem(base)}{names.LOG}"))
            if records and seen.batch is not None and seen.problem is None:
                for record in records_of(seen.batch):
                    put("record", describe_record(record, seen.batch, decoder))
        if indexes:
            for kind, facts in describe_indexes(place.disk, place.folder, place.base):
                put(kind, facts)


def _decoder_for(place: Place) -> str:
    topic = (names.parse_partition_folder(place.folder) or ("", 0))[0]
    return {
        "__consumer_offsets": "offsets",
        "__transaction_state": "transactions",
        "__share_group_state": "shares",
        "__cluster_metadata": "metadata",
    }.get(topic, "none")


def _batches(place: Place, from_offset: int, limit: int | None) -> Iterator[tuple[Any, int]]:
    bases = [place.base] if place.base is not None else segment_bases(place.disk, place.folder)
    count = 0
    for number, base in enumerate(bases):
        if number + 1 < len(bases) and bases[number + 1] <= from_offset:
            continue
        for seen in walk(place.disk.open(f"{place.folder}/{names.stem(base)}{names.LOG}"), base):
            if seen.batch is not None and seen.batch.last_offset < from_offset:
                continue
            if limit is not None and count >= limit:
                return
            count += 1
            yield seen, base


# -- verify ------------------------------------------------------------------------------------------------------------


@logs.command()
@PATHS
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def verify(paths: tuple[str, ...], as_json: bool) -> None:
    """Check every batch, record and index entry. Exit code 1 when something is wrong; nothing is changed."""
    places = _opened(paths)
    with _progress("checking", sum(place.size_bytes for place in places)) as advance:
        reports = [(place, verify_partition(place.disk, place.folder, advance)) for place in places]
    if as_json:
        show.as_json([_report(place, report) for place, report in reports])
    else:
        show.table(
            ["PARTITION", "SEGMENTS", "BATCHES", "RECORDS", "SIZE", "START", "END", "PROBLEMS"],
            (
                [
                    place.path, each.segments, each.batches, each.records, show.size(each.size_bytes),
                    each.start_offset, each.end_offset, len(each.problems),
                ]
                for place, each in reports
            ),
            right=["SEGMENTS", "BATCHES", "RECORDS", "SIZE", "START", "END", "PROBLEMS"],
            empty="no partitions",
        )  # fmt: skip
        for place, report in reports:
            for problem in report.problems:
                show.warn(f"{Path(place.disk.root) / problem.path}: {problem.reason}")
    count = sum(len(report.problems) for _, report in reports)
    if count:
        raise Failed(f"{count} problems; a broken batch can be taken out with 'millrace logs skip'")
    if not as_json:
        show.done("nothing is wrong")


def _report(place: Place, report: Report) -> dict[str, Any]:
    return {
        "path": place.path,
        "segments": report.segments,
        "batches": report.batches,
        "records": report.records,
        "size_bytes": report.size_bytes,
        "start_offset": report.start_offset,
        "end_offset": report.end_offset,
        "problems": [
            {"path": problem.path, "position": problem.position, "reason": problem.reason}
            for problem in report.problems
        ],
    }


# -- skip --------------------------------------------------------------------------------------------------------------


@logs.command()
@click.argument("path", metavar="PATH", type=click.Path(exists=True))
@click.option("--position", metavar="BYTES", type=int, help="Only the batch at this position of a log file.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def skip(path: str, position: int | None, yes: bool) -> None:
    """Replace each broken batch of a partition by an empty one of the same offsets.

    What was in it is lost; readers go on behind it. PATH is the folder of a partition or one of its log files.
    """
    places = _opened((path,))
    if len(places) != 1:
        raise Misused(f"{path} has {len(places)} partitions; name one")
    place = places[0]
    if position is not None and place.base is None:
        raise Misused("--position needs the name of a log file")
    bases = [place.base] if place.base is not None else segment_bases(place.disk, place.folder)
    found = {
        base: [
            each
            for each in mending.find_broken(place.disk, place.folder, base)
            if position is None or each.position == position
        ]
        for base in bases
    }
    found = {base: broken for base, broken in found.items() if broken}
    if not found:
        raise Failed(f"{path} has no broken batch that can be skipped")
    for base, broken in found.items():
        for each in broken:
            show.warn(
                f"{place.folder}/{names.stem(base)}{names.LOG} at {each.position}: offsets {each.first_offset} to "
                f"{each.last_offset}, {each.size} bytes: {each.reason}"
            )
    count = sum(last - first + 1 for first, last in _ranges(found))
    if not yes and not click.confirm(f"The records at {count} offsets are lost for good. Go on?", err=True):
        raise Failed("nothing was changed")
    for base, broken in found.items():
        try:
            mending.skip(place.disk, place.folder, base, broken)
        except StorageFault as fault:
            raise Failed(str(fault)) from None
    show.done(f"{sum(map(len, found.values()))} batches are empty now")


def _ranges(found: dict[int, list[mending.Broken]]) -> Iterator[tuple[int, int]]:
    for broken in found.values():
        for each in broken:
            yield each.first_offset, each.last_offset


# -- copy --------------------------------------------------------------------------------------------------------------


@logs.command()
@click.argument("source", metavar="FROM", type=click.Path(exists=True, file_okay=False))
@click.argument("target", metavar="TO", type=click.Path(file_okay=False))
@click.option("--partition", "partitions", metavar="TOPIC-N", multiple=True, help="Only these; else all.")
@click.option("--replace", is_flag=True, help="Take the place of partitions that are there, under their topic's id.")
@click.option("--force", is_flag=True, help="Copy also what 'millrace logs verify' complains about.")
def copy(source: str, target: str, partitions: tuple[str, ...], replace: bool, force: bool) -> None:
    """Copy partitions from one broker's folder to another's, both stopped.

    A broker serves a partition that its cluster's metadata knows: make the topic there first, stop the broker, and
    copy with --replace. The same way leads from and to the log folders of Apache Kafka.
    """
    places = [place for place in _opened((source,)) if not partitions or place.folder in partitions]
    missing = set(partitions) - {place.folder for place in places}
    if missing or not places:
        raise Failed(f"{source} has no partition {', '.join(sorted(missing)) or 'at all'}")
    into = hold(Path(target))
    there = [place.folder for place in places if into.is_folder(place.folder)]
    if there and not replace:
        raise Failed(f"{target} has {', '.join(there)} already; --replace puts the copy in its place")
    if not force:
        with _progress("checking", sum(place.size_bytes for place in places)) as advance:
            for place in places:
                report = verify_partition(place.disk, place.folder, advance)
                if any(problem.position is not None for problem in report.problems):
                    raise Failed(f"{place.path} has broken batches; see 'millrace logs verify', or use --force")
    with _progress("copying", sum(place.folder_bytes for place in places)) as advance:
        for place in places:
            replaced_as = names.deleted_folder(place.folder, uuid.uuid4().hex) if replace else None
            try:
                mending.copy_partition(place.disk, into, place.folder, replaced_as=replaced_as, on_bytes=advance)
            except StorageFault as fault:
                raise Failed(str(fault)) from None
    show.done(f"{len(places)} partitions are in {target}")


# -- together ----------------------------------------------------------------------------------------------------------


def _opened(paths: tuple[str, ...]) -> list[Place]:
    found: list[Place] = []
    for path in paths:
        places = find_places(Path(path))
        if not places:
            raise Failed(f"there is no partition in {path}")
        found += places
    return found


@contextmanager
def _progress(what: str, total_bytes: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr where somebody looks on."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total_bytes)
        yield lambda count: progress.advance(task, count)
