"""The data of charts, apart from how they are drawn: curves with their bands, and means with their intervals."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple, TypeAlias


class Point(NamedTuple):
    """A point of a curve: its position, its value and, if known, an interval of ``value ± within``."""

    at: float
    value: float
    within: float | None
    """Half the width of the interval around the value; None if the point has no interval."""


class Curve(NamedTuple):
    """A curve with a name."""

    name: str
    points: Sequence[Point]


class Curves(NamedTuple):
    """A chart of curves over one horizontal axis."""

    title: str
    across: str
    """The quantity on the horizontal axis."""
    up: str
    """The quantity on the vertical axis."""
    curves: Sequence[Curve]
    interval: str = ""
    """The meaning of the intervals; shown if one is drawn."""

    @property
    def has_intervals(self) -> bool:
        """Whether a band must be drawn: at least one curve has two or more points with an interval."""
        return any(sum(point.within is not None for point in curve.points) > 1 for curve in self.curves)


class Bar(NamedTuple):
    """A named value with an interval."""

    name: str
    value: float
    within: float | None


class Bars(NamedTuple):
    """A chart of several values of one quantity, one below the other."""

    title: str
    across: str
    """The quantity on the axis."""
    bars: Sequence[Bar]
    middle: float | None = 0.0
    """The value with which all values are compared, drawn as a line; None for no line."""
    interval: str = ""
    """The meaning of the intervals; shown if one is drawn."""

    @property
    def measured(self) -> str:
        """The quantity on the axis, with the meaning of the intervals if there are any."""
        return captioned(self.across, self.interval if any(bar.within is not None for bar in self.bars) else "")


Chart: TypeAlias = Curves | Bars


def captioned(what: str, interval: str) -> str:
    """Return a quantity, followed by the meaning of its intervals if there are any."""
    return f"{what}, {interval}" if interval else what


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """Return at most ``most`` of the points, evenly spaced, including the first and the last.

    >>> [point.at for point in thinned([Point(at, 0, None) for at in range(101)], 5)]
    [0, 25, 50, 75, 100]
    """
    if len(points) <= most:
        return list(points)
    return [points[round(number * (len(points) - 1) / (most - 1))] for number in range(most)]


def spread(values: Iterable[tuple[float, float | None]]) -> tuple[float, float]:
    """Return the minimum and the maximum of all intervals, extended to include zero.

    >>> spread([(3, 5), (8, None)])
    (-2, 8)
    """
    ends = [0.0]
    for value, within in values:
        ends += [value - (within or 0), value + (within or 0)]
    return min(ends), max(ends)


def steps(least: float, greatest: float, most: int) -> list[float]:
    """Return about ``most`` round numbers in a range, evenly spaced, as the marks of an axis.

    >>> steps(-3, 24, 4), steps(0, 0.7, 3), steps(5, 5, 3)
    ([0.0, 10.0, 20.0], [0.0, 0.5], [5])
    """
    if greatest <= least:
        return [least]
    rough = (greatest - least) / max(1, most)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * (1 - 1e-9))
    digits = max(0, -floor(log10(step)))
    first, last = ceil(least / step - 1e-9), floor(greatest / step + 1e-9)
    return [round(number * step, digits) + 0.0 for number in range(first, last + 1)]


def said(value: float) -> str:
    """Return the text of an axis mark, without trailing zeros.

    >>> said(-1200.0), said(0.5), said(0.0)
    ('-1,200', '0.5', '0')
    """
    return f"{value:,.0f}" if value == int(value) else f"{value:,.6f}".rstrip("0")
