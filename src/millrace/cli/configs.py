"""``millrace configs``: see and change the configuration of topics and brokers while they run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from millrace.cli import show
from millrace.cli.options import Cluster, Misused, cluster_options, complete_topic, pairs

if TYPE_CHECKING:
    from millrace.client.admin import Setting

F = TypeVar("F", bound=Callable[..., Any])
FOR_ALL: Final = "--broker default"


@click.group()
def configs() -> None:
    """See and change the configuration of topics and brokers.

    \b
    Examples:
      millrace configs describe --topic orders
      millrace configs describe --broker 1 --all
      millrace configs set --topic orders retention.ms=3600000 cleanup.policy=compact
      millrace configs set --broker default log.retention.ms=86400000     (for the whole cluster)
      millrace configs unset --topic orders retention.ms
    """


def _resource(command: F) -> F:
    """``--topic NAME`` or ``--broker ID``."""
    topic = click.option("--topic", metavar="NAME", help="A topic's.", shell_complete=complete_topic)
    broker = click.option("--broker", metavar="ID", help="A broker's, or 'default' for all brokers of the cluster.")
    return topic(broker(command))


def _named(topic: str | None, broker: str | None) -> tuple[str, str]:
    if (topic is None) == (broker is None):
        raise Misused("say either --topic NAME or --broker ID")
    if topic is not None:
        return "topic", topic
    assert broker is not None
    if broker != "default" and not broker.isdecimal():
        raise Misused(f"--broker {broker}: expected a broker's id, or 'default'")
    return "broker", "" if broker == "default" else broker


def _of_all_brokers(cluster: Cluster) -> list[Setting]:
    from millrace.client import cluster_configs
    from millrace.client.admin import Setting

    found = cluster_configs.describe(cluster.plain_addresses(FOR_ALL))
    return [Setting(name, value, "cluster", False, False, is_sensitive) for name, value, is_sensitive in found]


def _alter(cluster: Cluster, kind: str, name: str, values: dict[str, str], unset: tuple[str, ...]) -> None:
    """librdkafka cannot name all brokers at once."""
    from millrace.client import cluster_configs

    if name:
        cluster.admin().alter_configs(kind, name, values, unset)
    else:
        cluster_configs.alter(cluster.plain_addresses(FOR_ALL), values, unset)


@configs.command()
@_resource
@click.option("--all", "everything", is_flag=True, help="Defaults too, not only what was set.")
@cluster_options
def describe(cluster: Cluster, topic: str | None, broker: str | None, everything: bool) -> None:
    """The values, and where each comes from."""
    kind, name = _named(topic, broker)
    if name:
        found = [
            each
            for each in cluster.admin().configs(kind, name)
            if everything or (each.source == "topic" if kind == "topic" else each.source != "default")
        ]
    else:
        found = _of_all_brokers(cluster)
    if cluster.as_json:
        show.as_json([dataclasses.asdict(each) for each in found])
        return
    show.table(
        ["NAME", "VALUE", "FROM", "READ ONLY"],
        (
            [each.name, "(hidden)" if each.is_sensitive else each.value, each.source, each.is_read_only]
            for each in found
        ),
        empty="nothing was set; --all shows the defaults",
    )


@configs.command("set")
@_resource
@click.argument("settings", metavar="NAME=VALUE...", nargs=-1, required=True)
@cluster_options
def set_values(cluster: Cluster, topic: str | None, broker: str | None, settings: tuple[str, ...]) -> None:
    """Set values; what else was set stays."""
    kind, name = _named(topic, broker)
    values = pairs("setting", settings)
    _alter(cluster, kind, name, values, ())
    if cluster.as_json:
        show.as_json({"set": values})
        return
    show.done(f"{kind} {name or 'default'}: {', '.join(f'{key}={value}' for key, value in values.items())}")


@configs.command()
@_resource
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@cluster_options
def unset(cluster: Cluster, topic: str | None, broker: str | None, names: tuple[str, ...]) -> None:
    """Take values back: the default holds again."""
    kind, name = _named(topic, broker)
    _alter(cluster, kind, name, {}, names)
    if cluster.as_json:
        show.as_json({"unset": list(names)})
        return
    show.done(f"{kind} {name or 'default'}: {', '.join(names)} back to the default")
