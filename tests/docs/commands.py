"""The page of docs/reference about the command line, made from the help of its commands."""

import re
from collections.abc import Iterator
from typing import Any

import click
import typer

from pokersvc.cli.lazy import imported
from pokersvc.cli.main import Program, app
from pokersvc.cli.options import GameCommand, _parameters
from tests.docs.each_game import own_games
from tests.docs.markdown import in_table


def commands() -> Iterator[str]:
    """Yield the parts of the page."""
    yield "# The command line"
    yield "What `pokersvc COMMAND --help` says of each command. Its [exit codes](errors.md#exit-codes-of-the-program)."
    program: Any = typer.main.get_command(app)
    yield from described(program, click.Context(program, info_name="pokersvc"))
    for name, lazy in Program.lazy.items():
        command = imported(lazy, name)
        context = click.Context(command, info_name=f"pokersvc {name}")
        yield f"## pokersvc {name}"
        yield from described(command, context)
        for game in own_games() if isinstance(command, GameCommand) else ():
            if own := _parameters(game.own_options):
                yield f"With `--game {game.kind}`:"
                yield options(own, context)
        for below, one in getattr(command, "commands", {}).items():
            yield f"### pokersvc {name} {below}"
            yield from described(one, click.Context(one, info_name=f"pokersvc {name} {below}"))


def described(command: Any, context: click.Context) -> Iterator[str]:
    """Yield the description of a command, from its help."""
    yield f"`{' '.join(command.get_usage(context).removeprefix('Usage: ').split())}`"
    for part in re.split(r"\n\n+", (command.help or "").replace("\b\n", "").strip()):
        text = " ".join(part.split())
        example = re.fullmatch(r"Examples?: (pokersvc .*)", text)
        if example:
            yield f"Example: `{example[1]}`"
        elif text:
            yield escaped(text)
    yield options(command.get_params(context), context)


def options(parameters: list[Any], context: click.Context) -> str:
    """Return a table of options and arguments; without any, nothing."""
    records = [parameter.get_help_record(context) for parameter in parameters]
    rows = [
        f"| `{in_table(record[0])}` | {in_table(escaped(' '.join(record[1].split())))} |"
        for record in records
        if record is not None and "--help" not in record[0]
    ]
    return "\n".join(["| option | what it is |", "|---|---|", *rows]) if rows else ""


def escaped(text: str) -> str:
    """Escape a text for Markdown, except code between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([\\*_\[\]<#])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
