"""``millrace completion``: the script that lets a shell complete commands, options and topic names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

VARIABLE = "_MILLRACE_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Write the completion script of a shell.

    \b
    bash:  millrace completion bash > ~/.local/share/bash-completion/completions/millrace
    zsh:   millrace completion zsh > "${fpath[1]}/_millrace"
    fish:  millrace completion fish > ~/.config/fish/completions/millrace.fish
    """
    made = get_completion_class(shell)
    assert made is not None, f"click knows no {shell}"
    click.echo(made(context.find_root().command, {}, "millrace", VARIABLE).source())
