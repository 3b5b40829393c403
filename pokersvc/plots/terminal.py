"""Charts in plain text: curves in braille, with eight dots per character, and intervals in box-drawing characters.

The text is complete without colours. Parts that may have a colour have an `Ink`; the program that prints them chooses
the colour.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import groupby, pairwise
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias

from pokersvc.errors import printable
from pokersvc.plots.charts import Bar, Bars, Chart, Curve, Curves, captioned, said, spread, steps
from pokersvc.text import cells, padded

NARROWEST: Final = 60
WIDEST: Final = 200
ROWS: Final = 12
"""The number of lines of a plot of curves, without its axis."""
LONGEST_NAME: Final = 24
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of the dots of a braille character, by column and row."""
_BRAILLE: Final = 0x2800
_BAND: Final = "░"
_LEFT, _RIGHT, _MIDDLE, _LINE, _POINT = "├", "┤", "│", "─", "●"


class Ink(Enum):
    """The role of a part of a chart, by which a program can colour it."""

    PLAIN = "plain"
    """Words, axes and their marks."""
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    """The fourth curve and its name; a fifth curve uses ``FIRST`` again."""
    BAND = "band"
    """The interval of a curve."""
    ABOVE = "above"
    """A value whose whole interval is above `Bars.middle`."""
    BELOW = "below"
    """A value whose whole interval is below `Bars.middle`."""
    OPEN = "open"
    """A value whose interval includes `Bars.middle`, or that has no interval."""


_CURVES: Final = (Ink.FIRST, Ink.SECOND, Ink.THIRD, Ink.FOURTH)


class Stroke(NamedTuple):
    """A run of text within a line that is drawn with one ink."""

    text: str
    ink: Ink = Ink.PLAIN


Line: TypeAlias = tuple[Stroke, ...]


def drawn(chart: Chart, columns: int = 80) -> list[str]:
    """Return a chart as lines that fit ``columns``, which are limited to 60 to 200."""
    return ["".join(part.text for part in line).rstrip() for line in inked(chart, columns)]


def inked(chart: Chart, columns: int = 80) -> list[Line]:
    """Return the lines of `drawn`, each divided into strokes: runs of text, each with an `Ink` for its colour."""
    columns = min(max(columns, NARROWEST), WIDEST)
    return _bars(chart, columns) if isinstance(chart, Bars) else _curves(chart, columns)


def _parts(cells_: Iterable[tuple[str, Ink]]) -> Line:
    """Join adjacent characters with the same ink into strokes."""
    return tuple(
        Stroke("".join(text for text, _ in run), ink) for ink, run in groupby(cells_, key=lambda cell: cell[1])
    )


def _plain(*lines: str) -> list[Line]:
    return [(Stroke(line),) for line in lines]


