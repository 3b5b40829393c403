"""Local best response in the abstraction: it wins what a slow look at each hand and deal by itself says, and no more
than the best response.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from benchmarks.best_answers import lost_by
from benchmarks.local_answers import lost_locally
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Groups
from pokersvc.games.draw_poker.strategy.solver import Solver
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Limit, Spot
from pokersvc.games.draw_poker.strategy.strategy import Strategy, filled
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, STAY, CallEnd, FoldEnd, Next, Node

from . import small


def random_strategy(spot: Spot, cards: Groups, seed: int) -> Strategy:
    random = np.random.default_rng(seed)
    return filled(spot, cards.hands, lambda shape: np.moveaxis(random.dirichlet(np.ones(shape[0]), shape[1:]), -1, 0))


class Slow:
    """Local best response of a seat, hand by hand; a range is a list of the opponent's hands with their weights."""

    def __init__(self, strategy: Strategy, cards: Groups, seat: int) -> None:
        self.way, self.cards, self.seat = strategy, cards, seat

    def value(self) -> float:
        shares: list[float] = self.cards.shares.tolist()
        return sum(share * self.first(self.way.root, hand, shares) for hand, share in enumerate(shares))

    def first(self, node: Next, hand: int, range_: list[float]) -> float:
        if isinstance(node, FoldEnd):
            return self.folded(node) * sum(range_)
        if isinstance(node, CallEnd):
            return self.draw(node, hand, range_)
        chances = self.way.first[node]
        if node.seat != self.seat:
            return sum(
                self.first(child, hand, [w * chances[a, g] for g, w in enumerate(range_)])
                for a, child in enumerate(node.children)
            )
        seen = [
            self.looked(child, self.way.first, range_, lambda e, r: self.checked(e, hand, r)) for child in node.children
        ]
        return self.first(node.children[int(np.argmax(seen))], hand, range_)

    def looked(
        self,
        child: Next,
        known: Mapping[Node, Floats],
        range_: list[float],
        checked: Callable[[CallEnd, list[float]], float],
    ) -> float:
        if isinstance(child, FoldEnd):
            return self.folded(child) * sum(range_)
        gained = 0.0
        if isinstance(child, Node) and child.seat != self.seat and isinstance(child.children[0], FoldEnd):
            folds = [w * known[child][(0, g)] for g, w in enumerate(range_)]
            gained = self.folded(child.children[0]) * sum(folds)
            range_ = [w - f for w, f in zip(range_, folds, strict=True)]
        return gained + checked(ended(child), range_)

    def reach(self, end: CallEnd, range_: list[float], mine: int, theirs: int) -> list[float]:
        """Return the opponent's buckets after it draws ``theirs``; ``mine`` is known to it if it is the button."""
        after, ends = self.way.after[end], self.cards.ends
        by = after.button[theirs, mine] if self.seat == BLIND else after.blind[theirs]
        return [
            sum(w * by[g] * ends[theirs, g, x] for g, w in enumerate(range_)) for x in range(self.cards.hands.buckets)
        ]

    def draw(self, end: CallEnd, hand: int, range_: list[float]) -> float:
        ends, buckets = self.cards.ends, range(self.cards.hands.buckets)

        def value(mine: int, seen: list[int], *, checks: bool) -> float:
            total = 0.0
            for theirs in seen:
                hands = self.reach(end, range_, mine, theirs)
                for x in buckets:
                    one = self.shown(end.put, x, hands) if checks else self.end(end, mine, theirs, x, hands)
                    total += ends[mine, hand, x] * one
            return total

        if self.seat == BLIND:
            every = list(range(DRAWS))
            best = max(range(DRAWS), key=lambda mine: value(mine, every, checks=True))
            return value(best, every, checks=False)
        found = 0.0
        for theirs in range(DRAWS):
            best = max(range(DRAWS), key=lambda mine: value(mine, [theirs], checks=True))
            found += value(best, [theirs], checks=False)
        return found

    def checked(self, end: CallEnd, hand: int, range_: list[float]) -> float:
        ends = self.cards.ends

        def value(mine: int, theirs: int) -> float:
            hands = self.reach(end, range_, mine, theirs)
            return sum(float(ends[mine, hand, x]) * self.shown(end.put, x, hands) for x in range(len(hands)))

        if self.seat == BLIND:
            return max(sum(value(mine, theirs) for theirs in range(DRAWS)) for mine in range(DRAWS))
        return sum(max(value(mine, theirs) for mine in range(DRAWS)) for theirs in range(DRAWS))

    def end(self, end: CallEnd, mine: int, theirs: int, bucket: int, hands: list[float]) -> float:
        drew = (mine, theirs) if self.seat == BLIND else (theirs, mine)
        if end.final is None:
            return self.shown(end.put, bucket, hands)
        known = {node: chances[:, drew[0], drew[1]] for node, chances in self.way.after[end].nodes.items()}
        return self.final(end.final, known, bucket, hands)

    def final(self, node: Next, known: dict[Node, Floats], bucket: int, hands: list[float]) -> float:
        if isinstance(node, FoldEnd):
            return self.folded(node) * sum(hands)
        if isinstance(node, CallEnd):
            return self.shown(node.put, bucket, hands)
        if node.seat != self.seat:
            return sum(
                self.final(child, known, bucket, [w * known[node][a, x] for x, w in enumerate(hands)])
                for a, child in enumerate(node.children)
            )
        seen = [self.looked(child, known, hands, lambda e, r: self.shown(e.put, bucket, r)) for child in node.children]
        return self.final(node.children[int(np.argmax(seen))], known, bucket, hands)

    def shown(self, put: int, bucket: int, hands: list[float]) -> float:
        return put * sum(weight * ((bucket > x) - (bucket < x)) for x, weight in enumerate(hands))

    def folded(self, end: FoldEnd) -> int:
        return -end.lost if end.seat == self.seat else end.lost


