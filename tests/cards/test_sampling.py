"""Monte Carlo results differ from the exact ones by no more than their standard errors allow."""

from collections import Counter
from collections.abc import Callable
from math import comb, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, Card, InvalidHand, parse_cards
from pokersvc.cards.discards import (
    BY_PREFERENCE,
    DISCARDS,
    SIZES,
    Values,
    best,
    linear_values,
    outcomes,
    rank_values,
    totals,
)
from pokersvc.cards.opponents import win_values
from pokersvc.cards.sampling import MOST_SAMPLES, Sampled, _subsets, sampled
from pokersvc.errors import InvalidValue

ACES = parse_cards("AC AD JH 3S 2D")


def deviations(values: Values, dead: int, hands: int) -> list[float]:
    """Return how many standard errors the means are off, for all discards of many hands."""
    random = np.random.default_rng(dead)
    found = []
    for _ in range(hands):
        cards = [CARDS[card] for card in random.permutation(52)[: 5 + dead]]
        hand, gone = cards[:5], cards[5:]
        exact = totals(hand, values, gone)
        of = sampled(hand, values, 1000, random, gone)
        found += [
            (of.means[mask] - exact[mask] / outcomes(mask, dead)) / of.errors[mask]
            for mask in range(1, DISCARDS)
            if of.errors[mask]
        ]
    return found


VALUES = [(rank_values, 0), (linear_values, 0), (lambda: win_values(3), 0), (rank_values, 7)]
"""How final hands are valued, and how many cards are dead."""


@pytest.mark.parametrize(("values", "dead"), VALUES)
def test_the_right_share_of_means_is_within_one_and_two_standard_errors(
    values: Callable[[], Values], dead: int
) -> None:
    the_right_share_is_within_one_and_two_standard_errors(values(), dead, 40)


@pytest.mark.slow
@pytest.mark.parametrize(("values", "dead"), VALUES)
def test_of_many_hands_too_the_right_share_is_within_one_and_two_standard_errors(
    values: Callable[[], Values], dead: int
) -> None:
    the_right_share_is_within_one_and_two_standard_errors(values(), dead, 200)


def the_right_share_is_within_one_and_two_standard_errors(values: Values, dead: int, hands: int) -> None:
    found = np.abs(deviations(values, dead, hands))
    for errors, share in ((1, 0.6827), (2, 0.9545)):
        spread = sqrt(share * (1 - share) / len(found))
        assert abs((found < errors).mean() - share) < 3.5 * spread


def test_errors_shrink_with_the_root_of_the_number_of_samples() -> None:
    few = sampled(ACES, rank_values(), 1_000, np.random.default_rng(1)).errors
    many = sampled(ACES, rank_values(), 100_000, np.random.default_rng(1)).errors
    for mask in range(1, DISCARDS):
        assert few[mask] / many[mask] == pytest.approx(10, rel=0.2)


def test_the_same_seed_gives_the_same_figures() -> None:
    once, again, other = (sampled(ACES, rank_values(), 500, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert once == again
    assert once != other


def test_keeping_all_is_exact() -> None:
    of = sampled(ACES, linear_values(), 2, np.random.default_rng(1))
    assert (of.means[0], of.errors[0]) == (38.0, 0.0)


@pytest.mark.parametrize(("n", "size"), [(7, 3), (6, 5), (5, 5), (8, 1), (47, 2)])
def test_every_set_of_cards_is_drawn_as_often(n: int, size: int) -> None:
    samples = 200 * comb(n, size)
    columns = _subsets(n, size, samples, np.random.default_rng(n))
    drawn = Counter(map(frozenset, zip(*(column.tolist() for column in columns), strict=True)))
    assert all(len(cards) == size and max(cards) < n for cards in drawn)
    assert len(drawn) == comb(n, size)
    freedom = comb(n, size) - 1
    chi_square = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert abs(chi_square - freedom) <= 4 * sqrt(2 * max(freedom, 1))


@settings(max_examples=2)
@given(st.permutations(CARDS), st.integers(42, 47))
def test_no_dead_card_and_none_of_the_hand_is_drawn(order: list[Card], dead: int) -> None:
    no_dead_card_and_none_of_the_hand_is_drawn(order, dead)


@pytest.mark.slow
@settings(max_examples=5)
@given(st.permutations(CARDS), st.integers(42, 47))
def test_of_many_decks_no_dead_card_and_none_of_the_hand_is_drawn(order: list[Card], dead: int) -> None:
    no_dead_card_and_none_of_the_hand_is_drawn(order, dead)


def no_dead_card_and_none_of_the_hand_is_drawn(order: list[Card], dead: int) -> None:
    """With so few cards left, the means are known exactly, so an impossible card would be noticed."""
    hand, gone = order[:5], order[5 : 5 + dead]
    exact = totals(hand, rank_values(), gone)
    of = sampled(hand, rank_values(), 3000, np.random.default_rng(1), gone)
    for mask in range(DISCARDS):
        ways = outcomes(mask, dead)
        if not ways:
            assert isnan(of.means[mask])
            assert isnan(of.errors[mask])
        elif ways == 1:
            assert (of.means[mask], of.errors[mask]) == (exact[mask], 0)
        else:
            assert abs(of.means[mask] - exact[mask] / ways) <= 6 * of.errors[mask] + 1e-9
    assert SIZES[of.best()] <= 47 - dead


def test_the_best_is_chosen_as_the_exact_best_is() -> None:
    of = sampled(ACES, linear_values(), 20_000, np.random.default_rng(1))
    assert of.best() == best(ACES, linear_values()) == 0b11100
    assert of.best(most=0) == 0
    equal = Sampled((1.0,) * DISCARDS, (0.0,) * DISCARDS)
    assert equal.best() == BY_PREFERENCE[0]
    for most in range(6):
        assert SIZES[Sampled(tuple(map(float, SIZES)), (0.0,) * DISCARDS).best(most)] == most


@pytest.mark.parametrize("samples", [-1, 0, 1, MOST_SAMPLES + 1])
def test_another_number_of_samples_is_refused(samples: int) -> None:
    with pytest.raises(InvalidValue) as refused:
        sampled(ACES, linear_values(), samples, np.random.default_rng(1))
    assert str(refused.value) == f"{samples} samples cannot be drawn; their number is 2 to 10,000,000."


def test_cards_are_checked() -> None:
    with pytest.raises(InvalidHand, match=r"^JH is in the hand and dead"):
        sampled(ACES, linear_values(), 2, np.random.default_rng(1), parse_cards("JH 4C"))
    with pytest.raises(InvalidHand, match=r"^Hand 0 has a card twice"):
        sampled([*ACES[:4], ACES[0]], linear_values(), 2, np.random.default_rng(1))


@pytest.mark.parametrize("most", [-1, 6])
def test_a_limit_that_no_house_has_is_refused(most: int) -> None:
    of = sampled(ACES, linear_values(), 10, np.random.default_rng(1))
    with pytest.raises(InvalidValue, match=f"The limit of discards cannot be {most}; it is 0 to 5"):
        of.best(most)
