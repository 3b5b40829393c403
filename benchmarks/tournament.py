"""A tournament on two processes compared with one."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from benchmarks.table import markdown, verdict
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import Results, Tournament, plan, processes
from pokersvc.tournament import run as play

REQUIRED: Final = 1.7
PLAYERS: Final = (Seat("steady", "Ann"), Seat("table", "Bob"), Seat("house", "Cat"), Seat("random", "Dan"))


def seconds(tournament: Tournament, count: int) -> float:
    """Return the seconds that a tournament takes on ``count`` processes, until all results are saved."""
    with TemporaryDirectory() as folder:
        start = perf_counter()
        with (
            Results(Path(folder) / "results", tournament) as results,
            processes(count, type(tournament.game).__module__) as workers,
        ):
            play(tournament, results, workers)
        return perf_counter() - start


def run(*, quick: bool = False) -> str:
    """Measure both in turn; return a table of medians."""
    repetitions, deals = (1, 200) if quick else (3, 1000)
    tournament = plan(DRAW_POKER, {"rules": "no-limit"}, PLAYERS, deals, seed="1")
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repetitions):
        for count, measured in times.items():
            measured.append(seconds(tournament, count))
    ratio = median(one / two for one, two in zip(times[1], times[2], strict=True))
    return markdown(
        "A tournament of four bots in `no-limit`, all seat orders",
        ("processes", "games", "games/s", "ratio"),
        [
            (
                str(count),
                f"{tournament.games:,}",
                f"{tournament.games / median(measured):,.0f}",
                "1" if count == 1 else verdict(ratio, REQUIRED),
            )
            for count, measured in times.items()
        ],
        f"Medians of {repetitions} repetitions, both in turn; starting the processes is counted.",
    )
