"""Student's t with a correction for skewness: how far a mean of few values may be from the truth."""

from dataclasses import dataclass, replace
from functools import cache
from math import atan, cbrt, cos, fsum, inf, pi, sin, sqrt
from statistics import NormalDist
from typing import Final, Self

CONFIDENCE: Final = 0.95
ENOUGH: Final = 10
"""Number of values from which an interval is trusted; docs/tournaments.md has the measurements."""
ENOUGH_WITHOUT_LUCK: Final = 100
"""The same for results without luck: the luck that remains is in few deals, so with 50 deals only 93 of 100 intervals
hold."""
TELLING_SKEWNESS: Final = 5
"""Number of values from which the interval is corrected for skewness; the skewness of fewer may be chance."""
DECIDING: Final = 3
"""A spread is thin below this effective number of values: (sum of squares)² over the sum of fourth powers.

The effective number is the number of values if all are equally large."""
LEANING: Final = 1e-6
"""Least skewness, divided by the root of the count, that is corrected; correcting less only adds rounding errors."""
EXACT_UP_TO: Final = 200
"""Finite sums are used up to this many degrees of freedom; above, four terms of the expansion give ten digits."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of values about their mean: all that their interval depends on, with any confidence."""

    count: int
    """The number of values."""
    error: float
    """The standard error of their mean; 0 if all are equal, or if there are fewer than two."""
    lean: float
    """Their skewness, without its sign, divided by the root of their number; 0 if there are too few to tell."""
    thin: bool
    """Whether the spread depends on so few values that an interval may be too narrow (`is_thin`)."""

    @classmethod
    def of(cls, deviations: list[float], enough: int = ENOUGH) -> Self:
        """Return the spread of values, from their deviations from their mean; fewer than ``enough`` are thin."""
        count, thin = len(deviations), is_thin(deviations, enough)
        squares = fsum(value * value for value in deviations)
        if count < 2 or not squares:
            return cls(count, 0.0, 0.0, thin)
        error = sqrt(squares / (count - 1) / count)
        if count < TELLING_SKEWNESS:
            return cls(count, error, 0.0, thin)
        scale = max(map(abs, deviations))  # a game's gains may be too large to be cubed
        skewness = fsum((value / scale) ** 3 for value in deviations) / count / (squares / scale**2 / count) ** 1.5
        return cls(count, error, abs(skewness) / sqrt(count), thin)

    def times(self, factor: float) -> Self:
        """Return the spread in another unit; one present unit is ``factor`` new units."""
        return replace(self, error=self.error * factor)

    def half_width(self, confidence: float = CONFIDENCE) -> float | None:
        """Return half the width of the confidence interval of the mean.

        The interval is Student's if the values lie evenly on both sides. If they lean to one side, as many small losses
        and a few great gains do, Student's is too narrow on the other side; the result is then the longer side of the
        interval by Hall's transformation (P. Hall, On the removal of skewness by transformation, 1992).

        Return None for fewer than two values, and for values that are all equal: they do not show their spread.
        """
        if not self.error:
            return None
        t = quantile(self.count - 1, (1 + confidence) / 2)
        return max(t, _longer_side(self.lean, t)) * self.error


def half_width(deviations: list[float], confidence: float = CONFIDENCE) -> float | None:
    """Return half the width of the confidence interval of a mean, from the values' deviations (`Spread`)."""
    return Spread.of(deviations).half_width(confidence)


def is_thin(deviations: list[float], enough: int = ENOUGH) -> bool:
    """Return whether the spread depends on so few values that the interval may still be too narrow.

    This holds with fewer than ``enough`` values, and if fewer than three equally large values would have the same
    spread: other values as rare and as large, which happened not to be seen, would widen it.
    """
    scale = max(map(abs, deviations))
    if len(deviations) < enough or not scale:
        return True
    squares = [(value / scale) ** 2 for value in deviations]
    return fsum(squares) ** 2 / fsum(value * value for value in squares) < DECIDING


def power(least: float, error: float, count: int, confidence: float = CONFIDENCE) -> float:
    """Return the probability that an interval with half-width ``error`` excludes 0 if the true mean is ``least``.

    It is assumed that the spread is that found among ``count`` values, and that their mean is normal.

    >>> power(2.0, 2.0, 100), round(power(3.0, 2.0, 1000), 2)
    (0.5, 0.84)
    """
    return NormalDist().cdf((least / error - 1) * quantile(count - 1, (1 + confidence) / 2))


def _longer_side(lean: float, t: float) -> float:
    """Return the length of the interval's longer side, on the side of the rare values, in standard errors."""
    return 3 / lean * (1 - cbrt(1 - lean * (t + lean / 6))) if lean > LEANING else t


@cache
def quantile(freedom: int, probability: float) -> float:
    """Return the quantile of Student's t with ``freedom`` degrees of freedom for a probability above 1/2.

    Computed by bisection of the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4, or for many degrees of freedom
    by their expansion 26.7.5.

    >>> round(quantile(1, 0.975), 3), round(quantile(10, 0.975), 3), round(quantile(1000, 0.975), 3)
    (12.706, 2.228, 1.962)
    """
    if freedom > EXACT_UP_TO:
        return _expansion(freedom, NormalDist().inv_cdf(probability))
    low, high = 0.0, 1.0
    while _within(freedom, high) < 2 * probability - 1:
        low, high = high, high * 2
        if high == inf:
            return inf
    for _ in range(80):
        middle = (low + high) / 2
        if _within(freedom, middle) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _within(freedom: int, t: float) -> float:
    """Return the probability that Student's t lies between -t and t."""
    angle = atan(t / sqrt(freedom))
    term = cos(angle) if freedom % 2 else 1.0
    terms = []
    for k in range(freedom % 2 + 1, freedom, 2):
        terms.append(term)
        term *= cos(angle) ** 2 * k / (k + 1)
    if freedom % 2:
        return 2 / pi * (angle + sin(angle) * fsum(terms))
    return sin(angle) * fsum(terms)


def _expansion(freedom: int, x: float) -> float:
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return fsum(term / freedom**power for power, term in enumerate(terms))
