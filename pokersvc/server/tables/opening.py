"""Makes, fills and starts tables; only here is it decided which options and bots a request may name."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import uuid4

from pokersvc.core.game import Game
from pokersvc.core.names import alike, unlike
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, check_name, open_seat
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.commands import Commands, joins, setup_of
from pokersvc.server.errors import NotAllowed, TooMany, WrongTime, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.settings import Settings
from pokersvc.server.tables.information import default_name, programs_of
from pokersvc.server.tables.open_seats import RunningSeats, Taken, none_free
from pokersvc.server.tables.store import EMPTY, Changing, SeatRow, TableRow, TableStore, weight_within
from pokersvc.server.tokens import digest_of, new_token
from pokersvc.service import LogFull, Service
from pokersvc.service.sharing import check_dealing
from pokersvc.text import listed

FORGOTTEN: Final = timedelta(hours=1)
"""The age at which waiting tables end if the server is full: otherwise one person could keep all others out."""


class Made(NamedTuple):
    """A new table, and its tokens, which nobody can read again."""

    table: TableRow
    host: str
    seats: dict[int, str]


class Opening:
    """Actions of the host and of guests at a table, for any number of threads."""

    def __init__(self, service: Service, tables: TableStore, commands: Commands, hub: Hub, settings: Settings) -> None:
        self._service, self._tables, self._commands, self._hub = service, tables, commands, hub
        self._settings = settings
        self._chairs = RunningSeats(service, tables, commands, hub)

    def make(self, asked: NewTable) -> Made:
        """Make a table; anything that would prevent its start is refused now."""
        game = game_of(asked.kind)
        check_options(game, asked.options)
        self._make_room(asked.weight)
        tokens: dict[int, str] = {}
        seats = [self._seat(game, number, asked, tokens) for number in range(1, len(asked.seats) + 1)]
        seats = _named(seats)
        host = new_token()
        row = TableRow(
            table_id=str(uuid4()),
            kind=asked.kind,
            name=asked.name,
            options=asked.options,
            rounds=asked.rounds,
            settings=asked.settings.model_dump(),
            public=asked.public,
            status="waiting",
            created_at=timestamp(datetime.now(UTC)),
            host=digest_of(host),
            changes=1,
            runner=None,
            seats=tuple(seats),
        )
        for seat in seats:
            _check_not_open(row, seat.seat, seat.name or "")
        _check_start(_filled(row))
        self._tables.create(row)
        return Made(row, host, tokens)

    def _make_room(self, weight: int) -> None:
        """Raise `TooMany` if there is no room for a table, even after long-waiting tables have been ended."""
        most = self._settings.limits.open_tables
        weight = weight_within(most, weight)
        if self._tables.open_weight() + weight > most:
            for forgotten in self._tables.forget(timestamp(datetime.now(UTC) - FORGOTTEN)):
                self._hub.news(forgotten)
            if self._tables.open_weight() + weight > most:
                raise TooMany("The server has as many tables as it can hold: try again later.")

    def sit(self, table_id: str, name: str, number: int | None) -> Taken:
        """Take an empty seat of a public table: before the game, which starts when all are taken, or while it runs.

        The latter is for games in which people come and go: there they sit down between two rounds.
        """
        row = self._tables.get(table_id)
        if row.status == "playing" and joins(row):
            return self._chairs.take(table_id, name, number)
        token = new_token()
        with self._tables.changing(table_id) as table:
            row = table.row
            if not row.public:
                raise NotAllowed("This table is private: only the links of its seats lead to them.")
            table.require("waiting", "The game has started, so nobody can sit down any more; you can watch.")
            if number is None:
                if not row.empty:
                    raise none_free()
                number = row.empty[0]
            if row.seat(number).kind != EMPTY:
                raise WrongTime("seat_taken", "That seat is taken; sit at another, or watch.")
            _check_free(row, number, name)
            table.seat(SeatRow(number, HUMAN, check_name(name), digest_of(token), came=True))
            full = not table.row.empty
        self._hub.news(table_id)
        if full:
            self.start(table_id)
        return Taken(number, token)

    def come(self, door: SeatRequest) -> None:
        """Note that somebody has opened the link of a seat; everybody at the table is shown that."""
        if door.seat.came:
            return
        table_id, number = door.table.table_id, door.seat.seat
        with self._tables.changing(table_id) as table:
            seat = table.row.seat(number)
            if seat.token != door.seat.token:
                raise WrongToken
            if not seat.came:
                table.seat(replace(seat, came=True))
        self._hub.news(table_id)

    def rename(self, table_id: str, number: int, name: str, holder: bytes | None) -> None:
        """Name the person at a seat, before the game; raise `WrongToken` if the seat is no longer the holder's.

        ``holder`` is the digest of the token by which they were let in.
        """
        with self._tables.changing(table_id) as table:
            table.require("waiting", "The game has started, so names stay as they are.")
            seat = table.row.seat(number)
            if seat.token != holder:
                raise WrongToken
            if seat.name == name:
                return
            _check_free(table.row, number, name)
            table.seat(replace(seat, name=check_name(name)))
        self._hub.news(table_id)

    def start(self, table_id: str) -> None:
        """Start the game, unless it has started; raise `WrongTime` if a needed seat is empty or the table is closed."""
        row = self._tables.get(table_id)
        if row.status == "over":
            raise WrongTime("over", "The table is closed.")
        if row.status == "waiting":
            self._started(table_id)
        self._commands.start_once(self._tables.get(table_id))

    def _started(self, table_id: str) -> None:
        """Mark the table as playing before its game is recorded; after a crash in between, the game still starts."""
        with self._tables.changing(table_id) as table:
            if table.row.status == "waiting":
                _check_filled(table.row)
                _check_start(table.row)
                table.status("playing")

    def put_program(self, table_id: str, number: int, kind: str) -> None:
        """Put a bot on an empty seat, before the game starts."""
        with self._tables.changing(table_id) as table:
            table.require("waiting", "The game has started, so its players stay as they are.")
            seat = self._empty_seat(table, number)
            self._check_program(game_of(table.row.kind), kind)
            name = seat.name or default_name(number, _names(table.row, number))
            table.seat(SeatRow(number, kind, name))
        self._hub.news(table_id)

    def clear(self, table_id: str, number: int) -> None:
        """Remove whoever sits at a seat, before the game starts or between two rounds."""
        with self._tables.changing(table_id) as table:
            seat = table.row.seat(number)
            waiting = table.row.status == "waiting"
            if waiting:
                table.seat(SeatRow(seat.seat, EMPTY))
        if waiting:
            self._hub.news(table_id)
        else:
            self._chairs.clear(table_id, number)

    def new_link(self, table_id: str, number: int) -> str:
        """Give a person's seat a new token and return it; the old one ends, and the new one shows no earlier hand."""
        token = new_token()
        with suppress(UnknownGame):
            self._service.check_room(table_id)
        with self._tables.changing(table_id) as table:
            before, waiting = table.row.seat(number), table.row.status == "waiting"
            seat = before
            if seat.kind == EMPTY and (waiting or joins(table.row)):
                name = default_name(number, _names(table.row, number))
                seat = SeatRow(number, HUMAN, name)
            if seat.kind != HUMAN:
                raise NotAllowed("A bot sits there, and bots need no link.")
            # During a game the old link ends before the new one can see anything, so it sends nothing in between.
            given = replace(seat, token=digest_of(token) if waiting else None, came=False, taken_at=None)
            table.seat(given)
        if not waiting:
            try:
                return self._chairs.hand_over(table_id, number)
            except LogFull:
                self._chairs.put_back(table_id, before, given)
                raise
        self._hub.news(table_id)
        return token

    def close(self, table_id: str) -> None:
        """Close a table, which ends its game."""
        with self._tables.changing(table_id) as table:
            waiting = table.row.status == "waiting"
            if waiting:
                table.status("over")
        if waiting:
            self._hub.news(table_id)
        else:
            self._commands.close(table_id)

    def at_table(self, table_id: str, action: TableAction) -> None:
        """Pause the table, or resume it."""
        self._commands.at_table(table_id, action)

    def go_on(self, table_id: str) -> None:
        """Begin the next round."""
        self._commands.begin_round(table_id)

    def _empty_seat(self, table: Changing, number: int) -> SeatRow:
        seat = table.row.seat(number)
        if seat.kind == HUMAN and seat.token is not None and table.row.public:
            raise WrongTime("seat_taken", "Somebody sits there; remove them first.")
        return seat

    def _seat(self, game: Game, number: int, asked: NewTable, tokens: dict[int, str]) -> SeatRow:
        """Return a new seat: a bot's, a person's with a token, or an empty one for the lobby or the host to fill."""
        seat = asked.seats[number - 1]
        name = None if seat is None else seat.name
        if seat is not None and seat.program is not None:
            self._check_program(game, seat.program)
            return SeatRow(number, seat.program, name)
        if name is None and asked.public:
            return SeatRow(number, EMPTY)
        tokens[number] = new_token()
        return SeatRow(number, HUMAN, name, digest_of(tokens[number]))

    def _check_program(self, game: Game, kind: str) -> None:
        allowed = programs_of(game, self._settings.programs)
        if kind not in allowed:
            raise InvalidValue(f"There is no bot {kind!r} here; the bots are {', '.join(allowed)}.")


