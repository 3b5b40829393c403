"""The value of every discard by Monte Carlo, the method of the founding documents: an alternative to exact values.

For each discard, a number of random draws are made, and the values of the final hands are averaged. All randomness
comes from one NumPy generator, so the same seed gives the same figures with the same release of NumPy.
"""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards.arrays import CHUNK, ranked
from pokersvc.cards.card import Card
from pokersvc.cards.discards import BY_PREFERENCE, DISCARDS, SIZES, Values, checked_cards
from pokersvc.errors import InvalidValue

MOST_SAMPLES: Final = 10_000_000


class Sampling(NamedTuple):
    """The parameters of Monte Carlo: the number of draws for each discard, and the random generator."""

    samples: int
    random: np.random.Generator


class Sampled(NamedTuple):
    """The means of all 32 discards, with the standard error of each, in the units of the values.

    A discard that is impossible, because too few cards are left to draw, has the mean NaN.
    """

    means: tuple[float, ...]
    errors: tuple[float, ...]
    """The sample standard deviation over the root of the sample size; 0 for keeping all, which has an exact mean."""

    def best(self, most: int = 5) -> int:
        """Return the discard of up to ``most`` cards with the largest mean; of equals, the first in `BY_PREFERENCE`."""
        if not 0 <= most <= 5:
            raise InvalidValue(f"The limit of discards cannot be {most}; it is 0 to 5.")
        allowed = (mask for mask in BY_PREFERENCE if SIZES[mask] <= most)
        return max((mask for mask in allowed if not isnan(self.means[mask])), key=self.means.__getitem__)


def sampled(
    hand: Sequence[Card], values: Values, samples: int, random: np.random.Generator, dead: Iterable[Card] = ()
) -> Sampled:
    """Return the values of the discards of a hand, estimated from ``samples`` random draws for each.

    Raises `InvalidValue` unless there are 2 to 10,000,000 samples, and `InvalidHand` for invalid cards.
    """
    if not 2 <= samples <= MOST_SAMPLES:
        raise InvalidValue(f"{samples} samples cannot be drawn; their number is 2 to {MOST_SAMPLES:,}.")
    kept, gone = checked_cards(hand, tuple(dead))
    live = np.setdiff1d(np.arange(52), np.concatenate([kept, gone]))
    means, errors = [], []
    for mask in range(DISCARDS):
        cards = [int(card) for bit, card in enumerate(kept) if not mask >> bit & 1]
        if len(live) < SIZES[mask]:
            mean, error = float("nan"), float("nan")
        elif not SIZES[mask]:
            mean, error = float(values.by_strength[ranked(*(np.array([card]) for card in cards))][0]), 0.0
        else:
            mean, error = _mean(cards, live, values, samples, random)
        means.append(mean)
        errors.append(error)
    return Sampled(tuple(means), tuple(errors))


def _mean(
    kept: list[int], live: NDArray[np.intp], values: Values, samples: int, random: np.random.Generator
) -> tuple[float, float]:
    """Return the mean value of random draws to the kept cards, and the standard error of the mean."""
    worth = np.empty(samples, np.int64)
    for start in range(0, samples, CHUNK):
        chunk = worth[start : start + CHUNK]
        drawn = [live[column] for column in _subsets(len(live), 5 - len(kept), len(chunk), random)]
        chunk[:] = values.by_strength[ranked(*(np.full(len(chunk), card) for card in kept), *drawn)]
    return float(worth.mean()), float(worth.std(ddof=1) / np.sqrt(samples))


def _subsets(n: int, size: int, samples: int, random: np.random.Generator) -> list[NDArray[np.uint8]]:
    """Sample random subsets of ``size`` numbers below ``n``, uniformly; columns are the first, the second … members.

    Source: R. W. Floyd, in J. Bentley and B. Floyd, Programming Pearls: A Sample of Brilliance, 1987.
    """
    columns: list[NDArray[np.uint8]] = []
    for last in range(n - size, n):
        column = random.integers(0, last, samples, np.uint8, endpoint=True)
        taken = np.zeros(samples, bool)
        for earlier in columns:
            taken |= column == earlier
        column[taken] = last
        columns.append(column)
    return columns
