"""Strategies of a seat in the sequence form (Koller, Megiddo and von Stengel 1996).

A sequence is a choice of a seat with all its earlier choices, so the expected gain of a strategy is linear in the
probabilities of its sequences.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokersvc.envs.game_tree import InformationSet, Strategy

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


class ChoiceLevel(NamedTuple):
    """The information sets of a seat at which the seat has already made the same number of choices."""

    choices: Ints
    """The choices at all these sets, set by set."""
    starts: Ints
    """The place in ``choices`` at which each set begins."""
    sizes: Ints
    """The number of each set's choices."""
    parents: Ints
    """The sequence that leads to each set."""


class Sequences:
    """The sequences of a seat: 0 is the empty one, and the others are the seat's choices by number, plus 1."""

    def __init__(self, sets: Sequence[InformationSet]) -> None:
        self.count = 1 + sum(len(one.actions) for one in sets)
        depths: list[int] = []
        levels: list[list[InformationSet]] = []
        for one in sets:
            depths.append(0 if one.before is None else 1 + depths[one.before[0].number])
            if depths[-1] == len(levels):
                levels.append([])
            levels[depths[-1]].append(one)
        self.levels = [_level(level) for level in levels]

    def realized(self, strategy: Strategy) -> Floats:
        """Return the probability of each sequence, counting only the seat's own choices."""
        found = np.empty(self.count)
        found[0] = 1
        for level in self.levels:
            found[level.choices] = strategy[level.choices - 1] * np.repeat(found[level.parents], level.sizes)
        return found

    def behaviour(self, realized: Floats) -> Strategy:
        """Return the strategy with sequences of these probabilities, up to a factor; uniform at sets never reached."""
        found = np.empty(self.count - 1)
        for level in self.levels:
            found[level.choices - 1] = _normalised(realized[level.choices], level)
        return found

    def best(self, gains: Floats) -> float:
        """Return the maximum that the seat can gain, given the gain of each sequence by itself."""
        total = gains.copy()
        for level in reversed(self.levels):
            total += self.added(level.parents, np.maximum.reduceat(total[level.choices], level.starts))
        return float(total[0])

    def regrets(self, gains: Floats, strategy: Strategy) -> Floats:
        """Return each choice's counterfactual regret: its gain above the strategy's, times the chance to get there."""
        total, found = gains.copy(), np.empty(self.count - 1)
        for level in reversed(self.levels):
            here = total[level.choices]
            means = np.add.reduceat(strategy[level.choices - 1] * here, level.starts)
            found[level.choices - 1] = here - np.repeat(means, level.sizes)
            total += self.added(level.parents, means)
        return found

    def matched(self, regrets: Floats) -> Strategy:
        """Return the strategy proportional to the positive regrets (regret matching)."""
        found = np.empty(self.count - 1)
        above = np.maximum(regrets, 0)
        for level in self.levels:
            found[level.choices - 1] = _normalised(above[level.choices - 1], level)
        return found

    def added(self, sequences: Ints, values: Floats) -> Floats:
        """Return, for each sequence, the sum of the values given for it."""
        return np.bincount(sequences, values, self.count).astype(np.float64, copy=False)


def _level(sets: Sequence[InformationSet]) -> ChoiceLevel:
    sizes = np.array([len(one.actions) for one in sets])
    choices = np.concatenate([np.arange(one.places.start, one.places.stop) for one in sets]) + 1
    parents = [0 if one.before is None else 1 + one.before[0].first + one.before[1] for one in sets]
    return ChoiceLevel(choices, np.cumsum(sizes) - sizes, sizes, np.array(parents))


def _normalised(weights: Floats, level: ChoiceLevel) -> Floats:
    """Return the weights of each set's choices as probabilities; equal ones where all weights are 0."""
    totals = np.repeat(np.add.reduceat(weights, level.starts), level.sizes)
    equal: Floats = 1 / np.repeat(level.sizes, level.sizes)
    np.divide(weights, totals, out=equal, where=totals > 0)
    return equal
