"""Tables in the database: read and changed, each change in one transaction."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, Literal, cast
from uuid import uuid4

from sqlalchemy import Connection, Row, Update, bindparam, case, exists, func, insert, literal_column, select, update

from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.statements import Prepared
from pokersvc.eventlog.tables import events, games
from pokersvc.server.errors import UnknownTable, WrongTime
from pokersvc.server.tables.schema import servers, table_seats, tables

EMPTY = "empty"
"""The kind of a seat that waits for somebody."""
ALONE: Final = 10
"""The weight in limits of a table with bots alone, which plays on without anybody; other tables weigh 1."""
MOST_KNOWN: Final = 2048
"""Tables that stay in memory, unless more may be open: a row takes 2 to 4 kB."""
Status = Literal["waiting", "playing", "over"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a table."""

    seat: int
    kind: str
    """`EMPTY`, ``human``, or the kind of a bot."""
    name: str | None = None
    token: bytes | None = None
    """The digest of its link's token; None if nobody has one."""
    since: int = 0
    """The number of the last event before the current link, which shows no secrets of events up to this number."""
    came: bool = False
    """Whether somebody has opened the link."""
    taken_at: str | None = None
    """When the seat was taken at a public table by somebody who has yet to sit down; otherwise None."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored."""

    table_id: str
    """The ID of the table and of its game."""
    kind: str
    name: str
    options: Mapping[str, Any]
    """The options as they were requested."""
    rounds: int | None
    settings: Mapping[str, Any]
    public: bool
    status: Status
    created_at: str
    host: bytes
    """The digest of the host's token."""
    changes: int
    """The number of the table's changes, and of reports by other servers that somebody is there."""
    runner: str | None
    """The server that runs the table's bots and clock."""
    seats: tuple[SeatRow, ...]

    def seat(self, number: int) -> SeatRow:
        """Return a seat, numbered from 1; raise `UnknownTable` if there is none with that number."""
        if not 1 <= number <= len(self.seats):
            raise UnknownTable(f"There is no seat {number} at this table; its seats are 1 to {len(self.seats)}.")
        return self.seats[number - 1]

    @property
    def empty(self) -> list[int]:
        """The seats that wait for somebody."""
        return [seat.seat for seat in self.seats if seat.kind == EMPTY]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat.seat for seat in self.seats if seat.kind == HUMAN)


@dataclass(frozen=True, slots=True)
class Begun:
    """A table whose game is in progress."""

    table_id: str
    kind: str
    count: int
    """The number of events of its game."""


