"""Searches for games by kind, house, player and start, and the seats that a game waits for."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, literal, select, tuple_

from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.service.read_models import history
from pokersvc.service.read_models.history import GameSummary
from pokersvc.service.read_models.projections import OPEN, folded, game_players, game_summaries
from pokersvc.service.service import Service

GAMES_AT_ONCE: Final = 500
"""The number of games of a list that are held in memory."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The criteria of a search for games; None accepts every game."""

    kind: str | None = None
    """The kind of game."""
    house: str | None = None
    player: str | None = None
    """The name of a seat; case does not matter."""
    finished: bool | None = None
    since: str | None = None
    """The earliest start, in UTC: a prefix of ``2026-01-31T12:00:00.000000Z``."""

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the criteria, except the player's name, as SQL conditions that can use an index."""
        of = game_summaries.c
        if self.kind is not None:
            yield of.kind == self.kind
        if self.house is not None:
            yield of.house == self.house
        if self.finished is not None:
            yield of.outcome.is_not(None) if self.finished else OPEN
        if self.since is not None:
            yield (game_players if self.player is not None else game_summaries).c.started_at >= self.since


def games(database: Database, sought: Sought) -> Iterator[GameSummary]:
    """Yield the games that match the criteria, the last started first."""
    player = None if sought.player is None else folded(sought.player)
    return history.games(database, tuple(sought.conditions()), player)


class ListedGame(NamedTuple):
    """A game of a list that is sorted by start."""

    started_at: str
    game_id: str
    kind: str


def in_order(connection: Connection, players: Collection[str] = ()) -> Iterator[ListedGame]:
    """Yield the games of some players, or all games, in order of start.

    The games are read in parts, so that the connection can serve other queries, and only a few are held in memory.
    Case does not matter in names.
    """
    streams = [_of_player(connection, folded(player)) for player in sorted(players)] or [_all(connection)]
    before = None
    for game in merge(*streams):
        if game != before:
            yield game
        before = game


def played_by(players: Collection[str]) -> ColumnElement[bool]:
    """Return the SQL condition that selects the games of some players; case does not matter in names."""
    of = game_players.c
    named = sorted({folded(player) for player in players})
    return game_summaries.c.game_id.in_(select(of.game_id).where(of.player.in_(named)))


def _all(connection: Connection) -> Iterator[ListedGame]:
    of = game_summaries.c
    return _parts(connection, select(of.started_at, of.game_id, of.kind), of.started_at, of.game_id)


def _of_player(connection: Connection, player: str) -> Iterator[ListedGame]:
    of = game_players.c
    same = game_summaries.c.game_id == of.game_id
    asked = select(of.started_at, of.game_id, game_summaries.c.kind).join_from(game_players, game_summaries, same)
    return _parts(connection, asked.where(of.player == player), of.started_at, of.game_id)


def _parts(
    connection: Connection, asked: Select[tuple[str, str, str]], *order: ColumnElement[str]
) -> Iterator[ListedGame]:
    asked = asked.order_by(*order).limit(GAMES_AT_ONCE)
    part = connection.execute(asked).all()
    while part:
        yield from map(ListedGame._make, part)
        last = part[-1]
        part = connection.execute(asked.where(tuple_(*order) > tuple_(*map(literal, last[:2])))).all()


def last_open(database: Database) -> GameSummary:
    """Return the unfinished game that was started last; raise `UnknownGame` if there is none."""
    for game in games(database, Sought(finished=False)):
        return game
    raise UnknownGame("No game is unfinished: `pokersvc play` starts one.")


def seats_asked(service: Service, game: GameSummary) -> tuple[int, ...]:
    """Return the seats that a game waits for: those that must choose or, between two rounds, the people in the game.

    No read model stores them, so the whole log of the game is read.
    """
    if game.outcome is not None:
        return ()
    for step in service.replay(game.game_id):
        state = step.state
    if state.awaited:
        return state.awaited
    return tuple(n for n, seat in enumerate(game.seats, 1) if seat.kind == HUMAN and state.playing(n))
