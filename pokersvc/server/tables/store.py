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
"""In limits, a table with bots alone weighs as much as so many others: it plays on without anybody."""
MOST_KNOWN: Final = 2048
"""Tables that stay in memory, where no more than these may be open: a row takes 2 to 4 kB."""
Status = Literal["waiting", "playing", "over"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a table."""

    seat: int
    kind: str
    """`EMPTY`, ``human``, or the kind of a bot."""
    name: str | None = None
    token: bytes | None = None
    """The digest of its link's token; None where nobody has one."""
    since: int = 0
    """The link shows no secret of an event up to this one."""
    came: bool = False
    """Whether somebody has opened the link."""
    taken_at: str | None = None
    """When somebody took it at a public table who has yet to sit down; None for all others."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored."""

    table_id: str
    """Of its game too."""
    kind: str
    name: str
    options: Mapping[str, Any]
    """As they were asked for."""
    rounds: int | None
    settings: Mapping[str, Any]
    public: bool
    status: Status
    created_at: str
    host: bytes
    """The digest of the host's token."""
    changes: int
    """How often it was changed, or another server told that somebody is there."""
    runner: str | None
    """The server that runs its bots and its clock."""
    seats: tuple[SeatRow, ...]

    def seat(self, number: int) -> SeatRow:
        """Return a seat, from 1; `UnknownTable` where there is none of that number."""
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
    """A table whose game is on."""

    table_id: str
    kind: str
    count: int
    """How many events its game has."""


class TableStore:
    """The tables of a database, for any number of threads. All that may be open, ``most_open``, stay in memory."""

    def __init__(self, database: Database, most_open: int = 0) -> None:
        self._database = database
        self._most_known = max(MOST_KNOWN, most_open)
        self._mark = Prepared(_MARK, database.dialect)
        self._known: dict[str, TableRow] = {}
        """Tables as they were read last, the one that was read first foremost."""
        self._lock = Lock()

    def get(self, table_id: str) -> TableRow:
        """Return a table; `UnknownTable` if there is none of that id."""
        return self.look(table_id)[0]

    def look(self, table_id: str) -> tuple[TableRow, int]:
        """Return a table, and how many events its game has; `UnknownTable` if there is none of that id.

        A table that was read before is only asked whether it has changed since.
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
        """Return public tables that are not over, the newest first."""
        return self._listed(tables.c.public & (tables.c.status != "over"), limit)

    def finished(self, limit: int) -> list[TableRow]:
        """Return public tables that are over, the newest first."""
        return self._listed(tables.c.public & (tables.c.status == "over"), limit)

    def playing(self) -> list[tuple[str, str | None]]:
        """Return every table whose game is on, with the server that runs it."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(tables.c.table_id, tables.c.runner).where(tables.c.status == "playing")
            ).all()
        return [(row.table_id, row.runner) for row in rows]

    def begun_before(self, moment: str) -> list[Begun]:
        """Return the tables whose games are on and were started before a moment, without reading the games."""
        begun = (
            select(tables.c.table_id, tables.c.kind, games.c.count)
            .join(games, games.c.game_id == tables.c.table_id)
            .join(events, (events.c.game_id == tables.c.table_id) & (events.c.seq == 1))
            .where(tables.c.status == "playing", events.c.recorded_at < moment)
        )
        with self._database.read() as connection:
            return [Begun(*row) for row in connection.execute(begun)]

    def open_count(self) -> int:
        """Return how many tables are not over."""
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(tables).where(tables.c.status != "over")) or 0

    def open_weight(self) -> int:
        """Return how much the tables that are not over weigh; see `ALONE`."""
        with self._database.read() as connection:
            return connection.scalar(select(func.sum(_WEIGHT)).where(tables.c.status != "over")) or 0

    def open_among(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return those of some tables that are not over, with what each weighs."""
        still = select(tables.c.table_id, _WEIGHT.label("weight")).where(tables.c.status != "over")
        with self._database.read() as connection:
            return {
                row.table_id: row.weight
                for some in _parts(table_ids)
                for row in connection.execute(still.where(tables.c.table_id.in_(some)))
            }

    def marks(self, table_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return how often each table was changed, and how many events its game has."""
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
        """End the tables that were made before a moment and wait still; return them."""
        old = (tables.c.status == "waiting") & (tables.c.created_at < before)
        with self._database.append() as connection:
            found = list(connection.scalars(select(tables.c.table_id).where(old).with_for_update()))
            for some in _parts(found):
                ended = update(tables).where(tables.c.table_id.in_(some))
                connection.execute(ended.values(status="over", changes=tables.c.changes + 1))
        return found

    @contextmanager
    def changing(self, table_id: str) -> Iterator["Changing"]:
        """Give a table to be changed; nobody else changes it meanwhile."""
        with self._database.append() as connection:
            row = connection.execute(select(tables).where(tables.c.table_id == table_id).with_for_update()).first()
            if row is None:
                raise unknown_table()
            seats = connection.execute(_SEATS.where(table_seats.c.table_id == table_id)).all()
            yield Changing(connection, _table_of(row, [_seat_of(one) for one in seats]))

    # Which server runs the bots of a table. A server counts its beat up while it lives; one whose beat stands still is
    # dead. So no two machines' clocks are compared.

    def beat(self, server_id: str) -> dict[str, int]:
        """Count up a server's beat, and return those of all."""
        with self._database.append() as connection:
            counted = update(servers).where(servers.c.server_id == server_id).values(beat=servers.c.beat + 1)
            if not connection.execute(counted).rowcount:
                connection.execute(insert(servers), {"server_id": server_id, "beat": 1})
            return {row.server_id: row.beat for row in connection.execute(select(servers))}

    def try_writing(self) -> None:
        """Write a row and take it back, in a transaction like that of a command."""
        row = {"server_id": str(uuid4()), "beat": 0}
        with self._database.append() as connection:
            connection.execute(insert(servers), row)
            connection.execute(servers.delete().where(servers.c.server_id == row["server_id"]))

    def claim(self, table_ids: Iterable[str], server_id: str, held_by: str | None) -> list[str]:
        """Take tables over from a server that is dead, or from none; return those that nobody else took first."""
        was = tables.c.runner.is_(None) if held_by is None else tables.c.runner == held_by
        taken = []
        with self._database.append() as connection:
            for table_id in table_ids:
                mine = update(tables).where(tables.c.table_id == table_id, was).values(runner=server_id)
                if connection.execute(mine).rowcount:
                    taken.append(table_id)
        return taken

    def attend(self, table_ids: Sequence[str]) -> None:
        """Tell of tables whose games are on that somebody is there, by counting them as changed."""
        with self._database.append() as connection:
            for some in _parts(table_ids):
                there = update(tables).where(tables.c.table_id.in_(some), tables.c.status == "playing")
                connection.execute(there.values(changes=tables.c.changes + 1))

    def release(self, server_id: str) -> None:
        """Give up all tables of a server that ends."""
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
    """One table that is being changed; what is changed is in ``row`` at once."""

    def __init__(self, connection: Connection, row: TableRow) -> None:
        self._connection = connection
        self.row = row

    def require(self, status: Status, why: str) -> None:
        """Raise `WrongTime` unless the table has a status; ``why`` says it in a sentence."""
        if self.row.status != status:
            raise WrongTime(f"not_{status}", why)

    def seat(self, seat: SeatRow) -> None:
        """Put a seat in the place of the one of its number."""
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
        """Note that the game is on, or over."""
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
"""Whatever is changed in a table or its seats, one of the first two is another then."""


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
"""Whether people sit at a table, or may before its game; who got up from one that plays does not count."""


def weight_within(most: int, weight: int) -> int:
    """Return what a new table weighs in a limit: no more than all of it, or none with bots alone could be made."""
    return min(weight, most)


def _of(table_id: str) -> Update:
    return update(tables).where(tables.c.table_id == table_id)


def unknown_table() -> UnknownTable:
    """Return the error for an id that is no table's."""
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
