"""Rounds probabilities more coarsely where little is at stake: files become a quarter smaller at little cost."""

from typing import Final

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.off_path import TREMBLE
from pokersvc.games.draw_poker.strategy.packed_strategy import packed, unpacked
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import Strategy, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON
from pokersvc.games.draw_poker.strategy.walk import Walk

LITTLE: Final = 0.01
"""What is little, in thousandths of a big blind per hand."""
COARSE: Final = 17
"""The parts that a probability of 1 has there: a fifteenth of the usual 255."""


def coarsened(strategy: Strategy, cards: Groups) -> Strategy:
    """Return the same strategy, but with coarser probabilities wherever its choices matter little.

    At stake is the mean difference between the best and the worst action, over all hands of the seat with the same
    draws. Most choices after the draw hardly matter, because the bets or draws before them are rare. The opponent is
    assumed to make mistakes (`TREMBLE`): a best response goes where the strategy itself never would.
    """
    arrays = (array.copy() for array in strategy.arrays())
    found = filled(strategy.spot, cards.hands, lambda _: next(arrays), strategy.root)
    for seat in (BUTTON, BLIND):
        Walk(seat, cards, found, _rounding, TREMBLE).values()
    return found


def _rounding(chances: Floats, values: Floats, own: Floats) -> Floats:
    stake = (own * (values.max(axis=0) - values.min(axis=0))).sum(axis=-1, keepdims=True)
    little = stake < LITTLE * BIG_BLIND / 1000
    if little.any():
        np.copyto(chances, unpacked(packed(chances, COARSE), COARSE), where=little)
    mean: Floats = (chances * values).sum(axis=0)
    return mean
