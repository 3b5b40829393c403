"""CFR+ in the abstraction: both seats improve in turn by their regrets, and the mean of what they play is the strategy.

All hands of a seat are treated at once, as arrays. Sources: O. Tammelin, Solving Large Imperfect Information Games
Using CFR+, 2014; M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, Accelerating Best Response Calculation in Large
Extensive Games, 2011 (arrays of hands at each node).
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy, even, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next, Node

TREMBLE: Final = 1e-4
"""The probability with which the opponent is taken to choose each action by mistake.

So there is an answer to what no good player does, rather than any choice at all.
"""
_LEAST: Final = 1e-30
"""A regret so small that it counts only where all others are 0."""


class Solver:
    """Improves a strategy of a spot, one iteration after another; its state is the arrays of `state`."""

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
        """Continue from what `state` returned after so many iterations."""
        self.iterations = iterations
        for array, stored in zip(self.state(), state, strict=True):
            array[:] = stored
        for regrets, now in zip(self._regrets.arrays(), self._now.arrays(), strict=True):
            _match(now, regrets)

    def mean(self) -> Strategy:
        """Return the mean strategy: where a seat never comes by its own choices, what it would do now."""
        arrays = zip(self._sums.arrays(), self._now.arrays(), strict=True)
        means = iter([_shares(sums, now) for sums, now in arrays])
        return filled(self._now.spot, self._cards.hands, lambda _: next(means), self._now.root)

    def iterate(self) -> None:
        """Improve the button's choices and then the big blind's, each against what the other plays now."""
        self.iterations += 1
        for seat in (BUTTON, BLIND):
            shares = self._cards.shares
            improvement = _Improvement(seat, self.iterations**2, self._cards, self._now, self._learned)
            improvement.first(self._now.root, shares, shares)


_Learned = Mapping[int, tuple[Floats, Floats]]
"""The `id` of an array of chances → its regrets and its sums."""


class _Improvement:
    """One walk through the tree that improves the choices of one seat; values are chips, in units, of all hands.

    A value of a hand is weighted with the chance that the opponent comes there.
    """

    def __init__(self, seat: int, weight: float, cards: Groups, now: Strategy, learned: _Learned) -> None:
        self._seat = seat
        self._weight = weight
        self._ends = cards.ends
        self._now = now
        self._learned = learned

    def first(self, node: Next, own: Floats, other: Floats) -> Floats:
        """Return the values of the seat's groups in the first betting; ``own`` and ``other`` say who comes there."""
        if isinstance(node, FoldEnd):
            return np.full(own.shape, _won(node, self._seat) * other.sum())
        if isinstance(node, CallEnd):
            after = self._now.after[node]
            return self._blind(after, own, other) if self._seat == BLIND else self._button(after, own, other)
        chances = self._now.first[node]
        if node.seat == self._seat:
            values = np.stack(
                [self.first(child, own * chance, other) for child, chance in zip(node.children, chances, strict=True)]
            )
            return self._improved(chances, values, own)
        found = np.zeros(own.shape)
        for child, chance in zip(node.children, chances, strict=True):
            found += self.first(child, own, other * _trembled(chance))
        return found

    def _blind(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the big blind's groups before the draw."""
        own_ends = np.einsum("dg,dgx->dx", own * after.blind, self._ends)
        other_ends = _matrix(other * _trembled(after.button), self._ends)  # (drawn by button, by blind, bucket)
        values = self._end(after, own_ends[:, None], other_ends.swapaxes(0, 1))
        by_draw = np.einsum("dx,dgx->dg", values.sum(axis=1), self._ends)
        return self._improved(after.blind, by_draw, own)

    def _button(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the button's groups before the draw."""
        own_ends = _matrix(own * after.button, self._ends).swapaxes(0, 1)
        other_ends = np.einsum("dg,dgx->dx", other * _trembled(after.blind), self._ends)
        values = self._end(after, own_ends, other_ends[:, None])  # (drawn by blind, by button, bucket)
        by_draw = np.einsum("bdx,dgx->dbg", values, self._ends, optimize=True)
        found: Floats = self._improved(after.button, by_draw, own).sum(axis=0)
        return found

    def _end(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the seat's final hands, for each number of cards that both drew."""
        if after.end.final is None:
            return np.broadcast_to(_shown(after.end.put, other), np.broadcast_shapes(own.shape, other.shape))
        return self._final(after, after.end.final, own, other)

    def _final(self, after: AfterDraw, node: Next, own: Floats, other: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            found: Floats = _won(node, self._seat) * other.sum(axis=-1, keepdims=True)
            return found
        if isinstance(node, CallEnd):
            return _shown(node.put, other)
        chances = after.nodes[node]
        if node.seat == self._seat:
            values = np.empty(chances.shape)
            for action, child in enumerate(node.children):
                values[action] = self._final(after, child, own * chances[action], other)
            return self._improved(chances, values, own)
        found = np.zeros(chances.shape[1:])
        for action, child in enumerate(node.children):
            found += self._final(after, child, own, other * _trembled(chances[action]))
        return found

    def _improved(self, chances: Floats, values: Floats, own: Floats) -> Floats:
        """Return the mean of the actions' values as they are chosen now, and then choose better."""
        regrets, sums = self._learned[id(chances)]
        mean: Floats = (chances * values).sum(axis=0)
        sums += (self._weight * own) * chances
        regrets += values - mean
        np.maximum(regrets, 0, out=regrets)
        _match(chances, regrets)
        return mean


def _matrix(reach: Floats, ends: Floats) -> Floats:
    """Return who comes to each bucket, by cards drawn, from ``reach`` by cards drawn, anything, and group."""
    found: Floats = np.matmul(reach, ends)
    return found


def _won(end: FoldEnd, seat: int) -> float:
    return -end.lost if end.seat == seat else end.lost


def _shown(put: int, other: Floats) -> Floats:
    """Return what each bucket wins from the opponent's hands at a showdown, in which equal buckets tie."""
    below = other.cumsum(axis=-1)
    found: Floats = put * (2 * below - other - below[..., -1:])
    return found


def _trembled(chance: Floats) -> Floats:
    return chance * (1 - TREMBLE) + TREMBLE


def _match(chances: Floats, regrets: Floats) -> None:
    """Choose actions in proportion to their regrets, all alike where there is none."""
    np.add(regrets, _LEAST, out=chances)
    chances /= chances.sum(axis=0)


def _shares(parts: Floats, otherwise: Floats) -> Floats:
    whole = parts.sum(axis=0)
    found: Floats = np.where(whole > 0, parts / np.where(whole > 0, whole, 1), otherwise)
    return found
