"""Repairs a strategy at places that its own choices never reach, such as with a hand that it would have folded.

There CFR+ learns next to nothing: the average strategy keeps its first iterations. Such places are still reached: by a
person whose choices are reviewed, or after a bet of a size that the tree does not have.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.strategy import Strategy, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON
from pokersvc.games.draw_poker.strategy.walk import Walk

SELDOM: Final = 4e-6
"""If less than this fraction of a kind of hand reaches a place by the seat's own choices, the place is off its path."""
TREMBLE: Final = 0.01
"""The probability with which the opponent is assumed to choose each action by mistake, so that the opponent may hold
anything there."""
_PASSES: Final = 2
"""The number of passes over each seat's choices; the second is against the opponent's new choices off its own path."""


def mended(strategy: Strategy, cards: Groups) -> Strategy:
    """Return the same strategy, but with the best action wherever its own choices rarely lead.

    The best action is the best one against the strategy itself with mistakes (`TREMBLE`). Because hardly any hand comes
    there, what the strategy loses to a best response stays about the same.
    """
    arrays = (array.copy() for array in strategy.arrays())
    found = filled(strategy.spot, cards.hands, lambda _: next(arrays), strategy.root)
    for seat in (BUTTON, BLIND) * _PASSES:
        Walk(seat, cards, found, _answering(seat, cards), TREMBLE).values()
    return found


def _answering(seat: int, cards: Groups) -> Callable[[Floats, Floats, Floats], Floats]:
    """Return a function that puts the best action in place of choices reached by less than `SELDOM` of a hand."""
    ends = np.einsum("g,dgx->dx", cards.shares, cards.ends)
    by_draws = ends[:, None] if seat == BLIND else ends[None]

    def answered(chances: Floats, values: Floats, own: Floats) -> Floats:
        dealt = by_draws if chances.ndim == 4 else cards.shares  # after the draw, chances have two axes of draws
        best = np.arange(len(chances)).reshape(-1, *(1,) * (chances.ndim - 1)) == values.argmax(axis=0)
        np.copyto(chances, best, where=own < SELDOM * dealt)
        mean: Floats = (chances * values).sum(axis=0)
        return mean

    return answered
