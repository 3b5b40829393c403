"""A walk through the tree for one seat: the values of its actions against an opponent.

All hands of a seat are treated at once, as arrays. Source: M. Johanson, K. Waugh, M. Bowling, M. Zinkevich,
Accelerating Best Response Calculation in Large Extensive Games, 2011.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.tree import BLIND, CallEnd, FoldEnd, Next

Chosen: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
"""Takes a choice's chances and values, both by action first, and how many of the hands come there by the seat's own
choices; returns the value of each hand, and may change the chances.
"""


class Walk:
    """One walk through the tree of a strategy; values are chips, in units, for all hands of one seat.

    A value of a hand is weighted with the chance that the opponent comes there. The opponent is taken to choose each
    action by mistake with the probability ``tremble``: so there is an answer to what no good player does, rather than
    any choice at all.
    """

    def __init__(self, seat: int, cards: Groups, strategy: Strategy, chosen: Chosen, tremble: float) -> None:
        self._seat = seat
        self._shares = cards.shares
        self._ends = cards.ends
        self._strategy = strategy
        self._chosen = chosen
        self._tremble = tremble

    def values(self) -> Floats:
        """Return the values of the seat's groups of deals."""
        return self._first(self._strategy.root, self._shares, self._shares)

    def _first(self, node: Next, own: Floats, other: Floats) -> Floats:
        """Return the values of the seat's groups in the first betting; ``own`` and ``other`` are both reaches."""
        if isinstance(node, FoldEnd):
            return np.full(own.shape, _won(node, self._seat) * other.sum())
        if isinstance(node, CallEnd):
            after = self._strategy.after[node]
            return self._blind(after, own, other) if self._seat == BLIND else self._button(after, own, other)
        chances = self._strategy.first[node]
        if node.seat == self._seat:
            values = np.stack(
                [self._first(child, own * chance, other) for child, chance in zip(node.children, chances, strict=True)]
            )
            return self._chosen(chances, values, own)
        found = np.zeros(own.shape)
        for child, chance in zip(node.children, chances, strict=True):
            found += self._first(child, own, other * self._trembled(chance))
        return found

    def _blind(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the big blind's groups before the draw."""
        own_ends = np.einsum("dg,dgx->dx", own * after.blind, self._ends)
        other_ends = _matrix(other * self._trembled(after.button), self._ends)  # (drawn by button, by blind, bucket)
        values = self._end(after, own_ends[:, None], other_ends.swapaxes(0, 1))
        by_draw = np.einsum("dx,dgx->dg", values.sum(axis=1), self._ends)
        return self._chosen(after.blind, by_draw, own)

    def _button(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the button's groups before the draw."""
        own_ends = _matrix(own * after.button, self._ends).swapaxes(0, 1)
        other_ends = np.einsum("dg,dgx->dx", other * self._trembled(after.blind), self._ends)
        values = self._end(after, own_ends, other_ends[:, None])  # (drawn by blind, by button, bucket)
        by_draw = np.einsum("bdx,dgx->dbg", values, self._ends, optimize=True)
        found: Floats = self._chosen(after.button, by_draw, own).sum(axis=0)
        return found

    def _end(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        """Return the values of the seat's final hands, for each pair of numbers of cards drawn."""
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
            return self._chosen(chances, values, own)
        found = np.zeros(chances.shape[1:])
        for action, child in enumerate(node.children):
            found += self._final(after, child, own, other * self._trembled(chances[action]))
        return found

    def _trembled(self, chance: Floats) -> Floats:
        return chance * (1 - self._tremble) + self._tremble


def _matrix(reach: Floats, ends: Floats) -> Floats:
    """Return the reach of each bucket, by cards drawn, from ``reach`` by cards drawn, any other axes, and group."""
    found: Floats = np.matmul(reach, ends)
    return found


def _won(end: FoldEnd, seat: int) -> float:
    return -end.lost if end.seat == seat else end.lost


def _shown(put: int, other: Floats) -> Floats:
    """Return each bucket's winnings from the opponent's hands at a showdown, in which equal buckets tie."""
    below = other.cumsum(axis=-1)
    found: Floats = put * (2 * below - other - below[..., -1:])
    return found
