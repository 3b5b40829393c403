"""Solves small games for two: values, best responses, exploitability, and strategies that nobody can exploit."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import MixingPlayer, WrongPolicy
from pokersvc.core.typevars import AnyView
from pokersvc.envs.game_tree import SEATS, GameTree, Strategy
from pokersvc.envs.sequence_form import Floats, Sequences
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.text import counted

GAP: Final = 1e-5
"""The default for the most that both seats together may gain by deviating (NashConv), in the game's unit."""
MOST_ITERATIONS: Final = 100_000
PREDICTED: Final = 0.5
"""The share of the latest regret that is expected again. Of 0, 0.5 and 1, this share needed the fewest iterations for a
gap of 1e-6 in Kuhn poker, in Leduc and in a draw of two cards; with 1, the gap of the draw stayed at 1e-5."""
CHECKED_EVERY: Final = 50
"""After every this many iterations, the solver checks whether they are enough."""


class NotSolved(PokersvcError):
    """The solver stopped before it reached the requested accuracy."""

    code = "not_solved"


class SolvedGame(NamedTuple):
    """A pair of strategies from which neither seat gains much by deviating."""

    tree: GameTree
    strategies: tuple[Strategy, ...]
    """The strategy of each seat, from the first."""
    value: float
    """The first seat's gain if both play these strategies, in the game's unit; the second seat loses as much."""
    gap: float
    """What both seats together could gain by deviating (NashConv); the exact value differs from ``value`` by at most
    this."""
    iterations: int

    @property
    def exploitability(self) -> float:
        """Half of ``gap``: the mean over both seats of the additional gain of a best response."""
        return self.gap / 2

    def policy(self, view: AnyView, legal: object) -> Mapping[Action, float]:
        """Return the probability of each action; by this method, a solution is a player that mixes (`MixingPlayer`).

        Raise `WrongPolicy` for a view that is not one of the tree.
        """
        for seat in range(1, SEATS + 1):
            if view.viewer == seat and (one := self.tree.found(seat, view)) is not None:
                return dict(zip(one.actions, self.strategies[seat - 1][one.places].tolist(), strict=True))
        raise WrongPolicy("A solution plays only the game that was solved; this view is of another game.")


class TreeSolver:
    """A tree with its endings in arrays, from which values are computed."""

    def __init__(self, tree: GameTree) -> None:
        """Take a tree, and find its endings once."""
        self.tree = tree
        self._sequences = tuple([Sequences(sets) for sets in tree.sets])
        ends = [(places, chance * gain) for places, chance, gain in _endings(tree)]
        self._places = tuple(np.array([places for places, _ in ends], np.int64).reshape(-1, SEATS).T)
        self._gains = np.array([gain for _, gain in ends], np.float64)

    def uniform(self, seat: int) -> Strategy:
        """Return the uniform strategy of a seat."""
        sequences = self._sequences[seat - 1]
        return sequences.matched(np.zeros(sequences.count - 1))

    def value(self, strategies: Sequence[Strategy]) -> float:
        """Return the first seat's mean gain if both play these strategies."""
        one, two = (self._realized(seat, strategies[seat - 1])[self._places[seat - 1]] for seat in (1, 2))
        return float(np.sum(self._gains * one * two))

    def best_response(self, seat: int, against: Strategy) -> float:
        """Return the maximum that a seat can gain on average against a strategy of the other."""
        return self._sequences[seat - 1].best(self._gains_of(seat, self._realized(3 - seat, against)))

    def gap(self, strategies: Sequence[Strategy]) -> float:
        """Return how much both seats together can gain by deviating: NashConv."""
        return sum(self.best_response(seat, strategies[2 - seat]) for seat in (1, 2))

    def solve(self, gap: float = GAP, most: int = MOST_ITERATIONS) -> SolvedGame:
        """Return strategies with at most this gap, by predictive CFR+ (Farina, Kroer and Sandholm 2021).

        The seats take turns to change their strategies; in the average, the n-th strategy has weight n². Raise
        `NotSolved` if ``most`` iterations are too few.
        """
        strategies = [self.uniform(seat) for seat in (1, 2)]
        played = [one.realized(strategy) for one, strategy in zip(self._sequences, strategies, strict=True)]
        regrets = [np.zeros(one.count - 1) for one in self._sequences]
        sums = [np.zeros(one.count) for one in self._sequences]
        for iteration in range(1, most + 1):
            for place, one in enumerate(self._sequences):
                latest = one.regrets(self._gains_of(place + 1, played[1 - place]), strategies[place])
                regrets[place] = np.maximum(regrets[place] + latest, 0)
                strategies[place] = one.matched(regrets[place] + PREDICTED * latest)
                played[place] = one.realized(strategies[place])
                sums[place] += iteration**2 * played[place]
            if iteration % CHECKED_EVERY == 0 or iteration == most:
                means = tuple([one.behaviour(total) for one, total in zip(self._sequences, sums, strict=True)])
                if (left := self.gap(means)) <= gap:
                    return SolvedGame(self.tree, means, self.value(means), left, iteration)
        raise NotSolved(
            f"After {counted(most, 'iteration')} the gap is still {left:.3g}; give more iterations, or a larger gap."
        )

    def _realized(self, seat: int, strategy: Strategy) -> Floats:
        sequences = self._sequences[seat - 1]
        if np.shape(strategy) != (sequences.count - 1,):
            raise InvalidValue(
                f"A strategy of seat {seat} cannot have the shape {np.shape(strategy)}; it has a number for each of its"
                f" {sequences.count - 1} choices."
            )
        return sequences.realized(strategy)

    def _gains_of(self, seat: int, others: Floats) -> Floats:
        """Return the gain of each sequence of a seat, given the probabilities of the other seat's sequences."""
        gains = self._gains if seat == 1 else -self._gains
        weights = gains * others[self._places[2 - seat]]
        return self._sequences[seat - 1].added(self._places[seat - 1], weights)


def solve(tree: GameTree, *, gap: float = GAP, most: int = MOST_ITERATIONS) -> SolvedGame:
    """Return a solution of a small game whose NashConv is at most ``gap``; raise `NotSolved` if that takes too long."""
    return TreeSolver(tree).solve(gap, most)


def best_response(tree: GameTree, seat: int, player: MixingPlayer) -> float:
    """Return the maximum that a seat can gain on average against a player at the other seat, in the game's unit."""
    return TreeSolver(tree).best_response(seat, tree.strategy(player, 3 - seat))


def exploitability(tree: GameTree, player: MixingPlayer) -> float:
    """Return how much a player that plays both seats can be exploited: NashConv/2, in the game's unit."""
    return TreeSolver(tree).gap([tree.strategy(player, seat) for seat in (1, 2)]) / 2


def _endings(tree: GameTree) -> list[tuple[tuple[int, ...], float, float]]:
    """Return each ending: each seat's sequence, the probability of the chance outcomes, and the first seat's gain."""
    found = []
    start: tuple[int, ...] = (0,) * SEATS
    left = [(tree.root, start, 1.0)]
    while left:
        node, places, chance = left.pop()
        if not node.children:
            found.append((places, chance, node.gains[0]))
        for place, child in enumerate(node.children):
            if (one := node.chooses) is None:
                left.append((child, places, chance * node.chances[place]))
                continue
            then = tuple([1 + one.first + place if seat == one.seat else now for seat, now in enumerate(places, 1)])
            left.append((child, then, chance))
    return found
