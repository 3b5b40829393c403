"""Tables and their games in the database: read and changed, each change in one transaction."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, Literal, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Update,
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
from pokersvc.server.errors import UnknownTable, WrongTime
from pokersvc.server.tables.access import AT_FIRST, Access
from pokersvc.server.tables.schema import shared_hands, table_games, table_seats, tables
from pokersvc.server.tables.servers import ServerStore, parts

EMPTY = "empty"
"""The kind of a seat that waits for somebody."""
ALONE: Final = 10
"""The weight in limits of a table with bots alone, which plays on without anybody; other tables weigh 1."""
MOST_KNOWN: Final = 2048
"""Games that stay in memory, unless more may be open: a row takes 2 to 4 kB."""
Status = Literal["waiting", "playing", "over"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a table."""

    seat: int
    kind: str
    """`EMPTY`, ``human``, or the kind of a bot."""
    name: str | None = None
    token: bytes | None = None
    """The digest of the token of whoever sits there; None if nobody has one."""
    since: int = 0
    """The number of the last event before the current link, which shows no secrets of events up to this number."""
    came: bool = False
    """Whether somebody has opened the link."""
    taken_at: str | None = None
    """When the seat of a running game was taken by, or given to, somebody who has yet to be dealt in; else None."""
    carried: int | None = None
    """What its player takes along from the table's game before, such as chips of a cash game; None if nothing."""
    link: bytes | None = None
    """The digest of the token in the seat's own link, which is exchanged once for ``token``; None without a link."""
    came_at: str | None = None
    """When its player came, by a link or from another device, to the device that has the seat; None if unknown."""
    admitted: bool = True
    """Whether the host has let its player in; until then they see what watchers see."""
    removed: bool = False
    """Whether the host has asked, in a round, that its player be removed once the round is over."""
    person: int | None = None
    """The number of its player at the table, if they took it during the game and had another seat before; else None."""

    @property
    def given(self) -> bool:
        """Whether its player came, or is to come, by the seat's own link."""
        return self.link is not None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table with one of its games, as they are stored."""

    table_id: str
    """The ID of the table, which stays from game to game."""
    game_id: str
    number: int
    """The number of the game among those of the table, from 1."""
    kind: str
    name: str
    options: Mapping[str, Any]
    """The options as they were requested."""
    rounds: int | None
    settings: Mapping[str, Any]
    public: bool
    status: Status
    created_at: str
    """The time at which this game was prepared; the first one is prepared with its table."""
    host: bytes
    """The digest of the host's token."""
    changes: int
    """The number of the game's changes outside its log, and of reports by other servers that somebody is there."""
    runner: str | None
    """The server that runs the game's bots and clock."""
    seats: tuple[SeatRow, ...]
    next_game: str | None = None
    """The ID of the table's next game; None for its last one."""
    closed: bool = False
    """Whether no other game begins at the table."""
    invitation: bytes | None = None
    """The digest of the token in the link to sit down; None if there is no such link."""
    access: Access = AT_FIRST
    """What the host has decided about people."""
    host_came_at: str | None = None
    """When the host's rights came to the device that has them, by a move; None if they never moved."""

    def seat(self, number: int) -> SeatRow:
        """Return a seat, numbered from 1; raise `UnknownTable` if there is none with that number."""
        if not 1 <= number <= len(self.seats):
            raise UnknownTable(f"There is no seat {number} at this table; its seats are 1 to {len(self.seats)}.")
        return self.seats[number - 1]

    def shows_live(self, seat: SeatRow | None) -> bool:
        """Return whether a request sees the game live: anybody's without a delay, else that of an admitted player.

        Whoever took or was given a seat of a running game, and has yet to be dealt in, sees what watchers see; so does
        whoever has got up.
        """
        return not self.access.delay or (
            seat is not None and seat.admitted and seat.kind == HUMAN and seat.taken_at is None
        )

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
    """A game in progress at a table."""

    game_id: str
    kind: str
    count: int
    """The number of events of its game."""


