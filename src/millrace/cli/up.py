"""``millrace up``: a broker in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

import click

from millrace.base.config import BrokerConfig
from millrace.base.errors import Refused
from millrace.base.properties import BadProperties, parse_properties


@click.command(short_help="Start a broker in the foreground.")
@click.option(
    "--config", "config_path", metavar="FILE", help="A server.properties file, in Kafka's own syntax and keys."
)
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="One key; goes before the file. Repeatable."
)
@click.option(
    "--data", "data_folder", metavar="DIR", help="Where the data is kept (log.dirs); ./millrace-data if not said."
)
@click.option(
    "--brokers", type=click.IntRange(min=1), default=1, show_default=True, help="How many brokers; one for now."
)
def up(config_path: str | None, settings: tuple[str, ...], data_folder: str | None, brokers: int) -> None:
    """Start a broker in the foreground.

    When it serves it prints one line that begins with "millrace ready" and names what was bound. Ctrl-C or SIGTERM
    stops it in order (exit code 0). A configuration that cannot be used, a data folder that is in use and a port that
    is taken are one line and exit code 2.

    \b
    Examples:
      millrace up
      millrace up --data /var/lib/millrace --set listeners=PLAINTEXT://127.0.0.1:0
      millrace up --config server.properties --set log.retention.hours=24
    """
    if brokers > 1:
        _refuse("--brokers: a cluster of several brokers is not built yet, only 1 is possible")
    config = configuration(config_path, settings, data_folder)

    from millrace.runtime import logs, supervisor

    logs.set_up(config.text("millrace.log.format"), config.text("millrace.log.level"))
    try:
        code = supervisor.run(config, _say_ready)
    except supervisor.NotStarted as error:
        click.echo(f"millrace: {error}", err=True)
        code = error.exit_code
    sys.exit(code)


def configuration(config_path: str | None, settings: Iterable[str], data_folder: str | None) -> BrokerConfig:
    """The file's values, then ``--data``'s, then ``--set``'s; a clear line and exit code 2 if they cannot be used."""
    values: dict[str, str] = {}
    if config_path is not None:
        try:
            with open(config_path, encoding="utf8") as file:
                values.update(parse_properties(file.read()))
        except OSError as error:
            _refuse(f"{config_path}: {error.strerror}")
        except UnicodeDecodeError:
            _refuse(f"{config_path}: not a text file in UTF-8")
        except BadProperties as wrong:
            _refuse(f"{config_path}: {wrong}")
    if data_folder is not None:
        values["log.dirs"] = data_folder
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            _refuse(f"--set {setting}: expected NAME=VALUE")
        values[name.strip()] = value.strip()
    try:
        return BrokerConfig(values)
    except Refused as refused:
        _refuse(str(refused))


def _refuse(message: str) -> NoReturn:
    click.echo(f"millrace: {message}", err=True)
    sys.exit(2)


def _say_ready(endpoints: list[str]) -> None:
    click.echo("millrace ready " + " ".join(endpoints))
    sys.stdout.flush()
