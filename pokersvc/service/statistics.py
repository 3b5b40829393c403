"""What is counted of hands, as it stands: the tallies, with the hands that are not in them yet."""

from collections.abc import Collection, Iterator
from json import dumps
from typing import NamedTuple

from sqlalchemy import Connection, func, or_, select

from pokersvc.core.counting import Figures, SeatCount
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.service.readmodels import game_summaries
from pokersvc.service.tallies import (
    MISCOUNTED,
    CountedHand,
    Key,
    Sums,
    add_hand,
    counts_rounds,
    hands_of,
    new_hands,
    tallies,
    uncounted,
    values_of,
)


class Statistics(NamedTuple):
    """Figures by what they are added up by, and the games whose hands cannot be counted, as their logs are damaged."""

    sums: Sums
    uncountable: list[str]


class ListedHand(NamedTuple):
    """One player's part in a hand behind a number."""

    played: CountedHand
    seat: SeatCount
    value: str
    """What it is added up under."""


def statistics(database: Database, by: str = "all", players: Collection[str] = ()) -> Statistics:
    """Return what is counted of all finished hands, added up ``by`` one of `DIMENSIONS`, of some players or of all."""
    with database.read() as connection:
        sums, uncountable = _stored(connection, by, players), []
        for game in uncounted(connection):
            try:
                hands = list(new_hands(connection, game))
            except MISCOUNTED:
                uncountable.append(game.game_id)
                continue
            for played in hands:
                add_hand(sums, played, (by,), players)
    return Statistics(sums, uncountable)


def _stored(connection: Connection, by: str, players: Collection[str]) -> Sums:
    asked = select(tallies).where(tallies.c.dimension == by)
    if players:
        asked = asked.where(tallies.c.player.in_(players))
    with connection.execute(asked) as rows:
        return {Key(*row[: len(Key._fields)]): Figures(*row[len(Key._fields) :]) for row in rows}


def hands(database: Database, by: str = "all", players: Collection[str] = ()) -> Iterator[ListedHand]:
    """Yield the hands behind the numbers of `statistics`, game by game, the first started first.

    Hands of games whose logs are damaged are not among them.
    """
    of_game = game_summaries.c
    asked = select(of_game.game_id, of_game.kind).order_by(of_game.started_at, of_game.game_id)
    if players:
        asked = asked.where(
            or_(*[of_game.seats.contains(f'"name":{dumps(name)}', autoescape=True) for name in players])
        )
    with database.read() as connection:
        for game_id, kind in connection.execute(asked).all():
            if not counts_rounds(kind):
                continue
            try:
                counted = list(hands_of(Snapshot(connection), game_id, kind))
            except MISCOUNTED:
                continue
            for played in counted:
                for seat in played.hand.seats:
                    if not players or seat.player in players:
                        for value in values_of(by, played, seat):
                            yield ListedHand(played, seat, value)


def without_hands(database: Database) -> dict[str, int]:
    """Return how many games there are of each kind that has no hands to count."""
    asked = select(game_summaries.c.kind, func.count()).group_by(game_summaries.c.kind).order_by(game_summaries.c.kind)
    with database.read() as connection:
        return {kind: count for kind, count in connection.execute(asked) if not counts_rounds(kind)}
