"""Custom players in boxes compared with trusted ones: the cost of a choice, and of the games of a tournament."""

import resource
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks import cautious
from benchmarks.table import markdown
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs, Walls
from pokersvc.tournament import plan
from pokersvc.tournament.play import play

REQUIRED: Final = 1.15
"""The most time that a choice in a box may take, in multiples of a trusted player's."""


class Taken(NamedTuple):
    """The games per second, and the microseconds of a choice, by the clock and of the processors."""

    games: float
    wall: float
    processors: float


def taken(kind: str, games: int, *, trusted: bool) -> Taken:
    """Play games of two custom players, which are loaded first."""
    tournament = plan(DRAW_POKER, {}, (Seat(kind, "Ann"), Seat(kind, "Bob")), games, seed="1")
    processors, choices, seconds = -processor_seconds(), 0, 0.0
    with Programs(walls=Walls(trusted=trusted)) as programs:
        programs.check(DRAW_POKER, tournament.players)
        play(tournament, 0, programs)
        for index in range(games):
            start = perf_counter()
            played, events = play(tournament, index, programs)
            seconds += perf_counter() - start
            assert played.forfeits == ({}, {})
            choices += sum(DRAW_POKER.action_of(event) is not None for event in events)
    processors += processor_seconds()
    return Taken(games / seconds, seconds / choices * 1e6, processors / choices * 1e6)


def processor_seconds() -> float:
    """Return the processor time of this process, and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def run(*, quick: bool = False) -> str:
    """Measure both in turn; return a table of medians."""
    repetitions, games = (1, 40) if quick else (5, 150)
    measured: dict[bool, list[Taken]] = {True: [], False: []}
    for _ in range(repetitions):
        for trusted, found in measured.items():
            found.append(taken(f"{cautious.__file__}:Cautious", games, trusted=trusted))
    both = list(zip(measured[True], measured[False], strict=True))
    ratio = median(boxed.processors / trusted.processors for trusted, boxed in both)
    faster = median(boxed.games / trusted.games for trusted, boxed in both)
    return markdown(
        "Two custom players in the default house, one process",
        ("players", "games/s", "a choice, µs", "of the processors, µs", "ratio"),
        [
            (
                name,
                f"{median(one.games for one in found):,.0f}",
                f"{median(one.wall for one in found):,.0f}",
                f"{median(one.processors for one in found):,.0f}",
                verdict,
            )
            for name, found, verdict in (
                ("trusted", measured[True], "1"),
                ("in boxes", measured[False], f"{ratio:.2f} × (required: at most {REQUIRED} ×)"),
            )
        ],
        f"Medians of {repetitions} repetitions of {games} games, both in turn; processor time includes loading the"
        f" players, and the game's own. In boxes there were {faster:.2f} times as many games a second.",
    )
