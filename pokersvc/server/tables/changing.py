"""Changes of a table and one of its games, made together in one transaction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Update, insert, select, update

from pokersvc.server.errors import WrongTime
from pokersvc.server.tables.access import Access
from pokersvc.server.tables.rows import SeatRow, Status, TableRow, seat_values
from pokersvc.server.tables.schema import shared_hands, table_games, table_seats, tables


class Changing:
    """A game and its table, being changed in a transaction; ``row`` shows all changes so far."""

    def __init__(self, connection: Connection, row: TableRow) -> None:
        self._connection = connection
        self.row = row

    @property
    def connection(self) -> Connection:
        """The transaction's connection, for storing other things about the table."""
        return self._connection

    def require(self, status: Status, why: str) -> None:
        """Raise `WrongTime` with the sentence ``why`` unless the game has this status."""
        if self.row.status != status:
            raise WrongTime(f"not_{status}", why)

    def seat(self, seat: SeatRow) -> None:
        """Replace the seat that has the same number; a token or link that the seat loses opens no game of the table."""
        before = self.row.seat(seat.seat)
        self._put(seat)
        for column, held, now in (
            (table_seats.c.token, before.token, seat.token),
            (table_seats.c.link, before.link, seat.link),
        ):
            if held is not None and held != now:
                self._everywhere(column == held, {column.name: None})

    def put(self, seats: Sequence[SeatRow]) -> None:
        """Replace seats whose people have changed places; their tokens and links stay valid."""
        for seat in seats:
            self._put(seat)

    def _put(self, seat: SeatRow) -> None:
        self._connection.execute(
            update(table_seats)
            .where(table_seats.c.game_id == self.row.game_id, table_seats.c.seat == seat.seat)
            .values(seat_values(self.row.game_id, seat))
        )
        seats = list(self.row.seats)
        seats[seat.seat - 1] = seat
        self._changed(seats=tuple(seats))

    def hold(self, seat: SeatRow, token: bytes, came_at: str | None) -> None:
        """Give a seat's holder a new token, in every game of the table where they had the old token or the link.

        ``came_at`` is the time at which the link was exchanged.
        """
        before = seat.token
        self._put(replace(seat, token=token, came=True, came_at=came_at))
        same = (table_seats.c.token == before) if before is not None else (table_seats.c.link == seat.link)
        self._everywhere(same, {"token": token, "came": True, "came_at": came_at})

    def pass_on(self, before: bytes, token: bytes, came_at: str | None) -> None:
        """Replace a token by another one in all games of the table, and for the hands that its holder shares.

        ``came_at`` is the time at which the holder came to the device with the new token.
        """
        for seat in self.row.seats:
            if seat.token == before:
                self._put(replace(seat, token=token, came_at=came_at))
        self._everywhere(table_seats.c.token == before, {"token": token, "came_at": came_at})
        theirs = (shared_hands.c.table_id == self.row.table_id) & (shared_hands.c.holder == before)
        self._connection.execute(update(shared_hands).where(theirs).values(holder=token))

    def _everywhere(self, which: ColumnElement[bool], values: Mapping[str, Any]) -> None:
        """Change some seats of all other games of the table."""
        of_table = select(table_games.c.game_id).where(
            table_games.c.table_id == self.row.table_id, table_games.c.game_id != self.row.game_id
        )
        held = which & table_seats.c.game_id.in_(of_table)
        others = list(self._connection.scalars(select(table_seats.c.game_id).where(held)))
        if others:
            self._connection.execute(update(table_seats).where(held).values(**values))
            changed = update(table_games).where(table_games.c.game_id.in_(others))
            self._connection.execute(changed.values(changes=table_games.c.changes + 1))

    def invitation(self, token: bytes) -> None:
        """Replace the token of the link for sitting down."""
        self._table(invitation=token)
        self.row = replace(self.row, invitation=token)

    def access(self, access: Access) -> None:
        """Change the host's decisions about people."""
        self._table(access=access.json)
        self.row = replace(self.row, access=access)

    def host(self, token: bytes, came_at: str) -> None:
        """Replace the host's token, because the host's rights moved to another device at that time."""
        self._table(host=token, host_came_at=came_at)
        self.row = replace(self.row, host=token, host_came_at=came_at)

    def _table(self, **values: object) -> None:
        """Change values that a table has once for all its games; each game is then read again."""
        table_id = self.row.table_id
        self._connection.execute(update(tables).where(tables.c.table_id == table_id).values(values))
        changed = update(table_games).where(table_games.c.table_id == table_id)
        self._connection.execute(changed.values(changes=table_games.c.changes + 1))
        self.row = replace(self.row, changes=self.row.changes + 1)

    def status(self, status: Status) -> None:
        """Set the status of the game."""
        self._connection.execute(_of(self.row.game_id).values(status=status))
        self._changed(status=status)

    def close(self, moment: str) -> None:
        """Close the table; no other game begins at it."""
        closed = update(tables).where(tables.c.table_id == self.row.table_id, tables.c.closed_at.is_(None))
        self._connection.execute(closed.values(closed_at=moment))
        self._changed(closed=True)

    def touch(self) -> None:
        """Count the game as changed, so that its followers look for news, such as chat."""
        self._changed()

    def follow(self, row: TableRow) -> None:
        """Store the table's next game."""
        insert_game(self._connection, row)
        self._changed(next_game=row.game_id)

    def _changed(self, **what: Any) -> None:
        self._connection.execute(_of(self.row.game_id).values(changes=table_games.c.changes + 1))
        self.row = replace(self.row, changes=self.row.changes + 1, **what)


def _of(game_id: str) -> Update:
    return update(table_games).where(table_games.c.game_id == game_id)


def insert_game(connection: Connection, row: TableRow) -> None:
    """Store a game of an existing table, with its seats."""
    connection.execute(
        insert(table_games),
        {
            "game_id": row.game_id,
            "table_id": row.table_id,
            "number": row.number,
            "kind": row.kind,
            "options": json.dumps(dict(row.options), sort_keys=True),
            "rounds": row.rounds,
            "settings": json.dumps(dict(row.settings), sort_keys=True),
            "status": row.status,
            "created_at": row.created_at,
            "changes": row.changes,
        },
    )
    connection.execute(insert(table_seats), [seat_values(row.game_id, seat) for seat in row.seats])
