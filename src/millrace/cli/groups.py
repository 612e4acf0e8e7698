"""``millrace groups``: consumer groups, how far they have read, and how to make them read again."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any

import click

from millrace.cli import show
from millrace.cli.moment import BadMoment, Moment, parse_moment
from millrace.cli.options import Cluster, Failed, Misused, cluster_options
from millrace.client.errors import ClientError

if TYPE_CHECKING:
    from millrace.client.admin import Admin, Group

Place = tuple[str, int]


@click.group()
def groups() -> None:
    """Consumer groups: list, describe, move their offsets, delete.

    \b
    Examples:
      millrace groups list
      millrace groups describe billing
      millrace groups reset-offsets billing --topic orders --to earliest            (shows what it would do)
      millrace groups reset-offsets billing --topic orders --to -2h --execute
      millrace groups delete billing
    """


@groups.command("list")
@cluster_options
def list_(cluster: Cluster) -> None:
    """All groups with their state."""
    found = cluster.admin().groups()
    if cluster.as_json:
        show.as_json([{"group": each.id, "state": each.state, "type": each.kind} for each in found])
        return
    show.table(["GROUP", "STATE", "TYPE"], ([each.id, each.state, each.kind] for each in found), empty="no groups")


@groups.command()
@click.argument("group_ids", metavar="GROUP...", nargs=-1, required=True)
@cluster_options
def describe(cluster: Cluster, group_ids: tuple[str, ...]) -> None:
    """Members, what each reads, committed offsets and lag."""
    admin = cluster.admin()
    found = []
    for group_id in group_ids:
        group = admin.group(group_id)
        progress = _progress(admin, group)
        if group.state == "Dead" and not progress:
            raise Failed(f"there is no group {group_id}")
        found.append((group, progress))
    if cluster.as_json:
        show.as_json([{**dataclasses.asdict(group), "partitions": progress} for group, progress in found])
        return
    for group, progress in found:
        lag = sum(each["lag"] or 0 for each in progress)
        click.echo(f"{group.id}: {group.state}, {len(group.members)} members, lag {lag}")
        show.table(
            ["TOPIC", "PARTITION", "COMMITTED", "END", "LAG", "MEMBER", "HOST"],
            ([each[name] for name in _COLUMNS] for each in progress),
            right=["PARTITION", "COMMITTED", "END", "LAG"],
            empty="it has committed nothing and reads nothing",
        )


_COLUMNS = ("topic", "partition", "committed", "end", "lag", "member", "host")


def _progress(admin: Admin, group: Group) -> list[dict[str, Any]]:
    """One line for each partition that was committed or is read now."""
    committed = admin.group_offsets(group.id)
    readers = {place: member for member in group.members for place in member.partitions}
    known = {topic.name for topic in admin.topics()}
    places = sorted(committed.keys() | readers.keys())
    ends = _ends(admin, [place for place in places if place[0] in known])
    lines = []
    for place in places:
        member, end, offset = readers.get(place), ends.get(place), committed.get(place)
        lines.append(
            {
                "topic": place[0],
                "partition": place[1],
                "committed": offset,
                "end": end,
                "lag": max(end - offset, 0) if end is not None and offset is not None else None,
                "member": member.id if member else None,
                "client": member.client_id if member else None,
                "host": member.host if member else None,
            }
        )
    return lines


def _ends(admin: Admin, places: list[Place]) -> dict[Place, int]:
    from confluent_kafka.admin import OffsetSpec

    return admin.offsets(places, OffsetSpec.latest())


@groups.command()
@click.argument("group_ids", metavar="GROUP...", nargs=-1, required=True)
@cluster_options
def delete(cluster: Cluster, group_ids: tuple[str, ...]) -> None:
    """Forget groups that have no members, with their offsets."""
    cluster.admin().delete_groups(group_ids)
    if cluster.as_json:
        show.as_json({"deleted": list(group_ids)})
        return
    show.done(f"deleted {', '.join(group_ids)}")


@groups.command("reset-offsets")
@click.argument("group_id", metavar="GROUP")
@click.option(
    "--topic", "topics", metavar="TOPIC[:PARTITION,...]", multiple=True, help="Only these; else all committed."
)
@click.option("--to", "where", metavar="WHERE", help="An offset, earliest, latest, a time, or how long ago (-2h).")
@click.option("--by", "shift", type=int, metavar="N", help="So many records on, or back if negative.")
@click.option("--execute", is_flag=True, help="Do it. Without this, only show what would be done.")
@cluster_options
def reset_offsets(
    cluster: Cluster, group_id: str, topics: tuple[str, ...], where: str | None, shift: int | None, execute: bool
) -> None:
    """Let a group without members read on from another place; shows it, and does it with --execute."""
    if (where is None) == (shift is None):
        raise Misused("say either --to or --by")
    admin = cluster.admin()
    committed = admin.group_offsets(group_id)
    places = _places(admin, topics) if topics else sorted(committed)
    if not places:
        raise Failed(f"group {group_id} has committed nothing: say which --topic")
    offsets = _targets(admin, places, committed, where, shift)
    if execute:
        if admin.group(group_id).members:
            raise Failed(f"group {group_id} has members: stop them first")
        admin.set_group_offsets(group_id, offsets)
    if cluster.as_json:
        moved = [
            {"topic": place[0], "partition": place[1], "from": committed.get(place), "to": offsets[place]}
            for place in places
        ]
        show.as_json({"group": group_id, "executed": execute, "partitions": moved})
        return
    show.table(
        ["TOPIC", "PARTITION", "COMMITTED", "NEW"],
        ([place[0], place[1], committed.get(place), offsets[place]] for place in places),
        right=["PARTITION", "COMMITTED", "NEW"],
    )
    if execute:
        show.done(f"group {group_id} reads on from there")
    else:
        show.warn("nothing was changed; --execute does it")


def _places(admin: Admin, topics: tuple[str, ...]) -> list[Place]:
    """``TOPIC`` or ``TOPIC:0,2`` as partitions."""
    wanted: list[Place] = []
    for item in topics:
        name, _, numbers = item.partition(":")
        (topic,) = admin.topics([name])
        known = [each.index for each in topic.partitions]
        try:
            chosen = [int(number) for number in numbers.split(",")] if numbers else known
        except ValueError:
            raise Misused(f"--topic {item}: expected TOPIC or TOPIC:0,1,...") from None
        missing = sorted(set(chosen) - set(known))
        if missing:
            raise ClientError(f"{name} has no partition {', '.join(map(str, missing))}")
        wanted += [(name, index) for index in chosen]
    return sorted(set(wanted))


def _targets(
    admin: Admin, places: list[Place], committed: dict[Place, int], where: str | None, shift: int | None
) -> dict[Place, int]:
    """The new offset of each partition, within what its log holds."""
    from confluent_kafka.admin import OffsetSpec

    starts, ends = admin.offsets(places, OffsetSpec.earliest()), admin.offsets(places, OffsetSpec.latest())
    if shift is not None:
        unknown = [f"{topic}-{index}" for topic, index in places if (topic, index) not in committed]
        if unknown:
            raise Failed(f"--by needs a committed offset, and {', '.join(unknown)} has none")
        wanted = {place: committed[place] + shift for place in places}
    else:
        assert where is not None
        try:
            moment: Moment = parse_moment(where, time.time_ns() // 1_000_000)
        except BadMoment as wrong:
            raise Misused(f"--to {wrong}") from None
        if moment.end:
            return starts if moment.end == "earliest" else ends
        if moment.timestamp_ms >= 0:
            return admin.offsets_at(places, moment.timestamp_ms)
        wanted = dict.fromkeys(places, moment.offset)
    return {place: min(max(offset, starts[place]), ends[place]) for place, offset in wanted.items()}
