"""CFR+ in the abstraction: both seats improve in turn by their regrets; the mean of their play is the strategy.

Source: O. Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014.
"""

from functools import cache
from math import prod
from types import SimpleNamespace
from typing import Final

import numpy as np

from pokersvc.cards.subsets import Ints
from pokersvc.core.compiled import compile_kernels
from pokersvc.games.draw_poker.strategy import final_kernels
from pokersvc.games.draw_poker.strategy.final_kernels import FOLDED, SHOWN
from pokersvc.games.draw_poker.strategy.groups import Floats, Groups, Hands
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next, Node
from pokersvc.games.draw_poker.strategy.walk import Walk

TREMBLE: Final = 1e-4
"""The probability with which the opponent is assumed to choose each action by mistake."""
_LEAST: Final = 1e-30
"""A regret so small that it counts only where all others are 0."""


class Solver:
    """Improves the strategy of a spot, one iteration at a time; its whole state is the arrays of `state`."""

    def __init__(self, spot: Spot, cards: Groups, root: Node | None = None) -> None:
        self.iterations = 0
        self.cards = cards
        self._regrets = _Store(spot, cards.hands, root)
        root = self._regrets.strategy.root
        self._now = _Store(spot, cards.hands, root)
        self._sums = _Store(spot, cards.hands, root)
        for now in self._now.strategy.arrays():
            now[:] = 1 / len(now)
        stores = (self._now, self._regrets, self._sums)
        arrays = zip(*(store.strategy.arrays() for store in stores), strict=True)
        self._learned = {id(now): (regrets, sums) for now, regrets, sums in arrays}
        self._kernels = _kernels()
        self._trees = {
            end: _as_arrays(after) for end, after in self._now.strategy.after.items() if end.final is not None
        }

    def state(self) -> list[Floats]:
        """Return the regrets and the sums, which with `iterations` are all that the next iteration needs."""
        return [self._regrets.flat, self._sums.flat]

    def restore(self, iterations: int, state: list[Floats]) -> None:
        """Continue from the arrays that `state` returned after ``iterations`` iterations."""
        self.iterations = iterations
        for array, stored in zip(self.state(), state, strict=True):
            array[:] = stored
        for regrets, now in zip(self._regrets.strategy.arrays(), self._now.strategy.arrays(), strict=True):
            _match(now, regrets)

    @property
    def strategy(self) -> Strategy:
        """What both seats play now."""
        return self._now.strategy

    def mean(self) -> Strategy:
        """Return the mean strategy; at choices that a seat's own play never reaches, its current one."""
        now = self._now.strategy
        arrays = zip(self._sums.strategy.arrays(), now.arrays(), strict=True)
        means = iter([_shares(sums, now) for sums, now in arrays])
        return filled(now.spot, self.cards.hands, lambda _: next(means), now.root)

    def iterate(self) -> None:
        """Improve the button's choices and then the big blind's, each against the other's current strategy."""
        self.iterations += 1
        for seat in (BUTTON, BLIND):
            if self._kernels is None:
                Walk(seat, self.cards, self._now.strategy, self.improved, TREMBLE).values()
            else:
                _CompiledWalk(self, seat, self._kernels).values()

    def final_values(self, after: AfterDraw, seat: int, own: Floats, other: Floats, kernels: SimpleNamespace) -> Floats:
        """Improve a seat's choices after the draw by compiled code; return the values of its hands."""
        assert after.end.final is not None
        tree, starts = self._trees[after.end]
        first, last = self._now.places[after.end]
        stores = [store.flat[first:last] for store in (self._now, self._regrets, self._sums)]
        shape = np.broadcast_shapes(own.shape, other.shape)
        hands = [np.broadcast_to(one, shape).reshape(-1, shape[-1]) for one in (own, other)]
        weight = float(self.iterations**2)
        found: Floats = kernels.improve(seat, weight, TREMBLE, _LEAST, tree[seat], starts, *hands, *stores)
        return found.reshape(shape)

    def improved(self, chances: Floats, values: Floats, own: Floats) -> Floats:
        """Return the mean of the actions' values under the current strategy, then update it."""
        regrets, sums = self._learned[id(chances)]
        mean: Floats = (chances * values).sum(axis=0)
        sums += (self.iterations**2 * own) * chances
        regrets += values - mean
        np.maximum(regrets, 0, out=regrets)
        _match(chances, regrets)
        return mean


class _Store:
    """The arrays of a strategy as views into one flat array, which begins with zeros."""

    def __init__(self, spot: Spot, hands: Hands, root: Node | None) -> None:
        shapes: list[tuple[int, ...]] = []

        def noted(shape: tuple[int, ...]) -> Floats:
            shapes.append(shape)
            return np.empty(0)

        root = filled(spot, hands, noted, root).root
        self.flat: Floats = np.zeros(sum(map(prod, shapes)))
        place = 0

        def taken(shape: tuple[int, ...]) -> Floats:
            nonlocal place
            found = self.flat[place : (place := place + prod(shape))]
            return found.reshape(shape)

        self.strategy = filled(spot, hands, taken, root)
        self.places: dict[CallEnd, tuple[int, int]] = {}
        """End of the first betting round → the start and end of its later choices in the flat array."""
        place = sum(array.size for array in self.strategy.first.values())
        for end, after in self.strategy.after.items():
            first = place + after.blind.size + after.button.size
            place = first + sum(array.size for array in after.nodes.values())
            self.places[end] = first, place


class _CompiledWalk(Walk):
    """A walk that improves a seat, with compiled code for the betting after the draw."""

    def __init__(self, solver: Solver, seat: int, kernels: SimpleNamespace) -> None:
        super().__init__(seat, solver.cards, solver.strategy, solver.improved, TREMBLE)
        self._solver = solver
        self._kernels = kernels

    def _end(self, after: AfterDraw, own: Floats, other: Floats) -> Floats:
        if after.end.final is None:
            return super()._end(after, own, other)
        return self._solver.final_values(after, self._seat, own, other, self._kernels)


@cache
def _kernels() -> SimpleNamespace | None:
    return compile_kernels(final_kernels, ("improve",))


def _as_arrays(after: AfterDraw) -> tuple[tuple[Ints, Ints], Ints]:
    """Return the betting after the draw as `final_kernels.improve` takes it: the rows for each seat, and the starts."""
    assert after.end.final is not None
    begins, place = {}, 0
    for node, array in after.nodes.items():
        begins[node] = place
        place += array.size
    places: list[Next] = [after.end.final]
    rows: list[tuple[int, int, int, int]] = []
    starts = []
    for one in places:  # the list grows during the loop: children are added at its end
        starts.append(begins[one] if isinstance(one, Node) else 0)
        if isinstance(one, Node):
            rows.append((one.seat, 0, len(places), len(one.children)))
            places.extend(one.children)
        elif isinstance(one, FoldEnd):
            rows.append((FOLDED, one.lost if one.seat == BLIND else -one.lost, 0, 0))
        else:
            rows.append((SHOWN, one.put, 0, 0))
    button = np.array(rows, np.int64)
    blind = button.copy()
    blind[button[:, 0] == FOLDED, 1] *= -1
    return (button, blind), np.array(starts, np.int64)


def _match(chances: Floats, regrets: Floats) -> None:
    """Choose actions in proportion to their positive regrets, uniformly if there are none."""
    np.add(regrets, _LEAST, out=chances)
    chances /= chances.sum(axis=0)


def _shares(parts: Floats, otherwise: Floats) -> Floats:
    whole = parts.sum(axis=0)
    found: Floats = np.where(whole > 0, parts / np.where(whole > 0, whole, 1), otherwise)
    return found
