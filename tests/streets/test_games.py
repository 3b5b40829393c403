"""Hold'em and stud, two lists of streets, keep the promises of a game."""

from pathlib import Path

import pytest

from pokersvc.testing import check_game
from pokersvc.testing.kit import STORED

from .game import Poker
from .variants import HOLDEM, STUD


@pytest.mark.parametrize("game", [HOLDEM, STUD], ids=lambda game: game.kind)
@pytest.mark.parametrize(
    "games",
    [1, pytest.param(8, marks=pytest.mark.slow), pytest.param(20, marks=[pytest.mark.slow, pytest.mark.exhaustive])],
)
def test_it_keeps_the_promises_of_a_game(game: Poker, games: int) -> None:
    """With all numbers of seats in the exhaustive form."""
    check_game(game, seeds=range(games), stored=min(games, STORED), schemas=Path(__file__).with_name("schemas"))
