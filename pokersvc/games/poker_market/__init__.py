"""The Poker Market: swaps of cards that everyone can see."""

from pokersvc.games.poker_market.game import POKER_MARKET, PokerMarket

__all__ = ["POKER_MARKET", "PokerMarket"]
