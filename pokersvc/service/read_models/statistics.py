"""What is counted of hands, as it stands: the tallies, with the hands that are not in them yet."""

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, Select, func, select, tuple_

from pokersvc.core.counting import Figures, SeatCount
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.service.read_models.game_search import in_order
from pokersvc.service.read_models.projections import game_summaries
from pokersvc.service.read_models.tallies import (
    MISCOUNTED,
    CountedHand,
    Key,
    Sums,
    add,
    add_hand,
    counts_rounds,
    hands_of,
    new_hands,
    seats_counted,
    tallies,
    uncounted,
    values_of,
)


class Statistics(NamedTuple):
    """Figures by what they are added up by, and the games whose hands cannot be counted, as their logs are damaged."""

    sums: Sums
    uncountable: list[str]
    players_left_out: int = 0
    """How many players with fewer hands there are besides, each counted once at each site and for each currency."""
    opponents_left_out: int = 0
    """How many opponents of the players are left out, with whom they played fewer hands."""


class ListedHand(NamedTuple):
    """One player's part in a hand behind a number."""

    played: CountedHand
    seat: SeatCount
    value: str
    """What it is added up under."""


def statistics(
    database: Database,
    by: str = "all",
    players: Collection[str] = (),
    *,
    only: str | None = None,
    most: int | None = None,
) -> Statistics:
    """Return what is counted of all finished hands, added up ``by`` one of `DIMENSIONS`, of some players or of all.

    ``only`` asks for one value. ``most`` asks for no more players than that, those with most hands, where none is
    named, and for no more opponents of each.
    """
    with database.read() as connection:
        new, uncountable = _not_in_tallies(connection, by, players)
        shown: Sums | None = None
        players_left_out = 0
        if most is not None and not players:
            shown, players_left_out = _with_most(connection, new, "all", (), most)
            players = tuple({key.player for key in shown})
        if by == "all" and shown is not None:
            return Statistics(shown, uncountable, players_left_out)
        if by == "opponent" and most is not None and only is None:
            sums, opponents_left_out = _with_most(connection, new, by, players, most)
        else:
            sums, opponents_left_out = _stored(connection, new, by, players, only), 0
        if shown is not None:
            lines = {_line_of(key) for key in shown}
            sums = {key: figures for key, figures in sums.items() if _line_of(key) in lines}
    return Statistics(sums, uncountable, players_left_out, opponents_left_out)


def _line_of(key: Key) -> tuple[str, str, str, int]:
    """Return whose a row is: a player is a name at a site, and has a line for each currency."""
    return key.player, key.site, key.currency, key.exponent


def _not_in_tallies(connection: Connection, by: str, players: Collection[str]) -> tuple[Sums, list[str]]:
    """Return the hands that are not in the tallies yet, added up, and the games whose hands cannot be counted."""
    new: Sums = {}
    uncountable = []
    for game in uncounted(connection):
        try:
            played = list(new_hands(connection, game))
        except MISCOUNTED:
            uncountable.append(game.game_id)
            continue
        for hand in played:
            add_hand(new, hand, {by, "all"}, players)
    return new, uncountable


def _stored(connection: Connection, new: Sums, by: str, players: Collection[str], only: str | None) -> Sums:
    """Return all rows of a dimension, of some players or of all, of one value or of all."""
    asked = _of(select(tallies), by, players)
    if only is not None:
        asked = asked.where(tallies.c.value == only)
    sums = _sums(connection, asked)
    for key, figures in new.items():
        if key.dimension == by and only in (None, key.value):
            add(sums, key, figures)
    return sums


def _with_most(connection: Connection, new: Sums, by: str, players: Collection[str], most: int) -> tuple[Sums, int]:
    """Return the rows of a dimension with most hands, and how many others there are.

    Of all players, so many; of some, so many of each line.
    """
    of = tallies.c
    line = (of.player, of.site, of.currency, of.exponent) if players else ()
    place = func.row_number().over(partition_by=line, order_by=(of.dealt.desc(), of.player, of.value))
    ranked = _of(select(tallies, place.label("place")), by, players).subquery()
    kept = [column for column in ranked.c if column.name != "place"]
    sums = _sums(connection, select(*kept).where(ranked.c.place <= most))
    there = connection.scalar(_of(select(func.count()).select_from(tallies), by, players)) or 0
    fresh = {key: figures for key, figures in new.items() if key.dimension == by}
    known = _rows_of(connection, list(fresh))
    sums |= known
    for key, figures in fresh.items():
        add(sums, key, figures)
    there += len(fresh) - len(known)
    found: Sums = {}
    shown: dict[object, int] = {}
    for key in sorted(sums, key=lambda key: (-sums[key].dealt, key)):
        of_line = _line_of(key) if players else None
        shown[of_line] = shown.get(of_line, 0) + 1
        if shown[of_line] <= most:
            found[key] = sums[key]
    return found, there - len(found)


_Asked: TypeAlias = Select[Any]


def _of(asked: _Asked, by: str, players: Collection[str]) -> _Asked:
    asked = asked.where(tallies.c.dimension == by)
    return asked.where(tallies.c.player.in_(players)) if players else asked


def _rows_of(connection: Connection, keys: list[Key]) -> Sums:
    """Return the rows of some keys, those that there are."""
    columns = tuple_(*[tallies.c[name] for name in Key._fields])
    sums: Sums = {}
    for at in range(0, len(keys), KEYS_AT_ONCE):
        sums |= _sums(connection, select(tallies).where(columns.in_(keys[at : at + KEYS_AT_ONCE])))
    return sums


KEYS_AT_ONCE: Final = 100
"""How many rows are asked for by their keys in one statement."""


def _sums(connection: Connection, asked: _Asked) -> Sums:
    with connection.execute(asked) as rows:
        return {Key(*row[: len(Key._fields)]): Figures(*row[len(Key._fields) :]) for row in rows}


def hands(database: Database, by: str = "all", players: Collection[str] = ()) -> Iterator[ListedHand]:
    """Yield the hands behind the numbers of `statistics`, game by game, the first started first.

    Hands of games whose logs are damaged are not among them.
    """
    with database.read() as connection:
        for _, game_id, kind in in_order(connection, players):
            if not counts_rounds(kind):
                continue
            try:
                counted = list(hands_of(Snapshot(connection), game_id, kind))
            except MISCOUNTED:
                continue
            for played in counted:
                for seat in seats_counted(played.hand):
                    if not players or seat.player in players:
                        for value in values_of(by, played, seat):
                            yield ListedHand(played, seat, value)


def without_hands(database: Database) -> dict[str, int]:
    """Return how many games there are of each kind that has no hands to count."""
    asked = select(game_summaries.c.kind, func.count()).group_by(game_summaries.c.kind).order_by(game_summaries.c.kind)
    with database.read() as connection:
        return {kind: count for kind, count in connection.execute(asked) if not counts_rounds(kind)}
