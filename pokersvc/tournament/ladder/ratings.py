"""Ratings by the Bradley–Terry model on the scale of Elo, fitted to the shares that each two members won.

A player who is rated 400 points above another is expected to win ten of eleven points. R. A. Bradley and M. E. Terry,
*Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons* (1952).
"""

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIDDLE: Final = 1500.0
"""The rating of the anchor, or the mean of all if there is none."""
POINTS: Final = 400 / log(10)
"""Points of a rating per unit of the logarithm of the odds."""
DRAWN: Final = 1.0
"""Tied deals added to those that each two members played, so that a member who won everything has a finite rating
too."""
_STEPS: Final = 100
_EXACT: Final = 1e-12


class Fitted(NamedTuple):
    """Ratings of members, and each deal's effect on them."""

    ratings: "NDArray[np.float64]"
    """The rating of each member."""
    moves: "NDArray[np.float64]"
    """[member, deal]: how far a deal moves the rating from what an average deal gives; the intervals follow from it."""


def fitted(shares: "NDArray[np.float64]", anchor: int | None = None) -> Fitted:
    """Return the ratings of two or more members, all of whom have played each other on the same deals.

    ``shares[i, j, d]`` is the share of the points that member ``i`` won from ``j`` on deal ``d``, from 0 to 1;
    ``shares[i, j] + shares[j, i]`` is 1. The ratings have the maximum likelihood, with `DRAWN` tied deals added to what
    each two have played. The deals are the independent units, whatever games they have; to first order a deal moves the
    ratings by the inverse of the information times its score.
    """
    count, _, deals = shares.shape
    others = ~np.eye(count, dtype=bool)
    won = np.where(others, (shares.sum(axis=2) + DRAWN / 2) / (deals + DRAWN), 0.0)
    strength = np.zeros(count)
    for _ in range(_STEPS):
        expected, information = _expected(strength, others)
        step = _solved(information, (won - expected).sum(axis=1))
        step *= min(1.0, 1.0 / max(np.abs(step).max(), 1e-300))  # far from the solution, Newton's steps may be too long
        strength = strength + step
        if np.abs(step).max() < _EXACT:
            break
    _, information = _expected(strength, others)
    scores = np.where(others[:, :, None], shares - shares.mean(axis=2, keepdims=True), 0.0).sum(axis=1)
    moves = _solved(information, scores) * deals / (deals + DRAWN)
    if anchor is not None:
        strength, moves = strength - strength[anchor], moves - moves[anchor]
    return Fitted(MIDDLE + POINTS * strength, POINTS * moves)


def expected_share(rating: float, other: float) -> float:
    """Return the share of points that a player is expected to win from another, by their ratings.

    >>> round(expected_share(1900, 1500), 3)
    0.909
    """
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def common_deals(played: "Sequence[tuple[int, int, int]]", members: int) -> tuple[tuple[int, ...], int]:
    """Return the members that can be compared, and the number of deals on which all of them have played each other.

    ``played`` has, for each pair, both members' numbers and how many deals, from the first on, they have played without
    a gap. The number of deals is chosen so that most results count. If some members have not met on that many, the
    member who lacks the most opponents is left out first. The result does not depend on the order in which members
    were added.
    """
    deals_of = {(one, other): deals for one, other, deals in played}
    best: tuple[int, int, tuple[int, ...]] = (0, 0, ())
    for deals in sorted({deals for deals in deals_of.values() if deals}):
        left = set(range(members))
        while True:
            lacking = {
                one: sum(deals_of.get((min(one, other), max(one, other)), 0) < deals for other in left if other != one)
                for one in left
            }
            if not any(lacking.values()):
                break
            left.remove(max(left, key=lambda one: (lacking[one], one)))
        found = (len(left) * (len(left) - 1) * deals, deals, tuple(sorted(left)))
        best = max(best, found)
    _, deals, left_over = best
    return (left_over, deals) if len(left_over) > 1 else ((), 0)


def _expected(
    strength: "NDArray[np.float64]", others: "NDArray[np.bool_]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return each member's expected share against each other, and a deal's Fisher information on all strengths."""
    expected = np.where(others, 1 / (1 + np.exp(strength[None, :] - strength[:, None])), 0.0)
    weight = expected * expected.T
    return expected, np.diag(weight.sum(axis=1)) - weight


def _solved(information: "NDArray[np.float64]", scores: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the strengths, with sum 0, that solve information × strengths = ``scores``."""
    count = len(information)
    solved = np.asarray(np.linalg.solve(information + 1 / count, scores), dtype=np.float64)
    middle: NDArray[np.float64] = solved.mean(axis=0)
    return solved - middle
