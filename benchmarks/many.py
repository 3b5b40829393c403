"""A policy in its box, asked about many tables at once or about one, compared with the same policy built in."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Final, NamedTuple

from benchmarks import cautious
from benchmarks.players import processor_seconds
from benchmarks.table import markdown, verdict
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DrawPoker
from pokersvc.tournament import Results, plan, processes
from pokersvc.tournament import run as play
from pokersvc.tournament.groups import DEALS

REQUIRED: Final = 0.5
"""The least games a second in a box with many tables at once, in multiples of those of the policy built in."""


class WithCautious(DrawPoker):
    """Draw poker in which the policy is built in."""

    players = MappingProxyType({**DrawPoker.players, "cautious": cautious.Cautious})


class WayOfAsking(NamedTuple):
    """A way in which the policy is asked."""

    name: str
    kind: str
    deals: int
    together: int
    """The least number of games that one process plays together."""


WAYS: Final = (
    WayOfAsking("built in", "cautious", 2048, DEALS),
    WayOfAsking("in a box, many tables at once", f"{cautious.__file__}:ManyAtOnce", 2048, DEALS),
    WayOfAsking("in a box, one table at a time", f"{cautious.__file__}:Cautious", 256, 2),
)


class Measured(NamedTuple):
    """The games a second, and the milliseconds of processor time of a game; None for the time of several processes."""

    games: float
    processors: float | None


def measured(way: WayOfAsking, count: int, *, quick: bool) -> Measured:
    """Play a tournament of two such players on ``count`` processes, after a first one in which all load the players."""
    first = count * way.together
    deals = max(first, way.deals // 8) if quick else way.deals
    used, took = -processor_seconds(), 0.0
    with processes(count, __name__) as workers, TemporaryDirectory() as folder:
        for number, some in enumerate((first, deals)):
            tournament = plan(
                WithCautious(), {}, (Seat(way.kind, "Ann"), Seat(way.kind, "Bob")), some, orders=1, seed="1"
            )
            with Results(Path(folder) / str(number), tournament) as results:
                start = perf_counter()
                play(tournament, results, workers)
                took = perf_counter() - start
                assert not results.differed
                assert all(one.forfeits == ({}, {}) for one in results.played.values())
    used += processor_seconds()
    return Measured(deals / took, None if count > 1 else 1000 * used / (first + deals))


def run(*, quick: bool = False) -> str:
    """Measure each way of asking in turn, on one process and on two; return a table of medians."""
    repetitions = 1 if quick else 5
    found: dict[tuple[WayOfAsking, int], list[Measured]] = {(way, count): [] for count in (1, 2) for way in WAYS}
    for _ in range(repetitions):
        for (way, count), ones in found.items():
            ones.append(measured(way, count, quick=quick))
    rows = []
    for (way, count), ones in found.items():
        both = zip(ones, found[WAYS[0], count], strict=True)
        ratio = median(one.games / built_in.games for one, built_in in both)
        times = [one.processors for one in ones if one.processors is not None]
        rows.append(
            (
                way.name,
                str(count),
                f"{median(one.games for one in ones):,.0f}",
                f"{median(times):.2f}" if times else "",
                verdict(ratio, REQUIRED) if way is WAYS[1] else f"{ratio:.2g}",
            )
        )
    return markdown(
        "A policy in a box, asked about many tables",
        ("the policy", "processes", "games/s", "of the processors, ms a game", "ratio of games/s"),
        rows,
        f"Medians of {repetitions} repetitions, all in turn: two such players heads-up in the default house, until all"
        " results are saved. All processes had loaded them before; processor time includes that. Of the views of"
        " batches, 2 % are asked again.",
    )
