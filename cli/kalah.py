"""`pokersvc kalah`: boards solved, stored games analysed, sowings counted."""

import sys
import time
from collections.abc import Iterable
from typing import Annotated

import typer

import pokersvc
from pokersvc.cli.arguments import GameArgument, JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import Interrupted, print_json, stream_json
from pokersvc.games import kalah
from pokersvc.text import counted

app = typer.Typer(
    add_completion=False,
    help="Solve boards of Kalah, analyse its games, count its moves.\n\nExample: pokersvc kalah solve 4 4",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

EmptyCapture = Annotated[
    bool,
    typer.Option("--empty-capture", help="Capture a last bean in an empty hole even if the opposite hole is empty."),
]
HolesOfEndgames = Annotated[int, typer.Argument(metavar="HOLES", help="Holes per side, 2 to 8.")]
SECONDS_BETWEEN = 0.5
"""Seconds between two updates of the progress line."""


class _Display:
    """A line that shows the progress of a long search on standard error, if standard error is a terminal."""

    def __init__(self) -> None:
        self.started = self._shown = time.monotonic()
        self._width = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def show(self, text: str) -> None:
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._shown >= SECONDS_BETWEEN:
            self._shown = now
            line = f"{text} ({self.seconds:.0f} s)".ljust(self._width)
            self._width = len(line)  # set before printing: Ctrl-C may come at once, and then the line is cleared
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        if sys.stderr.isatty():
            print(text, file=sys.stderr)

    def clear(self) -> None:
        if self._width:
            print(f"\r{'':<{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0


@app.command()
def solve(
    holes: Annotated[int, typer.Argument(metavar="HOLES", help="Holes per side.")],
    beans: Annotated[int, typer.Argument(metavar="BEANS", help="Beans in each hole at the start.")],
    empty_capture: EmptyCapture = False,
    as_json: JsonOption = False,
) -> None:
    """Find who wins, and by how much, with perfect play.

    With numba (the extra `fast`) it is about twenty times as fast:
    `solve 6 4` takes minutes with it, and hours without.

    Example: pokersvc kalah solve 4 4
    """
    rules = kalah.analysis.rules_of(holes, beans, empty_capture=empty_capture)
    display = _Display()
    if kalah.analysis.slow(rules):
        display.note(f"{rules} is searched without numba, which may take hours.")
    last: list[kalah.analysis.Progress] = []

    def tell(progress: "kalah.analysis.Progress") -> None:
        last[:] = [progress]
        display.show(_say_progress(progress))

    try:
        solution = kalah.analysis.solve(rules, tell)
    except KeyboardInterrupt:
        display.clear()
        raise Interrupted(_say_interrupted(str(rules), last[0] if last else None)) from None
    display.clear()
    if as_json:
        print_json(
            {
                **rules.model_dump(exclude={"version"}),
                "margin": solution.margin,
                "best": list(solution.best),
                "moves": [{"hole": hole, "margin": margin} for hole, margin in solution.moves],
                "nodes": solution.nodes,
                "seconds": round(display.seconds, 3),
            }
        )
        return
    print(f"{rules}: {_say_margin(solution.margin)} with perfect play.")
    print("\n".join(_say_moves(solution)))
    print(f"{counted(solution.nodes, 'sowing')}, {display.seconds:.1f} s")


def _say_margin(margin: int) -> str:
    if not margin:
        return "a tie"
    return f"{'South' if margin > 0 else 'North'} wins by {abs(margin)}"


def _say_moves(solution: "kalah.analysis.Solution") -> list[str]:
    if not solution.moves:
        return ["The game is over before the first move."]
    best = solution.best
    many = "Best first moves are holes" if len(best) > 1 else "The best first move is hole"
    lines = [f"{many} {', '.join(map(str, best))}.", "", "hole  margin for South"]
    return [*lines, *(f"{hole:>4}  {margin:>+6}" for hole, margin in solution.moves), ""]


def _say_progress(progress: "kalah.analysis.Progress") -> str:
    said = f"{counted(progress.nodes, 'sowing')}: "
    if progress.hole is not None:
        return f"{said}South's margin is {progress.low:+}; looking at hole {progress.hole}"
    return f"{said}South's margin is {progress.low:+} to {progress.high:+}"


def _say_interrupted(rules: str, progress: "kalah.analysis.Progress | None") -> str:
    if progress is None:
        return f"Interrupted; {rules} is not solved."
    if progress.hole is None:
        return f"Interrupted after {_say_progress(progress)}; {rules} is not solved."
    known = ", ".join(f"hole {hole} {margin:+}" for hole, margin in progress.moves)
    return (
        f"Interrupted after {counted(progress.nodes, 'sowing')};"
        f" {rules}: {_say_margin(progress.low)} with perfect play. "
        + (f"Of the first moves, these are known: {known}." if known else "No first move is known yet.")
    )


@app.command()
def analyse(
    context: typer.Context,
    game: GameArgument,
    think: Annotated[
        float,
        typer.Option("--think", min=0, max=86_400, metavar="SECONDS", help="Time per move; 0: no limit."),
    ] = 5.0,
    as_json: JsonOption = False,
) -> None:
    """Show the cost of each move of a stored game.

    A margin is how many more beans the mover ends up with if both sides play
    perfectly from there. If the time is too short to search to the end of the
    game, it is the margin a few sowings ahead, marked by ~; so is a sum that
    includes it.

    Example: pokersvc kalah analyse last --think 1
    """
    display = _Display()
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        game_id = log.find(game)
        steps = pokersvc.Service(log).replay(game_id)
        judged = kalah.analysis.analyse(game_id, steps, think, lambda nodes: display.show(counted(nodes, "sowing")))
        try:
            if as_json:
                stream_json(move.document() for move in judged)
                return
            _print_analysis(judged, display)
        except KeyboardInterrupt:
            display.clear()
            raise Interrupted("Interrupted; the moves after these are not analysed.") from None


def _print_analysis(judged: "Iterable[kalah.analysis.Analysed]", display: _Display) -> None:
    cost, about_side = {"South": 0, "North": 0}, {"South": "", "North": ""}
    print("move  player                       hole  margin  best  margin  cost")
    for move in judged:
        display.clear()
        judgement, about = move.judgement, " " if move.judgement.exact else "~"
        cost[move.side] += judgement.cost
        about_side[move.side] = about_side[move.side] or about.strip()
        who = f"{move.name} ({move.side})"
        print(
            f"{move.move:>4}  {who:<28} {move.hole:>4} {about}{judgement.margin:>+6}  {judgement.best:>4}"
            f" {about}{judgement.best_margin:>+6}  {judgement.cost or '':>4}"
            + ("" if judgement.exact else f"  {judgement.depth} ahead"),
            flush=True,
        )
    display.clear()
    south, north = (f"{about_side[side]}{cost[side]}" for side in ("South", "North"))
    print(f"\nMoves cost South {south} and North {north}.")


@app.command()
def build(
    holes: HolesOfEndgames = 6,
    empty_capture: EmptyCapture = False,
) -> None:
    """Build a database of endgames, which makes solving faster.

    With six holes a side it has all positions of up to 16 beans: 30 MB, and
    half a minute of work, for which numba is needed (the extra `fast`). After
    an interruption, the same command continues. The file is in the folder
    `kalah` of your data folder.

    Example: pokersvc kalah build 6
    """
    endgames = kalah.perfect_play.endgames
    of = endgames.covered(holes, empty_capture=empty_capture)
    display = _Display()
    try:
        path = endgames.build(of, endgames.folder(), lambda done: display.show(_say_share(done, of.positions)))
    except KeyboardInterrupt:
        display.clear()
        raise Interrupted("Interrupted; the same command continues after the last finished layer.") from None
    display.clear()
    print(f"{path}: {counted(of.positions, 'position')} of up to {counted(of.beans, 'bean')}, {display.seconds:.1f} s")


@app.command()
def verify(
    holes: HolesOfEndgames = 6,
    empty_capture: EmptyCapture = False,
) -> None:
    """Check every value of a database of endgames.

    First the file is compared with its digests. Then another program than the
    one that built it sows each position's beans one by one. With six holes a
    side that is half a minute of work.

    Example: pokersvc kalah verify 6
    """
    read = kalah.perfect_play.endgames.stored(holes, empty_capture=empty_capture)
    display = _Display()
    try:
        kalah.perfect_play.endgame_check.check(read, lambda done: display.show(_say_share(done, read.of.positions)))
    except KeyboardInterrupt:
        display.clear()
        raise Interrupted("Interrupted; the values so far are right, and the others are not checked.") from None
    display.clear()
    print(f"{read.of.name}: all {counted(read.of.positions, 'value')} are right, {display.seconds:.1f} s")


def _say_share(done: int, of: int) -> str:
    return f"{done:,} of {counted(of, 'position')}"


@app.command()
def perft(
    holes: Annotated[int, typer.Argument(metavar="HOLES", help="Holes per side.")] = 6,
    beans: Annotated[int, typer.Argument(metavar="BEANS", help="Beans in each hole at the start.")] = 4,
    depth: Annotated[int, typer.Option("--depth", min=1, metavar="N", help="Count up to N sowings.")] = 7,
    empty_capture: EmptyCapture = False,
    as_json: JsonOption = False,
) -> None:
    """Count the sequences of 1, 2, … sowings there are from the start.

    An extra turn is a sowing of its own; a finished game is not continued.

    Example: pokersvc kalah perft 6 4 --depth 8
    """
    counts = kalah.analysis.count(kalah.analysis.rules_of(holes, beans, empty_capture=empty_capture), depth)
    numbered = enumerate(counts, 1)
    if as_json:
        stream_json({"depth": sowings, "sequences": sequences} for sowings, sequences in numbered)
        return
    for sowings, sequences in numbered:
        print(f"{sowings:>5}  {sequences:>20,}", flush=True)
