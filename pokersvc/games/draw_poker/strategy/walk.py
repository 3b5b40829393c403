"""A walk through the tree for one seat: the values of its actions against an opponent.

All hands of a seat are treated at once, as arrays. Source: M. Johanson, K. Waugh, M. Bowling, M. Zinkevich,
Accelerating Best Response Calculation in Large Extensive Games, 2011.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import Floats, Groups
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.tree import BLIND, CallEnd, FoldEnd, Next, Node

Chosen: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
"""Takes a choice's probabilities and values, whose first axis is the action, and the probability with which each hand
gets there by the seat's own choices. Returns the value of each hand, and may change the probabilities.
"""


class Walk:
    """One walk through the tree of a strategy; values are chips, in units, for all hands of one seat.

    A hand's value is weighted with the opponent's probability of reaching the place. The opponent is assumed to choose
    each action by mistake with the probability ``tremble``, so that even actions that no good player takes get a proper
    answer.
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
        own: dict[Node | CallEnd, Floats] = {}
        folded: dict[FoldEnd, Floats] = {}
        others: list[Floats] = []
        self._reach(self._strategy.root, self._shares, self._shares, own, folded, others)
        ends = [after for end, after in self._strategy.after.items() if end in own]
        drawn = self._blind if self._seat == BLIND else self._button
        values = dict(zip([after.end for after in ends], drawn(ends, own, others), strict=True)) if ends else {}
        return self._first(self._strategy.root, own, folded, values)

    def _reach(
        self,
        node: Next,
        own: Floats,
        other: Floats,
        reached: dict[Node | CallEnd, Floats],
        folded: dict[FoldEnd, Floats],
        others: list[Floats],
    ) -> None:
        """Store the reach of both seats at each place of the first betting; ``others`` is in the order of the tree."""
        if isinstance(node, FoldEnd):
            folded[node] = np.full(own.shape, _won(node, self._seat) * other.sum())
            return
        reached[node] = own
        if isinstance(node, CallEnd):
            others.append(other)
            return
        for child, chance in zip(node.children, self._strategy.first[node], strict=True):
            if node.seat == self._seat:
                self._reach(child, own * chance, other, reached, folded, others)
            else:
                self._reach(child, own, other * self._trembled(chance), reached, folded, others)

    def _first(
        self,
        node: Next,
        own: dict[Node | CallEnd, Floats],
        folded: dict[FoldEnd, Floats],
        ended: dict[CallEnd, Floats],
    ) -> Floats:
        """Return the values of the seat's groups in the first betting, from those of its ends."""
        if isinstance(node, FoldEnd):
            return folded[node]
        if isinstance(node, CallEnd):
            return ended[node]
        values = np.stack([self._first(child, own, folded, ended) for child in node.children])
        if node.seat == self._seat:
            return self._chosen(self._strategy.first[node], values, own[node])
        found: Floats = values.sum(axis=0)
        return found

    def _blind(
        self, afters: Sequence[AfterDraw], own: Mapping[Node | CallEnd, Floats], others: Sequence[Floats]
    ) -> list[Floats]:
        """Return the values of the big blind's groups before the draw, for each end of the first betting."""
        own_ends = _drawn([own[after.end] * after.blind for after in afters], self._ends)
        pairs = zip(afters, others, strict=True)
        other_ends = _drawn([other * self._trembled(after.button) for after, other in pairs], self._ends)
        values = [  # by what the blind drew, and bucket
            self._end(after, own_ends[:, at, None], other_ends[:, at].swapaxes(0, 1)).sum(axis=1)
            for at, after in enumerate(afters)
        ]
        by_draw = _dealt(values, self._ends)
        return [self._chosen(after.blind, by_draw[:, at], own[after.end]) for at, after in enumerate(afters)]

    def _button(
        self, afters: Sequence[AfterDraw], own: Mapping[Node | CallEnd, Floats], others: Sequence[Floats]
    ) -> list[Floats]:
        """Return the values of the button's groups before the draw, for each end of the first betting."""
        own_ends = _drawn([own[after.end] * after.button for after in afters], self._ends)
        pairs = zip(afters, others, strict=True)
        other_ends = _drawn([other * self._trembled(after.blind) for after, other in pairs], self._ends)
        values = [  # by what the button drew, by what the blind drew, and bucket
            self._end(after, own_ends[:, at].swapaxes(0, 1), other_ends[:, at, None]).swapaxes(0, 1)
            for at, after in enumerate(afters)
        ]
        by_draw = _dealt(values, self._ends)
        chosen = [self._chosen(after.button, by_draw[:, at], own[after.end]) for at, after in enumerate(afters)]
        return [one.sum(axis=0) for one in chosen]

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


def _drawn(reach: Sequence[Floats], ends: Floats) -> Floats:
    """Return the reach of each bucket, by cards drawn, end of the first betting, and any other axes.

    ``reach`` has, for each end, cards drawn as the first axis and the group as the last. One matrix product saves time.
    """
    whole = np.stack(reach, axis=1)
    found: Floats = np.matmul(whole.reshape(len(ends), -1, whole.shape[-1]), ends)
    return found.reshape(*whole.shape[:-1], -1)


def _dealt(values: Sequence[Floats], ends: Floats) -> Floats:
    """Return the values of groups before the draw, by cards drawn, end, and the other axes of ``values``."""
    return _drawn(values, ends.swapaxes(1, 2))


def _won(end: FoldEnd, seat: int) -> float:
    return -end.lost if end.seat == seat else end.lost


def _shown(put: int, other: Floats) -> Floats:
    """Return each bucket's winnings from the opponent's hands at a showdown, in which equal buckets tie."""
    below = other.cumsum(axis=-1)
    found: Floats = put * (2 * below - other - below[..., -1:])
    return found
