"""A best response's winnings from a player who picks one of several strategies at random for each hand."""

from collections.abc import Sequence

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Groups, groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next, Node


def lost_by(ways: Sequence[Strategy], cards: Groups | None = None) -> float:
    """Return the mean winnings of best responses in both seats, in thousandths of a big blind per hand.

    The strategies are of one tree and equally likely, and the best responses do not know which one is played.
    """
    return sum(Answer(ways, seat, cards).value() for seat in (BUTTON, BLIND)) * 1000 / 2 / BIG_BLIND


class Answer:
    """The best response of one seat; ``against`` has the opponent's hands by strategy, weighted by probability."""

    def __init__(self, ways: Sequence[Strategy], seat: int, cards: Groups | None = None) -> None:
        self.ways, self.seat, self.cards = ways, seat, cards or groups()

    def value(self) -> float:
        """Return the seat's mean result in units."""
        shares = self.cards.shares
        return float(shares @ self._first(self.ways[0].root, np.tile(shares / len(self.ways), (len(self.ways), 1))))

    def picked(self, node: Node, values: Floats, against: Floats) -> Floats:
        """Return the values of the seat's groups from those of each action of a choice in the first betting."""
        return np.asarray(values.max(axis=0))

    def picked_draw(self, values: Floats, met: Floats) -> Floats:
        """Return the values of groups from those by cards drawn; ``met`` are the opponent's buckets, likewise."""
        return np.asarray(values.max(axis=0))

    def picked_final(
        self,
        after: Sequence[AfterDraw],
        node: Node,
        drew: tuple[int, int],
        values: Floats,
        against: Floats,
    ) -> Floats:
        """Return the values of buckets from those of each action of a choice after the draw."""
        return np.asarray(values.max(axis=0))

    def _first(self, node: Next, against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape[1], self.folded(node) * against.sum())
        if isinstance(node, CallEnd):
            after = [way.after[node] for way in self.ways]
            return self._blind(after, against) if self.seat == BLIND else self._button(after, against)
        if node.seat == self.seat:
            return self.picked(node, np.array([self._first(child, against) for child in node.children]), against)
        chances = np.stack([way.first[node] for way in self.ways], axis=1)
        parts = [self._first(child, against * chance) for child, chance in zip(node.children, chances, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def _blind(self, after: Sequence[AfterDraw], against: Floats) -> Floats:
        ends = self.cards.ends
        chances = np.stack([one.button for one in after], axis=2)  # (drawn by button, by blind, way, group)
        by_draw, met = [], []
        for drew in range(DRAWS):
            hands = np.array([(against * chances[theirs, drew]) @ ends[theirs] for theirs in range(DRAWS)])
            parts = [self._end(after, (drew, theirs), hands[theirs]) for theirs in range(DRAWS)]
            by_draw.append(ends[drew] @ np.sum(parts, axis=0))
            met.append(hands.sum(axis=(0, 1)))
        return self.picked_draw(np.array(by_draw), np.array(met))

    def _button(self, after: Sequence[AfterDraw], against: Floats) -> Floats:
        ends = self.cards.ends
        chances = np.stack([one.blind for one in after], axis=1)
        found = np.zeros(against.shape[1])
        for theirs in range(DRAWS):
            reach = (against * chances[theirs]) @ ends[theirs]
            values = np.array([ends[drew] @ self._end(after, (theirs, drew), reach) for drew in range(DRAWS)])
            found += self.picked_draw(values, np.tile(reach.sum(axis=0), (DRAWS, 1)))
        return found

    def _end(self, after: Sequence[AfterDraw], drew: tuple[int, int], against: Floats) -> Floats:
        return self._final(after, after[0].end.final or after[0].end, drew, against)

    def _final(self, after: Sequence[AfterDraw], node: Next, drew: tuple[int, int], against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape[1], self.folded(node) * against.sum())
        if isinstance(node, CallEnd):
            return node.put * shown(against.sum(axis=0))
        if node.seat == self.seat:
            values = np.array([self._final(after, child, drew, against) for child in node.children])
            return self.picked_final(after, node, drew, values, against)
        chances = np.stack([one.nodes[node][:, drew[0], drew[1]] for one in after], axis=1)
        parts = zip(node.children, chances, strict=True)
        found = [self._final(after, child, drew, against * chance) for child, chance in parts]
        return np.asarray(np.sum(found, axis=0))

    def folded(self, end: FoldEnd) -> int:
        """Return what the seat wins by a fold."""
        return -end.lost if end.seat == self.seat else end.lost


def shown(hands: Floats) -> Floats:
    """Return what each bucket wins at a showdown for one unit against ``hands``, by bucket; equal buckets tie."""
    below = hands.cumsum()
    return np.asarray(2 * below - hands - below[-1])
