"""Where a strategy's own choices never lead, it does what is best; elsewhere it is what it was."""

from collections.abc import Iterator

import numpy as np
import pytest

from pokersvc.cards import ranking
from pokersvc.cards.ranking import Category
from pokersvc.games.draw_poker.strategy.best_response import worth
from pokersvc.games.draw_poker.strategy.groups import Floats, bucket_of
from pokersvc.games.draw_poker.strategy.off_path import mended
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw, Strategy, even, filled
from pokersvc.games.draw_poker.strategy.strategy_file import shipped, shipped_spots
from pokersvc.games.draw_poker.strategy.tree import STAY, Node

from . import small
from .test_solver import solved


def the_button_only_calls_and_folds_later() -> Strategy:
    """Return a strategy whose button never raises or draws first, and would fold in any later choice."""
    found = filled(Spot("fixed_limit", 0, 3), small.cards(1).hands, even)
    for node, chances in found.first.items():
        if node.seat == found.root.seat:
            chances[:] = 0
            chances[1 if node is found.root else 0] = 1
    return found


def test_given_choices_to_which_a_seat_never_comes_then_it_takes_the_best_action() -> None:
    """Against a raise that it never makes itself, the best group does not fold."""
    strategy = the_button_only_calls_and_folds_later()
    never = next(
        node
        for node in strategy.first
        if node.seat == strategy.root.seat and node is not strategy.root and node not in _after_a_call(strategy.root)
    )
    assert (strategy.first[never][0] == 1).all()
    found = mended(strategy, small.cards(1))
    assert set(np.unique(found.first[never])) <= {0.0, 1.0}
    assert (found.first[never].sum(axis=0) == 1).all()
    assert found.first[never][0].min() == 0


def _after_a_call(root: Node) -> list[Node]:
    """Return the choices of the button after its own call."""
    called = root.children[root.actions.index(STAY)]
    assert isinstance(called, Node)
    return [child for child in called.children if isinstance(child, Node)]


def test_given_choices_to_which_a_seat_comes_then_they_are_as_before() -> None:
    strategy = the_button_only_calls_and_folds_later()
    before = [array.copy() for array in strategy.arrays()]
    found = mended(strategy, small.cards(1))
    assert np.array_equal(found.first[strategy.root], strategy.first[strategy.root])
    for node in _after_a_call(strategy.root):
        assert np.array_equal(found.first[node], strategy.first[node])
    assert all(np.array_equal(*arrays) for arrays in zip(before, strategy.arrays(), strict=True))


@pytest.mark.parametrize("seed", [1])
def test_a_strategy_close_to_perfect_stays_so(seed: int) -> None:
    strategy, cards = solved(Spot("no_limit", 10, 6), seed, 100), small.cards(seed)
    before, after = worth(strategy, cards), worth(mended(strategy, cards), cards)
    assert after.exploitability < before.exploitability + 1
    assert after.button == pytest.approx(before.button, abs=1)


def checked_and_facing_a_bet(after: AfterDraw) -> Iterator[Floats]:
    """Yield the big blind's chances of each action after it checked and the button bet no more than the pot."""
    final = after.end.final
    checked = None if final is None else final.children[final.actions.index(STAY)]
    if isinstance(checked, Node):
        for price, child in zip(checked.actions, checked.children, strict=True):
            if isinstance(child, Node) and price <= checked.called:
                yield after.nodes[child]


def test_a_full_house_that_checked_folds_to_a_bet_of_the_pot_less_than_1_time_in_100_in_every_strategy() -> None:
    """On average over all numbers of cards drawn and all hands from a full house up; before it was up to 16 in 100."""
    codes = np.array(ranking.by_strength().codes[1:]) >> 20
    full_houses = int(bucket_of()[1:][codes >= Category.FULL_HOUSE].min())
    for spot in shipped_spots():
        stored = shipped(spot)
        assert stored is not None
        folds = [
            chances[0, ..., full_houses:]
            for after in stored.strategy.after.values()
            for chances in checked_and_facing_a_bet(after)
        ]
        assert not folds or np.mean(folds) < 0.005, spot.name
