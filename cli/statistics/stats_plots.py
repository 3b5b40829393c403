"""The charts of `pokersvc stats --plot`: net over hands, winnings by opponent or group, and costs of discards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pokersvc import cli
from pokersvc.cli.statistics.stats_tables import BY, Row, names_of, rows_of, whose_of
from pokersvc.core.counting import Figures, total
from pokersvc.histories.statistics.curves import Winner, curves
from pokersvc.histories.statistics.rates import CONFIDENCE
from pokersvc.plots.charts import Bar, Bars, Chart, Curves
from pokersvc.service.read_models.statistics import Statistics, hands, statistics
from pokersvc.text import counted

if TYPE_CHECKING:
    from pokersvc.eventlog.database import Database
    from pokersvc.histories.statistics.discards import JudgedDiscard

MOST_CURVES: Final = 4
"""The number of curves that can be told apart without colours."""
MOST_BARS: Final = 20
SURE: Final = f"with {CONFIDENCE:.0%} confidence"


def charts(
    database: "Database",
    rows: Sequence[Row],
    by: str,
    statistics_: Statistics,
    *,
    only: str | None,
    discards: "Sequence[JudgedDiscard] | None",
) -> list[Chart]:
    """Return the charts for the table's rows; if not all players fit, those with the most hands are shown."""
    winners = _winners(rows)
    others = statistics_.players_left_out
    found: list[Chart] = [_net(database, winners, by, only, others)]
    if by != "all":
        whose = whose_of(rows, by)
        title = f"Won {BY[by]}" if whose is None else f"Won {BY[by]}: {whose}"
        found.append(_won(title, rows, by, statistics_.opponents_left_out))
    elif len(winners) == 1 and not others:
        [winner] = winners
        of = statistics(database, "opponent", (winner.player,), most=MOST_BARS)
        against = _of(winner, rows_of(of, "opponent", (winner.player,)))
        found.append(_won("Won against", against, "opponent", of.opponents_left_out))
    else:
        found.append(_won("Won by player", rows, by, others))
    if discards is not None and (cost := _cost(rows, by, discards)).bars:
        found.append(cost)
    return found


def _winners(rows: Sequence[Row]) -> list[Winner]:
    """Return the players of the rows, sorted by their number of hands, most first."""
    of: dict[Winner, list[Row]] = {}
    for row in rows:
        of.setdefault(Winner(row.player, row.site, row.currency, row.exponent), []).append(row)
    return sorted(of, key=lambda winner: -total(row.figures for row in of[winner]).dealt)


def _of(winner: Winner, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if Winner(row.player, row.site, row.currency, row.exponent) == winner]


def _net(database: "Database", winners: Sequence[Winner], by: str, only: str | None, others: int) -> Curves:
    shown = winners[:MOST_CURVES]
    names = _names(winners)
    asked = hands(database, by if only is not None else "all", tuple({winner.player for winner in shown}))
    named = {winner: names[winner] for winner in shown}
    found = curves((hand for hand in asked if only in (None, hand.value)), named)
    whose = names[shown[0]] if len(shown) == 1 else counted(len(shown), "player")
    all_ = len(winners) + others
    left_out = f", of {all_:,} those with most hands" if all_ > len(shown) else ""
    part = "" if only is None else f", {only}"
    return Curves(f"Net over hands: {whose}{left_out}{part}", "hands", "big blinds", found, SURE)


def _names(winners: Sequence[Winner]) -> dict[Winner, str]:
    """Map winners to their names as in the table."""
    rows = [Row(winner.player, winner.site, "", winner.currency, winner.exponent, Figures()) for winner in winners]
    return dict(zip(winners, names_of(rows), strict=True))


def _won(title: str, rows: Sequence[Row], by: str, others: int = 0) -> Bars:
    shown = sorted(range(len(rows)), key=lambda number: -rows[number].figures.dealt)[:MOST_BARS]
    names = names_of(rows, by)
    bars = [
        Bar(names[number], rate, rows[number].rates.within)
        for number in sorted(shown)
        if (rate := rows[number].rates.won_per_100) is not None
    ]
    all_ = len(rows) + others
    left_out = f"; of {all_:,} those with most hands" if all_ > len(shown) else ""
    return Bars(title + left_out, "big blinds won in 100 hands", bars, interval=SURE)


def _cost(rows: Sequence[Row], by: str, found: "Sequence[JudgedDiscard]") -> Bars:
    across = "points of the chance to win that a discard gave away"
    if by == "all" and len(rows) == 1:
        [row] = rows
        mine = [one for one in found if (one.seat.player, one.played.hand.site) == (row.player, row.site)]
        bars = []
        for size in range(6):
            points = [one.points for one in mine if len(one.away.thrown) == size]
            if points:
                bars.append(Bar(f"{counted(size, 'card')} ({counted(len(points), 'time')})", _mean(points), None))
        return Bars("What discards cost, by cards thrown away", across, bars)
    sums = [
        (name, away)
        for name, away in zip(names_of(rows, by), cli.statistics.stats_discards.by_row(found, by, rows), strict=True)
        if away.judged
    ]
    most = sorted(sums, key=lambda pair: -pair[1].judged)[:MOST_BARS]
    return Bars(
        "What discards cost",
        across,
        [Bar(name, away.per_discard or 0.0, None) for name, away in sums if (name, away) in most],
    )


def _mean(points: Sequence[float]) -> float:
    return sum(points) / len(points)
