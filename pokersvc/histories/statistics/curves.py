"""Curves of players' winnings, hand by hand, with their confidence intervals."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from pokersvc.core.counting import Figures
from pokersvc.histories.statistics.rates import rates
from pokersvc.plots.charts import Curve, Point, thinned
from pokersvc.service.read_models.statistics import ListedHand

POINTS: Final = 2_000
"""Maximum number of points of a curve; a picture cannot show more."""


class Winner(NamedTuple):
    """The subject of a curve: a player's name at a site, in one currency."""

    player: str
    site: str
    currency: str
    exponent: int


def curves(hands: Iterable[ListedHand], names: dict[Winner, str]) -> list[Curve]:
    """Return the curve of each player's winnings in big blinds, in the order in which the hands were played.

    The interval after n hands is n times that of the mean per hand (`rates`), so it grows with the square root of n.
    """
    won: dict[Winner, list[tuple[str, str, int, Figures]]] = {winner: [] for winner in names}
    for listed in hands:
        played, seat = listed.played, listed.seat
        winner = Winner(seat.player, played.hand.site, played.hand.currency, played.hand.exponent)
        if winner in won:
            won[winner].append((played.moment, played.game_id, played.hand.round, seat.figures))
    return [Curve(names[winner], _points(figures for *_, figures in sorted(of))) for winner, of in won.items()]


def _points(played: Iterable[Figures]) -> list[Point]:
    sums = [(0, 0, 0)]
    for figures in played:
        hands, milli, squares = sums[-1]
        sums.append((hands + figures.dealt, milli + figures.net_milli, squares + figures.squares))
    return [Point(hands, milli / 1000, _within(hands, milli, squares)) for hands, milli, squares in chosen(sums)]


def chosen(sums: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return at most `POINTS` of the sums, evenly chosen, with the first and the last."""
    return [sums[int(point.at)] for point in thinned([Point(at, 0, None) for at in range(len(sums))], POINTS)]


def _within(hands: int, milli: int, squares: int) -> float | None:
    found = rates(Figures(dealt=hands, net_milli=milli, square_high=squares >> 32, square_low=squares & 0xFFFFFFFF))
    return None if found.within is None else found.within * hands / 100
