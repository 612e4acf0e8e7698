"""``millrace topics``: list, describe, create, alter and delete topics."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from millrace.cli import show
from millrace.cli.options import Cluster, Failed, Misused, cluster_options, complete_topic, pairs
from millrace.client.errors import ClientError


@click.group()
def topics() -> None:
    """List, describe, create, alter and delete topics.

    \b
    Examples:
      millrace topics list
      millrace topics create orders --partitions 3 --config retention.ms=86400000
      millrace topics describe orders
      millrace topics alter orders --partitions 6
      millrace topics delete orders --yes
    """


@topics.command("list")
@click.option("--internal", is_flag=True, help="Internal topics too.")
@cluster_options
def list_(cluster: Cluster, internal: bool) -> None:
    """All topics, with their partitions and replicas."""
    found = [topic for topic in cluster.admin().topics() if internal or not topic.is_internal]
    if cluster.as_json:
        show.as_json(
            [
                {"name": each.name, "partitions": len(each.partitions), "replication_factor": each.replication_factor}
                for each in found
            ]
        )
        return
    show.table(
        ["TOPIC", "PARTITIONS", "REPLICAS"],
        ([each.name, len(each.partitions), each.replication_factor] for each in found),
        right=["PARTITIONS", "REPLICAS"],
        empty="no topics",
    )


@topics.command()
@click.argument("names", metavar="TOPIC...", nargs=-1, required=True, shell_complete=complete_topic)
@cluster_options
def describe(cluster: Cluster, names: tuple[str, ...]) -> None:
    """Partitions with leader, replicas and offsets, and what is configured for the topic itself."""
    admin = cluster.admin()
    found: list[dict[str, Any]] = []
    for topic in admin.topics_with_offsets(names):
        own = {each.name: each.value for each in admin.configs("topic", topic.name) if each.source == "topic"}
        found.append({**dataclasses.asdict(topic), "configs": own})
    if cluster.as_json:
        show.as_json(found)
        return
    for topic_facts in found:
        configs = " ".join(f"{name}={value}" for name, value in topic_facts["configs"].items())
        click.echo(
            f"{topic_facts['name']}: {len(topic_facts['partitions'])} partitions{'; ' if configs else ''}{configs}"
        )
        show.table(
            ["PARTITION", "LEADER", "REPLICAS", "IN SYNC", "START", "END", "RECORDS"],
            (
                [
                    each["index"], each["leader"], each["replicas"], each["isr"], each["start_offset"],
                    each["end_offset"], each["end_offset"] - each["start_offset"],
                ]
                for each in topic_facts["partitions"]
            ),
            right=["PARTITION", "LEADER", "START", "END", "RECORDS"],
        )  # fmt: skip


@topics.command()
@click.argument("name", metavar="TOPIC")
@click.option("--partitions", type=click.IntRange(min=1), help="How many; the broker's num.partitions if not said.")
@click.option("--replication-factor", type=click.IntRange(min=1), help="The broker's default if not said.")
@click.option("--config", "configs", metavar="NAME=VALUE", multiple=True, help="A topic configuration. Repeatable.")
@click.option("--if-not-exists", is_flag=True, help="It is well if the topic is there already.")
@click.option("--validate-only", is_flag=True, help="Say whether it could be made, and do not make it.")
@cluster_options
def create(
    cluster: Cluster,
    name: str,
    partitions: int | None,
    replication_factor: int | None,
    configs: tuple[str, ...],
    if_not_exists: bool,
    validate_only: bool,
) -> None:
    """Make a topic."""
    values = pairs("--config", configs)
    is_new = True
    try:
        cluster.admin().create_topic(
            name, partitions or -1, replication_factor or -1, values, validate_only=validate_only
        )
    except ClientError as error:
        if not (if_not_exists and error.code == "TOPIC_ALREADY_EXISTS"):
            raise
        is_new = False
    if cluster.as_json:
        show.as_json({"topic": name, "created": is_new and not validate_only})
        return
    what = "could be made" if validate_only else "made"
    show.done(f"topic {name} {what if is_new else 'is there already'}")


@topics.command()
@click.argument("name", metavar="TOPIC", shell_complete=complete_topic)
@click.option("--partitions", type=click.IntRange(min=1), required=True, help="The new number; it can only grow.")
@cluster_options
def alter(cluster: Cluster, name: str, partitions: int) -> None:
    """Add partitions. Keys may map to other partitions from then on."""
    cluster.admin().add_partitions(name, partitions)
    if cluster.as_json:
        show.as_json({"topic": name, "partitions": partitions})
        return
    show.done(f"topic {name} has {partitions} partitions now")


@topics.command()
@click.argument("names", metavar="TOPIC...", nargs=-1, required=True, shell_complete=complete_topic)
@click.option("--yes", is_flag=True, help="Do not ask.")
@cluster_options
def delete(cluster: Cluster, names: tuple[str, ...], yes: bool) -> None:
    """Delete topics with everything that is in them."""
    if not yes:
        if not sys.stdin.isatty():
            raise Misused("topics delete asks before it deletes; in a script say --yes")
        what = f"{names[0]} and all its records" if len(names) == 1 else f"{', '.join(names)} and all their records"
        if not click.confirm(f"Delete {what}?"):
            raise Failed("nothing was deleted")
    cluster.admin().delete_topics(names)
    if cluster.as_json:
        show.as_json({"deleted": list(names)})
        return
    show.done(f"deleted {', '.join(names)}")
