"""`play --cash --stack --straddle --rake --rake-cap`: a cash game at a terminal, resumed, replayed and audited."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.program import Program, lines_of, the_sentence

PLAY = (
    "play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum", "--player", "Cy=minimum",
    "--seed", "cash", "--cash", "--rake", "25%", "--rake-cap", "1", "--stack", "Ann=50", "--stack", "Bob=120",
)  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("cash"))


def test_a_cash_game_is_played_resumed_replayed_and_audited(program: Program) -> None:
    said = program.run(*PLAY, typed=lines_of("fold", "buy", "buy 500", "buy 60", "sit out", "quit"))
    assert "seat 1 $50, seat 2 $120, seat 3 $200" in said
    assert "Ann may type: `buy 150` (1 to 150), `sit out` (dealt no hands)" in said
    assert "I don't understand 'buy'. You can: press Enter, or type leave, buy 150 (1 to 150), sit out" in said
    assert "Ann cannot bring 500; the house sells 1 to 1" in said
    assert "Ann buys 60" in said
    assert "Ann sits out" in said
    again = program.run("resume", "last", typed=lines_of("", "sit in", "leave", "quit"))
    assert "The house takes 1 of the pot" in again
    assert "Ann plays again" in again
    assert "Ann gets up with 1" in again
    assert "Ann buys 60" in program.run("replay", "last")
    assert "passed" in program.run("audit", "last")


def test_a_straddle_is_played_told_and_audited(tmp_path: Path) -> None:
    program = Program(tmp_path)
    straddled = ("play", "--auto", "--rules", "no-limit", "--players", "3", "--straddle", "4", "--seed", "straddle",
                 "--opponents", "steady")  # fmt: skip
    program.run(*straddled, "--rounds", "3")
    told = program.run("replay", "last")
    assert [told.count(f"Player{seat} posts a straddle, 4") for seat in (1, 2, 3)] == [1, 1, 1]
    assert "passed" in program.run("audit", "last")
    exported = program.run("export", "last", "--format", "phh")
    assert "blinds_or_straddles = [1, 2, 4]" in exported


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--stack", "Zoe=5"), "Nobody at the table is called 'Zoe'; the players are Player1 and Player2."),
        (("--stack", "Player1"), "The stack 'Player1' cannot be read; write a number such as 200 for everybody, or"),
        (("--stack", "20"), "The stack of rising-ante cannot be 20; it must be at least 50, enough for the ante, the"),
        (("--blinds", "5/10"), "The house rising-ante has no blinds; play one that has, such as no-limit, or set the"),
        (("--rules", "no-limit", "--blinds", "10/5"), "The small blind cannot be 10; it must be at most the big blind"),
        (("--stack", "Player1=x"), "The stack 'Player1=x' cannot be read; write NAME=CHIPS, such as Ann=350."),
        (("--stack", "Player1=0"), "Player1 begins without chips; two players at least need chips to begin with."),
        (("--stack", f"Player1={10**21}"), f"Player1 cannot begin with {10**21}; the most is 1,000,000,000 chips."),
        (("--rake", "5.123456789%"), "The rake '5.123456789%' has too many decimals: it has at most two, such as"),
        (("--rake", "lots"), "The rake 'lots' is not a percentage, such as 5% or 2.5, from 0 to 100."),
        (("--straddle", "4"), "The house rising-ante has no blinds, so nobody can straddle; play one that has"),
        (
            ("--rules", "no-limit", "--straddle", "3"),
            "The straddle of no-limit cannot be 3; it must be 0, or at least twice the big blind, 4.",
        ),
        (("--rake-cap", "3"), "A rake cap needs a rake, such as 5%."),
    ],
)
def test_a_table_that_cannot_be_is_told_in_a_sentence(tmp_path: Path, wrong: tuple[str, ...], said: str) -> None:
    assert said in the_sentence(Program(tmp_path).ended("play", "--auto", *wrong), 1)


def test_somebody_sits_down_at_an_open_seat_under_their_own_name(tmp_path: Path) -> None:
    program = Program(tmp_path)
    play = (
        "play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum",
        "--seed", "cash", "--cash", "--open-seats", "2",
    )  # fmt: skip
    typed = lines_of("fold", "sit", "sit down with 100 as Ann", "sit down with 100 as Carl", "leave Carl", "quit")
    said = program.run(*play, typed=typed)
    assert "Somebody else may type: `sit down with 200 as Carl` (1 to 200)" in said
    said = " ".join(said.split())
    assert "I don't understand 'sit'. You can: press Enter, or type leave, buy 1 (1 chip), sit out" in said
    assert "name some: show KS) or sit down with 200 as Carl (1 to 200)." in said
    assert "Seat 1 is called 'Ann'; take another name." in said
    assert "Carl sits down at seat 3 with 100" in said
    assert "Carl may type: `buy 100 Carl` (1 to 100), `sit out Carl` (dealt no hands)" in said
    assert "Carl gets up with 100" in said
    again = program.run("resume", "last", typed=lines_of("sit down with 80 as Dee", "leave Ann", "", "quit"))
    assert "Dee sits down at seat 4 with 80" in again, "the seat at which nobody has sat comes first"
    assert program.run("games", "--player", "carl") == program.run("games", "--player", "dee") == program.run("games")
    assert program.run("games", "--player", "Seat3") != program.run("games")
    (seats,) = [game["seats"] for game in json.loads(program.run("games", "--json"))]
    assert [(seat["name"], seat["kind"]) for seat in seats[2:]] == [("Carl", "human"), ("Dee", "human")]
    assert "passed" in program.run("audit", "last")


def test_open_seats_need_a_cash_game(tmp_path: Path) -> None:
    said = the_sentence(Program(tmp_path).ended("play", "--open-seats", "2"), 1)
    assert said == "Seats stay open in cash games alone: add --cash, or leave out --open-seats."


def test_a_player_called_as_an_open_seat_is_told_which_seat_that_is(tmp_path: Path) -> None:
    players = "--player", "seat3=human", "--player", "Ann=human"
    said = the_sentence(Program(tmp_path).ended("play", "--cash", "--open-seats", "1", *players), 1)
    assert said == "The open seat 3 has the name 'Seat3'; give 'seat3' another name."


@pytest.mark.parametrize(("asked", "said"), [("99", "99"), ("1000000000000000000000", "So many")])
def test_more_open_seats_than_a_house_has_are_refused_in_a_sentence(tmp_path: Path, asked: str, said: str) -> None:
    refused = the_sentence(Program(tmp_path).ended("play", "--cash", "--open-seats", asked), 1)
    assert refused == f"{said} open seats are not possible: this house has 10 seats in all."


CASH = ("play", "--rules", "no-limit", "--cash", "--seed", "cash")
BOTS = ("--player", "Bob=minimum", "--player", "Cid=minimum")


def test_once_all_have_left_it_is_asked_between_rounds_who_sits_down(tmp_path: Path) -> None:
    program = Program(tmp_path)
    typed = lines_of("fold", "leave", "", "sit down with 100 as Dana", "fold", "sit down with 70", "leave", "quit")
    said = program.run(*CASH, "--player", "Ann=human", *BOTS, "--open-seats", "1", typed=typed)
    assert "Ann gets up with 200" in said
    assert "Type how you sit down, or press Enter to watch the next round" in said
    assert "Round 2 --" in said
    assert "Dana sits down at seat 4 with 100" in said
    assert said.index("Round 2 --") < said.index("Dana sits down")
    assert "skip" not in said
    again = program.run("resume", "last", typed=lines_of("", "sit down with 50 Ann", "quit"))
    assert "Ann sits down with 50" in again
    assert "passed" in program.run("audit", "last")


def test_a_cash_game_of_bots_with_open_seats_asks_nobody(tmp_path: Path) -> None:
    program = Program(tmp_path)
    said = program.run(*CASH, "--auto", *BOTS, "--open-seats", "1", "--rounds", "3")
    assert "Round 3 --" in said
    assert "passed" in program.run("audit", "last")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("sit down with 99999999999 as Dan", "Dan cannot bring 99999999999; the house sells 1 to 200."),
        ("sit down with 100", "Say who sits down: add `as NAME`, such as `sit down with 100 as Carl`."),
        ("sit out", "Say for whom: end it with a name, such as `sit out Ann`."),
        ("buy 1", "Say for whom: end it with a name, such as `buy 1 Ann`."),
        ("buy 1 Zed", "Nobody here is called 'Zed'; the name is Ann or Eve."),
        ("leave", "Say who leaves, such as `leave Ann`."),
        ("leave Zed", "Nobody in the game is called 'Zed' here; you can type leave Ann or leave Eve."),
    ],
)
def test_what_is_understood_between_rounds_and_not_possible_is_answered_with_why(
    between_rounds: Program, answer: str, said: str
) -> None:
    assert said in " ".join(between_rounds.run("resume", "last", typed=lines_of(answer, "quit")).split())


@pytest.fixture(scope="module")
def between_rounds(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A cash game of two people and an open seat, after its first round."""
    program = Program(tmp_path_factory.mktemp("between"))
    people = ("--player", "Ann=human", "--player", "Eve=human")
    said = program.run(*CASH, *people, *BOTS, "--open-seats", "1", typed=lines_of("fold", "fold", "quit"))
    assert "Press Enter for the next round" in said
    return program


