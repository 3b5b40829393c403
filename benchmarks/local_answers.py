"""What local best response wins from the strategies of the package, exactly, in their abstraction.

It knows the strategy, and so the opponent's range at each choice. It takes the action that is best if
the opponent folds to a bet as often as in its strategy, and both check and call from there on; it draws what is best if
both then check. One walk of the tree finds what these choices win with all hands. Source: V. Lisý, M. Bowling,
Equilibrium Approximation Quality of Current No-Limit Poker Bots, 2017.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from benchmarks.answers import MANY, tree_with
from benchmarks.best_answers import Answer, shown
from benchmarks.strategies import WAYS, checked_through, in_tree
from benchmarks.table import markdown
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Groups, groups
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy
from pokersvc.games.draw_poker.strategy.strategy_file import shipped
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, FOLD, STAY, CallEnd, Node

_PLAYED: Final = (
    Spot("fixed_limit", 0, 12),
    Spot("pot_limit", 0, 9),
    Spot("pot_limit", 0, 20),
    Spot("pot_limit", 0, 100),
    Spot("no_limit", 0, 9),
    Spot("no_limit", 0, 20),
    Spot("no_limit", 0, 100),
)


def lost_locally(ways: Sequence[Strategy], cards: Groups | None = None, *, late: bool = False) -> float:
    """Return the mean of what local best responses win in both seats, in thousandths of a big blind a hand.

    The strategies are of one tree and equally likely, and which one is played is not known. If ``late``, they bet only
    after the draw; before the draw they check or call.
    """
    return sum(LocalAnswer(ways, seat, cards, late=late).value() for seat in (BUTTON, BLIND)) * 1000 / 2 / BIG_BLIND


class LocalAnswer(Answer):
    """The local best response of one seat; if ``late``, it bets only after the draw."""

    def __init__(self, ways: Sequence[Strategy], seat: int, cards: Groups | None, *, late: bool) -> None:
        super().__init__(ways, seat, cards)
        self._late = late

    def picked(self, node: Node, values: Floats, against: Floats) -> Floats:
        """Return the values of what is best if both check and call after it."""
        if self._late:
            return np.asarray(values[node.actions.index(STAY)])
        return self._looked(
            node, values, against, lambda child: np.stack([way.first[child][0] for way in self.ways]), self._checked
        )

    def picked_draw(self, values: Floats, met: Floats) -> Floats:
        """Return the values of the draw that wins most if both then check."""
        return _of_best(values, np.array([self.cards.ends[drew] @ shown(met[drew]) for drew in range(DRAWS)]))

    def picked_final(
        self, after: Sequence[AfterDraw], node: Node, drew: tuple[int, int], values: Floats, against: Floats
    ) -> Floats:
        """Return the values of what is best if both check and call after it."""
        return self._looked(
            node,
            values,
            against,
            lambda child: np.stack([one.nodes[child][0, drew[0], drew[1]] for one in after]),
            lambda end, left: end.put * shown(left.sum(axis=0)),
        )

    def _looked(
        self,
        node: Node,
        values: Floats,
        against: Floats,
        folding: Callable[[Node], Floats],
        checked: Callable[[CallEnd, Floats], Floats],
    ) -> Floats:
        """Return the values of the best action by a look ahead that ends with the opponent's next choice.

        ``folding`` is how often each hand of the opponent folds to a bet; ``checked`` returns what the rest is worth.
        """
        seen = []
        for action, child, value in zip(node.actions, node.children, values, strict=True):
            if action == FOLD:
                seen.append(value)
                continue
            folded, left = 0.0, against
            if action >= 0 and isinstance(child, Node) and child.actions[0] == FOLD:
                folds = against * folding(child)
                folded, left = self._by_fold(child, folds), against - folds
            seen.append(folded + checked(checked_through(child), left))
        return _of_best(values, np.array(seen))

    def _by_fold(self, node: Node, folds: Floats) -> float:
        end = node.children[0]
        assert not isinstance(end, Node | CallEnd)
        return float(self.folded(end) * folds.sum())

    def _checked(self, end: CallEnd, against: Floats) -> Floats:
        """Return what each group wins if the first betting ends so and both check after the draw."""
        ends = self.cards.ends
        blind = np.stack([way.after[end].blind for way in self.ways], axis=1)
        button = np.stack([way.after[end].button for way in self.ways], axis=2)
        if self.seat == BLIND:
            hands = np.matmul((against * button).sum(axis=2), ends).sum(axis=0)  # by what the blind drew
            return np.asarray(end.put * np.max([ends[drew] @ shown(hands[drew]) for drew in range(DRAWS)], axis=0))
        found = np.zeros(against.shape[1])
        for theirs, reach in enumerate((against * blind).sum(axis=1)):
            won = shown(reach @ ends[theirs])
            found += np.max(ends @ won, axis=0)
        return end.put * found


def _of_best(values: Floats, seen: Floats) -> Floats:
    return np.asarray(np.take_along_axis(values, seen.argmax(axis=0)[None], axis=0)[0])


def run(*, quick: bool = False) -> str:
    """Return a table of what local best response wins."""
    return markdown(
        "What local best response wins in the abstraction, in thousandths of a big blind a hand",
        ("spot", "sizes of the tree", "20 more before the draw", "20 more after it", "bets late", "bets late, 20 more"),
        [_row(spot) for spot in _PLAYED[: 1 if quick else None]],
        f"With other sizes, the opponent plays in one of {WAYS} ways, which say what counts as which size of the tree.",
    )


def _row(spot: Spot) -> Sequence[str]:
    stored = shipped(spot)
    assert stored is not None
    own = [lost_locally([stored.strategy], late=late) for late in (False, True)]
    if spot.limit == "fixed_limit":
        return spot.name, f"{own[0]:.1f}", "", "", f"{own[1]:.1f}", ""
    before, after = (
        in_tree(stored.strategy, tree_with(stored, MANY, before=place), spot, groups().hands) for place in (True, False)
    )
    found = own[0], lost_locally(before), lost_locally(after), own[1], lost_locally(after, late=True)
    return spot.name, *(f"{one:.1f}" for one in found)
