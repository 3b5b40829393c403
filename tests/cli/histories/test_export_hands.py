"""`pokersvc export --format`: a game as hands for other programs."""

import pytest

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Dealt
from tests.cli.program import Program


@pytest.fixture
def game(program: Program) -> Program:
    """Fixture: the program with a finished game of three rounds in a house that every format supports."""
    program.run("play", "--auto", "--rules", "no-limit", "--players", 3, "--rounds", 3, "--seed", "hands",
                "--opponents", "steady")  # fmt: skip
    return program


@pytest.mark.parametrize(("format_", "dialect"), [("phh", "phh"), ("ohh", "ohh"), ("pokerstars", "pokerstars")])
def test_the_rounds_are_written_as_the_viewer_knows_them(game: Program, format_: str, dialect: str) -> None:
    said = game.run("export", "last", "--format", format_, "--as", 2, "-o", "hands")
    assert said.endswith(f"3 hands in the format {format_}.\n")
    hands = list(hands_in(game.home / "hands"))
    assert len(hands) == 3
    for hand in hands:
        assert isinstance(hand, HandHistory)
        assert (hand.dialect, hand.hero) == (dialect, "Player2")
        dealt = {told.name for told in hand.told if isinstance(told, Dealt) and told.cards}
        assert dealt == {"Player2"}


def test_everybody_else_sees_no_hidden_card(game: Program) -> None:
    assert "Dealt to" not in game.run("export", "last", "--format", "pokerstars")


def test_what_cannot_be_written_is_said_in_one_sentence(game: Program) -> None:
    assert "'csv' is not a format of hands: phh, ohh, pokerstars." in game.refused("export", "last", "--format", "csv")
    open_ = game.refused("export", "last", "--format", "phh", "--open", 3)
    assert "--open is for pokersvc's own format" in open_
    game.run("play", "--auto", "--rules", "buy-the-pot", "--rounds", 1, "--seed", "pot")
    refused = game.refused("export", "last", "--format", "phh", "-o", "pot.phh")
    assert "in the house buy-the-pot chips that do not divide stay in the pot for the next round" in refused
    assert not (game.home / "pot.phh").exists()
