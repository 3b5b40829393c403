"""Charts in plain text: curves in braille, which has eight dots a character, and intervals in lines of boxes.

Nothing of it is a colour or an escape code, so it is the same at a terminal, in a pipe and in a file.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pokersvc.errors import printable
from pokersvc.plots.charts import Bars, Chart, Curve, Curves, said, spread, steps
from pokersvc.text import cells, padded

NARROWEST: Final = 60
WIDEST: Final = 200
ROWS: Final = 12
"""How many lines a plot of curves has, its axis apart."""
LONGEST_NAME: Final = 24
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of the dots of a braille character, by column and row."""
_BRAILLE: Final = 0x2800
_BAND: Final = "░"
_LEFT, _RIGHT, _MIDDLE, _LINE, _POINT = "├", "┤", "│", "─", "●"


def drawn(chart: Chart, columns: int = 80) -> list[str]:
    """Return a chart as lines that fit so many columns, 60 to 200."""
    columns = min(max(columns, NARROWEST), WIDEST)
    return _bars(chart, columns) if isinstance(chart, Bars) else _curves(chart, columns)


def shortened(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name that takes no more cells than there are.

    >>> shortened("Ann"), shortened("Bartholomew", 8)
    ('Ann', 'Barthol…')
    """
    name = printable(name)
    if cells(name) <= most:
        return name
    while cells(name) > most - 1:
        name = name[:-1]
    return name + "…"


# Curves.


class _Canvas:
    """Braille dots on which curves are drawn, and the characters that a band shades."""

    def __init__(self, columns: int, chart: Curves) -> None:
        points = [point for curve in chart.curves for point in curve.points]
        only = len(chart.curves) == 1
        """Of several curves, bands would hide each other."""
        self.columns = columns
        self.least, self.greatest = spread((point.value, point.within if only else None) for point in points)
        if self.least == self.greatest:
            self.greatest = self.least + 1
        self.first, self.last = 0.0, max((point.at for point in points), default=1.0) or 1.0
        self._dots = [[0] * columns for _ in range(ROWS)]
        self._shaded = [[False] * columns for _ in range(ROWS)]
        self._axis = self.row(0.0) // 4
        for curve in chart.curves:
            if only:
                self._shade(curve)
            self._draw(curve)

    def row(self, value: float) -> int:
        """Return the row of dots of a value, from above."""
        share = (self.greatest - value) / (self.greatest - self.least)
        return round(share * (4 * ROWS - 1))

    def _column(self, at: float) -> int:
        return round((at - self.first) / (self.last - self.first) * (2 * self.columns - 1))

    def _dot(self, column: int, row: int) -> None:
        self._dots[row // 4][column // 2] |= _DOTS[column % 2][row % 4]

    def _draw(self, curve: Curve) -> None:
        before: tuple[int, int] | None = None
        for point in curve.points:
            here = self._column(point.at), self.row(point.value)
            for column, row in [here] if before is None else _between(before, here):
                self._dot(column, row)
            before = here

    def _shade(self, curve: Curve) -> None:
        known = [point for point in curve.points if point.within is not None]
        for before, point in pairwise(known):
            first, last = self._column(before.at) // 2, self._column(point.at) // 2
            for column in range(first, last + 1):
                share = (column - first) / max(1, last - first)
                value = before.value + share * (point.value - before.value)
                within = (before.within or 0) + share * ((point.within or 0) - (before.within or 0))
                for row in range(self.row(value + within) // 4, self.row(value - within) // 4 + 1):
                    self._shaded[row][column] = True

    def lines(self) -> list[str]:
        """Return the characters: a curve before its band, and both before the line of zero."""
        return [
            "".join(
                chr(_BRAILLE + dots) if dots else _BAND if shaded else _LINE if number == self._axis else " "
                for dots, shaded in zip(row, shades, strict=True)
            )
            for number, (row, shades) in enumerate(zip(self._dots, self._shaded, strict=True))
        ]


def _between(before: tuple[int, int], here: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the dots of a straight line."""
    (left, top), (right, bottom) = before, here
    many = max(abs(right - left), abs(bottom - top), 1)
    return [
        (left + round((right - left) * step / many), top + round((bottom - top) * step / many))
        for step in range(many + 1)
    ]


def _curves(chart: Curves, columns: int) -> list[str]:
    names = [shortened(curve.name, 16) for curve in chart.curves]
    several = len(names) > 1
    right = max(map(cells, names)) + 1 if several else 0
    marks = _marks(chart)
    left = max(cells(mark) for mark in marks.values())
    canvas = _Canvas(columns - left - right - 3, chart)
    at_row = {canvas.row(value) // 4: mark for value, mark in marks.items()}
    beside = _beside(canvas, chart.curves, names) if several else {}
    lines = [shortened(chart.title, columns), shortened(chart.up, columns)]
    for number, line in enumerate(canvas.lines()):
        mark = at_row.get(number, "")
        edge = "┤" if mark else "│"
        lines.append(f"{' ' * (left - cells(mark))}{mark} {edge}{line} {beside.get(number, '')}".rstrip())
    last = said(canvas.last)
    middle = columns - left - right - 3
    across = shortened(chart.across, middle - cells(last) - 6)
    lines.append(f"{' ' * left} └{'─' * middle}")
    spare = middle - 1 - cells(across) - cells(last)
    before = spare // 2
    lines.append(f"{' ' * left}  0{' ' * before}{across}{' ' * (spare - before)}{last}")
    return lines


def _marks(chart: Curves) -> dict[float, str]:
    points = [point for curve in chart.curves for point in curve.points]
    only = len(chart.curves) == 1
    least, greatest = spread((point.value, point.within if only else None) for point in points)
    return {value: said(value) for value in steps(least, greatest if greatest > least else least + 1, 4)}


def _beside(canvas: _Canvas, curves: Sequence[Curve], names: Sequence[str]) -> dict[int, str]:
    """Return which name stands beside which line: where its curve ends, or as near to it as there is room."""
    found: dict[int, str] = {}
    ends = [(canvas.row(curve.points[-1].value) // 4, name) for curve, name in zip(curves, names, strict=True)]
    for row, name in sorted(ends):
        free = sorted(set(range(ROWS)) - set(found), key=lambda at: (abs(at - row), -at))
        found[free[0]] = name
    return found


# Means with intervals.


def _bars(chart: Bars, columns: int) -> list[str]:
    names = [shortened(bar.name) for bar in chart.bars]
    values = [_value(bar.value, bar.within) for bar in chart.bars]
    left, right = max(map(cells, names)), max(map(cells, values))
    width = columns - left - right - 3
    least, greatest = spread((bar.value, bar.within) for bar in chart.bars)
    if least == greatest:
        greatest = least + 1

    def place(value: float) -> int:
        return round((value - least) / (greatest - least) * (width - 1))

    lines = [shortened(chart.title, columns)]
    for bar, name, value in zip(chart.bars, names, values, strict=True):
        row = [" "] * width
        if chart.middle is not None and least <= chart.middle <= greatest:
            row[place(chart.middle)] = _MIDDLE
        if bar.within is not None:
            first, last = place(bar.value - bar.within), place(bar.value + bar.within)
            row[first : last + 1] = [_LEFT, *(_LINE * (last - first - 1)), _RIGHT] if last > first else [_LINE]
        elif chart.middle is not None:
            first, last = sorted((place(chart.middle), place(bar.value)))
            row[first + 1 : last] = _LINE * (last - first - 1)
        row[place(bar.value)] = _POINT
        lines.append(f"{padded(name, left)} {''.join(row)}  {' ' * (right - cells(value))}{value}")
    ends = _ends(least, greatest, width)
    return [*lines, f"{' ' * left} {ends}".rstrip(), f"{' ' * left} {shortened(chart.across, columns - left - 1)}"]


def _value(value: float, within: float | None) -> str:
    sign = f"{value:+,.2f}" if abs(value) < 10 else f"{value:+,.1f}"
    return sign if within is None else f"{sign} ± {within:,.2f}" if within < 10 else f"{sign} ± {within:,.1f}"


def _ends(least: float, greatest: float, width: int) -> str:
    """Return the axis: round numbers below their places."""
    line = [" "] * width
    taken = -2
    for value in steps(least, greatest, max(2, width // 16)):
        text = said(value)
        middle = round((value - least) / (greatest - least) * (width - 1))
        start = min(max(0, middle - len(text) // 2), width - len(text))
        if start > taken + 1:
            line[start : start + len(text)] = text
            taken = start + len(text)
    return "".join(line)
