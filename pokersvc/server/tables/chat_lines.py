"""The lines of chat in the database; they are not part of the log, because they are no events and can be deleted."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import timestamp
from pokersvc.server.tables.changing import Changing
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.schema import chat_lines, table_games, tables

DAYS: Final = 30
"""Days after a table's end at which its lines are deleted."""
KEPT: Final = 1000
"""The number of a table's last lines that are kept."""
SHOWN: Final = 100
"""The most lines in one answer."""


class ChatLine(NamedTuple):
    """One line of chat."""

    number: int
    """The number among the table's lines, from 1."""
    seat: int
    """The seat; 0 for a host without one."""
    name: str
    """The name at that seat when the line was said."""
    said_at: str
    text: str


class ChatStore:
    """The chat lines of all game tables in a database; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def lines(self, row: TableRow, after: int = 0) -> tuple[ChatLine, ...]:
        """Return the last lines after number ``after``, oldest first, without those of later games of the table."""
        up_to_it = select(table_games.c.game_id).where(
            table_games.c.table_id == row.table_id, table_games.c.number <= row.number
        )
        found = (
            select(*_LINE)
            .where(
                chat_lines.c.table_id == row.table_id,
                chat_lines.c.number > after,
                chat_lines.c.text != "",
                chat_lines.c.game_id.in_(up_to_it),
            )
            .order_by(chat_lines.c.number.desc())
            .limit(SHOWN)
        )
        with self._database.read() as connection:
            return tuple(ChatLine(*one) for one in reversed(connection.execute(found).all()))

    def delete_ended(self, now: datetime) -> None:
        """Delete the lines of all tables that ended at least `DAYS` days ago."""
        before = timestamp(now - timedelta(days=DAYS))
        ended = select(tables.c.table_id).where(tables.c.closed_at < before)
        with self._database.append() as connection:
            connection.execute(delete(chat_lines).where(chat_lines.c.table_id.in_(ended)))


def add(table: Changing, seat: int, name: str, said_at: str, text: str) -> ChatLine:
    """Store a line, in the transaction that changes its table, and delete all but the newest `KEPT` lines."""
    row, connection = table.row, table.connection
    number = (_last(connection, row.table_id) or 0) + 1
    line = ChatLine(number, seat, name, said_at, text)
    connection.execute(insert(chat_lines), {"table_id": row.table_id, "game_id": row.game_id, **line._asdict()})
    old = (chat_lines.c.table_id == row.table_id) & (chat_lines.c.number <= number - KEPT)
    connection.execute(delete(chat_lines).where(old))
    return line


def remove(table: Changing, number: int | None = None) -> None:
    """Delete one line of a table, or all; a blank row keeps the last number, so that no number is given twice."""
    table_id, connection = table.row.table_id, table.connection
    last = _last(connection, table_id)
    these = chat_lines.c.table_id == table_id
    if number is not None:
        these &= chat_lines.c.number == number
    connection.execute(delete(chat_lines).where(these, chat_lines.c.number != last))
    connection.execute(update(chat_lines).where(these, chat_lines.c.number == last).values(name="", text=""))


def may_read(row: TableRow, seat: SeatRow | None) -> bool:
    """Return whether a seat or, without one, a watcher may read the chat."""
    return row.access.watchers_read or (seat is not None and seat.admitted)


def _last(connection: Connection, table_id: str) -> int | None:
    last: int | None = connection.scalar(select(func.max(chat_lines.c.number)).where(chat_lines.c.table_id == table_id))
    return last


_LINE: Final = (
    chat_lines.c.number,
    chat_lines.c.seat,
    chat_lines.c.name,
    chat_lines.c.said_at,
    chat_lines.c.text,
)
