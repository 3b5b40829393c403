"""The exact value of a small game by linear programming, which shares only the tree with `pokersvc.envs.solving`.

In the sequence form (Koller, Megiddo and von Stengel 1996) the first seat's sequences get the probabilities x with
E x = e, and the second seat's best answer is worth at least q(root), where q satisfies F' q <= A' x.
"""

from collections import defaultdict
from typing import TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from pokersvc.envs import GameTree
from pokersvc.envs.game_tree import Node

Choices: TypeAlias = tuple[tuple[int, int], ...]
"""A seat's choices so far: the number of each information set, and the place of the choice."""


class _Gathered:
    """The sequences and information sets of both seats, and the first seat's gains at the endings."""

    def __init__(self, root: Node) -> None:
        self.sequences: list[dict[Choices, int]] = [{(): 0}, {(): 0}]
        self.sets: list[dict[int, tuple[Choices, list[Choices]]]] = [{}, {}]
        self.gains: defaultdict[tuple[int, int], float] = defaultdict(float)
        self._gather(root, ((), ()), 1.0)

    def _gather(self, node: Node, made: tuple[Choices, Choices], chance: float) -> None:
        if node.gains:
            one, two = (self.sequences[place][made[place]] for place in (0, 1))
            self.gains[one, two] += chance * node.gains[0]
            return
        if node.chooses is None:
            for child, probability in zip(node.children, node.chances, strict=True):
                self._gather(child, made, chance * probability)
            return
        place, number = node.chooses.seat - 1, node.chooses.number
        before = made[place]
        after = [(*before, (number, choice)) for choice in range(len(node.children))]
        known = self.sets[place].setdefault(number, (before, after))
        assert known == (before, after), "a seat has forgotten what it chose"
        for then, child in zip(after, node.children, strict=True):
            self.sequences[place].setdefault(then, len(self.sequences[place]))
            self._gather(child, (then, made[1]) if place == 0 else (made[0], then), chance)

    def constraints(self, place: int) -> csr_array:
        """Return the matrix by which a seat's sequences add up: a row for the empty one, and one for each set."""
        sequences, sets = self.sequences[place], self.sets[place]
        found = np.zeros((1 + len(sets), len(sequences)))
        found[0, 0] = 1
        for row, (before, after) in enumerate(sets.values(), 1):
            found[row, sequences[before]] = -1
            found[row, [sequences[then] for then in after]] = 1
        return csr_array(found)


def exact_value(tree: GameTree) -> float:
    """Return the first seat's gain in a game for two under perfect play."""
    gathered = _Gathered(tree.root)
    first, second = gathered.constraints(0), gathered.constraints(1)
    places = np.array(list(gathered.gains)).T
    gains = csr_array((list(gathered.gains.values()), (places[1], places[0])), (second.shape[1], first.shape[1]))
    start, free = np.zeros(first.shape[0]), np.zeros(second.shape[0])
    start[0] = free[0] = 1
    found = linprog(
        np.concatenate([np.zeros(first.shape[1]), -free]),
        A_ub=hstack([-gains, csr_array(second.T)]),
        b_ub=np.zeros(second.shape[1]),
        A_eq=hstack([first, csr_array((first.shape[0], second.shape[0]))]),
        b_eq=start,
        bounds=[(0, None)] * first.shape[1] + [(None, None)] * second.shape[0],
        method="highs",
    )
    assert found.success, found.message
    return -float(found.fun)
