"""What the commands that talk to a cluster share: their options, the way to the cluster, and how they fail.

Exit codes: 0 done, 1 the cluster refused or did not answer, 2 the command line or a file of settings is wrong.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from millrace.client.address import (
    DEFAULT_BOOTSTRAP,
    Address,
    BadAddress,
    Unreachable,
    check_reachable,
    format_bootstrap,
    parse_bootstrap,
)
from millrace.client.errors import ClientError
from millrace.client.properties import ADMIN, BadClientProperty, librdkafka_settings, read_client_properties

if TYPE_CHECKING:
    from millrace.client.admin import Admin

F = TypeVar("F", bound=Callable[..., Any])
REACH_S = 5.0


class Failed(click.ClickException):
    """It could not be done; one line on stderr, exit code 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        click.echo(f"millrace: {self.message}", err=True)


class Misused(Failed):
    """The command line, or a file of settings, is wrong; exit code 2."""

    exit_code = 2


class Cluster:
    """The cluster that a command was pointed at, and how it shall answer."""

    def __init__(self, bootstrap: str | None, command_config: str | None, as_json: bool) -> None:
        self.as_json = as_json
        try:
            self._properties = read_client_properties(command_config) if command_config else {}
            named = bootstrap or self._properties.get("bootstrap.servers") or DEFAULT_BOOTSTRAP
            self.addresses: tuple[Address, ...] = parse_bootstrap(named)
        except (BadAddress, BadClientProperty) as wrong:
            raise Misused(str(wrong)) from None
        self._properties["bootstrap.servers"] = format_bootstrap(self.addresses)

    def settings(self, kind: str) -> dict[str, Any]:
        """librdkafka's settings for a kind of client, without its own chatter on stderr."""
        try:
            return {**librdkafka_settings(self._properties, kind), "log_level": 0}
        except BadClientProperty as wrong:
            raise Misused(str(wrong)) from None

    def reach(self) -> Cluster:
        """Fail at once, with the reason, if nobody is there."""
        try:
            check_reachable(self.addresses, REACH_S)
        except Unreachable as error:
            raise Failed(str(error)) from None
        return self

    def plain_addresses(self, what: str) -> tuple[Address, ...]:
        """Where to connect for what librdkafka cannot do; that is possible without security alone."""
        self.settings(ADMIN)  # refuses what is wrong in the file
        protocol = self._properties.get("security.protocol", "PLAINTEXT")
        if protocol != "PLAINTEXT":
            raise Misused(f"{what} is possible on PLAINTEXT listeners only for now, not with {protocol}")
        return self.addresses

    def admin(self) -> Admin:
        """An admin client; fails at once if nobody is there."""
        from millrace.client.admin import Admin

        settings = self.settings(ADMIN)
        self.reach()
        return Admin(settings)


def cluster_options(command: F) -> F:
    """``--bootstrap``, ``--command-config``, ``--json``; the command gets a :class:`Cluster` as ``cluster``."""

    @functools.wraps(command)
    def with_cluster(
        *arguments: Any, bootstrap: str | None, command_config: str | None, as_json: bool, **more: Any
    ) -> Any:
        return _plainly(command, *arguments, cluster=Cluster(bootstrap, command_config, as_json), **more)

    for option in (
        click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs."),
        click.option("--command-config", metavar="FILE", help="Client properties in Kafka's names (security, ...)."),
        click.option(
            "--bootstrap", metavar="HOST:PORT", envvar="MILLRACE_BOOTSTRAP",
            help=f"The cluster.  [default: {DEFAULT_BOOTSTRAP}]",
        ),
    ):  # fmt: skip
        with_cluster = option(with_cluster)
    return with_cluster  # type: ignore[return-value]  # click's decorators keep the type as far as callers see it


def _plainly(command: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Turn what a cluster can do wrong into one line and exit code 1."""
    try:
        return command(*arguments, **more)
    except ClientError as error:
        raise Failed(str(error)) from None


def pairs(what: str, items: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` items by name."""
    found = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise Misused(f"{what} {item}: expected NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def complete_topic(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Topic names for the shell's completion; nothing if the cluster is not there."""
    try:
        cluster = Cluster(context.params.get("bootstrap"), context.params.get("command_config"), False)
        check_reachable(cluster.addresses, 0.5)
        return [topic.name for topic in cluster.admin().topics() if topic.name.startswith(incomplete)]
    except (click.ClickException, Unreachable):
        return []