def check_options(game: Game, given: Mapping[str, object]) -> None:
    """Raise `InvalidValue` for options that strangers may not use: rules must be a house or written out, never a path.

    The names of options are the game's own (`Option.open`). ``rules``, which may be a path in a terminal, may only be a
    house's name or a table of rules.
    """
    known = {option.name: option for option in game.own_options if option.open}
    houses = [house.name for house in game.houses()]
    for name, value in given.items():
        if name == "rules" and houses:
            if not isinstance(value, dict) and value not in houses:
                raise InvalidValue(
                    f"{value!r} is not a house; the houses are {', '.join(houses)}, or send the rules themselves."
                )
        elif name not in known:
            options = ", ".join([*(["rules"] if houses else []), *known]) or "none"
            raise InvalidValue(f"{game.kind!r} has no option {name!r} here; its options are {options}.")
        elif type(value) is not (of := known[name].of_form):
            raise InvalidValue(f"The option {name!r} must be of type {of.__name__}, not {value!r}.")


def _named(seats: list[SeatRow]) -> list[SeatRow]:
    """Return the seats with a name for everybody who has none yet."""
    taken = [seat.name for seat in seats if seat.name]
    named = []
    for seat in seats:
        if seat.kind == EMPTY or seat.name:
            named.append(seat)
            continue
        name = default_name(seat.seat, taken)
        taken.append(name)
        named.append(replace(seat, name=name))
    return named


