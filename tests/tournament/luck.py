"""How much luck is taken out: ``python -m tests.tournament.luck`` prints the table of docs/tournaments.md."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, variance
from typing import Final, NamedTuple

from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from pokersvc.tournament.student import quantile
from tests.tournament.in_this_process import LOOSE, MIXED, InThisProcess

DEALS: Final = 600


class Widths(NamedTuple):
    """Half the widths of the 95 % interval of what the first of two players wins, in mbb/hand, by Student's t alone.

    What is added for skewness would depend on the few deals with the most luck.
    """

    one_by_one: float
    """As if each game had a deal of its own."""
    shared: float
    """Each deal is played in both orders."""
    without_luck: float
    """With ``--aivat``."""
    shift: float
    """What the first one wins without luck, less what it won with it."""


def widths(rules: str, deals: int) -> Widths:
    """Return the widths in one tournament of two players who mix, the second a little looser."""
    seats = Seat(MIXED, "Mixed"), Seat(LOOSE, "Loose")
    tournament = plan(DRAW_POKER, {"rules": rules}, seats, deals, seed="1", aivat=True)
    with InThisProcess() as programs:
        played = {index: play(tournament, index, programs)[0] for index in range(tournament.games)}
    assert tournament.measure is not None
    gains, without_luck = [], []
    for index, one in played.items():
        place = tournament.sitting(index).players.index(0)
        assert one.without_luck is not None
        gains.append(tournament.measure.per_unit * one.gains[place])
        without_luck.append(tournament.measure.per_unit * one.without_luck[place])
    shared, left = _by_deal(gains), _by_deal(without_luck)
    return Widths(_width(gains), _width(shared), _width(left), fmean(left) - fmean(shared))


def _by_deal(gains: Sequence[float]) -> list[float]:
    """Return the mean of both orders of each deal."""
    return [fmean(both) for both in zip(gains[::2], gains[1::2], strict=True)]


def _width(values: Sequence[float]) -> float:
    return quantile(len(values) - 1, 0.975) * sqrt(variance(values) / len(values))


def main() -> None:
    """Print the table."""
    print("| house | games counted one by one | shared deals | shared deals with `--aivat` |")
    print("|---|---:|---:|---:|")
    for rules in ("fixed-limit", "no-limit"):
        print(f"| `{rules}` |", *(f"± {width:.0f} |" for width in widths(rules, DEALS)[:3]), flush=True)


if __name__ == "__main__":
    main()
