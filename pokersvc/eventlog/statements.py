"""The statements of an append: written in SQLAlchemy's terms, compiled once, then run as the driver's text.

Compiled anew (or looked up in SQLAlchemy's cache) for each append, and each value converted on its way, they
took as long as everything else in an append of one event.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Select, Update, bindparam, insert, select, update

from pokersvc.eventlog.record import Record
from pokersvc.eventlog.tables import events, games

# One statement tells both: how far the game is, and whether it knows the command already.
_GUARD = (
    select(
        games.c.count,
        games.c.head,
        select(events.c.n)
        .where(
            events.c.game_id == games.c.game_id,
            events.c.command_id == bindparam("command_id"),
            events.c.n == 1,
        )
        .exists(),
    )
    .where(games.c.game_id == bindparam("game_id"))
    .with_for_update(of=games)
)
_ADVANCE = (
    update(games)
    .where(games.c.game_id == bindparam("id"), games.c.count == bindparam("expected"))
    .values(count=bindparam("new_count"), head=bindparam("new_head"))
)


class Statements:
    """The statements of an append for one kind of database."""

    def __init__(self, dialect: Dialect) -> None:
        self._guard = _Compiled(_GUARD, dialect)
        self._start = _Compiled(insert(games), dialect)
        self._advance = _Compiled(_ADVANCE, dialect)
        self._insert = _Compiled(insert(events), dialect, Record._fields)

    def guard(self, connection: Connection, game_id: str, command_id: str) -> tuple[int, object, bool] | None:
        """Return (count, head, whether the command is recorded already), or None for an unknown game."""
        row = self._guard.run(connection, {"game_id": game_id, "command_id": command_id}).one_or_none()
        return None if row is None else (row[0], row[1], bool(row[2]))

    def store(self, connection: Connection, records: Sequence[Record], kind: str | None) -> None:
        """Write a command's records and the game's new count and head."""
        game_id, count, head = records[-1].game_id, records[-1].seq, records[-1].hash
        expected = count - len(records)
        if expected == 0:
            start = {"game_id": game_id, "kind": kind, "count": count, "head": head}
            self._start.run(connection, start)
        else:
            advance = {"id": game_id, "expected": expected, "new_count": count, "new_head": head}
            self._advance.run(connection, advance)
        self._insert.run_all(connection, records)


class _Compiled:
    """A statement as the driver takes it, by position where the driver counts, else by name."""

    def __init__(
        self, statement: Select[Any] | Insert | Update, dialect: Dialect, columns: Sequence[str] | None = None
    ) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=columns)
        self._text = str(compiled)
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}
        self._names: Sequence[str] | None = compiled.positiontup
        # Records are tuples in the order of the table's columns; they need no conversion.
        self._as_records = columns is not None and tuple(self._names or ()) == tuple(columns)

    def run(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """Execute with one set of values."""
        values = {**self._constants, **values}
        if self._names is None:
            return connection.exec_driver_sql(self._text, values)
        return connection.exec_driver_sql(self._text, tuple([values[name] for name in self._names]))

    def run_all(self, connection: Connection, records: Sequence[Record]) -> None:
        """Execute for each record."""
        if self._as_records:
            connection.exec_driver_sql(self._text, list(records))
        else:
            connection.exec_driver_sql(self._text, [record._asdict() for record in records])
