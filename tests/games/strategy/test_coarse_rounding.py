"""Coarser probabilities where little is at stake: they cost next to nothing, and the file is smaller."""

import lzma

import numpy as np

from pokersvc.games.draw_poker.strategy.best_response import worth
from pokersvc.games.draw_poker.strategy.coarse_rounding import COARSE, coarsened
from pokersvc.games.draw_poker.strategy.groups import groups
from pokersvc.games.draw_poker.strategy.packed_strategy import PARTS, parts_of, rounded
from pokersvc.games.draw_poker.strategy.solver import Solver
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.tree import betting_tree


def test_little_is_lost_and_the_file_is_smaller() -> None:
    """The first iterations of a strategy mix everywhere."""
    spot, cards = Spot("no_limit", 0, 3), groups()
    solver = Solver(spot, cards, betting_tree(spot))
    for _ in range(10):
        solver.iterate()
    fine = rounded(solver.mean(), cards.hands)
    found = coarsened(fine, cards)
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
    spot, cards = Spot("fixed_limit", 0, 2), groups()
    solver = Solver(spot, cards, betting_tree(spot))
    for _ in range(10):
        solver.iterate()
    fine = rounded(solver.mean(), cards.hands)
    found = coarsened(fine, cards)
    assert np.array_equal(found.first[found.root], fine.first[fine.root])
    assert PARTS % COARSE == 0, "what is coarse can be written in a file"
