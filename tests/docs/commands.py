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
    """Yield the page part by part."""
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
    """Yield what the help of a command says."""
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    for part in re.split(r"\n\n+", (command.help or "").replace("\b\n", "").strip()):
        text = " ".join(part.split())
        example = re.fullmatch(r"Examples?: (pokersvc .*)", text)
        if example:
            yield "Example:"
            yield f"```text\n{example[1]}\n```"
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
    """Return a text in which Markdown finds nothing of its own, but for code between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([\\*_\[\]<#])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
