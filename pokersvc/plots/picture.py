"""Charts as pictures: PNG or SVG, by matplotlib.

A picture has no background, and its colours have enough contrast with a white page and with a dark one. The colours
are from Okabe and Ito (*Color Universal Design*, 2008), so that colour-blind people can tell them apart as well. The
same charts always make the same file.
"""

import warnings
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pokersvc.errors import InvalidValue, printable
from pokersvc.plots.charts import Bars, Chart, Curves, captioned, thinned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS: Final = ("png", "svg")
MOST_POINTS: Final = 1_000
"""The maximum number of points drawn per curve; more could not be distinguished."""
TALLEST: Final = 400
"""The greatest height of a picture in inches that matplotlib can still draw."""
_GREY: Final = "#767676"
"""A grey with about the same contrast to white as to black."""
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_DASHES: Final = ("-", "--", "-.", ":")
_STYLE: Final[Any] = {
    "svg.hashsalt": "pokersvc",  # otherwise the IDs in the file are random
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar sign in a name must not start a formula
    "font.size": 11,
    "font.family": "sans-serif",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _GREY),
}


def check_plot(path: Path) -> None:
    """Raise `InvalidValue` if a picture cannot be written; call it before a long computation."""
    try:
        import matplotlib.backends.backend_agg  # noqa: F401 # to see whether it is installed
    except ImportError as error:
        raise InvalidValue("A plot needs matplotlib; install pokersvc with the extra `plot`.") from error
    if path.suffix.removeprefix(".").lower() not in ENDINGS:
        raise InvalidValue(f"A plot cannot be written as {path.name!r}; its name ends in .png or .svg.")


def image(charts: Sequence[Chart], path: Path) -> bytes:
    """Return a picture of the charts, one below the other, as bytes in the format that the suffix of ``path`` names."""
    import matplotlib

    with warnings.catch_warnings(), matplotlib.rc_context(_STYLE):
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name may have letters that no font here has
        ending = path.suffix.removeprefix(".").lower()
        metadata = {"Date": None, "Creator": None} if ending == "svg" else {"Software": None}
        picture(charts).savefig(file := BytesIO(), format=ending, dpi=150, transparent=True, metadata=metadata)
    return file.getvalue()


def picture(charts: Sequence[Chart]) -> "Figure":
    """Return a picture of the charts below each other, each as high as it must be."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        heights = [4.0 if isinstance(chart, Curves) else 1.3 + 0.4 * len(chart.bars) for chart in charts]
        figure = Figure(figsize=(8, min(sum(heights), TALLEST)), layout="constrained")
        FigureCanvasAgg(figure)
        places = figure.subplots(len(charts), squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
        for number, (chart, axes) in enumerate(zip(charts, places, strict=True)):
            axes.spines[["top", "right"]].set_visible(False)
            axes.set_title(printable(chart.title), fontsize=12, loc="left")
            axes.set_xlabel(chart.measured if isinstance(chart, Bars) else chart.across)
            if isinstance(chart, Bars):
                _bars(chart, axes, number)
            else:
                _curves(chart, axes, number)
    return figure


def _curves(chart: Curves, axes: "Axes", number: int) -> None:
    axes.axhline(0, color=_GREY, linewidth=0.8, zorder=0)
    axes.set_ylabel(captioned(chart.up, chart.interval if chart.has_intervals else ""))
    for place, curve in enumerate(chart.curves):
        colour = _COLOURS[place % len(_COLOURS)]
        points = thinned(curve.points, MOST_POINTS)
        known = [point for point in points if point.within is not None]
        if known:
            low, high = ([point.value + side * (point.within or 0) for point in known] for side in (-1, 1))
            band = axes.fill_between([point.at for point in known], low, high, color=colour, alpha=0.2, linewidth=0)
            band.set_gid(f"band-{number}-{place}")
        [line] = axes.plot(
            [point.at for point in points],
            [point.value for point in points],
            color=colour,
            linestyle=_DASHES[place % len(_DASHES)],
            label=printable(curve.name),
        )
        line.set_gid(f"curve-{number}-{place}")
    if len(chart.curves) > 1:
        axes.legend(frameon=False, labelcolor=_GREY)


def _bars(chart: Bars, axes: "Axes", number: int) -> None:
    last_first = list(reversed(chart.bars))
    if chart.middle is not None:
        axes.axvline(chart.middle, color=_GREY, linewidth=0.8, zorder=0)
    if chart.middle is not None and all(bar.within is None for bar in chart.bars):
        values = [bar.value for bar in last_first]
        axes.hlines(range(len(values)), chart.middle, values, color=_COLOURS[0], linewidth=1.5)
    drawn = axes.errorbar(
        [bar.value for bar in last_first],
        range(len(last_first)),
        xerr=[bar.within or 0 for bar in last_first],
        fmt="o",
        capsize=4,
        color=_COLOURS[0],
    )
    drawn.lines[0].set_gid(f"means-{number}")
    axes.set_yticks(range(len(last_first)), [printable(bar.name) for bar in last_first])
    axes.set_ylim(-0.6, len(last_first) - 0.4)
