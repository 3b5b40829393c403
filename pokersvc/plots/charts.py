"""What is plotted, apart from how: curves with their bands, and means with their intervals."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple, TypeAlias


class Point(NamedTuple):
    """A point of a curve, and how far its value may be from what luck left out."""

    at: float
    value: float
    within: float | None
    """Half the width of its interval; None where there is none."""


class Curve(NamedTuple):
    """A line with a name."""

    name: str
    points: Sequence[Point]


class Curves(NamedTuple):
    """Curves over the same axis."""

    title: str
    across: str
    """What the axis from left to right counts."""
    up: str
    """What the other axis measures."""
    curves: Sequence[Curve]
    interval: str = ""
    """What the intervals are; said where one is drawn."""

    @property
    def has_intervals(self) -> bool:
        """Whether there are intervals to draw between two points."""
        return any(sum(point.within is not None for point in curve.points) > 1 for curve in self.curves)


class Bar(NamedTuple):
    """A value with a name and an interval."""

    name: str
    value: float
    within: float | None


class Bars(NamedTuple):
    """Values of the same measure, in the order in which they are read from above."""

    title: str
    across: str
    """What is measured."""
    bars: Sequence[Bar]
    middle: float | None = 0.0
    """A value that all are compared with, drawn as a line."""
    interval: str = ""
    """What the intervals are; said where one is drawn."""

    @property
    def measured(self) -> str:
        """What is measured, with what the intervals are where there are any."""
        return captioned(self.across, self.interval if any(bar.within is not None for bar in self.bars) else "")


Chart: TypeAlias = Curves | Bars


def captioned(what: str, interval: str) -> str:
    """Return what is measured with what its intervals are, where there are any."""
    return f"{what}, {interval}" if interval else what


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """Return no more points than can be told apart, evenly chosen, with the first and the last.

    >>> [point.at for point in thinned([Point(at, 0, None) for at in range(101)], 5)]
    [0, 25, 50, 75, 100]
    """
    if len(points) <= most:
        return list(points)
    return [points[round(number * (len(points) - 1) / (most - 1))] for number in range(most)]


def spread(values: Iterable[tuple[float, float | None]]) -> tuple[float, float]:
    """Return the least and the greatest value with their intervals, zero among them.

    >>> spread([(3, 5), (8, None)])
    (-2, 8)
    """
    ends = [0.0]
    for value, within in values:
        ends += [value - (within or 0), value + (within or 0)]
    return min(ends), max(ends)


def steps(least: float, greatest: float, most: int) -> list[float]:
    """Return round numbers from within a range, evenly apart, as the marks of an axis: about as many as asked for.

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
    """Write a mark of an axis without digits that say nothing.

    >>> said(-1200.0), said(0.5), said(0.0)
    ('-1,200', '0.5', '0')
    """
    return f"{value:,.0f}" if value == int(value) else f"{value:,.6f}".rstrip("0")
