"""The option --plot: charts at the terminal, or as a picture in a file."""

import logging
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pokersvc import evidence, plots
from pokersvc.cli.drawing.colours import Painter
from pokersvc.cli.output import output, wrapped
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.core.drawing import Piece, Tone
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

if TYPE_CHECKING:
    from pokersvc.plots.charts import Chart

# Without a handler, matplotlib writes useless messages about fonts and caches to standard error.
logging.getLogger("matplotlib").addHandler(logging.NullHandler())

HERE: Final = Path("-")
"""The value of --plot that means standard output, even if it is no terminal."""

PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Plot to a new .png or .svg file, or - to plot in the terminal."),
]


def check(path: Path | None, *, for_programs: bool) -> None:
    """Raise `InvalidValue` if charts cannot be written to ``path``; call it before long computations."""
    if path == HERE and for_programs:
        raise InvalidValue("--plot - prints for people, and --json and --csv for programs; leave one of them out.")
    if path is not None and path != HERE:
        plots.picture.check_plot(path)
        evidence.jsonl.check_new(path)
    if path == HERE and (columns := shutil.get_terminal_size().columns) < plots.terminal.NARROWEST:
        least = plots.terminal.NARROWEST
        raise InvalidValue(
            f"--plot - needs {least} columns, but the terminal has {columns}; widen the terminal, or name a file."
        )


def show(charts: "Sequence[Chart]", path: Path, *, for_programs: bool) -> None:
    """Print charts, or write them to a file and say so (on standard error if the output is for programs)."""
    stream = sys.stderr if for_programs else sys.stdout
    if path != HERE:
        with output(path) as file:
            file.write(plots.picture.image(charts, path))
        print(wrapped(f"{path}: {counted(len(charts), 'chart')}."), file=stream)
        return
    columns, mine = shutil.get_terminal_size().columns, Preferences.of_this_person()
    painter = Painter.of_terminal(mine.colours, plain=not mine.coloured)
    for chart in charts:
        print("", *painted(chart, columns, painter), sep="\n")
    sys.stdout.flush()


def painted(chart: "Chart", columns: int, painter: Painter) -> list[str]:
    """Return a chart as lines to print, in the colours that the terminal uses for tables of a game."""
    toned = [
        tuple(Piece(part.text, _TONES.get(part.ink.value, Tone.PLAIN)) for part in line)
        for line in plots.terminal.inked(chart, columns)
    ]
    return painter.strings(toned)


_TONES: Final = {
    "first": Tone.BLUE, "second": Tone.CHIPS, "third": Tone.GREEN, "fourth": Tone.RED,
    "band": Tone.QUIET, "above": Tone.GREEN, "below": Tone.RED, "open": Tone.BLUE,
}  # fmt: skip
"""Ink of `pokersvc.plots.terminal` → tone of the drawn tables; none of these tones is bold."""
