"""Numbers that are too large or too small are refused in one sentence by every command."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from pokersvc.cli.lazy import imported
from pokersvc.cli.main import Program as Commands
from pokersvc.core.registry import game_kinds, game_of
from tests.cli.program import Program

BEYOND = 10**21
"""Numbers beyond the limits of a database, of a list slice, or of a time."""
NEEDED: dict[str, tuple[str, ...]] = {
    "advise": ("AH AD JS 3C 2D",),
    "export --gap": ("--session", "last", "--format", "phh"),
    "export --open": ("last",),
    "import": ("hands.txt",),
    "replay": ("last",),
    "review": ("last", "--as", "1"),
    "report": ("--session", "last", "--html", "page.html"),
    "tournament": ("--player", "A=steady", "--player", "B=table"),
}
"""The other arguments that a command or option needs besides the number."""


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its name, which has two words for those of a group."""
    for name, lazy in Commands.lazy.items():
        command = imported(lazy, name)
        for inner, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".rstrip(), one


def of_numbers(command: Any) -> Iterator[str]:
    """Yield the options of a command that are whole numbers."""
    for parameter in command.params:
        annotation = parameter.type_descriptor.annotation
        if int in (annotation, *get_args(annotation)) and parameter.param_type_name == "option":
            yield parameter.opts[0]


OF_COMMANDS = [f"{name} {option}" for name, command in commands() for option in of_numbers(command)]
OF_GAMES = [
    f"play --auto --game {kind} --{option.name.replace('_', '-')}"
    for kind in game_kinds()
    for option in game_of(kind).own_options
    if option.of is int and option.open
]


def test_numbers_are_found() -> None:
    assert {"games --last", "stats --top", "kalah perft --depth", "serve --idle-days"} <= set(OF_COMMANDS)
    assert {"play --auto --game draw --straddle", "play --auto --game kalah --beans"} <= set(OF_GAMES)


def refused(program: Program, value: int, *arguments: str) -> None:
    ended = program.ended(*arguments)
    assert ended.code in (1, 2)
    assert str(value) in ended.err
    assert ended.err.count("\n") == 1
    assert ended.out == ""


@pytest.mark.parametrize("value", [BEYOND, -1])
@pytest.mark.parametrize("asked", OF_COMMANDS + OF_GAMES)
def test_an_option_out_of_all_bounds_is_refused_in_a_sentence_that_names_it(
    played: Program, asked: str, value: int
) -> None:
    *command, option = asked.split()
    refused(played, value, *command, *NEEDED.get(asked, NEEDED.get(command[0], ())), f"{option}={value}")


@pytest.mark.parametrize("value", [BEYOND, -1])
@pytest.mark.parametrize("command", [["kalah", "solve"], ["kalah", "perft"]], ids=" ".join)
def test_so_is_a_board_of_kalah(program: Program, command: list[str], value: int) -> None:
    refused(program, value, *command, "--", str(value), "4")
    refused(program, value, *command, "--", "4", str(value))


def test_a_large_number_that_can_be_is_all_that_there_is(played: Program) -> None:
    for command in (
        ["games", "--last"],
        ["sessions", "--last"],
        ["sessions", "--tables", "--last"],
        ["stats", "--top"],
    ):
        *all_, option = command
        assert played.run(*all_, option, "1000000000") == played.run(*all_)