def test_nobody_sits_down_where_no_seat_is_free(tmp_path: Path) -> None:
    typed = lines_of("buy 5", "leave", "sit down with 100 as Fay", "fold", "sit down with 100 as Fay", "quit")
    said = " ".join(Program(tmp_path).run(*CASH, "--player", "Ann=human", *BOTS, typed=typed).split())
    for word in ("buy", "leave", "sit down"):
        assert f"Type `{word}` between two rounds; this one is being played." in said
    assert "No seat is free here: somebody has to leave first." in said


def test_what_may_be_typed_is_said_once_and_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    program = Program(tmp_path)
    people = ("--player", "Ann=human", "--player", "Eve=human", "--stack", "Ann=150")
    said = program.run(*CASH, *people, *BOTS, typed=lines_of("fold", "fold", "sit out Eve", "buy 20 Ann", "quit"))
    assert said.count("Ann may type: `buy 50 Ann` (1 to 50), `sit out Ann`") == 1
    assert said.count("Ann may type: `buy 30 Ann` (1 to 30), `sit out Ann`") == 1
    assert said.count("`sit in Eve` (dealt in again)") == 1


def test_everybodys_stack_the_blinds_and_the_ante_are_given_at_the_terminal(tmp_path: Path) -> None:
    program = Program(tmp_path)
    amounts = ("--stack", "100", "--blinds", "5/10", "--ante", "2")
    assert program.ended("play", "--auto", "--rounds", "1", "--rules", "no-limit", *amounts).code == 0
    told = program.ended("events", "last", "--json").out
    started = next(line for line in told.splitlines() if "GameStarted" in line)
    for said in (r"\W+stack\W+100\b", r"\W+small\W+5\b", r"\W+big\W+10\b", r"\W+minimum\W+10\b", r"\W+amount\W+2\b"):
        assert re.search(said, started), said
