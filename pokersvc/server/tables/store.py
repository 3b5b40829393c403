"""Tables and their games in the database: reading them and changing them, each change in one transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Final, cast

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)

from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.statements import Prepared
from pokersvc.eventlog.tables import events, games
from pokersvc.server.errors import UnknownTable
from pokersvc.server.tables.changing import Changing, insert_game
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow, seat_of, table_of
from pokersvc.server.tables.schema import table_games, table_seats, tables
from pokersvc.server.tables.servers import ServerStore, parts

ALONE: Final = 10
"""The weight in limits of a table with only bots, which plays on without people; other tables weigh 1."""
MOST_KNOWN: Final = 2048
"""The number of games that stay in memory, or more if more may be open: a row takes 2 to 4 kB."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A game in progress at a table."""

    game_id: str
    kind: str
    count: int
    """The number of events of its game."""


class TableStore(ServerStore):
    """The tables of a database, with room in memory for at least ``most_open`` of them; thread-safe."""

    def __init__(self, database: Database, most_open: int = 0) -> None:
        super().__init__(database)
        self._most_known = max(MOST_KNOWN, most_open)
        self._mark = Prepared(_MARK, database.dialect)
        self._known: dict[str, TableRow] = {}
        """Recently loaded tables, least recently loaded first; finding a table unchanged does not count as loading."""
        self._lock = Lock()

    def get(self, game_id: str) -> TableRow:
        """Return a game with its table; raise `UnknownTable` if there is none with that ID."""
        return self.look(game_id)[0]

    def find(self, id_: str, game_id: str | None = None) -> TableRow:
        """Return the game that an address names; raise `UnknownTable` if there is none.

        The ID of a game means that game; the ID of a table means its last game, or the game of the table that is named.
        """
        with suppress(UnknownTable):
            row = self.get(game_id or id_)
            if game_id is None or id_ in (row.table_id, row.game_id):
                return row
        if game_id is not None:
            raise unknown_table()
        with self._database.read_once() as connection:
            last = connection.execute(_LAST, {"id": id_}).scalar()
        if last is None:
            raise unknown_table()
        return self.get(last)

    def look(self, game_id: str) -> tuple[TableRow, int]:
        """Return a game with its table, and its number of events; raise `UnknownTable` if none has that ID.

        A game that was read before is only checked for changes.
        """
        if (known := self._known.get(game_id)) is not None:
            for changes, runner, events in self._database.rows(self._mark, {"id": game_id}):
                if (changes, runner) == (known.changes, known.runner):
                    return known, cast(int, events)
        with self._database.read_once() as connection:
            rows = connection.execute(_TABLE, {"id": game_id}).all()
        if not rows:
            raise unknown_table()
        seats = [seat_of(row) for row in rows]
        found = table_of(rows[0], seats)
        self._keep(found)
        return found, rows[0].events

    def _keep(self, row: TableRow) -> None:
        with self._lock:
            self._known.pop(row.game_id, None)
            self._known[row.game_id] = row
            if len(self._known) > self._most_known:
                del self._known[next(iter(self._known))]

    def lobby(self, limit: int) -> list[TableRow]:
        """Return the games of public tables that are not over, newest first."""
        return self._listed(tables.c.public & (table_games.c.status != "over"), limit)

    def finished(self, limit: int) -> list[TableRow]:
        """Return the games of public tables that are over, newest first."""
        return self._listed(tables.c.public & (table_games.c.status == "over"), limit)

    def games(self, table_id: str, limit: int) -> list[TableRow]:
        """Return the games of a table, the last one first."""
        return self._listed(tables.c.table_id == table_id, limit)

    def begun_before(self, moment: str) -> list[Begun]:
        """Return the games in progress that started before a moment, without reading their tables."""
        begun = (
            select(table_games.c.game_id, table_games.c.kind, games.c.count)
            .join(games, games.c.game_id == table_games.c.game_id)
            .join(events, (events.c.game_id == table_games.c.game_id) & (events.c.seq == 1))
            .where(table_games.c.status == "playing", events.c.recorded_at < moment)
        )
        with self._database.read() as connection:
            return [Begun(*row) for row in connection.execute(begun)]

    def open_count(self) -> int:
        """Return the number of games that are not over."""
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(table_games).where(_NOT_OVER)) or 0

    def open_weight(self) -> int:
        """Return the total weight of the games that are not over; see `ALONE`."""
        with self._database.read() as connection:
            return connection.scalar(select(func.sum(_WEIGHT)).where(_NOT_OVER)) or 0

    def open_among(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the weights of those of these tables that have an unfinished game, by table ID."""
        still = select(table_games.c.table_id, _WEIGHT.label("weight")).where(_NOT_OVER)
        with self._database.read() as connection:
            return {
                row.table_id: row.weight
                for some in parts(table_ids)
                for row in connection.execute(still.where(table_games.c.table_id.in_(some)))
            }

    def marks(self, game_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Map each game to its number of changes and its number of events."""
        found: dict[str, tuple[int, int]] = {}
        statement = select(table_games.c.game_id, table_games.c.changes, func.coalesce(games.c.count, 0)).outerjoin(
            games, games.c.game_id == table_games.c.game_id
        )
        with self._database.read() as connection:
            for some in parts(game_ids):
                for game_id, changes, count in connection.execute(statement.where(table_games.c.game_id.in_(some))):
                    found[game_id] = changes, count
        return found

    def create(self, row: TableRow) -> None:
        """Store a new table with its first game."""
        with self._database.append() as connection:
            connection.execute(
                insert(tables),
                {
                    "table_id": row.table_id,
                    "name": row.name,
                    "public": row.public,
                    "created_at": row.created_at,
                    "host": row.host,
                    "invitation": row.invitation,
                    "access": row.access.json,
                },
            )
            insert_game(connection, row)

    def forget(self, before: str) -> list[str]:
        """End the games that were prepared before a moment and are still waiting; return their IDs.

        A table whose first game never began is closed with it.
        """
        old = (table_games.c.status == "waiting") & (table_games.c.created_at < before)
        with self._database.append() as connection:
            found = list(connection.scalars(select(table_games.c.game_id).where(old).with_for_update()))
            for some in parts(found):
                these = table_games.c.game_id.in_(some)
                first = select(table_games.c.table_id).where(these, table_games.c.number == 1)
                connection.execute(update(tables).where(tables.c.table_id.in_(first)).values(closed_at=before))
                ended = update(table_games).where(these)
                connection.execute(ended.values(status="over", changes=table_games.c.changes + 1))
        return found

    def close_idle(self, before: str) -> list[str]:
        """Close tables whose last game is over and had its last event before a moment; return the games' IDs."""
        last = (
            select(table_games.c.game_id, table_games.c.table_id)
            .join(tables, tables.c.table_id == table_games.c.table_id)
            .outerjoin(games, games.c.game_id == table_games.c.game_id)
            .outerjoin(events, (events.c.game_id == games.c.game_id) & (events.c.seq == games.c.count))
            .where(
                tables.c.closed_at.is_(None),
                table_games.c.status == "over",
                _NEXT.is_(None),
                func.coalesce(events.c.recorded_at, table_games.c.created_at) < before,
            )
        )
        with self._database.append() as connection:
            found = connection.execute(last).all()
            for some in parts([row.table_id for row in found]):
                connection.execute(update(tables).where(tables.c.table_id.in_(some)).values(closed_at=before))
            for some in parts([row.game_id for row in found]):
                changed = update(table_games).where(table_games.c.game_id.in_(some))
                connection.execute(changed.values(changes=table_games.c.changes + 1))
        return [row.game_id for row in found]

    @contextmanager
    def changing(self, game_id: str) -> Iterator[Changing]:
        """Yield a game and its table for changes; nobody else changes them at the same time."""
        with self._database.append() as connection:
            row = connection.execute(_GAME.where(table_games.c.game_id == game_id).with_for_update()).first()
            if row is None:
                raise unknown_table()
            seats = connection.execute(_SEATS.where(table_seats.c.game_id == game_id)).all()
            yield Changing(connection, table_of(row, [seat_of(one) for one in seats]))

    def _listed(self, which: ColumnElement[bool], limit: int) -> list[TableRow]:
        """Return games, the newest first."""
        newest = _GAME.where(which).order_by(table_games.c.created_at.desc(), table_games.c.number.desc()).limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(newest).all()
            seats: dict[str, list[SeatRow]] = {row.game_id: [] for row in rows}
            for some in parts(list(seats)):
                for row in connection.execute(_SEATS.where(table_seats.c.game_id.in_(some))):
                    seats[row.game_id].append(seat_of(row))
        return [table_of(row, seats[row.game_id]) for row in rows]


_OF_SEAT = [
    table_seats.c.seat,
    table_seats.c.kind.label("seat_kind"),
    table_seats.c.name.label("seat_name"),
    table_seats.c.token,
    table_seats.c.since,
    table_seats.c.came,
    table_seats.c.taken_at,
    table_seats.c.carried,
    table_seats.c.link,
    table_seats.c.came_at,
    table_seats.c.admitted,
    table_seats.c.removed,
    table_seats.c.person,
]
_SEATS = select(table_seats.c.game_id, *_OF_SEAT).order_by(table_seats.c.game_id, table_seats.c.seat)
_LATER = table_games.alias("later")
_NEXT = (
    select(_LATER.c.game_id)
    .where(_LATER.c.table_id == table_games.c.table_id, _LATER.c.number == table_games.c.number + 1)
    .scalar_subquery()
)
"""The ID of the next game of a game's table."""
_GAME = select(
    table_games,
    tables.c.name,
    tables.c.public,
    tables.c.host,
    tables.c.closed_at,
    tables.c.invitation,
    tables.c.access,
    tables.c.host_came_at,
    _NEXT.label("next_game"),
).join(tables, tables.c.table_id == table_games.c.table_id)
_TABLE = (
    _GAME.add_columns(func.coalesce(games.c.count, 0).label("events"), *_OF_SEAT)
    .join(table_seats, table_seats.c.game_id == table_games.c.game_id)
    .outerjoin(games, games.c.game_id == table_games.c.game_id)
    .where(table_games.c.game_id == bindparam("id"))
    .order_by(table_seats.c.seat)
)
_LAST = (
    select(table_games.c.game_id)
    .where(table_games.c.table_id == bindparam("id"))
    .order_by(table_games.c.number.desc())
    .limit(1)
)
"""Query for the last game of a table."""


_MARK = (
    select(table_games.c.changes, table_games.c.runner, func.coalesce(games.c.count, literal_column("0")))
    .outerjoin(games, games.c.game_id == table_games.c.game_id)
    .where(table_games.c.game_id == bindparam("id"))
)
"""Query for a game's changes, runner and number of events; any change of the row changes one of the first two."""


_NOT_OVER = table_games.c.status != "over"
_WEIGHT = case(
    (
        exists().where(
            table_seats.c.game_id == table_games.c.game_id,
            (table_seats.c.kind == HUMAN) | ((table_seats.c.kind == EMPTY) & (table_games.c.status == "waiting")),
        ),
        1,
    ),
    else_=ALONE,
)
"""Weight of a game: 1 if people sit there, or if it waits and has a free seat; else `ALONE`. People who got up during
the game do not count."""


def weight_within(most: int, weight: int) -> int:
    """Return the weight, limited so that even a limit below `ALONE` allows one table with bots only."""
    return min(weight, most)


def unknown_table() -> UnknownTable:
    """Return the error for an ID that no table has."""
    return UnknownTable("There is no such table: look at the link again, or at the lobby.")
