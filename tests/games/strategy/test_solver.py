"""Strategies are solved: in a small game as linear programming solves it, and never away from perfect play."""

import numpy as np
import pytest

from pokersvc.games.draw_poker.strategy import solver
from pokersvc.games.draw_poker.strategy.best_response import worth
from pokersvc.games.draw_poker.strategy.solver import Solver
from pokersvc.games.draw_poker.strategy.spots import Limit, Spot
from pokersvc.games.draw_poker.strategy.strategy import Strategy, even, filled
from pokersvc.games.draw_poker.strategy.tree import Node

from . import small


def solved(spot: Spot, seed: int, iterations: int) -> Strategy:
    made = Solver(spot, small.cards(seed))
    for _ in range(iterations):
        made.iterate()
    return made.mean()


@pytest.mark.parametrize("seed", [1])
def test_a_small_game_is_worth_what_linear_programming_says(seed: int) -> None:
    """There the seats remember their groups after the draw, which the strategy forgets: that changes nothing."""
    exact = small.Game(small.cards(seed)).value()
    found = worth(solved(small.SPOT, seed, 500), small.cards(seed))
    assert found.exploitability < 1
    assert found.button == pytest.approx(exact, abs=1)


@pytest.mark.parametrize("limit", ["fixed_limit", "no_limit"])
def test_more_iterations_leave_less_to_win(limit: Limit) -> None:
    spot, cards = Spot(limit, 10, 6), small.cards(4)
    few, many = (worth(solved(spot, 4, count), cards).exploitability for count in (5, 100))
    assert 0 < many < few / 10


def test_compiled_code_and_plain_arrays_solve_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are in another order, so only nearly."""
    pytest.importorskip("numba")
    spot = Spot("no_limit", 10, 9)
    compiled = solved(spot, 6, 20)
    monkeypatch.setattr(solver, "_kernels", lambda: None)
    for one, other in zip(compiled.arrays(), solved(spot, 6, 20).arrays(), strict=True):
        assert np.allclose(one, other, atol=1e-6)


def test_best_responses_win_from_whoever_plays_anything() -> None:
    cards = small.cards(5)
    found = worth(filled(Spot("no_limit", 0, 4), cards.hands, even), cards)
    assert found.exploitability > 100


def test_a_solver_that_is_restored_continues_to_the_same_bits() -> None:
    cards = small.cards(6)
    straight, first, second = (Solver(small.SPOT, cards) for _ in range(3))
    for _ in range(7):
        straight.iterate()
    for _ in range(3):
        first.iterate()
    second.restore(first.iterations, [array.copy() for array in first.state()])
    for _ in range(4):
        second.iterate()
    assert [array.tobytes() for array in second.state()] == [array.tobytes() for array in straight.state()]


def test_every_choice_has_probabilities_also_where_nobody_comes() -> None:
    for chances in solved(Spot("fixed_limit", 0, 4), 7, 50).arrays():
        assert np.allclose(chances.sum(axis=0), 1)
        assert (chances >= 0).all()


def test_an_opponent_who_draws_what_nobody_should_is_answered() -> None:
    """The button with the best bucket calls or raises after any draw of the blind, in a pot that it plays."""
    found = solved(small.SPOT, 7, 400)
    after = next(one for one in found.after.values() if one.end.final is not None)
    final = after.end.final
    assert final is not None
    facing = final.children[-1]
    assert isinstance(facing, Node)
    folds = after.nodes[facing][0, ..., -1]  # by cards drawn by the blind, and by the button
    played = after.button.max(axis=-1).T > 0.5
    assert played.any(axis=1).all()
    assert (folds[played] < 0.1).all()
