"""The value of a strategy and its distance from perfect play, in its abstraction.

A best response knows the strategy and answers it with whatever pays most. Against a perfect strategy, both best
responses together win 0; half of what they win is called the strategy's exploitability. This module shares no code with
the solver: its showdowns are matrices of wins, and its hands of the opponent have their chances of being dealt.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next

_Chosen: TypeAlias = Callable[[Floats, Floats], Floats]
"""Takes the values of actions and the strategy's chances of them, both by action first; returns each hand's value."""


class Worth(NamedTuple):
    """A strategy's value against itself and against best responses, in thousandths of a big blind per hand."""

    button: float
    """What the button wins if both play the strategy."""
    exploitability: float
    """The mean of what the best responses win in both seats, which is 0 for a perfect strategy."""


def worth(strategy: Strategy, cards: Groups) -> Worth:
    """Return the value of a strategy in its abstraction."""
    best = sum(_Answer(strategy, cards, seat, lambda values, _: values.max(axis=0)).value() for seat in (BUTTON, BLIND))
    played = _Answer(strategy, cards, BUTTON, lambda values, chances: (values * chances).sum(axis=0)).value()
    return Worth(1000 * played / BIG_BLIND, 1000 * best / 2 / BIG_BLIND)


class _Answer:
    """One seat's best response to a strategy; ``against`` are the opponent's hands, weighted by probability."""

    def __init__(self, strategy: Strategy, cards: Groups, seat: int, chosen: _Chosen) -> None:
        self._strategy, self._cards, self._seat, self._chosen = strategy, cards, seat, chosen
        places = np.arange(cards.ends.shape[2])
        self._wins = np.sign(places[:, None] - places).astype(float)

    def value(self) -> float:
        """Return the seat's mean result in units."""
        return float(self._cards.shares @ self._first(self._strategy.root, self._cards.shares))

    def _first(self, node: Next, against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape, self._folded(node) * against.sum())
        if isinstance(node, CallEnd):
            after = self._strategy.after[node]
            return self._blind(after, against) if self._seat == BLIND else self._button(after, against)
        chances = self._strategy.first[node]
        if node.seat == self._seat:
            return self._chosen(np.array([self._first(child, against) for child in node.children]), chances)
        parts = [self._first(child, against * part) for child, part in zip(node.children, chances, strict=True)]
        found: Floats = np.sum(parts, axis=0)
        return found

    def _blind(self, after: AfterDraw, against: Floats) -> Floats:
        ends, by_draw = self._cards.ends, []
        for drew in range(DRAWS):
            values = sum(
                self._end(after, (drew, theirs), (against * after.button[theirs, drew]) @ ends[theirs])
                for theirs in range(DRAWS)
            )
            by_draw.append(ends[drew] @ values)
        return self._chosen(np.array(by_draw), after.blind)

    def _button(self, after: AfterDraw, against: Floats) -> Floats:
        ends = self._cards.ends
        found = np.zeros(len(against))
        for theirs in range(DRAWS):
            hands = (against * after.blind[theirs]) @ ends[theirs]
            values = [ends[drew] @ self._end(after, (theirs, drew), hands) for drew in range(DRAWS)]
            found += self._chosen(np.array(values), after.button[:, theirs])
        return found

    def _end(self, after: AfterDraw, drew: tuple[int, int], against: Floats) -> Floats:
        """Return the values of final hands; ``drew`` are the numbers of cards that the blind and the button drew."""
        if after.end.final is None:
            return self._shown(after.end.put, against)
        return self._final(after, after.end.final, drew, against)

    def _final(self, after: AfterDraw, node: Next, drew: tuple[int, int], against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(against.shape, self._folded(node) * against.sum())
        if isinstance(node, CallEnd):
            return self._shown(node.put, against)
        chances = after.nodes[node][:, drew[0], drew[1]]
        if node.seat == self._seat:
            return self._chosen(
                np.array([self._final(after, child, drew, against) for child in node.children]), chances
            )
        parts = zip(node.children, chances, strict=True)
        found: Floats = np.sum([self._final(after, child, drew, against * part) for child, part in parts], axis=0)
        return found

    def _shown(self, put: int, against: Floats) -> Floats:
        found: Floats = put * (self._wins @ against)
        return found

    def _folded(self, end: FoldEnd) -> int:
        return -end.lost if end.seat == self._seat else end.lost
