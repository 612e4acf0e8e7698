"""The command as a whole: help that is quick and complete, addresses, settings, exit codes, completion."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from millrace import Broker
from millrace.cli.main import COMMANDS, millrace

Run = Callable[..., Result]


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that lead to it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))
    else:
        yield path, command


ALL = list(commands(millrace))


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_every_command_explains_itself(path: tuple[str, ...], command: click.Command) -> None:
    result = CliRunner().invoke(millrace, [*path, "--help"])
    assert result.exit_code == 0
    assert command.help, "it says what it does"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} says what it is for"


@pytest.mark.parametrize("name", ["up", "topics", "produce", "consume", "groups", "configs"])
def test_help_has_examples(name: str) -> None:
    assert f"millrace {name}" in CliRunner().invoke(millrace, [name, "--help"]).output.partition("Options:")[0]


def test_the_table_tells_what_the_commands_say() -> None:
    listed = CliRunner().invoke(millrace, ["--help"]).output
    for name, (_, _, line) in COMMANDS.items():
        assert name in listed
        assert line in listed


def test_help_imports_no_client_and_no_broker() -> None:
    """Importing librdkafka, rich or the broker would make each --help and each completion slow."""
    program = (
        "import sys; from millrace.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = ('confluent_kafka', 'rich', 'asyncio', 'millrace.runtime.node')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_up_imports_no_client_and_no_table() -> None:
    program = (
        "import sys; from millrace.cli import up; from millrace.runtime import supervisor\n"
        "print([name for name in ('confluent_kafka', 'rich', 'prometheus_client', 'kafka') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_version() -> None:
    assert CliRunner().invoke(millrace, ["--version"]).output.startswith("millrace 0.")


@pytest.mark.parametrize("arguments", [["nonsense"], ["topics", "nonsense"], ["topics", "list", "--nonsense"]])
def test_misuse_is_exit_code_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(millrace, arguments).exit_code == 2


@pytest.mark.parametrize("command", [["topics", "list"], ["groups", "list"], ["consume", "t"], ["produce", "t"]])
def test_nobody_there_is_said_at_once(command: list[str]) -> None:
    result = CliRunner().invoke(millrace, [*command, "--bootstrap", "127.0.0.1:1"])
    assert result.exit_code == 1
    assert result.stderr == "millrace: no broker answers at 127.0.0.1:1: Connection refused\n"


def test_an_address_that_is_none() -> None:
    result = CliRunner().invoke(millrace, ["topics", "list", "--bootstrap", "127.0.0.1:port"])
    assert result.exit_code == 2
    assert "expected HOST:PORT" in result.stderr


def test_settings_of_a_file(run: Run, millrace_broker: Broker, tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text(f"bootstrap.servers={millrace_broker.bootstrap_servers}\nclient.id=me\nkey.serializer=Java\n")
    arguments = ["topics", "list", "--command-config", os.fspath(path)]
    assert CliRunner().invoke(millrace, arguments).exit_code == 0
    path.write_text("secruity.protocol=PLAINTEXT\n")
    wrong = CliRunner().invoke(millrace, arguments)
    assert wrong.exit_code == 2
    assert "secruity.protocol" in wrong.stderr
    missing = CliRunner().invoke(millrace, [*arguments[:3], os.fspath(tmp_path / "missing")])
    assert missing.exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str) -> None:
    result = CliRunner().invoke(millrace, ["completion", shell])
    assert result.exit_code == 0
    assert "_MILLRACE_COMPLETE" in result.output


def test_completion_completes(run: Run, millrace_broker: Broker, millrace_topic: str) -> None:
    run("topics", "create", millrace_topic)

    def complete(*words: str) -> list[str]:
        environment = {
            **os.environ,
            "_MILLRACE_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("millrace", *words)),
            "COMP_CWORD": str(len(words)),
            "MILLRACE_BOOTSTRAP": millrace_broker.bootstrap_servers,
        }
        program = "from millrace.cli.main import main; main()"
        result = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        return [line.partition(",")[2] for line in result.stdout.splitlines()]

    assert "topics" in complete("top")
    assert complete("topics", "des") == ["describe"]
    assert millrace_topic in complete("topics", "describe", millrace_topic[:-1])
