"""Which house to play: asked once, at a terminal only, and remembered among a person's settings."""

from pathlib import Path

import pytest

import pokersvc
from pokersvc.cli.play.which_house import lines_of
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program, Terminal

QUESTION = "Which house do you want to play?"
HOUSES = ["rising-ante", "buy-the-pot", "capped-raise", "fixed-limit", "no-limit", "pot-limit"]


@pytest.fixture
def program(program: Program) -> Program:
    """Fixture: the program of somebody who has chosen the level of the bots."""
    program.variables["POKERSVC_OPPONENTS"] = "club"
    return program


def file_of(program: Program) -> Path:
    return program.home / ".config/pokersvc/config.toml"


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


def unspaced(text: str) -> str:
    """Return a text without the spaces and line ends at which a terminal may have wrapped it."""
    return "".join(text.split())


def house_of_last(program: Program) -> str:
    return str(program.json("games")[0]["title"]).rpartition(", ")[2]


def test_each_house_has_a_line_and_the_founding_one_is_first(program: Program) -> None:
    terminal = asked(program, size=(24, 60))
    lines = terminal.shown.splitlines()
    found = [line.split()[1] for line in lines if line[:1].isdigit()]
    assert found == HOUSES
    assert all(len(line) <= 60 for line in lines)
    terminal.type("")
    quits(terminal)
    assert house_of_last(program) == "rising-ante"


def test_the_answer_is_remembered_and_not_asked_again(program: Program) -> None:
    terminal = asked(program)
    terminal.type("Pot-Limit")
    quits(terminal)
    assert house_of_last(program) == "pot-limit"
    assert file_of(program).read_text("utf-8") == 'house = "pot-limit"\n'
    again = program.terminal("play")
    quits(again)
    assert QUESTION not in again.seen
    assert house_of_last(program) == "pot-limit"
    program.run("config", "set", "house", "capped-raise")
    program.run("play", typed="q\n")
    assert house_of_last(program) == "capped-raise", "it can be changed"
    program.run("config", "unset", "house")
    asked(program).press_ctrl_c()


def test_on_a_drawn_table_it_is_asked_before_the_table_is_drawn(program: Program) -> None:
    table = DrawnTerminal(program, "play", "--player", "Ann=human")
    while "for rising-ante >" not in table.shown:
        table.look()
    assert QUESTION in table.shown
    table.press("5\n")
    table.until("SB", "BB")
    assert table.lines[0] == "Five-card draw, no-limit"
    table.type("q")
    assert table.end() == 0


def test_another_answer_is_asked_again(program: Program, at_a_terminal: None) -> None:
    answers = ("7", "0", "casino", "²")
    said = " ".join(program.run("play", typed="\n".join((*answers, "2", "q\n"))).split())
    for answer in answers:
        assert f"I don't understand {answer!r}: type a number from 1 to 6, or a name." in said
    assert house_of_last(program) == "buy-the-pot"


def test_only_houses_that_the_options_allow_are_offered(program: Program) -> None:
    terminal = asked(program, "--blinds", "5/10")
    assert [line.split()[1] for line in terminal.shown.splitlines() if line[:1].isdigit()] == HOUSES[3:]
    terminal.type("")
    quits(terminal)
    assert house_of_last(program) == "fixed-limit"


@pytest.mark.parametrize(
    "options",
    [
        ("--rules", "capped-raise"),
        ("--seed", "demo"),
        ("--game", "kalah"),
        ("--auto", "--rounds", "1"),
        ("--auto", "--player", "Ann=human"),
        ("--player", "A=minimum", "--player", "B=minimum", "--rounds", "1"),
    ],
    ids=" ".join,
)
def test_nothing_is_asked_where_the_house_is_given_or_nobody_plays(
    program: Program, options: tuple[str, ...], at_a_terminal: None
) -> None:
    assert QUESTION not in program.ended("play", *options, typed="q\n").out
    assert not file_of(program).exists()


def test_a_variable_is_a_choice_too(program: Program, at_a_terminal: None) -> None:
    program.variables["POKERSVC_HOUSE"] = "pot-limit"
    assert QUESTION not in program.run("play", typed="q\n")
    assert house_of_last(program) == "pot-limit"


def test_a_pipe_is_never_asked(program: Program) -> None:
    assert QUESTION not in program.run("play", typed="quit\n")
    assert house_of_last(program) == "rising-ante"
    assert not file_of(program).exists()


@pytest.mark.parametrize(
    ("keys", "said", "code"),
    [
        ("\x03", "Interrupted; no game was started.", 130),
        ("\x04", "The input ended before a house was chosen, so no game was started.", 1),
        ("q\n", "No house was chosen, so no game was started.", 1),
    ],
)
def test_who_stops_at_the_question_has_started_nothing(program: Program, keys: str, said: str, code: int) -> None:
    terminal = asked(program)
    if keys == "\x03":
        terminal.press_ctrl_c()
    else:
        terminal.press(keys)
    assert terminal.end() == code
    assert terminal.last_line == f"pokersvc: {said}"
    assert not program.database.exists()
    assert not file_of(program).exists()


def test_a_choice_that_cannot_be_saved_is_played_all_the_same(program: Program) -> None:
    file_of(program).parent.parent.mkdir()
    file_of(program).parent.symlink_to("nowhere/at/all/" + "x" * 300)  # no folder can be made there
    terminal = asked(program)
    terminal.type("no-limit")
    quits(terminal)
    said = f"no-limit is played, but not remembered: {file_of(program)} cannot be"
    assert unspaced(said) in unspaced(terminal.seen)
    assert house_of_last(program) == "no-limit"
    asked(program).press_ctrl_c()


@pytest.mark.parametrize("text", ["house = ", "\udcff"])
def test_a_damaged_file_is_said_in_one_sentence_before_anything_is_asked(program: Program, text: str) -> None:
    file_of(program).parent.mkdir(parents=True)
    file_of(program).write_text(text, "utf-8", errors="surrogateescape")
    terminal = program.terminal("play")
    assert terminal.end() == 1
    assert unspaced(terminal.seen).startswith(unspaced(f"pokersvc: {file_of(program)} is not TOML: "))
    assert QUESTION not in terminal.seen


def test_a_summary_that_is_too_long_keeps_its_first_part() -> None:
    def house(name: str, summary: str) -> "pokersvc.House":
        return pokersvc.House(name, summary, "")

    two = [house("a", "Poker with one card: and more."), house("bcd", "Poker with two cards.")]
    assert lines_of(two, 80) == ["1  a    one card: and more", "2  bcd  two cards"]
    assert lines_of(two, 20) == ["1  a    one card", "2  bcd  two cards"]
    assert lines_of(two, 13) == ["1  a    one…", "2  bcd  two…"]
