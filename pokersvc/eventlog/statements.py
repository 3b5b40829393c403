"""The statements of an append, compiled to the driver's SQL.

They are written with SQLAlchemy and compiled once. Compiling them each time (or looking them up in SQLAlchemy's cache)
and converting each value would take several times as long: for an append of one event, as long as everything else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Select, Update, bindparam, insert, literal_column, select, update

from pokersvc.eventlog.record import Record
from pokersvc.eventlog.tables import events, games

# One statement returns both: the game's count and head, and whether it has recorded the command already.
_GUARD = (
    select(
        games.c.count,
        games.c.head,
        select(events.c.n)
        .where(
            events.c.game_id == games.c.game_id,
            events.c.command_id == bindparam("command_id"),
            events.c.n == literal_column("1"),  # as a bound parameter, this costs PostgreSQL more than all the rest
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


# On PostgreSQL one statement writes everything, to save round trips to the server and rows sent one by one.
# If two transactions start the same game at once, the second waits for the first to commit, and then inserts nothing.
_WITH_THE_GAME = """
    INSERT INTO events (game_id, seq, type, version, recorded_at, command_id, n, payload, secret, salt, hash)
    SELECT %(game_id)s, %(expected)s + n, type, version, %(recorded_at)s, %(command_id)s, n,
           payload, secret, salt, hash
    FROM unnest(
        %(types)s::text[], %(versions)s::integer[], %(payloads)s::text[], %(secrets)s::text[], %(salts)s::bytea[],
        %(hashes)s::bytea[]
    ) WITH ORDINALITY AS command (type, version, payload, secret, salt, hash, n)
    WHERE EXISTS (SELECT FROM game)
    ORDER BY n
"""
_START_AT_ONCE, _ADVANCE_AT_ONCE = (
    "\n".join(("WITH game AS (", game, "RETURNING 1)", _WITH_THE_GAME))
    for game in (
        """
        INSERT INTO games (game_id, kind, count, head) VALUES (%(game_id)s, %(kind)s, %(count)s, %(head)s)
        ON CONFLICT (game_id) DO NOTHING
        """,
        "UPDATE games SET count = %(count)s, head = %(head)s WHERE game_id = %(game_id)s AND count = %(expected)s",
    )
)


class Statements:
    """The statements of an append for one kind of database."""

    @staticmethod
    def of(dialect: Dialect) -> "Statements":
        """Return the statements for this kind of database."""
        return _AtOnce(dialect) if dialect.name == "postgresql" else Statements(dialect)

    def __init__(self, dialect: Dialect) -> None:
        self._guard = Prepared(_GUARD, dialect)
        self._start = Prepared(insert(games), dialect)
        self._advance = Prepared(_ADVANCE, dialect)
        self._insert = Prepared(insert(events), dialect, Record._fields)

    def guard(self, connection: Connection, game_id: str, command_id: str) -> tuple[int, object, bool] | None:
        """Return (count, head, whether the command is recorded already), or None for an unknown game."""
        row = self._guard.run(connection, {"game_id": game_id, "command_id": command_id}).one_or_none()
        return None if row is None else (row[0], row[1], bool(row[2]))

    def store(self, connection: Connection, records: Sequence[Record], kind: str | None) -> bool:
        """Store a command's records and the game's new count and head; return False if a new game exists already."""
        game_id, count, head = records[-1].game_id, records[-1].seq, records[-1].hash
        expected = count - len(records)
        if expected == 0:
            start = {"game_id": game_id, "kind": kind, "count": count, "head": head}
            self._start.run(connection, start)
        else:
            advance = {"id": game_id, "expected": expected, "new_count": count, "new_head": head}
            self._advance.run(connection, advance)
        self._insert.run_all(connection, records)
        return True

    def start_all(self, connection: Connection, new: Sequence[tuple[Sequence[Record], str]]) -> None:
        """Write the records of whole games, and add each game with its kind to the games table."""
        starts = [
            {"game_id": records[-1].game_id, "kind": kind, "count": records[-1].seq, "head": records[-1].hash}
            for records, kind in new
        ]
        connection.exec_driver_sql(self._start.text, [self._start.values(start) for start in starts])
        self._insert.run_all(connection, [record for records, _ in new for record in records])


class _AtOnce(Statements):
    """The statements of an append to PostgreSQL, where one statement stores all records of a command."""

    def store(self, connection: Connection, records: Sequence[Record], kind: str | None) -> bool:
        first, last = records[0], records[-1]
        _, _, types, versions, _, _, _, payloads, secrets, salts, hashes = map(list, zip(*records, strict=True))
        values = {
            "game_id": first.game_id,
            "kind": kind,
            "expected": first.seq - 1,
            "count": last.seq,
            "head": last.hash,
            "recorded_at": first.recorded_at,
            "command_id": first.command_id,
            "types": types,
            "versions": versions,
            "payloads": payloads,
            "secrets": secrets,
            "salts": salts,
            "hashes": hashes,
        }
        statement = _ADVANCE_AT_ONCE if first.seq > 1 else _START_AT_ONCE
        return connection.exec_driver_sql(statement, values).rowcount == len(records)


class Prepared:
    """A compiled statement, with its parameters by position or by name as the driver requires."""

    def __init__(
        self, statement: Select[Any] | Insert | Update, dialect: Dialect, columns: Sequence[str] | None = None
    ) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=columns)
        self.text = str(compiled)
        self._names: Sequence[str] | None = compiled.positiontup
        # Records are tuples in the order of the table's columns; they need no conversion.
        self._as_records = columns is not None and tuple(self._names or ()) == tuple(columns)

    def values(self, values: Mapping[str, object]) -> Mapping[str, object] | tuple[object, ...]:
        """Return values in the form that the driver requires."""
        return values if self._names is None else tuple([values[name] for name in self._names])

    def run(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """Execute the statement with one set of values."""
        return connection.exec_driver_sql(self.text, self.values(values))

    def run_all(self, connection: Connection, records: Sequence[Record]) -> None:
        """Execute the statement once for each record."""
        if self._as_records:
            connection.exec_driver_sql(self.text, list(records))
        else:
            connection.exec_driver_sql(self.text, [record._asdict() for record in records])
