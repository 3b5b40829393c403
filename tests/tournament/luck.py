"""How much luck is taken out: ``python -m tests.tournament.luck`` prints the table of docs/tournaments.md."""

from typing import Final, NamedTuple

from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import Mean, plan, standings
from pokersvc.tournament.play import play
from tests.tournament.in_this_process import LOOSE, MIXED, InThisProcess

DEALS: Final = 600


class Widths(NamedTuple):
    """Half the widths of the 95 % interval of what the first of two players wins, in mbb/hand."""

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
    first = standings(tournament, played).players[0]
    assert tournament.measure is not None
    assert first.mean.error is not None
    assert first.with_luck is not None
    assert first.with_luck.error is not None
    gains = [one.gains[tournament.sitting(index).players.index(0)] for index, one in played.items()]
    alone = Mean.of(gains).error
    assert alone is not None
    unit = tournament.measure.per_unit
    shift = first.mean.value - first.with_luck.value
    return Widths(unit * alone, unit * first.with_luck.error, unit * first.mean.error, unit * shift)


def main() -> None:
    """Print the table."""
    print("| house | games counted one by one | shared deals | shared deals with `--aivat` |")
    print("|---|---:|---:|---:|")
    for rules in ("fixed-limit", "no-limit"):
        print(f"| `{rules}` |", *(f"± {width:.0f} |" for width in widths(rules, DEALS)[:3]), flush=True)


if __name__ == "__main__":
    main()
