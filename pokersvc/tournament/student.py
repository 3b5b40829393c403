"""Student's t: how far a mean of few values may be from the truth."""

from functools import cache
from math import atan, cos, fsum, inf, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
EXACT_UP_TO: Final = 200
"""Degrees of freedom; above, four terms of the expansion are good to ten digits."""


def half_width(deviations: list[float], confidence: float = CONFIDENCE) -> float | None:
    """Return half the width of the confidence interval of a mean, from the values' deviations from it.

    None for fewer than two values, which say nothing of their spread.
    """
    count = len(deviations)
    if count < 2:
        return None
    variance = fsum(value * value for value in deviations) / (count - 1)
    return quantile(count - 1, (1 + confidence) / 2) * sqrt(variance / count)


@cache
def quantile(freedom: int, probability: float) -> float:
    """Return the value that Student's t with so many degrees of freedom stays below with a probability above 1/2.

    By bisection of the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4, or for many degrees of freedom by
    their expansion 26.7.5.

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
