"""Hold'em and stud, two lists of streets, keep the promises of a game."""

from pathlib import Path

import pytest

from pokersvc.testing import check_game

from .game import Poker
from .variants import HOLDEM, STUD


@pytest.mark.parametrize("game", [HOLDEM, STUD], ids=lambda game: game.kind)
def test_it_keeps_the_promises_of_a_game(game: Poker) -> None:
    check_game(game, schemas=Path(__file__).with_name("schemas"))
