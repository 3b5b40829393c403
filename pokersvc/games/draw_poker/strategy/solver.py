"""CFR+ in the abstraction: both seats improve in turn by their regrets; the mean of what they play is the strategy.

Source: O. Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014.
"""

from typing import Final

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import Strategy, even, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, Node
from pokersvc.games.draw_poker.strategy.walk import Walk

TREMBLE: Final = 1e-4
"""The probability with which the opponent is taken to choose each action by mistake."""
_LEAST: Final = 1e-30
"""A regret so small that it counts only where all others are 0."""


class Solver:
    """Improves the strategy of a spot, one iteration at a time; its whole state is the arrays of `state`."""

    def __init__(self, spot: Spot, cards: Groups, root: Node | None = None) -> None:
        self.iterations = 0
        self._cards = cards
        self._regrets = filled(spot, cards.hands, np.zeros, root)
        root = self._regrets.root
        self._now = filled(spot, cards.hands, even, root)
        self._sums = filled(spot, cards.hands, np.zeros, root)
        arrays = zip(self._now.arrays(), self._regrets.arrays(), self._sums.arrays(), strict=True)
        self._learned = {id(now): (regrets, sums) for now, regrets, sums in arrays}

    def state(self) -> list[Floats]:
        """Return the regrets and the sums, which with `iterations` are all that the next iteration needs."""
        return [*self._regrets.arrays(), *self._sums.arrays()]

    def restore(self, iterations: int, state: list[Floats]) -> None:
        """Continue from the arrays that `state` returned after ``iterations`` iterations."""
        self.iterations = iterations
        for array, stored in zip(self.state(), state, strict=True):
            array[:] = stored
        for regrets, now in zip(self._regrets.arrays(), self._now.arrays(), strict=True):
            _match(now, regrets)

    def mean(self) -> Strategy:
        """Return the mean strategy; where a seat never leads by its own choices, its current one."""
        arrays = zip(self._sums.arrays(), self._now.arrays(), strict=True)
        means = iter([_shares(sums, now) for sums, now in arrays])
        return filled(self._now.spot, self._cards.hands, lambda _: next(means), self._now.root)

    def iterate(self) -> None:
        """Improve the button's choices and then the big blind's, each against the other's current strategy."""
        self.iterations += 1
        for seat in (BUTTON, BLIND):
            Walk(seat, self._cards, self._now, self._improved, TREMBLE).values()

    def _improved(self, chances: Floats, values: Floats, own: Floats) -> Floats:
        """Return the mean of the actions' values under the current strategy, then update it."""
        regrets, sums = self._learned[id(chances)]
        mean: Floats = (chances * values).sum(axis=0)
        sums += (self.iterations**2 * own) * chances
        regrets += values - mean
        np.maximum(regrets, 0, out=regrets)
        _match(chances, regrets)
        return mean


def _match(chances: Floats, regrets: Floats) -> None:
    """Choose actions in proportion to their positive regrets, uniformly if there are none."""
    np.add(regrets, _LEAST, out=chances)
    chances /= chances.sum(axis=0)


def _shares(parts: Floats, otherwise: Floats) -> Floats:
    whole = parts.sum(axis=0)
    found: Floats = np.where(whole > 0, parts / np.where(whole > 0, whole, 1), otherwise)
    return found
