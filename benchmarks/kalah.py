"""Kalah looked ahead, counted and solved: with numba (extra `fast`) and without.

numba compiles before anything is timed. Every search begins with a new engine, whose tables are empty.
"""

import resource
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

from benchmarks.table import markdown, verdict
from pokersvc.games.kalah import analysis
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine, Engine, Variant, compiled
from pokersvc.games.kalah.search import look_ahead
from pokersvc.games.kalah.solver import Solution, solve, solver

DEPTH: Final = 12
PERFT_DEPTH: Final = 8
REPETITIONS: Final = 11
MOST_NODES: Final = 60_000
GAME: Final = Variant(6, 48)


def timed(run: Callable[[], object], repetitions: int = 1) -> float:
    """Return the processor time of a run: the median of some repetitions."""

    def once() -> float:
        before = process_time()
        run()
        return process_time() - before

    return median(once() for _ in range(repetitions))


def _looking(kind: type[Engine]) -> tuple[int, float]:
    board = Board.start(6, 4)
    nodes = look_ahead(kind(GAME), board, Side.SOUTH, DEPTH).nodes
    engines = [kind(GAME) for _ in range(REPETITIONS)]
    return nodes, timed(lambda: look_ahead(engines.pop(), board, Side.SOUTH, DEPTH), REPETITIONS)


def _counting(kind: type[Engine]) -> tuple[int, float]:
    engine, start = kind(GAME), GAME.pack(Board.start(6, 4), Side.SOUTH)
    return engine.perft(start, PERFT_DEPTH), timed(lambda: engine.perft(start, PERFT_DEPTH), 5)


def _both(title: str, what: str, run: Callable[[type[Engine]], tuple[int, float]], required: float, note: str) -> str:
    counts, seconds = zip(*map(run, (Engine, CompiledEngine)), strict=True)
    rows = [
        (side, f"{count:,}", f"{time * 1000:.2f}", ratio)
        for side, count, time, ratio in zip(
            ("without numba", "with numba"),
            counts,
            seconds,
            ("1", verdict(seconds[0] / seconds[1], required)),
            strict=True,
        )
    ]
    return markdown(title, ("", what, "ms", "ratio"), rows, note)


class _Solved(NamedTuple):
    """A solved board, and what solving it took: seconds on a clock, and processor time of all threads together."""

    solution: Solution
    seconds: float
    processor: float


def _solving(solve: Callable[[], Solution]) -> _Solved:
    began, before = perf_counter(), process_time()
    return _Solved(solve(), perf_counter() - began, process_time() - before)


def _alone(holes: int, beans: int, *, fast: bool) -> Solution:
    game = Variant(holes, 2 * holes * beans)
    return solve(solver(game) if fast else Engine(game), Board.start(holes, beans))


def _solved(quick: bool) -> str:
    boards: list[tuple[str, str, str, Callable[[], Solution]]] = [
        ("Kalah(4, 4)", "without numba", "60", partial(_alone, 4, 4, fast=False)),
        ("Kalah(4, 4)", "one thread", "", partial(_alone, 4, 4, fast=True)),
        ("Kalah(5, 4)", "one thread", "", partial(_alone, 5, 4, fast=True)),
    ]
    for rule, empty_capture in (("", False), (", empty capture", True)):
        rules = analysis.rules_of(6, 4, empty_capture=empty_capture)
        if not quick:
            boards.append((f"Kalah(6, 4){rule}", "all processors", "120", partial(analysis.solve, rules)))
    rows = []
    for board, how, required, run in boards:
        solution, seconds, processor = _solving(run)
        within = f"{seconds:.1f}" + (f" (required: under {required})" if required else "")
        rows.append((board, how, f"{solution.margin:+}", f"{solution.nodes:,}", within, f"{processor:.1f}"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return markdown(
        "Kalah solved, every first move with its margin",
        ("board", "", "margin", "sowings", "seconds", "of processors"),
        rows,
        f"The peak memory of all these runs is {peak:,.0f} MiB (required: under 4096).",
    )


def run(*, quick: bool) -> str:
    """Return the tables; ``quick`` leaves out Kalah(6, 4)."""
    if compiled() is None:
        raise SystemExit("numba is missing; this benchmark needs the extra `fast`.")
    look_ahead(CompiledEngine(GAME), Board.start(6, 4), Side.SOUTH, 4)
    return "\n\n".join(
        [
            _both(
                f"Kalah(6, 4) looked ahead from the start to depth {DEPTH}",
                "sowings",
                _looking,
                10,
                f"Required: at most {MOST_NODES:,} sowings, and under 1 s without numba. All depths before are part of"
                " it.",
            ),
            _both(
                f"Kalah(6, 4), sequences of {PERFT_DEPTH} sowings counted",
                "sequences",
                _counting,
                20,
                f"Medians, of {REPETITIONS} searches and of 5 counts.",
            ),
            _solved(quick),
        ]
    )
