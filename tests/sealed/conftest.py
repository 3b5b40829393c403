"""A service that knows the game of this folder."""

import pytest

from pokersvc.core.game import Game
from tests.own_game import database, game_is_registered, log, service

from .game import SEALED

__all__ = ["database", "game", "game_is_registered", "log", "service"]


@pytest.fixture(scope="module")
def game() -> Game:
    return SEALED
