"""For authors of games: `check_game` plays a game many times and reports broken promises of the contract.

A test of a game is

    def test_the_game_keeps_its_promises() -> None:
        check_game(KUHN, schemas=Path(__file__).with_name("schemas"))

docs/games.md shows how to write a game.
"""

from pokersvc.testing.kit import check_game
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.testing.schemas import write_schemas

__all__ = ["BrokenPromise", "Promise", "check_game", "write_schemas"]
