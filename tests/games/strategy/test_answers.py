"""What the benchmarks say can be won from a strategy, where it is known otherwise."""

import pytest

from benchmarks.all_cards import answer, won
from benchmarks.answers import tree_with
from benchmarks.best_answers import lost_by
from benchmarks.strategies import in_tree
from pokersvc.games.draw_poker.strategy.best_response import worth
from pokersvc.games.draw_poker.strategy.groups import groups
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy_file import Stored, shipped
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON


def stored(spot: Spot) -> Stored:
    found = shipped(spot)
    assert found is not None
    return found


@pytest.mark.slow
def test_in_its_own_tree_a_strategy_loses_the_same_in_whatever_way_it_is_played() -> None:
    spot = Spot("no_limit", 0, 3)
    strategy = stored(spot).strategy
    exact = worth(strategy, groups()).exploitability
    assert lost_by([strategy]) == pytest.approx(exact)
    assert lost_by(in_tree(strategy, strategy.root, spot, groups().hands, ways=3)) == pytest.approx(exact)


@pytest.mark.slow
def test_more_sizes_of_bets_never_win_less() -> None:
    spot = Spot("no_limit", 0, 6)
    found = stored(spot)
    strategy = found.strategy
    more = tree_with(found, (0.7,), before=True)
    assert lost_by(in_tree(strategy, more, spot, groups().hands, ways=3)) > worth(strategy, groups()).exploitability


@pytest.mark.slow
def test_who_sees_all_cards_wins_at_least_as_much_as_who_sees_their_group_and_that_with_real_cards_too() -> None:
    """With 2 big blinds there is little to win, so both are close to 0."""
    found = stored(Spot("fixed_limit", 0, 2))
    answers = answer(found, BUTTON), answer(found, BLIND)
    exact = (answers[BUTTON].value + answers[BLIND].value) / 2
    assert found.description.exploitability - 0.01 < exact < 1
    real = won(found, answers, 20_000, 1)
    assert abs(real.mean - exact) < 2 * real.within < 15
