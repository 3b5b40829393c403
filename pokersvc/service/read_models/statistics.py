"""The current counts of hands: the tallies, together with the hands that are not in them yet."""

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
    """The counts by key, and the games whose hands cannot be counted because their logs are damaged."""

    sums: Sums
    uncountable: list[str]
    players_left_out: int = 0
    """The number of players left out because others have more hands; a player counts once per site and currency."""
    opponents_left_out: int = 0
    """The number of opponents left out because the players played more hands with other opponents."""


class ListedHand(NamedTuple):
    """One player's part in a hand that the statistics count."""

    played: CountedHand
    seat: SeatCount
    value: str
    """The value, such as a position, under which the hand is added up in the requested dimension."""


def statistics(
    database: Database,
    by: str = "all",
    players: Collection[str] = (),
    *,
    only: str | None = None,
    most: int | None = None,
) -> Statistics:
    """Return the counts of all finished hands, added up ``by`` one of `DIMENSIONS`, for some players or for all.

    ``only`` limits the result to one value. ``most`` limits it, if no player is named, to that many players with the
    most hands, and in the same way limits the opponents of each player.
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
    """Return the parts of a key that identify a player: name, site and currency."""
    return key.player, key.site, key.currency, key.exponent


def _not_in_tallies(connection: Connection, by: str, players: Collection[str]) -> tuple[Sums, list[str]]:
    """Return the sums of the hands that are not in the tallies yet, and the games whose hands cannot be counted."""
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
    """Return a dimension's counts, stored and new, for the named players or all, with the value ``only`` or any."""
    asked = _of(select(tallies), by, players)
    if only is not None:
        asked = asked.where(tallies.c.value == only)
    sums = _sums(connection, asked)
    for key, figures in new.items():
        if key.dimension == by and only in (None, key.value):
            add(sums, key, figures)
    return sums


def _with_most(connection: Connection, new: Sums, by: str, players: Collection[str], most: int) -> tuple[Sums, int]:
    """Return the ``most`` rows of a dimension with the most hands, and the number of its other rows.

    Without ``players`` these are ``most`` rows in all; with players, ``most`` rows for each group of `_line_of`.
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
    """Return the stored counts for some keys; keys without a row are left out."""
    columns = tuple_(*[tallies.c[name] for name in Key._fields])
    sums: Sums = {}
    for at in range(0, len(keys), KEYS_AT_ONCE):
        sums |= _sums(connection, select(tallies).where(columns.in_(keys[at : at + KEYS_AT_ONCE])))
    return sums


KEYS_AT_ONCE: Final = 100
"""The number of keys whose rows are read in one statement."""


def _sums(connection: Connection, asked: _Asked) -> Sums:
    with connection.execute(asked) as rows:
        return {Key(*row[: len(Key._fields)]): Figures(*row[len(Key._fields) :]) for row in rows}


def hands(database: Database, by: str = "all", players: Collection[str] = ()) -> Iterator[ListedHand]:
    """Yield the hands that `statistics` counts, game by game, in order of start.

    Hands of games whose logs are damaged are left out.
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
    """Return, for each kind of game that has no hands to count, the number of its games."""
    asked = select(game_summaries.c.kind, func.count()).group_by(game_summaries.c.kind).order_by(game_summaries.c.kind)
    with database.read() as connection:
        return {kind: count for kind, count in connection.execute(asked) if not counts_rounds(kind)}