class TableStore:
    """The tables of a database, for any number of threads; at least ``most_open`` of them fit in memory."""

    def __init__(self, database: Database, most_open: int = 0) -> None:
        self._database = database
        self._most_known = max(MOST_KNOWN, most_open)
        self._mark = Prepared(_MARK, database.dialect)
        self._known: dict[str, TableRow] = {}
        """Recently loaded tables, least recently loaded first; finding a table unchanged does not count as loading."""
        self._lock = Lock()

    def get(self, table_id: str) -> TableRow:
        """Return a table; raise `UnknownTable` if there is none with that ID."""
        return self.look(table_id)[0]

    def look(self, table_id: str) -> tuple[TableRow, int]:
        """Return a table and the number of its game's events; raise `UnknownTable` if there is none with that ID.

        For a table that was read before, only a check for changes is made.
        """
        if (known := self._known.get(table_id)) is not None:
            for changes, runner, events in self._database.ask(self._mark, {"id": table_id}):
                if (changes, runner) == (known.changes, known.runner):
                    return known, cast(int, events)
        with self._database.look() as connection:
            rows = connection.execute(_TABLE, {"id": table_id}).all()
        if not rows:
            raise unknown_table()
        seats = [_seat_of(row) for row in rows]
        found = _table_of(rows[0], seats)
        self._keep(found)
        return found, rows[0].events

    def _keep(self, row: TableRow) -> None:
        with self._lock:
            self._known.pop(row.table_id, None)
            self._known[row.table_id] = row
            if len(self._known) > self._most_known:
                del self._known[next(iter(self._known))]

    def lobby(self, limit: int) -> list[TableRow]:
        """Return public tables that are not over, newest first."""
        return self._listed(tables.c.public & (tables.c.status != "over"), limit)

    def finished(self, limit: int) -> list[TableRow]:
        """Return public tables that are over, newest first."""
        return self._listed(tables.c.public & (tables.c.status == "over"), limit)

    def playing(self) -> list[tuple[str, str | None]]:
        """Return every table whose game is in progress, with the server that runs it."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(tables.c.table_id, tables.c.runner).where(tables.c.status == "playing")
            ).all()
        return [(row.table_id, row.runner) for row in rows]

    def begun_before(self, moment: str) -> list[Begun]:
        """Return the tables whose games are in progress and started before a moment, without reading the games."""
        begun = (
            select(tables.c.table_id, tables.c.kind, games.c.count)
            .join(games, games.c.game_id == tables.c.table_id)
            .join(events, (events.c.game_id == tables.c.table_id) & (events.c.seq == 1))
            .where(tables.c.status == "playing", events.c.recorded_at < moment)
        )
        with self._database.read() as connection:
            return [Begun(*row) for row in connection.execute(begun)]

    def open_count(self) -> int:
        """Return the number of tables that are not over."""
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(tables).where(tables.c.status != "over")) or 0

    def open_weight(self) -> int:
        """Return the total weight of the tables that are not over; see `ALONE`."""
        with self._database.read() as connection:
            return connection.scalar(select(func.sum(_WEIGHT)).where(tables.c.status != "over")) or 0

    def open_among(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the weights of those of these tables that are not over, by table ID."""
        still = select(tables.c.table_id, _WEIGHT.label("weight")).where(tables.c.status != "over")
        with self._database.read() as connection:
            return {
                row.table_id: row.weight
                for some in _parts(table_ids)
                for row in connection.execute(still.where(tables.c.table_id.in_(some)))
            }

    def marks(self, table_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return each table's number of changes, and the number of its game's events."""
        found: dict[str, tuple[int, int]] = {}
        statement = select(tables.c.table_id, tables.c.changes, func.coalesce(games.c.count, 0)).outerjoin(
            games, games.c.game_id == tables.c.table_id
        )
        with self._database.read() as connection:
            for some in _parts(table_ids):
                for table_id, changes, count in connection.execute(statement.where(tables.c.table_id.in_(some))):
                    found[table_id] = changes, count
        return found

    def create(self, row: TableRow) -> None:
        """Store a new table."""
        with self._database.append() as connection:
            connection.execute(
                insert(tables),
                {
                    "table_id": row.table_id,
                    "kind": row.kind,
                    "name": row.name,
                    "options": json.dumps(dict(row.options), sort_keys=True),
                    "rounds": row.rounds,
                    "settings": json.dumps(dict(row.settings), sort_keys=True),
                    "public": row.public,
                    "status": row.status,
                    "created_at": row.created_at,
                    "host": row.host,
                    "changes": row.changes,
                },
            )
            connection.execute(insert(table_seats), [_seat_values(row.table_id, seat) for seat in row.seats])

    def forget(self, before: str) -> list[str]:
        """End the tables that were made before a moment and are still waiting; return their IDs."""
        old = (tables.c.status == "waiting") & (tables.c.created_at < before)
        with self._database.append() as connection:
            found = list(connection.scalars(select(tables.c.table_id).where(old).with_for_update()))
            for some in _parts(found):
                ended = update(tables).where(tables.c.table_id.in_(some))
                connection.execute(ended.values(status="over", changes=tables.c.changes + 1))
        return found

    @contextmanager
    def changing(self, table_id: str) -> Iterator["Changing"]:
        """Yield a table to be changed; nobody else changes it meanwhile."""
        with self._database.append() as connection:
            row = connection.execute(select(tables).where(tables.c.table_id == table_id).with_for_update()).first()
            if row is None:
                raise unknown_table()
            seats = connection.execute(_SEATS.where(table_seats.c.table_id == table_id)).all()
            yield Changing(connection, _table_of(row, [_seat_of(one) for one in seats]))

    # Which server runs the bots of a table. A live server increments its beat; one whose beat stands still is dead. So
    # clocks of two machines are never compared.

    def beat(self, server_id: str) -> dict[str, int]:
        """Increment a server's beat, and return the beats of all servers."""
        with self._database.append() as connection:
            counted = update(servers).where(servers.c.server_id == server_id).values(beat=servers.c.beat + 1)
            if not connection.execute(counted).rowcount:
                connection.execute(insert(servers), {"server_id": server_id, "beat": 1})
            return {row.server_id: row.beat for row in connection.execute(select(servers))}

    def try_writing(self) -> None:
        """Write a row and delete it again, in a transaction like that of a command."""
        row = {"server_id": str(uuid4()), "beat": 0}
        with self._database.append() as connection:
            connection.execute(insert(servers), row)
            connection.execute(servers.delete().where(servers.c.server_id == row["server_id"]))

    def claim(self, table_ids: Iterable[str], server_id: str, held_by: str | None) -> list[str]:
        """Take over tables from a dead server, or tables that no server runs; return the IDs of those taken."""
        was = tables.c.runner.is_(None) if held_by is None else tables.c.runner == held_by
        taken = []
        with self._database.append() as connection:
            for table_id in table_ids:
                mine = update(tables).where(tables.c.table_id == table_id, was).values(runner=server_id)
                if connection.execute(mine).rowcount:
                    taken.append(table_id)
        return taken

    def attend(self, table_ids: Sequence[str]) -> None:
        """Report that somebody is at these tables, if their games are in progress, by counting them as changed."""
        with self._database.append() as connection:
            for some in _parts(table_ids):
                there = update(tables).where(tables.c.table_id.in_(some), tables.c.status == "playing")
                connection.execute(there.values(changes=tables.c.changes + 1))

    def release(self, server_id: str) -> None:
        """Give up all tables of a server that is ending."""
        with self._database.append() as connection:
            connection.execute(update(tables).where(tables.c.runner == server_id).values(runner=None))
            connection.execute(servers.delete().where(servers.c.server_id == server_id))

    def _listed(self, which: Any, limit: int) -> list[TableRow]:
        newest = select(tables).where(which).order_by(tables.c.created_at.desc(), tables.c.table_id).limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(newest).all()
            seats: dict[str, list[SeatRow]] = {row.table_id: [] for row in rows}
            for some in _parts(list(seats)):
                for row in connection.execute(_SEATS.where(table_seats.c.table_id.in_(some))):
                    seats[row.table_id].append(_seat_of(row))
        return [_table_of(row, seats[row.table_id]) for row in rows]


class Changing:
    """One table that is being changed in a transaction; ``row`` shows all changes so far."""

    def __init__(self, connection: Connection, row: TableRow) -> None:
        self._connection = connection
        self.row = row

    def require(self, status: Status, why: str) -> None:
        """Raise `WrongTime` with the sentence ``why`` unless the table has this status."""
        if self.row.status != status:
            raise WrongTime(f"not_{status}", why)

    def seat(self, seat: SeatRow) -> None:
        """Replace the seat that has the same number."""
        values = _seat_values(self.row.table_id, seat)
        self._connection.execute(
            update(table_seats)
            .where(table_seats.c.table_id == self.row.table_id, table_seats.c.seat == seat.seat)
            .values(values)
        )
        seats = list(self.row.seats)
        seats[seat.seat - 1] = seat
        self._changed(seats=tuple(seats))

    def status(self, status: Status) -> None:
        """Set the status of the table."""
        self._connection.execute(_of(self.row.table_id).values(status=status))
        self._changed(status=status)

    def _changed(self, **what: Any) -> None:
        self._connection.execute(_of(self.row.table_id).values(changes=tables.c.changes + 1))
        self.row = replace(self.row, changes=self.row.changes + 1, **what)


_OF_SEAT = [
    table_seats.c.seat,
    table_seats.c.kind.label("seat_kind"),
    table_seats.c.name.label("seat_name"),
    table_seats.c.token,
    table_seats.c.since,
    table_seats.c.came,
    table_seats.c.taken_at,
]
_SEATS = select(table_seats.c.table_id, *_OF_SEAT).order_by(table_seats.c.table_id, table_seats.c.seat)
_TABLE = (
    select(tables, func.coalesce(games.c.count, 0).label("events"), *_OF_SEAT)
    .join(table_seats, table_seats.c.table_id == tables.c.table_id)
    .outerjoin(games, games.c.game_id == tables.c.table_id)
    .where(tables.c.table_id == bindparam("id"))
    .order_by(table_seats.c.seat)
)


_MARK = (
    select(tables.c.changes, tables.c.runner, func.coalesce(games.c.count, literal_column("0")))
    .outerjoin(games, games.c.game_id == tables.c.table_id)
    .where(tables.c.table_id == bindparam("id"))
)
"""Query for a table's changes, runner and number of events; any change of the table changes one of the first two."""


_WEIGHT = case(
    (
        exists().where(
            table_seats.c.table_id == tables.c.table_id,
            (table_seats.c.kind == HUMAN) | ((table_seats.c.kind == EMPTY) & (tables.c.status == "waiting")),
        ),
        1,
    ),
    else_=ALONE,
)
"""Weight of a table: 1 if people sit there, or may before its game. Those who got up during the game do not count."""


def weight_within(most: int, weight: int) -> int:
    """Return the weight, but at most the limit, so that a limit below `ALONE` still allows one table of bots alone."""
    return min(weight, most)


def _of(table_id: str) -> Update:
    return update(tables).where(tables.c.table_id == table_id)


def unknown_table() -> UnknownTable:
    """Return the error for an ID that no table has."""
    return UnknownTable("There is no such table: look at the link again, or at the lobby.")


def _digest(stored: bytes | None) -> bytes | None:
    return None if stored is None else bytes(stored)


def _table_of(row: Row[Any], seats: Sequence[SeatRow]) -> TableRow:
    return TableRow(
        table_id=row.table_id,
        kind=row.kind,
        name=row.name,
        options=json.loads(row.options),
        rounds=row.rounds,
        settings=json.loads(row.settings),
        public=bool(row.public),
        status=row.status,
        created_at=row.created_at,
        host=bytes(row.host),
        changes=row.changes,
        runner=row.runner,
        seats=tuple(seats),
    )


def _seat_of(row: Row[Any]) -> SeatRow:
    return SeatRow(row.seat, row.seat_kind, row.seat_name, _digest(row.token), row.since, bool(row.came), row.taken_at)


def _seat_values(table_id: str, seat: SeatRow) -> dict[str, Any]:
    return {
        "table_id": table_id,
        "seat": seat.seat,
        "kind": seat.kind,
        "name": seat.name,
        "token": seat.token,
        "since": seat.since,
        "came": seat.came,
        "taken_at": seat.taken_at,
    }


def _parts(ids: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    for begin in range(0, len(ids), size):
        yield ids[begin : begin + size]
