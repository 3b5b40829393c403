"""`pokersvc strategy`: charts of the strategies that the bot `equilibrium` plays."""

from collections.abc import Iterator
from typing import Annotated

import typer

from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.output import print_json
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import strategy


def show(
    name: Annotated[
        str, typer.Argument(metavar="SPOT", help="Limit, ante and depth, such as fixed-limit-ante-0-depth-12.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Show what a strategy opens, calls, raises and draws with, by position.

    Example: pokersvc strategy fixed-limit-ante-0-depth-12

    Chances are in percent. The first column says how often such a hand is
    held when the choice comes. Raises are in big blinds.
    """
    spot = strategy.spots.named(name)
    stored = strategy.strategy_file.shipped(spot)
    if stored is None:
        shipped = [one.name for one in strategy.strategy_file.shipped_spots() if one[:2] == spot[:2]]
        near = f"; there are {', '.join(shipped)}" if shipped else ""
        raise InvalidValue(f"No strategy for {spot.name} comes with pokersvc{near}.")
    charts = list(strategy.charts.charts(stored))
    if as_json:
        print_json([one._asdict() | {"rows": [row._asdict() for row in one.rows]} for one in charts])
        return
    for number, chart in enumerate(charts):
        if number:
            print()
        for line in lines(chart):
            print(line)


def lines(chart: "strategy.charts.StrategyChart") -> Iterator[str]:
    """Yield a chart as lines of plain text."""
    width = max(len(row.hands) for row in chart.rows)
    yield f"{chart.choice}:"
    yield f"{'':{width}}  hands  " + "  ".join(f"{column:>6}" for column in chart.columns)
    for row in chart.rows:
        chances = "  ".join(f"{100 * chance:6.0f}" for chance in row.chances)
        yield f"{row.hands:{width}}  {100 * row.share:5.1f}  {chances}"
