"""How strong the bots are: asked once, at a terminal only, and remembered among a person's settings."""

from pathlib import Path

import pytest

from pokersvc.games.draw_poker import DRAW_POKER
from tests.cli.program import Program, Terminal, lines_of

QUESTION = "Who do you want to play against?"
LEVELS = list(DRAW_POKER.bot_levels)


def file_of(program: Program) -> Path:
    return program.home / ".config/pokersvc/config.toml"


@pytest.fixture
def program(program: Program) -> Program:
    """Fixture: the program of somebody who has chosen a house."""
    program.variables["POKERSVC_HOUSE"] = "no-limit"
    return program


def asked(program: Program, *options: str, size: tuple[int, int] = (24, 80)) -> Terminal:
    terminal = program.terminal("play", *options, size=size)
    terminal.until(QUESTION)
    terminal.question()
    return terminal


def quits(terminal: Terminal) -> None:
    """Stop at the first question of the game."""
    terminal.question()
    terminal.type("q")
    assert terminal.end() == 0


def bots_of_last(program: Program) -> set[str]:
    return {seat["kind"] for seat in program.json("games")[0]["seats"]} - {"human"}


def test_each_level_is_told_from_the_weakest_to_the_strongest(program: Program) -> None:
    terminal = asked(program, size=(24, 60))
    lines = terminal.shown.splitlines()
    assert [line.split()[1] for line in lines if line[:1].isdigit()] == LEVELS
    assert all(len(line) <= 60 for line in lines)
    said = " ".join(terminal.shown.split())
    assert all(f"{level} {DRAW_POKER.players_said[level]}" in said for level in LEVELS)
    terminal.type("")
    quits(terminal)
    assert bots_of_last(program) == {"regular"}


def test_the_answer_is_remembered_and_not_asked_again(program: Program) -> None:
    terminal = asked(program)
    terminal.type("4")
    quits(terminal)
    assert bots_of_last(program) == {"shark"}
    assert file_of(program).read_text("utf-8") == 'opponents = "shark"\n'
    again = program.terminal("play")
    quits(again)
    assert QUESTION not in again.seen
    assert bots_of_last(program) == {"shark"}
    program.run("play", "--opponents", "steady", typed="q\n")
    assert bots_of_last(program) == {"steady"}, "for one game another can be named"


def test_the_house_is_asked_first(program: Program, at_a_terminal: None) -> None:
    del program.variables["POKERSVC_HOUSE"]
    said = program.run("play", typed=lines_of("5", "Regular", "q"))
    assert said.index("Which house") < said.index(QUESTION)
    assert file_of(program).read_text("utf-8") == 'house = "no-limit"\nopponents = "regular"\n'


@pytest.mark.parametrize(
    "options",
    [
        ("--opponents", "shark"),
        ("--rules", "capped-raise"),
        ("--seed", "demo"),
        ("--game", "market"),
        ("--player", "Ann=human", "--player", "Bob=minimum"),
        ("--player", "Bob=club", "--players", "2"),
        ("--auto", "--rounds", "1"),
    ],
    ids=" ".join,
)
def test_nothing_is_asked_where_the_bots_are_named_or_nobody_plays(
    program: Program, options: tuple[str, ...], at_a_terminal: None
) -> None:
    assert QUESTION not in program.run("play", *options, typed="q\n")
    assert not file_of(program).exists()


def test_as_if_at_a_terminal_it_is_asked_without_options(program: Program, at_a_terminal: None) -> None:
    assert program.refused("play", typed="q\n") == "No level was chosen, so no game was started."


def test_a_setting_for_another_game_leaves_the_bots_of_this_one(program: Program, at_a_terminal: None) -> None:
    program.variables["POKERSVC_OPPONENTS"] = "smart"
    program.run("play", typed="q\n")
    assert bots_of_last(program) == {"regular"}


def test_a_kind_that_no_game_has_is_refused(program: Program) -> None:
    said = program.refused("config", "set", "opponents", "champion")
    assert said.startswith("opponents cannot be 'champion': bots are beginner, club, regular, shark, ")
    program.variables["POKERSVC_OPPONENTS"] = "champion"
    assert program.refused("play").startswith("POKERSVC_OPPONENTS: opponents cannot be 'champion': bots are ")
    assert "Player2 cannot be played by 'champion'" in program.refused("play", "--opponents", "champion")


def test_who_quits_at_the_question_has_started_nothing(program: Program) -> None:
    terminal = asked(program)
    terminal.type("q")
    assert terminal.end() == 1
    assert terminal.last_line == "pokersvc: No level was chosen, so no game was started."
    assert not program.database.exists()
