"""`pokersvc sessions`: hands that were played together, at one site without a long break, or at one table."""

import sys
from itertools import islice
from typing import Annotated

import typer

import pokersvc
from pokersvc import betting, histories
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.histories.chosen_session import GapOption
from pokersvc.cli.output import stream_json, wrapped
from pokersvc.cli.replay.newest_first import LastOption, print_newest
from pokersvc.errors import InvalidValue, printable
from pokersvc.text import alike, counted, listed


def sessions(
    context: typer.Context,
    tables: Annotated[bool, typer.Option("--tables", help="List tables instead, each with all of its hands.")] = False,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="NAME", help="Whose. [those who saved the files, and people who play here]"),
    ] = None,
    site: Annotated[
        str | None, typer.Option("--site", metavar="SITE", help="Only this site; pokersvc means games played here.")
    ] = None,
    gap: GapOption = None,
    last: LastOption = None,
    as_json: JsonOption = False,
) -> None:
    """List sessions, or tables, of draw poker, the newest first.

    A session is the hands of one player at one site, with no more than 30
    minutes between two of them; --gap changes that. It is named by its first
    hand, and lasts until its last hand begins. Times are in UTC. Tables
    are told apart by site and name, and in tournaments by the tournament too.

    Example: pokersvc sessions --player Ann

    Example: pokersvc sessions --last 5
    """
    if tables and gap is not None:
        raise InvalidValue("--gap ends sessions, and a table has all of its hands; leave --gap or --tables out.")
    with databases.reading(context) as database:
        played = histories.sessions.played_hands(database, () if player is None else (player,), site)
        found = histories.sessions.tables(played) if tables else histories.sessions.sessions(played, gap)
        said = ((one, histories.sessions.stakes(database, one)) for one in found)
        if as_json:
            stream_json(_as_json(one, stakes) for one, stakes in islice(said, last))
        elif not print_newest((_line(one, stakes) for one, stakes in said), last) and not played.unmade:
            players, sites = histories.sessions.players_and_sites(database)
            other = (alike([player], players) if player else "") or (alike([site], sites) if site else "")
            print(wrapped(f"No finished hand of draw poker{_of(player, site)} is in this database{other}."))
    _note(played)


def _of(player: str | None, site: str | None) -> str:
    return (f" of {player!r}" if player is not None else "") + (f" at {site!r}" if site is not None else "")


def _note(played: "histories.sessions.PlayedHands") -> None:
    if played.undated:
        which = counted(len(played.undated), "hand")
        print(wrapped(f"Note: left out: {which} of files that do not say when they were played."), file=sys.stderr)
    if played.unmade:
        which = counted(len(played.unmade), "game")
        said = f"Warning: left out: {which} of a migration that was interrupted; run `pokersvc db upgrade`."
        print(wrapped(said), file=sys.stderr)


def _line(one: "histories.sessions.HandGroup", stakes: list[str]) -> str:
    game_id, _, round_ = one.name.partition(":")
    name = game_id[:8] + (f":{round_}" if round_ else "")
    hours, minutes = divmod(one.minutes, 60)
    parts = [
        f"{name:<8}",
        one.hands[0].at[:16].replace("T", " "),
        f"{hours:>3}:{minutes:02}",
        f"{counted(len(one.hands), 'hand'):>9}",
        one.site,
        _tables(one),
        listed(stakes),
        one.player or "",
        listed(won) if (won := _won(one)) else "",
    ]
    return printable("  ".join(filter(None, parts)))


def _tables(one: "histories.sessions.HandGroup") -> str:
    if len(one.tables) > 1:
        return counted(len(one.tables), "table")
    [where] = one.tables
    table = (
        where.table
        if where.table is None or where.site != pokersvc.service.read_models.played_rounds.HERE
        else where.table[:8]
    )
    parts = ["" if table is None else f"table {table}"]
    parts.append("" if where.tournament is None else f"tournament {where.tournament}")
    return ", ".join(filter(None, parts))


def _won(one: "histories.sessions.HandGroup") -> list[str]:
    """Return the net win in each currency, and the net win in units of prizes."""
    nets = [_net(amount, *money) for money, amount in one.nets.items()]
    return nets if one.prizes is None else [*nets, f"{one.prizes:+,} in prizes"]


def _net(amount: int, currency: str, exponent: int) -> str:
    said = betting.money.say_money(amount, currency, exponent) if currency else f"{amount:,}"
    return f"+{said}" if amount > 0 else said


def _as_json(one: "histories.sessions.HandGroup", stakes: list[str]) -> dict[str, object]:
    return {
        "session": one.name,
        "started_at": f"{one.hands[0].at}Z",
        "last_hand_at": f"{one.hands[-1].at}Z",
        "minutes": one.minutes,
        "hands": len(one.hands),
        "site": one.site,
        "player": one.player,
        "tables": [{"table": where.table, "tournament": where.tournament} for where in one.tables],
        "stakes": stakes,
        "net": [
            {"currency": currency, "exponent": exponent, "amount": amount}
            for (currency, exponent), amount in one.nets.items()
        ],
        "prizes": one.prizes,
    }
