"""A tournament as a picture: each player's mean with its confidence interval."""

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from pokersvc.errors import InvalidValue
from pokersvc.text import counted
from pokersvc.tournament.standings import Standings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TALLEST = 400
"""Inches, for many players: what matplotlib can still draw."""


def check_plot(path: Path) -> None:
    """Raise `InvalidValue` if no plot can be made: before a long tournament is played for it."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
    except ImportError as error:
        raise InvalidValue("A plot needs matplotlib; install pokersvc with the extra `plot`.") from error
    endings = sorted(FigureCanvasAgg.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in endings:
        raise InvalidValue(
            f"A plot cannot be written as {path.name!r}; its name ends in .png or .{', .'.join(endings)}."
        )
    if not path.parent.is_dir():
        raise InvalidValue(f"A plot cannot be written to {path}: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise InvalidValue(f"A plot cannot be written to {path}: it is not a file; name another one.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InvalidValue(f"A plot cannot be written to {path}: you may not write there; name another file.")


def plot(standings: Standings, path: Path) -> None:
    """Write the picture; the format follows from the file's ending. `InvalidValue` where it cannot be written."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name may have letters that no font here has
        try:
            picture(standings).savefig(path, dpi=150)
        except OSError as error:
            raise InvalidValue(f"A plot cannot be written to {path}: {error.strerror}.") from error


def picture(standings: Standings) -> "Figure":
    """Return the picture: a row for each player, the best on top, with the mean of all as a line."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    tournament = standings.tournament
    best_last = [standings.players[number] for number in reversed(standings.order)]
    figure = Figure(figsize=(8, min(1.6 + 0.45 * len(best_last), TALLEST)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.axvline(sum(player.mean.value for player in best_last) / len(best_last), color="0.8", zorder=0)
    axes.errorbar(
        [player.mean.value for player in best_last],
        range(len(best_last)),
        xerr=[player.mean.error or 0 for player in best_last],
        fmt="o",
        capsize=4,
    )
    # A dollar sign begins a formula in matplotlib, and is a character in a name.
    axes.set_yticks(range(len(best_last)), [player.name.replace("$", r"\$") for player in best_last])
    axes.set_ylim(-0.6, len(best_last) - 0.4)
    axes.set_xlabel(f"{tournament.game.unit} a game, with 95 % confidence")
    axes.set_title(f"{counted(tournament.deals, 'deal')}, {counted(tournament.games, 'game')}")
    return figure