class TableStore(ServerStore):
    """The tables of a database, for any number of threads; at least ``most_open`` of them fit in memory."""

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
        """Return the game that an address means; raise `UnknownTable` if there is none.

        The ID of a game means that game; the ID of a table means its last game, or the game of the table that is named.
        """
        with suppress(UnknownTable):
            row = self.get(game_id or id_)
            if game_id is None or id_ in (row.table_id, row.game_id):
                return row
        if game_id is not None:
            raise unknown_table()
        with self._database.look() as connection:
            last = connection.execute(_LAST, {"id": id_}).scalar()
        if last is None:
            raise unknown_table()
        return self.get(last)

    def look(self, game_id: str) -> tuple[TableRow, int]:
        """Return a game with its table, and its number of events; raise `UnknownTable` if none has that ID.

        For a game that was read before, only a check for changes is made.
        """
        if (known := self._known.get(game_id)) is not None:
            for changes, runner, events in self._database.ask(self._mark, {"id": game_id}):
                if (changes, runner) == (known.changes, known.runner):
                    return known, cast(int, events)
        with self._database.look() as connection:
            rows = connection.execute(_TABLE, {"id": game_id}).all()
        if not rows:
            raise unknown_table()
        seats = [_seat_of(row) for row in rows]
        found = _table_of(rows[0], seats)
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
        """Return the games that are in progress and started before a moment, without reading them."""
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
        """Return the weights of those of these tables at which a game is not over, by table ID."""
        still = select(table_games.c.table_id, _WEIGHT.label("weight")).where(_NOT_OVER)
        with self._database.read() as connection:
            return {
                row.table_id: row.weight
                for some in parts(table_ids)
                for row in connection.execute(still.where(table_games.c.table_id.in_(some)))
            }

    def marks(self, game_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return each game's number of changes, and its number of events."""
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
            _insert_game(connection, row)

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
        """Close the tables whose last game is over and had its last event before a moment; return those games' IDs."""
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
    def changing(self, game_id: str) -> Iterator["Changing"]:
        """Yield a game and its table to be changed; nobody else changes them meanwhile."""
        with self._database.append() as connection:
            row = connection.execute(_GAME.where(table_games.c.game_id == game_id).with_for_update()).first()
            if row is None:
                raise unknown_table()
            seats = connection.execute(_SEATS.where(table_seats.c.game_id == game_id)).all()
            yield Changing(connection, _table_of(row, [_seat_of(one) for one in seats]))

    def _listed(self, which: ColumnElement[bool], limit: int) -> list[TableRow]:
        """Return games, the newest first."""
        newest = _GAME.where(which).order_by(table_games.c.created_at.desc(), table_games.c.number.desc()).limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(newest).all()
            seats: dict[str, list[SeatRow]] = {row.game_id: [] for row in rows}
            for some in parts(list(seats)):
                for row in connection.execute(_SEATS.where(table_seats.c.game_id.in_(some))):
                    seats[row.game_id].append(_seat_of(row))
        return [_table_of(row, seats[row.game_id]) for row in rows]


class Changing:
    """A game, with its table, that is being changed in a transaction; ``row`` shows all changes so far."""

    def __init__(self, connection: Connection, row: TableRow) -> None:
        self._connection = connection
        self.row = row

    @property
    def connection(self) -> Connection:
        """The connection of the transaction, for what else is stored about the table."""
        return self._connection

    def require(self, status: Status, why: str) -> None:
        """Raise `WrongTime` with the sentence ``why`` unless the game has this status."""
        if self.row.status != status:
            raise WrongTime(f"not_{status}", why)

    def seat(self, seat: SeatRow) -> None:
        """Replace the seat that has the same number; a token or link that it loses opens no game of the table."""
        before = self.row.seat(seat.seat)
        self._put(seat)
        for column, held, now in (
            (table_seats.c.token, before.token, seat.token),
            (table_seats.c.link, before.link, seat.link),
        ):
            if held is not None and held != now:
                self._everywhere(column == held, {column.name: None})

    def put(self, seats: Sequence[SeatRow]) -> None:
        """Replace seats among which people have changed places: their tokens and links stay good."""
        for seat in seats:
            self._put(seat)

    def _put(self, seat: SeatRow) -> None:
        self._connection.execute(
            update(table_seats)
            .where(table_seats.c.game_id == self.row.game_id, table_seats.c.seat == seat.seat)
            .values(_seat_values(self.row.game_id, seat))
        )
        seats = list(self.row.seats)
        seats[seat.seat - 1] = seat
        self._changed(seats=tuple(seats))

    def hold(self, seat: SeatRow, token: bytes, came_at: str | None) -> None:
        """Give the holder of a seat a new token, in all games of the table in which they had the old one, or the link.

        ``came_at`` is when the link was exchanged.
        """
        before = seat.token
        self._put(replace(seat, token=token, came=True, came_at=came_at))
        same = (table_seats.c.token == before) if before is not None else (table_seats.c.link == seat.link)
        self._everywhere(same, {"token": token, "came": True, "came_at": came_at})

    def pass_on(self, before: bytes, token: bytes, came_at: str | None) -> None:
        """Give whoever holds a token another one, in all games of the table, and for the hands that they share.

        ``came_at`` is when they came to the device with that token.
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
        """Replace the token of the link to sit down."""
        self._table(invitation=token)
        self.row = replace(self.row, invitation=token)

    def access(self, access: Access) -> None:
        """Change what the host decides about people."""
        self._table(access=access.json)
        self.row = replace(self.row, access=access)

    def host(self, token: bytes, came_at: str) -> None:
        """Replace the host's token, as the host's rights came to another device at that time."""
        self._table(host=token, host_came_at=came_at)
        self.row = replace(self.row, host=token, host_came_at=came_at)

    def _table(self, **values: object) -> None:
        """Change what a table has once for all its games, each of which is then read again."""
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
        """Close the table: no other game begins at it."""
        closed = update(tables).where(tables.c.table_id == self.row.table_id, tables.c.closed_at.is_(None))
        self._connection.execute(closed.values(closed_at=moment))
        self._changed(closed=True)

    def touch(self) -> None:
        """Count the game as changed, so that those who follow it look for something new, such as chat."""
        self._changed()

    def follow(self, row: TableRow) -> None:
        """Store the table's next game."""
        _insert_game(self._connection, row)
        self._changed(next_game=row.game_id)

    def _changed(self, **what: Any) -> None:
        self._connection.execute(_of(self.row.game_id).values(changes=table_games.c.changes + 1))
        self.row = replace(self.row, changes=self.row.changes + 1, **what)


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
"""Weight of a game: 1 if people sit there, or may before it begins. Those who got up during the game do not count."""


def weight_within(most: int, weight: int) -> int:
    """Return the weight, but at most the limit, so that a limit below `ALONE` still allows one table of bots alone."""
    return min(weight, most)


def _of(game_id: str) -> Update:
    return update(table_games).where(table_games.c.game_id == game_id)


def _insert_game(connection: Connection, row: TableRow) -> None:
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
    connection.execute(insert(table_seats), [_seat_values(row.game_id, seat) for seat in row.seats])


def unknown_table() -> UnknownTable:
    """Return the error for an ID that no table has."""
    return UnknownTable("There is no such table: look at the link again, or at the lobby.")


def _digest(stored: bytes | None) -> bytes | None:
    return None if stored is None else bytes(stored)


def _table_of(row: Row[Any], seats: Sequence[SeatRow]) -> TableRow:
    return TableRow(
        table_id=row.table_id,
        game_id=row.game_id,
        number=row.number,
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
        next_game=row.next_game,
        closed=row.closed_at is not None,
        invitation=_digest(row.invitation),
        access=Access.of_json(row.access),
        host_came_at=row.host_came_at,
    )


def _seat_of(row: Row[Any]) -> SeatRow:
    return SeatRow(
        seat=row.seat,
        kind=row.seat_kind,
        name=row.seat_name,
        token=_digest(row.token),
        since=row.since,
        came=bool(row.came),
        taken_at=row.taken_at,
        carried=row.carried,
        link=_digest(row.link),
        came_at=row.came_at,
        admitted=bool(row.admitted),
        removed=bool(row.removed),
        person=row.person,
    )


def _seat_values(game_id: str, seat: SeatRow) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "seat": seat.seat,
        "kind": seat.kind,
        "name": seat.name,
        "token": seat.token,
        "since": seat.since,
        "came": seat.came,
        "taken_at": seat.taken_at,
        "carried": seat.carried,
        "link": seat.link,
        "came_at": seat.came_at,
        "admitted": seat.admitted,
        "removed": seat.removed,
        "person": seat.person,
    }
