"""A small game of the same shape, and its exact value by linear programming."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next, betting_tree

SPOT: Final = Spot("fixed_limit", 0, 2)
GROUPS, BUCKETS = 3, 3


def cards(seed: int) -> Groups:
    """Return three groups of deals that end in three buckets, by chance."""
    random = np.random.default_rng(seed)
    ends = random.dirichlet(np.full(BUCKETS, 0.7), (DRAWS, GROUPS))
    return Groups(np.arange(GROUPS), random.dirichlet(np.full(GROUPS, 3.0)), ends)


Sequence: TypeAlias = tuple[Any, ...]
"""What a seat has seen, and for an action also its number."""
Lasts: TypeAlias = tuple[Sequence, Sequence]
"""The last sequence of the button and of the blind."""


class Game:
    """All sequences of both seats, who remember everything, and what the button wins at each end.

    Source: D. Koller, N. Megiddo, B. von Stengel, Fast Algorithms for Finding Randomized Strategies in Game
    Trees, 1994.
    """

    def __init__(self, of: Groups) -> None:
        self.of = of
        self.numbers: list[dict[Sequence, int]] = [{(): 0}, {(): 0}]
        self.choices: list[dict[Sequence, tuple[int, list[int]]]] = [{}, {}]
        self.ends: list[tuple[int, int, float]] = []
        root = self.root = betting_tree(SPOT)
        for button, blind in product(range(GROUPS), repeat=2):
            chance = of.shares[button] * of.shares[blind]
            self._first(root, chance, (button, blind), ((), ()))

    def value(self) -> float:
        """Return the button's winnings under perfect play, in thousandths of a big blind."""
        rows, columns, gains = zip(*self.ends, strict=True)
        gain = coo_matrix((gains, (rows, columns)), (len(self.numbers[0]), len(self.numbers[1]))).tocsr()
        plan, prices = self._plans(BUTTON), self._plans(BLIND)
        count, states = gain.shape[0], prices.shape[0]
        # The most of the price of the blind's root, where no sequence of the blind costs less than what it pays.
        cost = np.zeros(count + states)
        cost[count] = -1
        unequal = bmat([[-gain.T, prices.T]]).tocsr()
        equal = bmat([[plan, coo_matrix((plan.shape[0], states))]]).tocsr()
        begun = np.zeros(plan.shape[0])
        begun[0] = 1
        bounds = [(0, None)] * count + [(None, None)] * states
        found = linprog(cost, unequal, np.zeros(gain.shape[1]), equal, begun, bounds, method="highs")
        return float(-found.fun * 1000 / BIG_BLIND)

    def _plans(self, seat: int) -> coo_matrix:
        """Return the matrix that says: the sequences after a choice add up to the one before it."""
        found = [(0, 0, 1.0)]
        for row, (before, after) in enumerate(self.choices[seat].values(), 1):
            found += [(row, before, -1.0), *((row, one, 1.0) for one in after)]
        rows, columns, values = zip(*found, strict=True)
        return coo_matrix((values, (rows, columns)), (len(self.choices[seat]) + 1, len(self.numbers[seat])))

    def _chosen(self, seat: int, seen: Sequence, last: Lasts, count: int) -> Iterator[Lasts]:
        """Yield both seats' last sequences after each action of a seat that has seen this."""
        numbers = self.numbers[seat]
        after = [(seen, action) for action in range(count)]
        self.choices[seat].setdefault(
            seen, (numbers[last[seat]], [numbers.setdefault(one, len(numbers)) for one in after])
        )
        for one in after:
            yield (one, last[1]) if seat == BUTTON else (last[0], one)

    def _first(self, node: Next, chance: float, deal: tuple[int, int], last: Lasts) -> None:
        """Follow the first betting from a node; ``deal`` are the groups of the button and of the blind."""
        if isinstance(node, FoldEnd):
            self._end(chance * _won(node), last)
        elif isinstance(node, CallEnd):
            self._draw(node, chance, deal, last)
        else:
            after = self._chosen(node.seat, (deal[node.seat], id(node)), last, len(node.actions))
            for child, now in zip(node.children, after, strict=True):
                self._first(child, chance, deal, now)

    def _draw(self, end: CallEnd, chance: float, deal: tuple[int, int], last: Lasts) -> None:
        ends = self.of.ends
        for theirs, drew in enumerate(self._chosen(BLIND, (deal[BLIND], id(end)), last, DRAWS)):
            for mine, drawn in enumerate(self._chosen(BUTTON, (deal[BUTTON], id(end), theirs), drew, DRAWS)):
                for button, blind in product(range(BUCKETS), repeat=2):
                    both = ends[mine, deal[BUTTON], button] * ends[theirs, deal[BLIND], blind]
                    seen = (deal[BUTTON], id(end), theirs, mine, button), (deal[BLIND], id(end), theirs, mine, blind)
                    self._final(end if end.final is None else end.final, chance * both, seen, drawn)

    def _final(self, node: Next, chance: float, seen: tuple[Sequence, Sequence], last: Lasts) -> None:
        """Follow the final betting from a node; what a seat has seen ends with its bucket."""
        if isinstance(node, FoldEnd):
            self._end(chance * _won(node), last)
        elif isinstance(node, CallEnd):
            (*_, button), (*_, blind) = seen
            self._end(chance * node.put * float(np.sign(button - blind)), last)
        else:
            after = self._chosen(node.seat, (*seen[node.seat], id(node)), last, len(node.actions))
            for child, now in zip(node.children, after, strict=True):
                self._final(child, chance, seen, now)

    def _end(self, gain: float, last: Lasts) -> None:
        self.ends.append((self.numbers[BUTTON][last[BUTTON]], self.numbers[BLIND][last[BLIND]], gain))


def _won(end: FoldEnd) -> int:
    """Return the button's winnings if a seat folds."""
    return -end.lost if end.seat == BUTTON else end.lost