def shortened(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name, cut to at most ``most`` cells.

    >>> shortened("Ann"), shortened("Bartholomew", 8)
    ('Ann', 'Barthol…')
    """
    name = printable(name)
    if cells(name) <= most:
        return name
    while cells(name) > most - 1:
        name = name[:-1]
    return name + "…"


def told_apart(names: Sequence[str], most: int) -> list[str]:
    """Shorten names to at most ``most`` cells by cutting out their middle, so that different names stay different.

    >>> told_apart(["Bartholomew at Site (USD)", "Bartholomew at Site (EUR)", "Ann"], 16)
    ['Bartholo…e (USD)', 'Bartholo…e (EUR)', 'Ann']
    """
    names = [printable(name) for name in names]
    tails = sorted(range(most - 1), key=lambda tail: abs(tail - most * 7 // 16))
    tried = ([_cut(name, most, tail) for name in names] for tail in tails)
    return next((cut for cut in tried if len(set(cut)) == len(set(names))), [_cut(name, most, 0) for name in names])


def _cut(name: str, most: int, tail: int) -> str:
    """Shorten a name to ``most`` cells by cutting out its middle, so that ``tail`` cells of its end remain."""
    if cells(name) <= most:
        return name
    end = name[max(0, len(name) - tail) :] if tail else ""
    while cells(end) > tail:
        end = end[1:]
    while cells(name) > most - 1 - cells(end):
        name = name[:-1]
    return f"{name}…{end}"


def _wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Wrap a sentence into lines of at most ``columns`` cells; lines with wide characters that do not fit are cut."""
    room = columns - len(indent)
    return [indent + shortened(line, room) for line in wrap(printable(text), room) or [""]]


# Curves.


class _Canvas:
    """The drawing area of a plot of curves: braille dots for curves, and shaded characters for bands."""

    def __init__(self, columns: int, chart: Curves) -> None:
        points = [point for curve in chart.curves for point in curve.points]
        only = len(chart.curves) == 1
        """Whether there is a single curve: only then are bands drawn, because several would hide each other."""
        self.columns = columns
        self.least, self.greatest = spread((point.value, point.within if only else None) for point in points)
        if self.least == self.greatest:
            self.greatest = self.least + 1
        self.first, self.last = 0.0, max((point.at for point in points), default=1.0) or 1.0
        self._dots = [[0] * columns for _ in range(ROWS)]
        self._inks = [[Ink.PLAIN] * columns for _ in range(ROWS)]
        self._shaded = [[False] * columns for _ in range(ROWS)]
        self._axis = self.row(0.0) // 4
        for number, curve in enumerate(chart.curves):
            if only:
                self._shade(curve)
            self._draw(curve, _CURVES[number % len(_CURVES)])

    def row(self, value: float) -> int:
        """Return the row of dots for a value, counted from the top."""
        share = (self.greatest - value) / (self.greatest - self.least)
        return round(share * (4 * ROWS - 1))

    def _column(self, at: float) -> int:
        return round((at - self.first) / (self.last - self.first) * (2 * self.columns - 1))

    def _dot(self, column: int, row: int, ink: Ink) -> None:
        self._dots[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
        self._inks[row // 4][column // 2] = ink

    def _draw(self, curve: Curve, ink: Ink) -> None:
        before: tuple[int, int] | None = None
        for point in curve.points:
            here = self._column(point.at), self.row(point.value)
            for column, row in [here] if before is None else _between(before, here):
                self._dot(column, row, ink)
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

    def lines(self) -> list[Line]:
        """Return the drawing as lines of text; a curve covers its band, and both cover the line at zero."""

        def cell(row: int, column: int) -> tuple[str, Ink]:
            if dots := self._dots[row][column]:
                return chr(_BRAILLE + dots), self._inks[row][column]
            if self._shaded[row][column]:
                return _BAND, Ink.BAND
            return _LINE if row == self._axis else " ", Ink.PLAIN

        return [_parts(cell(row, column) for column in range(self.columns)) for row in range(ROWS)]


def _between(before: tuple[int, int], here: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the dots of a straight line from one dot to another."""
    (left, top), (right, bottom) = before, here
    many = max(abs(right - left), abs(bottom - top), 1)
    return [
        (left + round((right - left) * step / many), top + round((bottom - top) * step / many))
        for step in range(many + 1)
    ]


def _curves(chart: Curves, columns: int) -> list[Line]:
    names = told_apart([curve.name for curve in chart.curves], columns // 3)
    several = len(names) > 1
    right = max(map(cells, names)) + 1 if several else 0
    marks = _marks(chart)
    left = max(cells(mark) for mark in marks.values())
    canvas = _Canvas(columns - left - right - 3, chart)
    at_row = {canvas.row(value) // 4: mark for value, mark in marks.items()}
    beside = _beside(canvas, chart.curves, names) if several else {}
    up = captioned(chart.up, chart.interval if chart.has_intervals and not several else "")
    lines = _plain(*_wrapped(chart.title, columns), *_wrapped(up, columns))
    for number, line in enumerate(canvas.lines()):
        mark = at_row.get(number, "")
        edge = "┤" if mark else "│"
        before = Stroke(f"{' ' * (left - cells(mark))}{mark} {edge}")
        lines.append((before, *line, Stroke(" "), beside.get(number, Stroke(""))))
    last = said(canvas.last)
    middle = columns - left - right - 3
    across = shortened(chart.across, middle - cells(last) - 6)
    spare = middle - 1 - cells(across) - cells(last)
    room = spare // 2
    return lines + _plain(
        f"{' ' * left} └{'─' * middle}",
        f"{' ' * left}  0{' ' * room}{across}{' ' * (spare - room)}{last}",
    )


def _marks(chart: Curves) -> dict[float, str]:
    points = [point for curve in chart.curves for point in curve.points]
    only = len(chart.curves) == 1
    least, greatest = spread((point.value, point.within if only else None) for point in points)
    return {value: said(value) for value in steps(least, greatest if greatest > least else least + 1, 4)}


def _beside(canvas: _Canvas, curves: Sequence[Curve], names: Sequence[str]) -> dict[int, Stroke]:
    """Map line numbers to the curve names written beside them: where a curve ends, or at the nearest free line."""
    found: dict[int, Stroke] = {}
    ends = [
        (canvas.row(curve.points[-1].value) // 4, name, _CURVES[number % len(_CURVES)])
        for number, (curve, name) in enumerate(zip(curves, names, strict=True))
    ]
    for row, name, ink in sorted(ends, key=lambda end: end[:2]):
        free = sorted(set(range(ROWS)) - set(found), key=lambda at: (abs(at - row), -at))
        found[free[0]] = Stroke(name, ink)
    return found


# Means with intervals.


def _bars(chart: Bars, columns: int) -> list[Line]:
    names = told_apart([bar.name for bar in chart.bars], columns // 2)
    values = [_value(bar.value, bar.within) for bar in chart.bars]
    left, right = max(map(cells, names)), max(map(cells, values))
    width = columns - left - right - 3
    least, greatest = spread((bar.value, bar.within) for bar in chart.bars)
    if least == greatest:
        greatest = least + 1

    def place(value: float) -> int:
        return round((value - least) / (greatest - least) * (width - 1))

    lines = _plain(*_wrapped(chart.title, columns))
    for bar, name, value in zip(chart.bars, names, values, strict=True):
        ink = _side(bar, chart.middle)
        row = [(" ", Ink.PLAIN)] * width
        if chart.middle is not None and least <= chart.middle <= greatest:
            row[place(chart.middle)] = (_MIDDLE, Ink.PLAIN)
        if bar.within is not None:
            first, last = place(bar.value - bar.within), place(bar.value + bar.within)
            line = [_LEFT, *(_LINE * (last - first - 1)), _RIGHT] if last > first else [_LINE]
            row[first : last + 1] = [(text, ink) for text in line]
        elif chart.middle is not None:
            first, last = sorted((place(chart.middle), place(bar.value)))
            row[first + 1 : last] = [(_LINE, ink)] * (last - first - 1)
        row[place(bar.value)] = (_POINT, ink)
        lines.append(
            (
                Stroke(f"{padded(name, left)} "),
                *_parts(row),
                Stroke(f"  {' ' * (right - cells(value))}"),
                Stroke(value, ink),
            )
        )
    ends = _ends(least, greatest, width)
    indent = " " * (left + 1)
    narrow = cells(chart.measured) > columns - len(indent)
    return lines + _plain(f"{indent}{ends}", *_wrapped(chart.measured, columns, "" if narrow else indent))


def _side(bar: Bar, middle: float | None) -> Ink:
    if middle is None or bar.within is None or abs(bar.value - middle) <= bar.within:
        return Ink.OPEN
    return Ink.ABOVE if bar.value > middle else Ink.BELOW


def _value(value: float, within: float | None) -> str:
    sign = f"{value:+,.2f}" if abs(value) < 10 else f"{value:+,.1f}"
    return sign if within is None else f"{sign} ± {within:,.2f}" if within < 10 else f"{sign} ± {within:,.1f}"


def _ends(least: float, greatest: float, width: int) -> str:
    """Return the line of text below an axis: round numbers, each below its position."""
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
