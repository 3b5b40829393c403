"""`play --cash --stack --rake --rake-cap`: a cash game at a terminal, resumed, replayed and audited."""

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
    said = program.run(*PLAY, typed=lines_of("fold", "buy 500", "buy 60", "sit out", "quit"))
    assert "seat 1 $50, seat 2 $120, seat 3 $200" in said
    assert "Ann may type: `buy 1 to 1" in said
    assert "Ann cannot bring 500; the house sells 1 to 1" in said
    assert "Ann buys 60" in said
    assert "Ann sits out" in said
    again = program.run("resume", "last", typed=lines_of("", "sit in", "leave"))
    assert "The house takes 1 of the pot" in again
    assert "Ann plays again" in again
    assert "Ann gets up with 1" in again
    assert "Ann buys 60" in program.run("replay", "last")
    assert "passed" in program.run("audit", "last")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--stack", "Zoe=5"), "Nobody at the table is called 'Zoe'; the players are Player1 and Player2."),
        (("--stack", "Player1"), "The stack '=Player1' cannot be read; write NAME=CHIPS, such as Ann=350."),
        (("--stack", "Player1=x"), "The stack 'Player1=x' cannot be read; write NAME=CHIPS, such as Ann=350."),
        (("--stack", "Player1=0"), "above 0 for at least two seats that do not sit out"),
        (("--rake", "lots"), "The rake 'lots' is not a percentage, such as 5% or 2.5, from 0 to 100."),
        (("--rake-cap", "3"), "A rake cap needs a rake, such as --rake 5%."),
    ],
)
def test_a_table_that_cannot_be_is_told_in_a_sentence(tmp_path: Path, wrong: tuple[str, ...], said: str) -> None:
    assert said in the_sentence(Program(tmp_path).ended("play", "--auto", *wrong), 1)
