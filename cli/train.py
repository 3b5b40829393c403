"""`pokersvc train`: strategies close to perfect play, made for the bot `equilibrium`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pokersvc.cli.arguments import MOST
from pokersvc.cli.output import Interrupted
from pokersvc.cli.statistics import plot_option
from pokersvc.cli.statistics.plot_option import PlotOption
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import strategy
from pokersvc.text import counted


def train(
    spots: Annotated[
        list[str],
        typer.Argument(metavar="SPOT", help="Limit, ante and depth, such as fixed-limit-ante-0-depth-12."),
    ],
    folder: Annotated[
        Path, typer.Option("--folder", "-o", metavar="FOLDER", help="Where the files are written.")
    ] = Path(),
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, max=MOST, metavar="N", help="Iterations of CFR+ for each spot.")
    ] = 1000,
    edition: Annotated[
        int | None,
        typer.Option(
            "--edition", min=1, max=MOST, metavar="N", help="Edition of the bet sizes.", show_default="the latest"
        ),
    ] = None,
    count: Annotated[int, typer.Option("--processes", min=1, max=1024, metavar="N", help="Number of processes.")] = 1,
    plot: PlotOption = None,
) -> None:
    """Make strategies for two players of draw poker, close to perfect play.

    Example: pokersvc train fixed-limit-ante-0-depth-12 --iterations 300

    A spot is a limit (fixed, pot or no), an ante (0, 10 for a quarter of the
    big blind, or 40 for a whole one) and a depth in big blinds, from 2 to 200.
    After an interruption, the same command continues. A line shows how far a
    strategy is from perfect, in thousandths of a big blind a hand (mbb).
    Without a fixed limit, an earlier edition has fewer bet sizes and takes less
    time.
    """
    plot_option.check(plot, for_programs=False)
    chosen = [strategy.spots.named(name) for name in spots]
    if not folder.is_dir():
        raise InvalidValue(f"{folder} is not a folder; name one that is there.")
    for spot in chosen:
        if (file := strategy.training.file_of(spot, folder)).exists():
            raise InvalidValue(f"{file} is already there; name another folder, or delete it.")
    editions, latest = strategy.tree.EDITIONS, strategy.tree.LATEST
    if edition is not None and edition not in editions:
        raise InvalidValue(f"There is no edition {edition} of the trees; name one of 1 to {latest}.")
    last: dict[str, strategy.training.Trained] = {}
    try:
        for trained in strategy.training.train(chosen, folder, iterations, count, edition or latest):
            last[trained.spot.name] = trained
            at = trained.measured[-1]
            said = f"{counted(at.iterations, 'iteration')}, {at.seconds:.0f} s, {at.worth.exploitability:.3f} mbb/hand"
            print(f"{trained.spot.name}: {said}")
            if trained.written is not None:
                stored = (
                    f"{trained.written.exploitability:.3f} as stored; the button wins {trained.written.button:+.1f}"
                )
                print(f"{strategy.training.file_of(trained.spot, folder)}: {stored}")
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise Interrupted("Interrupted; the steps so far are kept, and the same command continues.") from None
    if plot is not None:
        plot_option.show([strategy.training.chart(list(last.values()))], plot, for_programs=False)
