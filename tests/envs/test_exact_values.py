"""Kuhn poker, Leduc and a draw of two-card hands: our solutions beside linear programming and OpenSpiel."""

from typing import Any, Final, NamedTuple

import pytest
from kuhn import KUHN
from leduc import LEDUC
from small_draw import SMALL_DRAW, Careful

from pokersvc.core.game import Game
from pokersvc.core.registry import registered
from pokersvc.envs import GameTree, SolvedGame, TreeSolver, exploitability, openspiel_tree, solve
from pokersvc.envs.game_tree import Outcomes
from tests.envs.linear_program import exact_value
from tests.estimates import KuhnEstimate, LeducEstimate

pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")

from open_spiel.python.algorithms import cfr, expected_game_score
from open_spiel.python.algorithms.exploitability import exploitability as spiel_exploitability
from open_spiel.python.algorithms.exploitability import nash_conv


class Small(NamedTuple):
    """A game to be solved, with its known properties."""

    game: Game
    outcomes: Outcomes | None
    sets: int
    """The number of the first seat's information sets."""
    value: float
    """What the first seat gains."""
    gap: float
    """The gap to which it is solved, so that its value is known within 1e-6."""
    spiel_iterations: int


SMALL: Final = {
    "kuhn": Small(KUHN, KuhnEstimate().outcomes, 6, -1 / 18, 1e-7, 100),
    "leduc": Small(LEDUC, LeducEstimate().outcomes, 468, -0.0856064, 5e-6, 6),
    "small_draw": Small(SMALL_DRAW, None, 390, -0.1897635, 1.5e-6, 6),
}


class Solved(NamedTuple):
    """A game with its tree and its solution."""

    small: Small
    tree: GameTree
    solution: SolvedGame


@pytest.fixture(
    scope="module", params=["kuhn", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("leduc", "small_draw"))]
)
def solved(request: pytest.FixtureRequest) -> Solved:
    small = SMALL[request.param]
    with registered(small.game):
        tree = GameTree.of(small.game.kind, small.outcomes, rounds=1)
    return Solved(small, tree, solve(tree, gap=small.gap))


def test_linear_programming_and_ours_find_the_known_value(solved: Solved) -> None:
    small, tree, solution = solved
    assert len(tree.sets[0]) == small.sets
    exact = exact_value(tree)
    assert exact == pytest.approx(small.value, abs=1e-7)
    assert solution.value == pytest.approx(exact, abs=1e-6)
    assert solution.gap <= small.gap


def test_best_responses_bound_the_exact_value(solved: Solved) -> None:
    exact, solver = exact_value(solved.tree), TreeSolver(solved.tree)
    one, two = solved.solution.strategies
    assert -solver.best_response(2, one) - 1e-9 <= exact <= solver.best_response(1, two) + 1e-9


def test_openspiel_says_of_our_policies_what_we_say(solved: Solved) -> None:
    game = openspiel_tree(solved.tree)
    solver = TreeSolver(solved.tree)
    equal = [solver.uniform(seat) for seat in (1, 2)]
    for strategies in (solved.solution.strategies, equal):
        assert spiel_exploitability(game, game.policy(strategies)) == pytest.approx(
            solver.gap(strategies) / 2, abs=1e-9
        )


def test_openspiels_cfr_lies_within_its_own_gap_of_the_exact_value(solved: Solved) -> None:
    game = openspiel_tree(solved.tree)
    theirs: Any = cfr.CFRPlusSolver(game)
    for _ in range(solved.small.spiel_iterations):
        theirs.evaluate_and_update_policy()
    policy = theirs.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    assert abs(value - exact_value(solved.tree)) <= nash_conv(game, policy)


@pytest.mark.slow
def test_a_player_with_a_policy_is_judged_alike() -> None:
    with registered(SMALL_DRAW):
        tree = GameTree.of("small_draw", rounds=1)
    game = openspiel_tree(tree)
    strategies = [tree.strategy(Careful(), seat) for seat in (1, 2)]
    ours = exploitability(tree, Careful())
    assert ours > 0.1
    assert spiel_exploitability(game, game.policy(strategies)) == pytest.approx(ours, abs=1e-9)
