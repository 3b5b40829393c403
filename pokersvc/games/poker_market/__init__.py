"""The Poker Market: swaps of cards that everyone can see.

The game itself is imported only when it is needed: to show its history, `history_words` is enough.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.poker_market.game import POKER_MARKET, PokerMarket

__all__ = ["POKER_MARKET", "PokerMarket"]

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(__name__, {name: (f"{__name__}.game", name) for name in __all__})
