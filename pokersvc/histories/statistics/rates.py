"""The usual rates of poker players, from counted figures; docs/stats.md names the source of each definition."""

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from pokersvc.core.counting import NO_BUTTON, Figures

CONFIDENCE: Final = 0.95
ENOUGH: Final = 30
"""Minimum number of hands for an interval: the mean of fewer is not near enough to a normal distribution."""
_QUANTILE: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Rates(NamedTuple):
    """Rates of some hands; a rate is None if there was nothing to divide by. Shares are from 0 to 1."""

    won_per_100: float | None
    """Big blinds won in 100 hands."""
    within: float | None
    """Half the width of the confidence interval of `won_per_100`; None for fewer than `ENOUGH` hands."""
    vpip: float | None
    pfr: float | None
    aggression_factor: float | None
    aggression_frequency: float | None
    wtsd: float | None
    wsd: float | None
    drew: tuple[float, ...] | None
    """The shares of draws of 0, 1, … 5 cards."""


def rates(counted: Figures) -> Rates:
    """Return the rates of counted figures.

    >>> found = rates(Figures(dealt=50, net_milli=100_000, vpip=20, bets=3, raises=1, calls=2, folds=2))
    >>> found.won_per_100, found.vpip, found.aggression_factor, found.aggression_frequency, found.wtsd
    (200.0, 0.4, 2.0, 0.5, None)
    """
    asked = counted.dealt - counted.walks
    aggressive = counted.bets + counted.raises
    draws = sum(counted.draws)
    return Rates(
        won_per_100=_share(counted.net_milli, 10 * counted.dealt),
        within=_within(counted),
        vpip=_share(counted.vpip, asked),
        pfr=_share(counted.pfr, asked),
        aggression_factor=_share(aggressive, counted.calls),
        aggression_frequency=_share(aggressive, aggressive + counted.calls + counted.folds),
        wtsd=_share(counted.showdowns, counted.saw_draw),
        wsd=_share(counted.won_showdowns, counted.showdowns),
        drew=tuple([times / draws for times in counted.draws]) if draws else None,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _within(counted: Figures) -> float | None:
    """Return half the width of the interval of `won_per_100`, z·s/√n, from the sums of values and of their squares.

    It uses integers up to the root, so that no precision is lost if the mean is large and the spread small.
    """
    hands = counted.dealt
    if hands < ENOUGH:
        return None
    spread = hands * counted.squares - counted.net_milli**2  # n² times the variance of the hands themselves
    return _QUANTILE * sqrt(max(0, spread) / (hands - 1)) / hands / 10


def ordered(by: str, values: Iterable[str]) -> list[str]:
    """Sort the values of a grouping as people read them: positions in the order of acting, numbers by size.

    >>> ordered("position", ["BB", "CO", "BTN", "BTN-2", "SB", "BTN-10", "no button"])
    ['BTN-10', 'BTN-2', 'CO', 'BTN', 'SB', 'BB', 'no button']
    >>> ordered("opponents", ["9", "1", "5"])
    ['1', '5', '9']
    """
    if by == "position":
        return sorted(values, key=_turn)
    return sorted(values, key=int) if by == "opponents" else sorted(values)


def _turn(position: str) -> int:
    late = {"CO": -1, "BTN": 0, "SB": 1, "BB": 2, NO_BUTTON: 3}
    return late[position] if position in late else -int(position.removeprefix("BTN-"))
