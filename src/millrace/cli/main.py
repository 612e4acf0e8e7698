"""The ``millrace`` command: a table of commands, each imported only when it is asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from millrace.base.version import __version__

# name -> (module, attribute, what --help says in one line)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "up": ("millrace.cli.up", "up", "Start a broker in the foreground."),
    "topics": ("millrace.cli.topics", "topics", "List, describe, create, alter and delete topics."),
    "produce": ("millrace.cli.produce", "produce", "Write lines or files to a topic."),
    "consume": ("millrace.cli.consume", "consume", "Read topics, and follow them."),
    "groups": ("millrace.cli.groups", "groups", "Consumer groups, their lag and their offsets."),
    "configs": ("millrace.cli.configs", "configs", "See and change configuration while it runs."),
    "logs": ("millrace.cli.logs", "logs", "Look into the files of a stopped broker, check and copy them."),
    "doctor": ("millrace.cli.doctor", "doctor", "Whether this machine is fit to run a broker."),
    "completion": ("millrace.cli.completion", "completion", "The completion script of a shell."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and one line each, and imports the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry[0]), entry[1])
        assert isinstance(command, click.Command), f"{entry[0]}.{entry[1]} is no command"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="millrace", message="%(prog)s %(version)s")
def millrace() -> None:
    """A Kafka-compatible stream data platform in pure Python.

    \b
    millrace up                                   start a broker on 127.0.0.1:9092
    millrace topics create orders --partitions 3
    echo hello | millrace produce orders
    millrace consume orders --from-beginning
    """


def main(arguments: Sequence[str] | None = None) -> Any:
    """The entry point of the console script."""
    return millrace.main(args=list(arguments) if arguments is not None else None, prog_name="millrace")


if __name__ == "__main__":
    sys.exit(main())
