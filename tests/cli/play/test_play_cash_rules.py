"""`play --cash` with rules of its own: the person at the terminal is the host, and wishes are typed."""

from pathlib import Path

import pytest

from tests.cli.program import Program, lines_of, the_sentence

PLAY = (
    "play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum", "--player", "Cy=minimum",
    "--seed", "cash", "--cash", "--stack", "Ann=50",
)  # fmt: skip
PLAINLY = {"POKERSVC_ADVICE": "no"}
"""Without advice, which takes longer than the games and is not what these tests are about."""


def test_the_person_at_the_terminal_asks_and_admits(tmp_path: Path) -> None:
    program = Program(tmp_path, PLAINLY)
    typed = lines_of("fold", "buy 60", "admit Bob", "admit Ann", "buy 5", "refuse Ann", "top up to 90", "quit")
    said = program.run(*PLAY, "--approval", typed=typed)
    assert "Ann asks the host for 60" in said
    assert "The host answers with: `admit Ann` (60), `refuse Ann` (60)" in said
    assert "I don't understand 'admit Bob'." in said
    assert "Ann admits Ann's purchase" in said
    assert "Ann buys 60" in said
    assert "Ann refuses Ann's purchase" in said
    assert "The host approves each purchase here, so nothing is bought by itself." in said
    assert "passed" in program.run("audit", "last")


def test_wishes_are_typed_and_carried_out_before_a_round(tmp_path: Path) -> None:
    program = Program(tmp_path, PLAINLY)
    typed = lines_of("fold", "top up to 120", "sit out at blind", "", "", "", "", "sit in with blind", "", "", "quit")
    said = program.run(*PLAY, typed=typed)
    assert "Ann wishes chips up to 120 before each round" in said
    assert "Ann tops up by 7" in said
    assert "Ann wishes chips up to 120 before each round and to sit out at the next big blind" in said
    assert "Ann sits out at the big blind" in said
    assert "passed" in program.run("audit", "last")


def test_the_person_at_the_terminal_straddles_by_choice(tmp_path: Path) -> None:
    program = Program(tmp_path, PLAINLY)
    typed = lines_of(
        "fold", "straddle on", "", "check", "", "fold", "", "fold", "", "check", "", "fold", "straddle off", "quit"
    )
    said = program.run(*PLAY, "--straddle", "4", "--straddle-by-choice", typed=typed)
    assert "straddle on" in said
    assert "Ann wishes to straddle in turn" in said
    assert "Ann has no wishes any more" in said
    assert said.count("posts a straddle") == 1
    assert "Ann posts a straddle, 4" in said
    assert "passed" in program.run("audit", "last")


def test_the_person_at_the_terminal_announces_a_bomb_pot(tmp_path: Path) -> None:
    program = Program(tmp_path, PLAINLY)
    said = program.run(
        *PLAY, "--bomb-pot", "5", typed=lines_of("fold", "bomb pot", "", "check", "1", "fold", "", "1", "quit")
    )
    assert "Ann announced that round 3 is a bomb pot" in said
    assert "Round 3 starts as a bomb pot: the ante is 10" in said
    assert "passed" in program.run("audit", "last")


def test_who_comes_back_soon_brings_what_they_took(tmp_path: Path) -> None:
    program = Program(tmp_path, PLAINLY)
    typed = lines_of("fold", "leave", "sit down with 20 Ann", "sit down with 50 Ann", "quit")
    said = program.run(*PLAY, "--return-rounds", "5", typed=typed)
    assert "Ann took 50 from the table, and must come back with at least as many within 5 rounds." in said
    assert "Ann sits down with 50" in said
    assert "passed" in program.run("audit", "last")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("--straddle-by-choice",),
            "straddle_by_choice = True is not valid; it must be left out, as the house has no straddle.",
        ),
        (("--buy-least", "300"), "buy_least = 300 is not valid; it must be at most the stack, 200."),
        (("--buy-most", "0"), "buy_most = 0 is not valid; it must be from 1 to 1,000,000,000 chips."),
        (("--away-rounds", "0"), "away_rounds = 0 is not valid; it must be from 1 to 10,000 rounds."),
    ],
)
def test_rules_that_cannot_be_are_told_in_a_sentence(tmp_path: Path, given: tuple[str, ...], said: str) -> None:
    assert the_sentence(Program(tmp_path).ended(*PLAY, *given), 1) == said


def test_they_are_for_cash_games(tmp_path: Path) -> None:
    said = the_sentence(Program(tmp_path).ended("play", "--approval", "--away-rounds", "5"), 1)
    assert said == "Only cash games have these rules: add --cash, or leave out --approval and --away-rounds."