def _names(row: TableRow, but: int) -> list[str]:
    return [seat.name for seat in row.seats if seat.name and seat.seat != but]


def _check_free(row: TableRow, number: int, name: str) -> None:
    unlike(name, _names(row, number))
    _check_not_open(row, number, name)


def _check_not_open(row: TableRow, number: int, name: str) -> None:
    """Refuse a name like that which another seat bears while empty, if people can come and go during the game."""
    for other in row.seats if joins(row) else ():
        called = open_seat(other.seat).name
        if other.seat != number and alike(name, called):
            raise InvalidValue(f"{called!r} is the name of seat {other.seat} while it is open; take another name.")


def _check_filled(row: TableRow) -> None:
    """Refuse to start while a seat is empty; where people come and go, two taken seats are enough."""
    if not row.empty:
        return
    numbers = listed([str(seat) for seat in row.empty])
    if not joins(row):
        raise WrongTime("seat_empty", f"Nobody sits at seat {numbers} yet: wait, or put a bot there.")
    if len(row.seats) - len(row.empty) < FEWEST:
        raise WrongTime(
            "seat_empty", f"Nobody sits at seat {numbers} yet, and it takes two to play: wait, or put a bot there."
        )


FEWEST: Final = 2
"""The fewest players that a game in which people come and go starts with."""


def _filled(row: TableRow) -> TableRow:
    """Return a table as it would be with people at all empty seats."""
    seats = [replace(seat, kind=HUMAN) if seat.kind == EMPTY else seat for seat in row.seats]
    return replace(row, seats=tuple(_named(seats)))


def _check_start(row: TableRow) -> None:
    """Raise an error if the game could not be started at this table."""
    game, setup = game_of(row.kind), setup_of(row)
    game.start(setup)
    check_dealing(game, setup, TableSettings(**row.settings))
