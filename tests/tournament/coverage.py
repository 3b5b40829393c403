"""How often intervals of 95 % hold the truth: ``python -m tests.tournament.coverage`` prints the table of the docs.

Some thousand deals are played. What was measured on each is then the whole world, whose mean is known, and tournaments
of few deals are drawn from it. Of several figures with intervals that hold together, all must hold theirs.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from math import fsum
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokersvc.core.bots.ranges import RangeTerms
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import Tournament, plan
from pokersvc.tournament.comparison import together_of
from pokersvc.tournament.play import play
from pokersvc.tournament.student import ENOUGH, ENOUGH_WITHOUT_LUCK, Spread, quantile
from tests.tournament.in_this_process import LOOSE, MIXED, RARE, InThisProcess

DEALS: Final = (5, 10, 20, 50, 100, 300)
MOST: Final = 3000
"""The number of deals that are played."""
FEWER: Final = 600
"""The number of deals where each takes long."""
Array: TypeAlias = NDArray[np.float64]


class Case(NamedTuple):
    """What is measured on each deal: one figure, or several whose intervals are to hold together."""

    name: str
    planned: Callable[[int], Tournament]
    """Returns the tournament of so many deals."""
    measured: Callable[[Tournament, Array], Array]
    """Returns the figures of each deal, from what each player gained there: (deals, players) → (deals, figures)."""
    enough: int = ENOUGH
    """The number of deals from which intervals are trusted."""

    def __str__(self) -> str:
        return self.name


def _first(_: Tournament, gains: Array) -> Array:
    return gains[:, :1]


def _last(_: Tournament, gains: Array) -> Array:
    return gains[:, -1:]


def _of_candidates(tournament: Tournament, gains: Array) -> Array:
    first = tournament.others
    return gains[:, first : first + 1] - gains[:, first + 1 :]


def _of_all_pairs(_: Tournament, gains: Array) -> Array:
    return np.stack([gains[:, one] - gains[:, two] for one, two in combinations(range(gains.shape[1]), 2)], axis=1)


def _seats(*kinds: str) -> tuple[Seat, ...]:
    return tuple(map(Seat, kinds, "ABCDEF"))


def _pair(rules: str, one: str, two: str, hands: int = 1, *, aivat: bool = False) -> Case:
    names = [kind.rpartition(":")[2].lower() for kind in (one, two)]
    how = f"{hands} hand{'s' if hands > 1 else ''}" + ", `--aivat`" * aivat
    name = f"the first of `{names[0]}` and `{names[1]}`, `{rules}`, {how}"

    def planned(deals: int) -> Tournament:
        seats = _seats(one, two)
        return plan(DRAW_POKER, {"rules": rules}, seats, deals, rounds=hands, seed="coverage", aivat=aivat)

    return Case(name, planned, _first, ENOUGH_WITHOUT_LUCK if aivat else ENOUGH)


def _answered(rules: str, *, late: bool) -> Case:
    def planned(deals: int) -> Tournament:
        terms = RangeTerms(samples=40, late=late)
        return plan(DRAW_POKER, {"rules": rules}, _seats("steady"), deals, seed="coverage", lbr=terms)

    return Case(f"`--lbr` against `steady`, `{rules}`, 40 hands{', `--lbr-late`' * late}", planned, _last)


def _several(what: str, rules: str, *kinds: str, candidates: int = 0) -> Case:
    def planned(deals: int) -> Tournament:
        asked: dict[str, Any] = {"orders": "rotations", "seed": "coverage", "candidates": candidates}
        return plan(DRAW_POKER, {"rules": rules}, _seats(*kinds), deals, **asked)

    return Case(f"{what}, `{rules}`", planned, _of_candidates if candidates else _of_all_pairs)


BUILT_IN: Final = (
    _pair("no-limit", "steady", "minimum"),
    _pair("no-limit", "steady", "random"),
    _pair("rising-ante", "steady", "random"),
    _pair("rising-ante", "minimum", "random", 12),
    _pair("no-limit", RARE, "minimum"),
)
OTHERS: Final = (
    _pair("fixed-limit", MIXED, LOOSE, aivat=True),
    _pair("no-limit", MIXED, LOOSE, aivat=True),
    _answered("fixed-limit", late=False),
    _answered("no-limit", late=True),
    _several("3 candidates beside 2 others, both differences", "no-limit",
             "steady", "table", "steady", "minimum", "random", candidates=3),
    _several("4 players, the differences of all 6 pairs", "no-limit", "steady", "table", "minimum", "random"),
)  # fmt: skip


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


def world_of(case: Case) -> Array:
    """Return the figures of each deal, the mean of all its games: an array (deals, figures)."""
    deals = FEWER if case in OTHERS else MOST
    tournament = case.planned(deals)
    gains = np.zeros((deals, len(tournament.players)))
    games = np.zeros(len(tournament.players))
    with InThisProcess() as programs:
        for index in range(tournament.games):
            sitting = tournament.sitting(index)
            one = play(tournament, index, programs)[0]
            for player, gain in zip(sitting.players, one.without_luck or one.gains, strict=True):
                gains[sitting.deal - 1, player] += gain
                games[player] += 1
    return case.measured(tournament, gains * deals / games)


class _Interval(NamedTuple):
    """What is found of one figure in one tournament."""

    plain: bool
    told: bool
    thin: bool


def _interval(values: list[float], truth: float, confidence: float, enough: int) -> _Interval | None:
    """Return whether the intervals of a mean hold the truth; None if there is no interval."""
    mean = fsum(values) / len(values)
    spread = Spread.of([value - mean for value in values], enough)
    if (width := spread.half_width(confidence)) is None:
        return None
    plain = quantile(len(values) - 1, (1 + confidence) / 2) * spread.error
    return _Interval(abs(mean - truth) <= plain, abs(mean - truth) <= width, spread.thin)


def covered(world: Array, enough: int = ENOUGH, *, tournaments: int = 2000) -> Iterator[Covered]:
    """Return how often the truth was held, of all figures at once, for each number of deals."""
    deals, figures = world.shape
    truth = [fsum(world[:, figure]) / deals for figure in range(figures)]
    random = np.random.RandomState(95)  # whose numbers never change
    for count in DEALS:
        plain = told = none = thin = 0
        for _ in range(tournaments):
            drawn: list[list[float]] = world[random.randint(0, deals, count)].T.tolist()
            found = [_interval(*one, together_of(figures), enough) for one in zip(drawn, truth, strict=True)]
            all_found = [one for one in found if one is not None]
            if len(all_found) < figures:
                none += 1
                continue
            plain += all(one.plain for one in all_found)
            told += all(one.told for one in all_found)
            thin += any(one.thin for one in all_found)
        had = tournaments - none
        yield Covered(count, plain / had, told / had, none / tournaments, thin / tournaments)


def row(case: Case, shares: list[Covered]) -> str:
    """Return the row of the table for a case."""
    cells = [
        f"{100 * one.plain:.0f} → {100 * one.told:.0f}" + (f" ({100 * one.none:.0f} none)" if one.none >= 0.005 else "")
        for one in shares
    ]
    return " | ".join(["", str(case), *cells, ""]).strip()


def main(names: list[str]) -> None:
    """Print the table, or only the rows whose names contain one of the given texts."""
    print(" | ".join(["", "what is measured", *(f"{deals} deals" for deals in DEALS), ""]).strip())
    print("| --- " + "| ---: " * len(DEALS) + "|")
    for case in (*BUILT_IN, *OTHERS):
        if not names or any(name in str(case) for name in names):
            print(row(case, list(covered(world_of(case), case.enough))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
