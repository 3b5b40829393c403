"""Small games solved: values that are known, best responses by hand, and what is refused."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from kuhn import DECK, Bet, Equilibrium, Pass

from pokersvc import Action
from pokersvc.core.bots.policy import WrongPolicy
from pokersvc.envs import GameTree, NotSolved, TreeSolver, best_response, exploitability, solve
from pokersvc.errors import InvalidValue
from tests.estimates import KuhnEstimate


class Known(Equilibrium):
    """The equilibrium of Kuhn poker as probabilities."""

    def policy(self, view: Any, legal: Any) -> Mapping[Action, float]:
        card = view.cards[legal[0].seat - 1]
        bets = self.bets[view.bets][DECK.index(card)]
        return {legal[0]: 1 - bets, legal[1]: bets}


class Always:
    """Always chooses actions of one type."""

    def __init__(self, action: Callable[[int], Action]) -> None:
        self.action = action

    def policy(self, view: Any, legal: Any) -> Mapping[Action, float]:
        return {self.action(legal[0].seat): 1}


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree.of("kuhn", KuhnEstimate().outcomes, rounds=1)


def test_the_tree_has_every_deal_and_every_information_set(kuhn: GameTree) -> None:
    nodes = list(kuhn.nodes())
    assert len(nodes) == kuhn.size
    assert [len(sets) for sets in kuhn.sets] == [6, 6]
    assert kuhn.sizes == (12, 12)
    assert sum(bool(node.gains) for node in nodes) == 30
    assert {node.chances for node in nodes} == {(), (1 / 3,) * 3, (1 / 2,) * 2}


def test_a_seat_with_nothing_to_choose_before_has_no_choice_before(kuhn: GameTree) -> None:
    for one in kuhn.sets[0]:
        before = {"": None, "pb": (Pass(1), "")}[one.view.bets]
        assert before == (one.before and (one.before[0].actions[one.before[1]], one.before[0].view.bets))


def test_the_known_equilibrium_of_kuhn_poker_cannot_be_exploited(kuhn: GameTree) -> None:
    assert exploitability(kuhn, Known()) == pytest.approx(0, abs=1e-15)
    assert best_response(kuhn, 1, Known()) == pytest.approx(-1 / 18, abs=1e-15)
    assert best_response(kuhn, 2, Known()) == pytest.approx(1 / 18, abs=1e-15)


@pytest.mark.parametrize(
    ("action", "first", "second"),
    # Against a player who always folds, a bet wins its chip. Against one who always bets, a king wins 2, a queen
    # calls and breaks even, and a jack folds.
    [(Pass, 1, 1), (Bet, 1 / 3, 1 / 3)],
)
def test_a_best_response_wins_what_it_can_by_hand(
    kuhn: GameTree, action: type[Action], first: float, second: float
) -> None:
    assert best_response(kuhn, 1, Always(action)) == pytest.approx(first)
    assert best_response(kuhn, 2, Always(action)) == pytest.approx(second)
    assert exploitability(kuhn, Always(action)) == pytest.approx((first + second) / 2)


def test_no_strategy_wins_more_than_the_best_response(kuhn: GameTree) -> None:
    solver, random = TreeSolver(kuhn), np.random.default_rng(1)
    against = kuhn.strategy(Always(Bet), 2)
    best = solver.best_response(1, against)
    pure = []
    for number in range(2**6):
        chosen = [(number >> place) & 1 for place in range(6)]
        strategy = np.array([float(bet == choice) for bet in chosen for choice in (0, 1)])
        pure.append(solver.value((strategy, against)))
    assert max(pure) == pytest.approx(best)
    for bets in random.random((20, 6)):
        assert solver.value((np.stack([1 - bets, bets], axis=1).ravel(), against)) <= best


def test_kuhn_poker_is_solved_to_its_known_value(kuhn: GameTree) -> None:
    solved = solve(kuhn, gap=1e-7)
    assert solved.value == pytest.approx(-1 / 18, abs=1e-7)
    assert solved.gap <= 1e-7
    assert solved.exploitability == solved.gap / 2


def test_a_solution_is_a_player(kuhn: GameTree) -> None:
    solved = solve(kuhn)
    assert exploitability(kuhn, solved) == pytest.approx(solved.exploitability)
    jack = next(one for one in kuhn.sets[1] if one.view.bets == "b" and one.view.cards[1] == "J")
    assert solved.policy(jack.view, jack.legal)[Bet(2)] == pytest.approx(0, abs=1e-4)


@pytest.mark.slow
def test_a_solution_plays_no_other_game(kuhn: GameTree) -> None:
    longer = GameTree.of("kuhn", KuhnEstimate().outcomes, rounds=2)
    view = longer.sets[0][-1].view
    with pytest.raises(WrongPolicy, match="only the game that was solved"):
        solve(kuhn).policy(view, longer.sets[0][-1].legal)


def test_a_game_that_is_not_solved_in_time_is_named(kuhn: GameTree) -> None:
    with pytest.raises(NotSolved, match="After 60 iterations the gap is still 6\\."):
        solve(kuhn, gap=0, most=60)


def test_a_game_without_chance_needs_no_outcomes() -> None:
    tree = GameTree.of("kalah", options={"holes": 2, "beans": 1})
    solved = solve(tree)
    assert solved.gap == 0
    assert solved.value == round(solved.value)


def test_a_game_whose_outcomes_nobody_lists_is_refused() -> None:
    with pytest.raises(InvalidValue, match="The game 'draw' does not list what chance may bring"):
        GameTree.of("draw", seats=2)


def test_a_game_with_more_nodes_than_allowed_is_refused() -> None:
    with pytest.raises(InvalidValue, match="more than 57 nodes"):
        GameTree.of("kuhn", KuhnEstimate().outcomes, rounds=1, most=57)


def test_a_game_for_three_is_refused() -> None:
    with pytest.raises(InvalidValue, match="A game of 3 seats cannot be solved; it needs 2 seats"):
        GameTree.of("draw", lambda state: (), seats=3)


def test_a_strategy_of_another_shape_is_refused(kuhn: GameTree) -> None:
    with pytest.raises(InvalidValue, match=r"A strategy of seat 2 cannot have the shape \(3,\); .* its 12 choices"):
        TreeSolver(kuhn).best_response(1, np.ones(3))


def test_a_policy_with_an_action_that_the_list_lacks_is_refused(kuhn: GameTree) -> None:
    with pytest.raises(InvalidValue, match="is not among the choices"):
        kuhn.strategy(Always(lambda seat: Bet(seat + 5)), 1)
