"""`pokersvc stats`: how players play their hands, and what they win."""

import shutil
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

import pokersvc
from pokersvc import cli
from pokersvc.cli.arguments import MOST, JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import print_json, wrapped
from pokersvc.cli.statistics import plot_option
from pokersvc.cli.statistics.plot_option import PlotOption
from pokersvc.errors import InvalidValue
from pokersvc.text import alike, counted, listed

MOST_SHOWN = 20
"""The default number of players, or of opponents per player, in output for people."""
MOST_NAMED = 3
"""The maximum number of uncountable games that a warning names."""


class By(StrEnum):
    """The dimensions by which hands may be added up, besides the player."""

    POSITION = "position"
    OPPONENTS = "opponents"
    HOUSE = "house"
    OPPONENT = "opponent"
    KIND = "kind"
    DAY = "day"


def stats(
    context: typer.Context,
    players: Annotated[list[str] | None, typer.Argument(metavar="PLAYER", help="Whose hands. [everyone's]")] = None,
    by: Annotated[
        By | None,
        typer.Option(
            "--by",
            help="Split each player's hands by position, number of opponents, house, opponent, opponents' kind or day.",
        ),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="VALUE", help="With --by: only hands of this value, such as BTN.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the hands behind the numbers.")] = False,
    discards: Annotated[
        bool,
        typer.Option("--discards", help="Judge each discard by the exact advice; with --list, the worst come first."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="With --discards: include games in progress.")] = False,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            max=MOST,
            metavar="N",
            help="Only the N players and opponents with the most hands; with --list --discards, the N worst. [20]",
        ),
    ] = None,
    prizes: Annotated[
        bool, typer.Option("--prizes", help="Show the results of tournaments for prizes instead, in units.")
    ] = False,
    plot: PlotOption = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Show how players play, and what they win, over all hands.

    It counts every finished hand of draw poker in the database; docs/stats.md
    defines each number. Amounts of different currencies are never added up.
    Games of Kalah and the market have no hands; `games` lists them.

    It prints the 20 players with the most hands, and as many opponents, unless
    --top gives another number. JSON and CSV have all of them.

    With --discards it also shows how much chance to win the discards gave away,
    in percentage points. For that it reads hands that were never shown, so it
    leaves out games in progress.

    With --prizes it shows what players paid for tournaments and won in them;
    the chips of those hands are counted above like any others.

    Example: pokersvc stats --by position

    Example: pokersvc stats Player1 --by kind

    Example: pokersvc stats Player1 --discards --list --top 5

    Example: pokersvc stats Player1 --plot -
    """
    if as_json and as_csv:
        raise InvalidValue("--json and --csv cannot be combined; leave one of them out.")
    if only is not None and by is None:
        raise InvalidValue(f"--only {only} needs --by, which says what {only} is; add it.")
    if force and not discards:
        raise InvalidValue("--force is for --discards, which shows hands of games in progress; add it.")
    if top is not None and list_ and not discards:
        raise InvalidValue("--top is for numbers and for discards; leave --list out, or add --discards.")
    if plot is not None and list_:
        raise InvalidValue("--plot draws numbers, and --list lists the hands behind them; leave one of them out.")
    plot_option.check(plot, for_programs=as_json or as_csv)
    if prizes and (by is not None or list_ or discards or plot is not None):
        raise InvalidValue("--prizes is about tournaments, not hands; leave --by, --list, --discards and --plot out.")
    shown = cli.statistics.stats_tables
    names = tuple(dict.fromkeys(players or ()))
    dimension = "all" if by is None else by.value
    with databases.reading(context) as database:
        if prizes:
            cli.statistics.stats_prizes.show(database, names, top=top, as_json=as_json, as_csv=as_csv)
            return
        judged = None
        if discards:
            judged = cli.statistics.stats_discards.judged(database, dimension, names, force=force)
            judged = [one for one in judged if only in (None, one.value)]
            if list_:
                cli.statistics.stats_discards.list_discards(judged, top=top, as_json=as_json, as_csv=as_csv)
                return
        if list_:
            found = pokersvc.service.read_models.statistics.hands(database, dimension, names)
            shown.list_hands((hand for hand in found if only in (None, hand.value)), as_json=as_json, as_csv=as_csv)
            return
        most = MOST_SHOWN if top is None and not (as_json or as_csv) else top
        statistics = pokersvc.service.read_models.statistics.statistics(
            database, dimension, names, only=only, most=most
        )
        _warn(statistics.uncountable)
        rows = shown.rows_of(statistics, dimension, names)
        given_away = None if judged is None else cli.statistics.stats_discards.by_row(judged, dimension, rows)
        if as_json:
            print_json([shown.as_json(row, dimension, away) for row, away in shown.with_discards(rows, given_away)])
        elif as_csv:
            shown.print_csv([shown.flat(row, dimension, away) for row, away in shown.with_discards(rows, given_away)])
        else:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            nothing = [] if rows else [wrapped(_nothing(database, names, by, only))]
            lines = shown.table(rows, given_away, width, dimension) if rows else nothing
            print(*lines, *_left_out(statistics), sep="\n")
        if plot is not None and rows:
            drawn = cli.statistics.stats_plots.charts(database, rows, dimension, statistics, only=only, discards=judged)
            plot_option.show(drawn, plot, for_programs=as_json or as_csv)


def _warn(uncountable: Sequence[str]) -> None:
    if uncountable:
        games = listed([f"game {game_id}" for game_id in uncountable[:MOST_NAMED]])
        more = len(uncountable) - MOST_NAMED
        others = f" and {more:,} more" if more > 0 else ""
        print(wrapped(f"Warning: {games}{others} cannot be counted; `pokersvc audit` says why."), file=sys.stderr)


def _left_out(found: "pokersvc.service.read_models.statistics.Statistics") -> list[str]:
    """Return the lines of a note about players and opponents that are not shown; empty if there are none."""
    left_out = {"player": found.players_left_out, "opponent": found.opponents_left_out}
    which = [counted(count, what) for what, count in left_out.items() if count]
    return ["", wrapped(f"Not shown: {listed(which)} with fewer hands; --top says how many are.")] if which else []


def _nothing(database: "pokersvc.Database", names: Sequence[str], by: By | None, only: str | None) -> str:
    if by is not None and only is not None:
        whose = f" of {listed(list(map(repr, names)))}" if names else ""
        known = pokersvc.service.read_models.statistics.statistics(database, by.value, names).sums
        other = alike([only], (key.value for key in known)) or _other_names(database, names)
        return f"No finished hand{whose} with {by.value} {only!r} is in this database{other}."
    without = pokersvc.service.read_models.statistics.without_hands(database)
    others = [f"{counted(count, 'game')} of {kind}" for kind, count in without.items()]
    beside = f"; {listed(others)} {'has' if sum(without.values()) == 1 else 'have'} no hands to count" if others else ""
    of = f" of {listed(list(map(repr, names)))}" if names else ""
    return f"No finished hand{of} is in this database{_other_names(database, names) or beside}."


def _other_names(database: "pokersvc.Database", names: Sequence[str]) -> str:
    """Return a note about players whose names differ only in case from the requested names."""
    known = pokersvc.service.read_models.statistics.statistics(database).sums if names else ()
    return alike([*names], (key.player for key in known))
