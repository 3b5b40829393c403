"""Whether decks are dealt evenly: the shuffle over many seeds, judged at the 99 % level.

The seeds follow from a text, so that the same sample is judged each time: a fair shuffle fails at this level once in a
hundred samples, and this one is not among them. What evenness does not show is in docs/audit-validation.md.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import sqrt
from typing import Final

import pytest

from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.core.randomness.stream import derive

NORMAL_99: Final = 2.3263
"""The 99 % point of the normal distribution."""

Shuffle = Callable[[bytes], tuple[Card, ...]]


def most_at_99(degrees: int) -> float:
    """Return the 99 % point of chi-square, by the approximation of Wilson and Hilferty (1931).

    >>> round(most_at_99(51)), round(most_at_99(100))  # tables: 77.4, 135.8
    (77, 136)
    """
    part = 2 / (9 * degrees)
    return degrees * float((1 - part + NORMAL_99 * sqrt(part)) ** 3)


def decks(count: int, how: Shuffle = lambda seed: shuffle(FRESH_DECK, seed)) -> Iterator[list[int]]:
    """Yield shuffled decks as numbers, the top card first."""
    for number in range(count):
        yield [card.number for card in how(derive(b"evenness", number))]


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def positions(sample: Iterator[list[int]], count: int) -> tuple[float, int]:
    """Return chi-square of the positions of the cards, and its degrees of freedom."""
    found = [0] * (52 * 52)
    for deck in sample:
        for place, card in enumerate(deck):
            found[52 * place + card] += 1
    return chi_square(found, count / 52), 51 * 51


def adjacent_pairs(sample: Iterator[list[int]], count: int) -> tuple[float, int]:
    """Return chi-square of the pairs of neighbouring cards, and its degrees of freedom.

    Each of the 52 × 51 counts is binomial with p = 1/52, so chi-square has the mean 2652 × (1 − p) = 51 × 51.
    """
    found = [0] * (52 * 52)
    for deck in sample:
        for above, below in pairwise(deck):
            found[52 * above + below] += 1
    pairs = [found[52 * above + below] for above in range(52) for below in range(52) if above != below]
    return chi_square(pairs, count * 51 / len(pairs)), 51 * 51


TESTS: Final = [positions, adjacent_pairs]


def even(
    test: Callable[[Iterator[list[int]], int], tuple[float, int]],
    count: int,
    told: Callable[[str], None] = lambda _: None,
    **how: Shuffle,
) -> bool:
    found, degrees = test(decks(count, **how), count)
    name = test.__name__.replace("_", " ")
    told(f"Evenness of {name}: chi-square {found:,.0f}, at most {most_at_99(degrees):,.0f}, in {count:,} decks")
    return found <= most_at_99(degrees)


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
def test_a_sample_of_decks_is_even(test: Callable[[Iterator[list[int]], int], tuple[float, int]]) -> None:
    assert even(test, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [50_000, pytest.param(200_000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
def test_a_large_sample_of_decks_is_even(
    test: Callable[[Iterator[list[int]], int], tuple[float, int]], measured: Callable[[str], None], decks: int
) -> None:
    assert even(test, decks, measured)


@pytest.mark.slow
def test_openers_are_even() -> None:
    from pokersvc.core.randomness.stream import Stream

    for seats in range(2, 11):
        found = [0] * seats
        for number in range(20_000):
            found[Stream(derive(b"openers", number), "opener/1").below(seats)] += 1
        assert chi_square(found, 20_000 / seats) <= most_at_99(seats - 1), seats


def test_a_shuffle_that_is_not_fair_is_told_apart() -> None:
    def cut_once(seed: bytes) -> tuple[Card, ...]:
        deck = shuffle(FRESH_DECK, seed)
        return deck if seed[0] % 4 else FRESH_DECK  # one deck in four is not shuffled

    for test in TESTS:
        assert not even(test, 3_000, how=cut_once)
