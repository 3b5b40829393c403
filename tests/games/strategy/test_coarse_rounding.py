"""Coarser probabilities where little is at stake: they cost next to nothing, and the file is smaller."""

import lzma

import numpy as np

from pokersvc.games.draw_poker.strategy.best_response import worth
from pokersvc.games.draw_poker.strategy.coarse_rounding import COARSE, coarsened
from pokersvc.games.draw_poker.strategy.groups import groups
from pokersvc.games.draw_poker.strategy.packed_strategy import PARTS, parts_of, rounded
from pokersvc.games.draw_poker.strategy.solver import Solver
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import Strategy
from pokersvc.games.draw_poker.strategy.tree import Node, betting_tree


def fine_and_coarse(spot: Spot) -> tuple[Strategy, Strategy]:
    """Return a strategy after its first iterations, which mix everywhere, and the same with coarser probabilities."""
    cards = groups()
    solver = Solver(spot, cards, betting_tree(spot))
    for _ in range(10):
        solver.iterate()
    fine = rounded(solver.mean(), cards.hands)
    return fine, coarsened(fine, cards)


def test_little_is_lost_and_the_file_is_smaller() -> None:
    cards = groups()
    fine, found = fine_and_coarse(Spot("no_limit", 0, 3))
    changed = 0
    for before, after in zip(fine.arrays(), found.arrays(), strict=True):
        moved = np.abs(after - before).max(axis=0) > 1e-9
        changed += int(moved.sum())
        parts = after[:, moved] * COARSE
        assert np.allclose(parts, np.rint(parts))
        assert (np.abs(after - before) < 2 / COARSE).all()
    assert changed > 100
    assert worth(found, cards).exploitability < worth(fine, cards).exploitability + 0.5
    sizes = [sum(len(lzma.compress(part)) for part in parts_of(one)) for one in (found, fine)]
    assert sizes[0] < sizes[1], "and a quarter smaller where the tree is large"


def test_choices_that_matter_keep_their_probabilities() -> None:
    fine, found = fine_and_coarse(Spot("fixed_limit", 0, 2))
    assert np.array_equal(found.first[found.root], fine.first[fine.root])
    assert PARTS % COARSE == 0, "what is coarse can be written in a file"


def test_an_answer_to_a_bet_that_the_opponent_never_makes_matters() -> None:
    """A best response makes that bet."""
    fine, _ = fine_and_coarse(Spot("fixed_limit", 0, 2))
    opening, answer = fine.first[fine.root], fine.root.children[-1]
    assert isinstance(answer, Node)
    opening[0] += opening[-1]
    opening[-1] = 0
    assert np.array_equal(coarsened(fine, groups()).first[answer], fine.first[answer])
