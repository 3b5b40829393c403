"""A policy in its box, asked about many tables at once or about one, compared with the same policy built in."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks import cautious
from benchmarks.table import markdown, verdict
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DrawPoker
from pokersvc.tournament import Results, plan, processes
from pokersvc.tournament import run as play

REQUIRED: Final = 0.5
"""The least games a second in a box with many tables at once, in multiples of those of the policy built in."""


class WithCautious(DrawPoker):
    """Draw poker in which the policy is built in."""

    players = {**DrawPoker.players, "cautious": cautious.Cautious}  # noqa: RUF012 - as in the game itself


class WayOfAsking(NamedTuple):
    """A way in which the policy is asked."""

    name: str
    kind: str
    deals: int


WAYS: Final = (
    WayOfAsking("built in", "cautious", 2048),
    WayOfAsking("in a box, many tables at once", f"{cautious.__file__}:ManyAtOnce", 2048),
    WayOfAsking("in a box, one table at a time", f"{cautious.__file__}:Cautious", 256),
)


def games_a_second(way: WayOfAsking, count: int, *, quick: bool) -> float:
    """Return the games a second on ``count`` processes; a short tournament before loads them."""
    deals = way.deals // 8 if quick else way.deals
    with processes(count, __name__) as workers, TemporaryDirectory() as folder:
        for number, some in enumerate((2 * count, deals)):
            tournament = plan(
                WithCautious(), {}, (Seat(way.kind, "Ann"), Seat(way.kind, "Bob")), some, orders=1, seed="1"
            )
            with Results(Path(folder) / str(number), tournament) as results:
                start = perf_counter()
                play(tournament, results, workers)
                took = perf_counter() - start
                assert not results.differed
                assert all(one.forfeits == ({}, {}) for one in results.played.values())
    return tournament.games / took


def run(*, quick: bool = False) -> str:
    """Measure each way in turn, on one process and on two; return a table of medians."""
    repetitions = 1 if quick else 5
    measured: dict[tuple[WayOfAsking, int], list[float]] = {(way, count): [] for count in (1, 2) for way in WAYS}
    for _ in range(repetitions):
        for (way, count), found in measured.items():
            found.append(games_a_second(way, count, quick=quick))
    rows = []
    for (way, count), found in measured.items():
        ratio = median(one / built_in for one, built_in in zip(found, measured[WAYS[0], count], strict=True))
        said = verdict(ratio, REQUIRED) if way is WAYS[1] else f"{ratio:.2g}"
        rows.append((way.name, str(count), f"{median(found):,.0f}", said))
    return markdown(
        "A policy in a box, asked about many tables",
        ("the policy", "processes", "games/s", "ratio"),
        rows,
        f"Medians of {repetitions} repetitions, all in turn: two such players heads-up in the default house, until all"
        " results are saved. They were loaded before. Of the views of batches, 2 % are asked again.",
    )
