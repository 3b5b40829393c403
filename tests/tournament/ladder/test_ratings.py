"""Ratings by Bradley and Terry: the best fit, the same for whoever comes first, with intervals that hold."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.tournament.comparison import Sample
from pokersvc.tournament.ladder.ratings import DRAWN, MIDDLE, common_deals, expected_share, fitted
from pokersvc.tournament.student import Spread


def shares_of(upper: np.ndarray) -> np.ndarray:
    """Return shares whose lower half follows from the upper one."""
    shares = np.zeros_like(upper)
    for one in range(len(upper)):
        for other in range(one + 1, len(upper)):
            shares[one, other] = upper[one, other]
            shares[other, one] = 1 - upper[one, other]
    return shares


def won_by(strengths: np.ndarray, deals: int, random: np.random.Generator) -> np.ndarray:
    """Return who won each deal, by the odds of the ratings."""
    odds = np.vectorize(expected_share)(strengths[:, None], strengths[None, :])
    return shares_of((random.random((len(strengths), len(strengths), deals)) < odds[:, :, None]).astype(float))


@given(st.integers(2, 6), st.integers(1, 20), st.integers(0, 10**6))
def test_everybody_is_expected_to_have_won_what_they_won(count: int, deals: int, seed: int) -> None:
    shares = shares_of(np.random.default_rng(seed).integers(0, 3, (count, count, deals)) / 2)
    ratings = fitted(shares).ratings
    assert ratings.mean() == pytest.approx(MIDDLE)
    for one in range(count):
        others = [other for other in range(count) if other != one]
        won = sum(shares[one, other].sum() + DRAWN / 2 for other in others)
        expected = sum((deals + DRAWN) * expected_share(ratings[one], ratings[other]) for other in others)
        assert won == pytest.approx(expected, rel=1e-6)


def test_who_wins_three_of_four_points_is_191_points_above() -> None:
    """400 × log₁₀ 3, with so many deals that the added tie hardly matters."""
    upper = np.zeros((2, 2, 40_000))
    upper[0, 1] = np.tile([1, 1, 1, 0], 10_000)
    high, low = fitted(shares_of(upper)).ratings
    assert high - low == pytest.approx(400 * np.log10(3), abs=0.05)


@pytest.mark.parametrize("deals", [1, 50])
def test_who_has_won_everything_has_a_rating_too(deals: int) -> None:
    upper = np.ones((3, 3, deals))
    best, middle, worst = fitted(shares_of(upper)).ratings
    assert best > middle + 100 > worst + 200
    assert best < 3500


def test_the_anchor_has_1500_and_the_distances_stay() -> None:
    shares = won_by(np.array([1700.0, 1500.0, 1400.0]), 100, np.random.default_rng(1))
    free, fixed = fitted(shares), fitted(shares, 2)
    assert fixed.ratings[2] == MIDDLE
    assert not fixed.moves[2].any()
    assert np.diff(fixed.ratings) == pytest.approx(np.diff(free.ratings))


def test_intervals_hold_as_often_as_they_say() -> None:
    """Of 400 ladders of players whose strengths are known; an interval of 95 % is missed in 20, give or take 13."""
    strengths, random, held = np.array([1750.0, 1550.0, 1500.0, 1200.0]), np.random.default_rng(3), 0
    for _ in range(400):
        found = fitted(won_by(strengths, 60, random))
        mean = Sample(float(found.ratings[1]), Spread.of(found.moves[1].tolist())).mean()
        assert mean.error is not None
        held += abs(mean.value - 1550) <= mean.error
    assert 367 <= held <= 393


def test_a_member_who_has_not_met_all_waits_and_the_others_keep_their_deals() -> None:
    whole = [(0, 1, 200), (0, 2, 200), (1, 2, 200)]
    assert common_deals(whole, 3) == ((0, 1, 2), 200)
    assert common_deals([*whole, (0, 3, 200), (1, 3, 200), (2, 3, 7)], 4) == ((0, 1, 2), 200), (
        "7 deals would count less"
    )
    assert common_deals([*whole, (0, 3, 200), (1, 3, 200), (2, 3, 150)], 4) == ((0, 1, 2, 3), 150)
    assert common_deals([*whole, (0, 3, 5)], 4) == ((0, 1, 2), 200)
    assert common_deals([], 3) == common_deals([(0, 1, 0)], 2) == ((), 0)


@given(st.lists(st.integers(0, 4), min_size=6, max_size=6), st.permutations(range(4)))
def test_which_deals_count_does_not_depend_on_how_pairs_are_listed(deals: list[int], order: list[int]) -> None:
    pairs = [(one, other) for one, other in permutations(range(4), 2) if one < other]
    played = [(*pair, count) for pair, count in zip(pairs, deals, strict=True)]
    members, count = common_deals(played, 4)
    assert common_deals(sorted(played, key=lambda one: order[one[0]]), 4) == (members, count)
    assert all(there >= count for one, other, there in played if {one, other} <= set(members))


def test_a_deal_moves_the_rating_by_the_slope_of_the_odds() -> None:
    """Of two players, by hand: of seven deals the first has won 4.5 points, and with the tie that is added 5 of 8."""
    upper = np.zeros((2, 2, 7))
    upper[0, 1] = [1, 1, 0.5, 0, 1, 1, 0]
    found = fitted(shares_of(upper))
    part = 5 / 8
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * np.log10(part / (1 - part)))
    slope = 400 / np.log(10) / (part * (1 - part)) * 7 / 8
    assert found.moves[0] - found.moves[1] == pytest.approx(slope * (upper[0, 1] - 4.5 / 7))
