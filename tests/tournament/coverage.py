"""How often intervals of 95 % hold the truth: ``python -m tests.tournament.coverage`` prints the table of the docs.

Two players play some thousand deals. What the first one gained on each is then the whole world, whose mean is known,
and tournaments of few deals are drawn from it.
"""

from collections.abc import Callable, Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pokersvc.core.bots.player import Player
from pokersvc.core.bots.seating import Seating
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from pokersvc.tournament.student import half_width, is_thin, quantile
from tests.tournament.rare import Rare

DEALS: Final = (5, 10, 20, 50, 100, 300)
RARE: Final = f"{Path(__file__).with_name('rare.py')}:Rare"


class Pair(NamedTuple):
    """Who plays whom, in which house and for how many hands a game."""

    rules: str
    players: tuple[str, str]
    hands: int

    def __str__(self) -> str:
        one, other = (Path(kind).stem if kind == RARE else kind for kind in self.players)
        return f"`{one}` and `{other}`, `{self.rules}`, {self.hands} hand{'s' if self.hands > 1 else ''}"


PAIRS: Final = (
    Pair("no-limit", ("steady", "minimum"), 1),
    Pair("no-limit", ("steady", "random"), 1),
    Pair("rising-ante", ("steady", "random"), 1),
    Pair("rising-ante", ("minimum", "random"), 12),
    Pair("no-limit", (RARE, "minimum"), 1),
)


class Covered(NamedTuple):
    """Shares of the tournaments of so many deals: ``plain`` and ``told`` of those in which there is an interval."""

    deals: int
    plain: float
    """Student's alone held the truth."""
    told: float
    """What is told held it."""
    none: float
    """There is no interval, as all deals brought the same."""
    thin: float
    """The interval is told with a warning."""


def gains(pair: Pair, deals: int) -> list[float]:
    """Return what the first player gained on each deal, by the mean of both orders."""
    seats = tuple(Seat(kind, name) for kind, name in zip(pair.players, "AB", strict=True))
    tournament = plan(DRAW_POKER, {"rules": pair.rules}, seats, deals, rounds=pair.hands, seed="coverage")
    found = [0] * deals
    with _InThisProcess() as programs:
        for index in range(tournament.games):
            sitting = tournament.sitting(index)
            one = play(tournament, index, programs)[0]
            found[sitting.deal - 1] += one.gains[sitting.players.index(0)]
    return [gain / 2 for gain in found]


class _InThisProcess(Programs):
    """Has the rare player play here, which is a hundred times as fast."""

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Player] | None:
        return Rare if kind == RARE else super().find(game, kind, load=load)


def covered(pair: Pair, *, deals: int = 3000, tournaments: int = 2000) -> Iterator[Covered]:
    """Return how often the truth was held, for each number of deals."""
    world = np.array(gains(pair, deals))
    truth = fsum(world) / deals
    random = np.random.RandomState(95)  # whose numbers never change
    for count in DEALS:
        plain = told = none = thin = 0
        for _ in range(tournaments):
            values: list[Any] = world[random.randint(0, deals, count)].tolist()
            mean = fsum(values) / count
            deviations = [value - mean for value in values]
            width = half_width(deviations)
            if width is None:
                none += 1
                continue
            error = sqrt(fsum(value * value for value in deviations) / (count - 1) / count)
            plain += abs(mean - truth) <= quantile(count - 1, 0.975) * error
            told += abs(mean - truth) <= width
            thin += is_thin(deviations)
        had = tournaments - none
        yield Covered(count, plain / had, told / had, none / tournaments, thin / tournaments)


def row(pair: Pair, shares: list[Covered]) -> str:
    """Return the row of the table for a pair."""
    cells = [
        f"{100 * one.plain:.0f} → {100 * one.told:.0f}" + (f" ({100 * one.none:.0f} none)" if one.none >= 0.005 else "")
        for one in shares
    ]
    return " | ".join(["", str(pair), *cells, ""]).strip()


def main() -> None:
    """Print the table."""
    print(" | ".join(["", "the first of", *(f"{deals} deals" for deals in DEALS), ""]).strip())
    print("| --- " + "| ---: " * len(DEALS) + "|")
    for pair in PAIRS:
        print(row(pair, list(covered(pair))), flush=True)


if __name__ == "__main__":
    main()
