"""What watchers may know of a game now, if the table's host delays what they see.

Every answer for somebody without an admitted seat is made from what this module returns: how many events they may know,
and the table as it was at that time. Before a game, everybody sees at once who waits, sits or asks. While a game runs,
the names and seats that watchers see come from the events that they may know; only the holder of a seat sees that seat
as it is now.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, select

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.tables import events, games
from pokersvc.server.commands import joins
from pokersvc.server.errors import WrongTime
from pokersvc.server.tables.chat_lines import ChatLine
from pokersvc.server.tables.past_seats import PastSeats
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service

GAMES: Final = 200
"""The number of a table's last games that are searched for the game that watchers see."""


class WatchedGame(NamedTuple):
    """What watchers may know of a game now."""

    events: int
    """The number of events that are old enough."""
    row: TableRow
    """The table as it may be shown: not over before its last event may be known, and with the people who sat there
    then."""
    whole: bool
    """Whether the game is over and all of it may be known."""


class Delay:
    """Determines what watchers may know of the games of a database; thread-safe."""

    def __init__(self, database: Database, tables: TableStore, service: Service) -> None:
        self._database, self._tables, self._service = database, tables, service
        self._past = PastSeats(service)

    def before(self, row: TableRow) -> str:
        """Return the moment up to which watchers of a table know its events, in the format of events' times."""
        return timestamp(self._service.now() - timedelta(seconds=row.access.delay))

    def known(self, row: TableRow, own: int | None = None) -> WatchedGame:
        """Return what watchers may know of a game now; the holder of the seat ``own`` also knows that seat."""
        moment = self.before(row)
        with self._database.read() as connection:
            count, known = connection.execute(_KNOWN, {"id": row.game_id, "moment": moment}).one()
        whole = row.status == "over" and known == count
        seats = self._seats(row, known, own, past=count > 0 and not whole)
        # Like `came_at`, `host_came_at` would reveal a move to another device at once.
        row = replace(row, seats=seats, host_came_at=None)
        if not whole and row.status != "waiting":
            row = replace(row, status="playing" if known else "waiting", next_game=None, closed=False)
        elif row.next_game is not None and self._tables.get(row.next_game).created_at > moment:
            row = replace(row, next_game=None)
        return WatchedGame(known, row, whole)

    def _seats(self, row: TableRow, known: int, own: int | None, *, past: bool) -> tuple[SeatRow, ...]:
        """Return the seats as they may be shown: in a running game as they were in the past, but ``own`` as it is."""
        then = self._past.at(row, known) if past and joins(row) else row.seats
        seats = [now if now.seat == own else before for now, before in zip(row.seats, then, strict=True)]
        # During a game, watchers learn later who is to be removed. `came_at` would reveal moves to other devices.
        return tuple([replace(seat, came_at=None, removed=seat.removed and not past) for seat in seats])

    def shown(self, row: TableRow, own: int | None = None) -> TableRow:
        """Return a table as everybody, or the holder of the seat ``own``, may know it now."""
        return row if row.shows_live(None) else self.known(row, own).row

    def last(self, row: TableRow) -> TableRow:
        """Return the last game of a table that everybody may know of, given the table's last game."""
        if row.shows_live(None) or row.number == 1:
            return row
        moment = self.before(row)
        known = [one for one in self._tables.games(row.table_id, GAMES) if one.created_at <= moment or one.number == 1]
        return self._tables.get(known[0].game_id) if known else row

    def told(self, rows: list[TableRow]) -> list[TableRow]:
        """Return those of the given games that everybody may know of, as everybody may know them.

        Games with a delay are left out if this version cannot read them.
        """
        told = []
        for row in rows:
            if row.shows_live(None) or self._is_told(row):
                with suppress(PokersvcError):
                    told.append(self.shown(row))
        return told

    def lobby(self, limit: int) -> list[TableRow]:
        """Return the games of public tables that are not over, as far as everybody may know, newest first."""
        ended = [row for row in self._tables.finished(limit) if row.access.delay]
        found = [row for row in self.told([*self._tables.lobby(limit), *ended]) if row.status != "over"]
        return sorted(found, key=lambda row: (row.created_at, row.number), reverse=True)[:limit]

    def finished(self, limit: int) -> list[TableRow]:
        """Return the games of public tables that everybody may know are over, newest first."""
        return [row for row in self.told(self._tables.finished(limit)) if row.status == "over"]

    def _is_told(self, row: TableRow) -> bool:
        return row.number == 1 or row.created_at <= self.before(row)

    def require_whole(self, row: TableRow) -> None:
        """Raise `WrongTime` unless watchers may know the whole game."""
        if not row.shows_live(None) and not self.known(row).whole:
            raise WrongTime(
                "delayed",
                f"Watchers see this table {row.access.delay} seconds later: this is there that long after the game.",
            )

    def said(self, row: TableRow, lines: tuple[ChatLine, ...]) -> tuple[ChatLine, ...]:
        """Return the lines of chat that watchers may read so far."""
        moment = self.before(row)
        return tuple(line for line in lines if line.said_at <= moment)


_COUNT = select(func.coalesce(func.max(games.c.count), 0)).where(games.c.game_id == bindparam("id")).scalar_subquery()
_OLD = (
    select(func.coalesce(func.max(events.c.seq), 0))
    .where(events.c.game_id == bindparam("id"), events.c.recorded_at <= bindparam("moment"))
    .scalar_subquery()
)
_KNOWN = select(_COUNT, _OLD)
