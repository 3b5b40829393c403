"""The Poker Market: swaps of cards that everyone can see.

The game itself is imported when it is needed: a history needs only its `history_words`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokersvc.games.poker_market.game import POKER_MARKET, PokerMarket

__all__ = ["POKER_MARKET", "PokerMarket"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pokersvc.games.poker_market import game

    return getattr(game, name)