def ended(node: Next) -> CallEnd:
    while isinstance(node, Node):
        node = node.children[node.actions.index(STAY)]
    assert isinstance(node, CallEnd)
    return node


@pytest.mark.parametrize("limit", ["fixed_limit", "no_limit"])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_wins_what_a_look_at_each_hand_by_itself_says(limit: Limit, seed: int) -> None:
    spot, cards = Spot(limit, 0, 2), small.cards(seed)
    strategy = random_strategy(spot, cards, seed)
    slow = sum(Slow(strategy, cards, seat).value() for seat in (BUTTON, BLIND)) * 1000 / 2 / BIG_BLIND
    assert lost_locally([strategy], cards) == pytest.approx(slow)
    assert slow <= lost_by([strategy], cards)


def test_it_wins_less_than_the_best_response_and_little_from_perfect_play() -> None:
    spot, cards = Spot("no_limit", 0, 9), small.cards(3)
    solver = Solver(spot, cards)
    for _ in range(300):
        solver.iterate()
    perfect, loose = solver.mean(), random_strategy(spot, cards, 3)
    assert lost_locally([perfect], cards) <= lost_by([perfect], cards) < 2
    assert lost_locally([perfect], cards, late=True) <= lost_by([perfect], cards)
    assert 2 < lost_locally([loose], cards) < lost_by([loose], cards)


def test_it_does_not_know_which_of_several_strategies_is_played() -> None:
    spot, cards = Spot("no_limit", 0, 6), small.cards(4)
    one, arrays = random_strategy(spot, cards, 5), random_strategy(spot, cards, 6).arrays()
    other = filled(spot, cards.hands, lambda _: next(arrays), one.root)
    assert lost_locally([one, one], cards) == pytest.approx(lost_locally([one], cards))
    assert lost_locally([one, other], cards) <= lost_by([one, other], cards)
