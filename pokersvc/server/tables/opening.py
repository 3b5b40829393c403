"""Makes, fills and starts tables; no other module decides which options and bots a request may name."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import uuid4

from pokersvc.core.actions import IllegalAction
from pokersvc.core.game import Game
from pokersvc.core.names import apart
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Option, Options
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.errors import InvalidValue, about
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.commands import Commands, joins, setup_of
from pokersvc.server.errors import NotAllowed, TooMany, WrongTime
from pokersvc.server.following.hub import Hub
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.settings import Settings
from pokersvc.server.tables.changing import Changing
from pokersvc.server.tables.information import default_name, programs_of
from pokersvc.server.tables.open_seats import RunningSeats, Taken, none_free
from pokersvc.server.tables.people import check_free, check_invited, check_not_open, newcomer, others, sits_by
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.server.tables.store import ALONE, TableStore, weight_within
from pokersvc.server.tokens import digest_of, new_token
from pokersvc.service import LogFull, Service
from pokersvc.service.sharing import check_dealing
from pokersvc.text import listed

LATER: Final = ("not_between_rounds", "shares_awaited")
"""The codes of errors that say that a player cannot be removed now, but only after the round."""
PART: Final = 1000
"""The number of a game's events that are read at once, to find who has left it."""
FORGOTTEN: Final = timedelta(hours=1)
"""The age at which waiting tables end if the server is full: otherwise one person could keep all others out."""


class Made(NamedTuple):
    """A new table and its tokens, which cannot be read again."""

    table: TableRow
    host: str
    invitation: str
    """The token of the link to sit down."""
    seats: dict[int, str]
    """Seat → the token of its own link, for people who are named."""


