"""The option --plot: charts at the terminal, or in a file as a plots.picture."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pokersvc import plots
from pokersvc.errors import InvalidValue

if TYPE_CHECKING:
    from pokersvc.plots.charts import Chart

HERE: Final = Path("-")
"""Stands for the terminal, or whatever else the output goes to."""

PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Plot to a .png or .svg file, or - to plot in the terminal."),
]


def check(path: Path | None, *, for_programs: bool) -> None:
    """Raise `InvalidValue` if nothing can be plotted there: before anything long is done for it."""
    if path == HERE and for_programs:
        raise InvalidValue("--plot - prints for people, and --json and --csv for programs; leave one of them out.")
    if path is not None and path != HERE:
        plots.picture.check_plot(path)


def show(charts: "Sequence[Chart]", path: Path) -> None:
    """Print charts, or write them to a file."""
    if path != HERE:
        plots.picture.write(charts, path)
        return
    columns = shutil.get_terminal_size().columns
    for chart in charts:
        print("", *plots.terminal.drawn(chart, columns), sep="\n")
    sys.stdout.flush()
