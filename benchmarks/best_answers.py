"""A best response's winnings from a player who picks one of several strategies at random for each hand."""

from collections.abc import Sequence

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next


def lost_by(ways: Sequence[Strategy]) -> float:
    """Return the mean winnings of best responses in both seats, in thousandths of a big blind per hand.

    The strategies are of one tree and equally likely, and the best responses do not know which one is played.
    """
    return sum(_Answer(ways, seat).value() for seat in (BUTTON, BLIND)) * 1000 / 2 / BIG_BLIND


class _Answer:
    """The best response of one seat; ``against`` has the opponent's hands by strategy, weighted by probability."""

    def __init__(self, ways: Sequence[Strategy], seat: int) -> None:
        self._ways, self._seat = ways, seat

    def value(self) -> float:
        """Return the seat's mean result in units."""
        shares = groups().shares
        return float(shares @ self._first(self._ways[0].root, np.tile(shares / len(self._ways), (len(self._ways), 1))))

    def _first(self, node: Next, against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape[1], self._folded(node) * against.sum())
        if isinstance(node, CallEnd):
            after = [way.after[node] for way in self._ways]
            return self._blind(after, against) if self._seat == BLIND else self._button(after, against)
        if node.seat == self._seat:
            return np.asarray(np.max([self._first(child, against) for child in node.children], axis=0))
        chances = np.stack([way.first[node] for way in self._ways], axis=1)
        parts = [self._first(child, against * chance) for child, chance in zip(node.children, chances, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def _blind(self, after: Sequence[AfterDraw], against: Floats) -> Floats:
        ends = groups().ends
        chances = np.stack([one.button for one in after], axis=2)  # (drawn by button, by blind, way, group)
        by_draw = []
        for drew in range(DRAWS):
            parts = [self._end(after, (drew, t), (against * chances[t, drew]) @ ends[t]) for t in range(DRAWS)]
            by_draw.append(ends[drew] @ np.sum(parts, axis=0))
        return np.asarray(np.max(by_draw, axis=0))

    def _button(self, after: Sequence[AfterDraw], against: Floats) -> Floats:
        ends = groups().ends
        chances = np.stack([one.blind for one in after], axis=1)
        found = np.zeros(against.shape[1])
        for theirs in range(DRAWS):
            hands = (against * chances[theirs]) @ ends[theirs]
            found += np.max([ends[drew] @ self._end(after, (theirs, drew), hands) for drew in range(DRAWS)], axis=0)
        return found

    def _end(self, after: Sequence[AfterDraw], drew: tuple[int, int], against: Floats) -> Floats:
        return self._final(after, after[0].end.final or after[0].end, drew, against)

    def _final(self, after: Sequence[AfterDraw], node: Next, drew: tuple[int, int], against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape[1], self._folded(node) * against.sum())
        if isinstance(node, CallEnd):
            hands = against.sum(axis=0)
            below = hands.cumsum()
            return np.asarray(node.put * (2 * below - hands - below[-1]))
        if node.seat == self._seat:
            return np.asarray(np.max([self._final(after, child, drew, against) for child in node.children], axis=0))
        chances = np.stack([one.nodes[node][:, drew[0], drew[1]] for one in after], axis=1)
        parts = zip(node.children, chances, strict=True)
        values = [self._final(after, child, drew, against * chance) for child, chance in parts]
        return np.asarray(np.sum(values, axis=0))

    def _folded(self, end: FoldEnd) -> int:
        return -end.lost if end.seat == self._seat else end.lost