class Opening:
    """Actions of the host and of guests at a table; thread-safe."""

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
        host, invitation = new_token(), new_token()
        row = TableRow(
            table_id=str(uuid4()),
            game_id=str(uuid4()),
            number=1,
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
            invitation=digest_of(invitation),
        )
        for seat in seats:
            with about(f"seats.{seat.seat}.name"):
                check_not_open(row, seat.seat, seat.name or "")
        _check_names(seats)
        _check_start(_filled(row))
        self._tables.create(row)
        return Made(row, host, invitation, tokens)

    def _make_room(self, weight: int) -> None:
        """Raise `TooMany` if there is no room for a table, even after long-waiting tables have been ended."""
        most = self._settings.limits.open_tables
        weight = weight_within(most, weight)
        if self._tables.open_weight() + weight > most:
            for forgotten in self._tables.forget(timestamp(datetime.now(UTC) - FORGOTTEN)):
                self._hub.news(forgotten)
            if self._tables.open_weight() + weight > most:
                raise TooMany("The server has as many tables as it can hold: try again later.")

    def sit(self, game_id: str, name: str, number: int | None, link: str | None, fresh: str | None = None) -> Taken:
        """Take an empty seat before the game, or during it if people can come and go (they sit down between rounds).

        ``link`` is the token of the table's link to sit down, needed unless the table is public. ``fresh`` is the
        token that the device wants: with it, a device that missed the answer may ask again. The game of a public table
        starts when all seats are taken.
        """
        row = self._tables.get(game_id)
        if row.status == "playing" and joins(row):
            return self._chairs.take(game_id, name, number, link, fresh)
        token = fresh or new_token()
        with self._tables.changing(game_id) as table:
            row = table.row
            check_invited(row, link)
            if (mine := sits_by(row, fresh)) is not None:
                return Taken(mine.seat, token)
            table.require("waiting", "The game has started, so nobody can sit down any more; you can watch.")
            if number is None:
                if not row.empty:
                    raise none_free()
                number = row.empty[0]
            if row.seat(number).kind != EMPTY:
                raise WrongTime("seat_taken", "That seat is taken; sit at another, or watch.")
            check_free(row, number, name)
            table.seat(newcomer(row, number, name, token))
            row = table.row
        self._hub.news(game_id)
        if row.public and not row.empty and all(seat.admitted for seat in row.seats):
            self.start(game_id)
        return Taken(number, token)

    def change_seats(self, game_id: str, holder: SeatRow, to: int, name: str) -> int:
        """Let a person who got up in a running cash game take another free seat; return its number."""
        return self._chairs.change(game_id, holder, to, name)

    def start(self, game_id: str) -> None:
        """Start the game, unless it has started; raise `WrongTime` if a needed seat is empty or the table is closed."""
        row = self._tables.get(game_id)
        if row.status == "over":
            raise WrongTime("over", "The table is closed.")
        if row.status == "waiting":
            self._started(game_id)
        self._commands.start_once(self._tables.get(game_id))

    def _started(self, game_id: str) -> None:
        """Mark the table as playing before its game is recorded; after a crash in between, the game still starts."""
        with self._tables.changing(game_id) as table:
            if table.row.status == "waiting":
                _check_filled(table.row)
                _check_start(table.row)
                table.status("playing")

    def put_program(self, game_id: str, number: int, kind: str) -> None:
        """Put a bot on an empty seat, before the game starts."""
        with self._tables.changing(game_id) as table:
            table.require("waiting", "The game has started, so its players stay as they are.")
            seat = self._empty_seat(table, number)
            self._check_program(game_of(table.row.kind), kind)
            name = seat.name or default_name(number, others(table.row, number))
            table.seat(SeatRow(number, kind, name))
        self._hub.news(game_id)

    def clear(self, game_id: str, number: int) -> None:
        """Remove the player at a seat: at once before the game and between two rounds, else after the round.

        The player's tokens end at that time, and from now on the host admits each newcomer.
        """
        status = self._tables.get(game_id).status
        if status == "playing":
            try:
                self._chairs.clear(game_id, number)
            except IllegalAction as refused:
                if refused.code not in LATER:
                    raise
                self._mark_removed(game_id, number)
        with self._tables.changing(game_id) as table:
            seat = table.row.seat(number)
            if status == "waiting":
                table.require("waiting", "The game has started; remove them again.")
                table.seat(SeatRow(number, EMPTY))
            elif status == "over":
                _leaves_after_the_game(table, seat)
            if seat.kind in (HUMAN, EMPTY) and table.row.access.admits == "all":
                table.access(replace(table.row.access, admits="each"))
        self._hub.news(game_id)

    def _mark_removed(self, game_id: str, number: int) -> None:
        """Note that the player at a seat is removed after the round; the runner removes them."""
        with self._tables.changing(game_id) as table:
            table.seat(replace(table.row.seat(number), removed=True))

    def new_link(self, game_id: str, number: int) -> str:
        """Give a person's seat a new link that shows no earlier hand, end the old one, and return the new token."""
        token = new_token()
        with suppress(UnknownGame):
            self._service.check_room(game_id)
        joining = self._chairs.joins_by(game_id, number)
        with self._tables.changing(game_id) as table:
            before, waiting = table.row.seat(number), table.row.status == "waiting"
            seat = before
            if seat.kind == EMPTY and (waiting or joins(table.row)):
                name = default_name(number, others(table.row, number))
                seat = SeatRow(number, HUMAN, name)
            if seat.kind != HUMAN:
                raise NotAllowed("A bot sits there, and bots need no link.")
            # During a game the old link ends before the new one shows anything: the old link sends nothing in between.
            given = replace(
                seat,
                token=None,
                link=digest_of(token) if waiting else None,
                came=False,
                came_at=None,
                taken_at=timestamp(datetime.now(UTC)) if joining and not waiting else None,
                admitted=True,
                person=None,
            )
            table.seat(given)
        if not waiting:
            try:
                return self._chairs.hand_over(game_id, number)
            except LogFull:
                self._chairs.put_back(game_id, before, given)
                raise
        self._hub.news(game_id)
        return token

    def close(self, game_id: str) -> None:
        """Close a table, which ends its game; no other game begins at it."""
        if self._tables.get(game_id).status == "playing":
            self.end(game_id)
        with self._tables.changing(game_id) as table:
            if table.row.next_game is not None or table.row.status == "playing":
                raise WrongTime("not_last", "Another game has begun at this table: close it there.")
            if table.row.status == "waiting":
                table.status("over")
            table.close(timestamp(datetime.now(UTC)))
        self._hub.news(game_id)

    def end(self, game_id: str) -> None:
        """End a game early; its table stays."""
        self._commands.close(game_id)

    def again(self, game_id: str) -> str:
        """Prepare the table's next game with the same people, start it unless a seat is empty, and return its ID.

        People who left the game before are not at the table any more. If there already is a next game, its ID is
        returned.
        """
        row = self._tables.get(game_id)
        if row.next_game is None:
            self._make_room(1 if row.people else ALONE)
        carried = self._carried(row)
        with self._tables.changing(game_id) as table:
            if table.row.next_game is None:
                if table.row.closed:
                    raise WrongTime("over", "The table is closed.")
                table.require("over", "The game is not over yet: play it to its end, or end it first.")
                table.follow(self._next(table.row, carried))
            next_game = table.row.next_game
        assert next_game is not None
        self._hub.news(game_id)
        if self._tables.get(next_game).status == "waiting":
            with suppress(WrongTime):  # a seat is empty, so the game waits for somebody
                self.start(next_game)
        return next_game

    def _carried(self, row: TableRow) -> tuple[int | None, ...]:
        """Return the amount that each seat carries over into the next game; None for a seat that begins afresh.

        If fewer than two players have chips to play with, those without chips begin with a new stack.
        """
        afresh = (None,) * len(row.seats)
        try:
            carried = self._service.carried_over(row.game_id)
        except UnknownGame:  # it was never started
            return tuple(seat.carried for seat in row.seats)
        if carried is None:
            return afresh
        few = sum(left > 0 for left in carried) < FEWEST
        return tuple(None if few and not left else left for left in carried)

    def _next(self, row: TableRow, carried: tuple[int | None, ...]) -> TableRow:
        """Return the next game at a table."""
        here = self._here(row)
        return replace(
            row,
            game_id=str(uuid4()),
            number=row.number + 1,
            status="waiting",
            created_at=timestamp(datetime.now(UTC)),
            changes=1,
            runner=None,
            seats=tuple(
                [
                    replace(seat, since=0, taken_at=None, carried=left, person=None)
                    if seat.seat in here
                    else SeatRow(seat.seat, EMPTY)
                    for seat, left in zip(row.seats, carried, strict=True)
                ]
            ),
        )

    def _here(self, row: TableRow) -> set[int]:
        """Return the seats of bots and of people who have not left the game, even of people who lost everything."""
        taken = {seat.seat for seat in row.seats if seat.kind != EMPTY and not seat.removed}
        if joins(row):  # in a cash game, a seat that was left is empty
            return taken
        with suppress(UnknownGame):
            count = self._service.status(row.game_id).count
            left: set[int | None] = set()
            for after in range(0, count, PART):  # a long log would not fit in memory at once
                told = self._service.with_secrets.part(row.game_id, after=after, upto=min(count, after + PART))
                left.update(map(game_of(row.kind).left_by, (one.event for one in told)))
            return taken - left
        return taken

    def remove_asked(self, row: TableRow, *, over: bool) -> None:
        """Remove the people whose removal the host asked for during the round, now that the round or game is over."""
        for seat in row.seats:
            if seat.removed and over:
                with self._tables.changing(row.game_id) as table:
                    _leaves_after_the_game(table, table.row.seat(seat.seat))
            elif seat.removed:
                self._chairs.clear(row.game_id, seat.seat)
        self._hub.news(row.game_id)

    def at_table(self, game_id: str, action: TableAction) -> None:
        """Pause the table, or resume it."""
        self._commands.at_table(game_id, action)

    def answer_purchase(self, game_id: str, seat: int, *, admits: bool) -> None:
        """Admit or refuse the purchase that a seat has asked for."""
        self._commands.answer_purchase(game_id, seat, admits=admits)

    def change_stakes(self, game_id: str, given: Options) -> None:
        """Change blinds, antes and bets between two rounds."""
        self._commands.change_stakes(game_id, given)

    def go_on(self, game_id: str) -> None:
        """Begin the next round."""
        self._commands.begin_round(game_id)

    def _empty_seat(self, table: Changing, number: int) -> SeatRow:
        seat = table.row.seat(number)
        if seat.kind == HUMAN and seat.token is not None and table.row.public:
            raise WrongTime("seat_taken", "Somebody sits there; remove them first.")
        return seat

    def _seat(self, game: Game, number: int, asked: NewTable, tokens: dict[int, str]) -> SeatRow:
        """Return a new seat: a bot's, that of a named person with a link of its own, or an empty one."""
        seat = asked.seats[number - 1]
        name = None if seat is None else seat.name
        if seat is not None and seat.program is not None:
            with about(f"seats.{number}.program"):
                self._check_program(game, seat.program)
            return SeatRow(number, seat.program, name)
        if name is None:
            return SeatRow(number, EMPTY)
        tokens[number] = new_token()
        return SeatRow(number, HUMAN, name, link=digest_of(tokens[number]))

    def _check_program(self, game: Game, kind: str) -> None:
        allowed = programs_of(game, self._settings.programs)
        if kind not in allowed:
            raise InvalidValue(f"There is no bot {kind!r} here; the bots are {', '.join(allowed)}.")


def check_options(game: Game, given: Mapping[str, object]) -> None:
    """Raise `InvalidValue` for options that strangers may not use: rules must be a house or written out, never a path.

    The names of options are the game's own (`Option.open`). ``rules``, which in a terminal may be a path, may here only
    be a house's name or a table of rules.
    """
    known = {option.name: option for option in game.own_options if option.open}
    houses = [house.name for house in game.houses()]
    for name, value in given.items():
        with about(name):
            _check_option(game, name, value, known, houses)


def _check_option(game: Game, name: str, value: object, known: Mapping[str, Option], houses: list[str]) -> None:
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
    elif known[name].may_be_file and str(value).endswith(".toml"):
        raise InvalidValue(f"The option {name!r} cannot be a file here, as {value!r} is; name a preset.")


def _named(seats: list[SeatRow]) -> list[SeatRow]:
    """Return the seats, with a default name for everybody who has no name yet."""
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


def _check_names(seats: list[SeatRow]) -> None:
    """Refuse a name that looks like the name at an earlier seat."""
    names = [seat.name or "" for seat in seats]
    for at, name in enumerate(names):
        with about(f"seats.{at + 1}.name"):
            apart([*filter(None, names[:at]), *filter(None, [name])])


def _check_filled(row: TableRow) -> None:
    """Refuse to start while a seat is empty; where people come and go, two taken seats are enough."""
    if waiting := [seat.seat for seat in row.seats if not seat.admitted]:
        raise WrongTime(
            "not_admitted", f"Seat {listed([*map(str, waiting)])} is not let in yet: let them in, or remove them."
        )
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
"""The minimum number of players with which a game in which people come and go can start."""


def _filled(row: TableRow) -> TableRow:
    """Return a table as it would be if a person sat at every empty seat."""
    seats = [replace(seat, kind=HUMAN) if seat.kind == EMPTY else seat for seat in row.seats]
    return replace(row, seats=tuple(_named(seats)))


def _check_start(row: TableRow) -> None:
    """Raise an error if the game could not be started at this table."""
    game, setup = game_of(row.kind), setup_of(row)
    game.start(setup)
    check_dealing(game, setup, TableSettings(**row.settings))


def _leaves_after_the_game(table: Changing, seat: SeatRow) -> None:
    """End the tokens of a seat of a finished game; the seat keeps its name and its hands."""
    table.seat(replace(seat, token=None, link=None, removed=True))
