"""Seats of a running game in which people come and go: who may take one, and what happens to it afterwards.

A seat is free while nobody has sat there yet, and again as soon as its holder has got up. The holder's link works until
somebody else takes the seat: with it they may watch as before, and sit down again.

A seat that somebody took is kept for `KEPT`, then until the next round begins. Between two rounds, `KEPT` starts over
when a round ends, because nobody could sit down during that round. A seat that the host gave away by the seat's own
link is kept for its holder.

A person who does not sit at their seat may exchange it for another free one (`RunningSeats.change`). They stay the same
person, with the same device and token, but need a new name, because a name stays with its seat until somebody else sits
there.

Until newcomers are dealt in, they see only what watchers see (`SeatRow.taken_at`). Where people shuffle together,
newcomers see the game live from the moment they sit down, because their devices take part in the shuffle by which they
are dealt in.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from pokersvc.core.actions import BetweenRounds, IllegalAction
from pokersvc.core.names import same, unlike
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, OPEN, Seat, check_name
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import ReplaceSeat
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.commands import Commands, joins
from pokersvc.server.errors import NotAdmitted, WrongTime, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.tables.people import check_invited, newcomer, sits_by
from pokersvc.server.tables.persons import TablePersons
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.tokens import digest_of, new_token
from pokersvc.service import Service

KEPT: Final = timedelta(minutes=5)
"""How long a seat of a running game is kept for a person who took it but does not sit down; then others may take it."""
RECENT: Final = 500
"""The number of last events that are searched for a deal; two rounds have fewer."""
_OF_PEOPLE: Final = (HUMAN, EMPTY)
"""The kinds of seats at which people sit, or may sit down."""


class Taken(NamedTuple):
    """A seat that was taken, and its token."""

    seat: int
    token: str


class RunningSeats:
    """Actions of guests and of the host on the seats of a running game; thread-safe."""

    def __init__(self, service: Service, tables: TableStore, commands: Commands, hub: Hub) -> None:
        self._service, self._tables, self._commands, self._hub = service, tables, commands, hub
        self._persons = TablePersons(service, tables)
        commands.on_round = self.look_after_taken

    def take(self, game_id: str, name: str, number: int | None, link: str | None, fresh: str | None) -> Taken:
        """Take a free seat; its holder sits down with chips between two rounds. See `Opening.sit`."""
        row = self._tables.get(game_id)
        check_invited(row, link)
        token = fresh or new_token()
        if (mine := sits_by(row, fresh)) is not None:
            return Taken(mine.seat, token)
        check_name(name)
        self._commands.start_once(row)
        self._service.check_room(game_id)
        with self._tables.changing(game_id) as table:
            seen = self._service.status(game_id).count
            check_invited(table.row, link)
            seat = self._free(table.row, name, number)
            before = table.row.seat(seat)
            # As with a new link, the former holder must be unable to send anything before the new one can see anything.
            mine = replace(
                newcomer(table.row, seat, name, token), token=None, since=seen, taken_at=timestamp(datetime.now(UTC))
            )
            table.seat(mine)
        try:
            self._tell_unless_seated(game_id, before, seen)
        except BaseException:
            self.put_back(game_id, before, mine)
            raise
        self._give(game_id, seat, mine, token=digest_of(token))
        return Taken(seat, token)

    def change(self, game_id: str, holder: SeatRow, to: int, name: str) -> int:
        """Give a seat's holder, who does not sit there, another free seat in place of it; return that seat's number.

        ``holder`` is the former seat as it was when the person was let in. Their token moves to the new seat, which
        shows no earlier hand; the former seat becomes free. They sit down as the same person, owing blinds like a
        newcomer.
        """
        check_name(name)
        row = self._tables.get(game_id)
        if row.status != "playing" or not joins(row):
            raise WrongTime("not_joinable", "Seats are changed in a cash game that is being played.")
        if to == holder.seat:
            raise InvalidValue(f"Seat {to} is yours already: sit down there with chips.")
        self._commands.start_once(row)
        self._service.check_room(game_id)
        self._check_up(game_id, holder.seat)
        person = self._persons.holder(row, holder) or None
        with self._tables.changing(game_id) as table:
            left = self._held(table.row, holder)
            seen = self._service.status(game_id).count
            before = table.row.seat(self._free(table.row, name, to))
            mine = SeatRow(
                to,
                HUMAN,
                name,
                since=seen,
                came=True,
                taken_at=timestamp(datetime.now(UTC)),
                came_at=left.came_at,
                person=person,
            )
            table.seat(mine)
            # Requests with the former seat's token that are still on their way are refused.
            unheld = replace(left, token=None, link=None)
            table.put([unheld])
        again = left
        try:
            self._tell_unless_seated(game_id, before, seen)
            self._tell_unless_seated(game_id, left, seen)
            again = replace(left, since=self._service.status(game_id).count)
            self._pass_token(game_id, left, unheld, mine)
        except BaseException:
            self._take_back(game_id, again, unheld)
            self.put_back(game_id, before, mine)
            raise
        self._hub.news(game_id)
        return to

    def _held(self, row: TableRow, holder: SeatRow) -> SeatRow:
        """Return the seat of a holder as it is now; raise `WrongToken` or `NotAdmitted` if they may not change it."""
        left = row.seat(holder.seat)
        if left.token is None or left.token != holder.token or left.removed:
            raise WrongToken
        if not left.admitted:
            raise NotAdmitted
        return left

    def _check_up(self, game_id: str, seat: int) -> None:
        """Raise `IllegalAction` if anybody sits at a seat, or if the seat's holder has asked to sit down there."""
        if seat in self._service.table(game_id).people:
            raise IllegalAction("already_seated", f"You sit at seat {seat}: get up first, between two rounds.")
        persons = self._service.persons(game_id)
        if persons is not None and seat in persons.asking:
            raise IllegalAction("purchase_asked", f"You have asked to sit down at seat {seat}: the host answers first.")

    def _pass_token(self, game_id: str, left: SeatRow, unheld: SeatRow, mine: SeatRow) -> None:
        """Move a person's token from the seat that they leave to the seat that they take, and free the former seat."""
        since = self._service.status(game_id).count
        with self._tables.changing(game_id) as table:
            self._check_up(game_id, left.seat)
            now, then = table.row.seat(mine.seat), table.row.seat(left.seat)
            if not _is_as_given(now, mine):
                raise _taken()
            table.put([replace(now, token=left.token, since=since)])
            if _is_as_given(then, unheld):  # nobody has taken the other seat meanwhile
                table.put([replace(then, kind=EMPTY, taken_at=None, person=None, removed=False)])

    def _take_back(self, game_id: str, left: SeatRow, unheld: SeatRow) -> None:
        """Give a seat's holder their token back after a failed change, unless another person has the seat."""
        with self._tables.changing(game_id) as table:
            now = table.row.seat(left.seat)
            if _is_as_given(now, unheld):
                table.put([replace(now, token=left.token, link=left.link, since=left.since)])

    def hand_over(self, game_id: str, number: int) -> str:
        """Give a seat of a running game a new link, which shows no earlier hand, and return its token."""
        with suppress(IllegalAction):  # if the game is over, nobody needs to be told
            try:
                self._commands.at_table(game_id, ReplaceSeat(number))
            except UnknownGame:  # the game's start is being recorded; this event tells commands who holds the seat
                self._commands.start_once(self._tables.get(game_id))
                self._commands.at_table(game_id, ReplaceSeat(number))
        token = new_token()
        self._give(game_id, number, link=digest_of(token))
        return token

    def joins_by(self, game_id: str, number: int) -> bool:
        """Return whether a new holder of this seat joins a running game in which nobody plays at the seat."""
        if not joins(self._tables.get(game_id)):
            return False
        with suppress(UnknownGame):  # the start is being recorded, with everybody who has a seat
            return number not in self._service.table(game_id).people
        return False

    def put_back(self, game_id: str, before: SeatRow, given: SeatRow) -> None:
        """Restore a seat to its state before it was given away, because the new holder cannot be recorded."""
        with self._tables.changing(game_id) as table:
            if _is_as_given(table.row.seat(before.seat), given):
                table.seat(before)
        self._hub.news(game_id)

    def _tell_unless_seated(self, game_id: str, before: SeatRow, seen: int) -> None:
        """Record that a person took a seat; raise `WrongTime` if its former holder just sat down there again.

        Such a holder was let in before, and keeps the link.
        """
        while True:
            try:
                self._commands.at_table(game_id, ReplaceSeat(before.seat), seen)
                return
            except IllegalAction as error:
                if error.code != "game_over":
                    raise
                raise _closed() from None
            except ConcurrentUpdate:
                seen = self._service.status(game_id).count
            if before.seat in self._service.table(game_id).people:
                name = self._service.status(game_id).seats[before.seat - 1].name
                with self._tables.changing(game_id) as table:
                    table.seat(replace(before, kind=HUMAN, name=name, taken_at=None))
                self._hub.news(game_id)
                raise _taken()

    def _give(
        self,
        game_id: str,
        number: int,
        mine: SeatRow | None = None,
        *,
        token: bytes | None = None,
        link: bytes | None = None,
    ) -> None:
        """Give a seat a new token, or a new link; raise `WrongTime` if the row ``mine`` is outdated."""
        since = self._service.status(game_id).count
        with self._tables.changing(game_id) as table:
            seat = table.row.seat(number)
            if mine is not None and not _is_as_given(seat, mine):
                raise _taken()
            table.seat(replace(seat, token=token, link=link, since=since))
        self._hub.news(game_id)

    def clear(self, game_id: str, number: int) -> None:
        """Remove a seat's holder between two rounds, or at any time if they have not sat down yet."""
        row = self._tables.get(game_id)
        bot = row.seat(number).kind not in _OF_PEOPLE
        if bot or not joins(row) or number in self._service.table(game_id).people:
            self._commands.remove(game_id, number)
        with self._tables.changing(game_id) as table:
            seat = table.row.seat(number)
            if seat.kind in _OF_PEOPLE:
                kind = EMPTY if joins(row) else seat.kind
                table.seat(replace(seat, kind=kind, token=None, link=None, taken_at=None, removed=False))
        self._hub.news(game_id)

    def _free(self, row: TableRow, name: str, number: int | None) -> int:
        """Return the seat that a person with this name may take: the one they ask for, or the first free one."""
        if row.status != "playing":
            raise _closed()
        seats, playing = self._service.status(row.game_id).seats, self._service.table(row.game_id).people
        free = [seat.seat for seat in row.seats if self._is_free(row, seat, seats[seat.seat - 1], playing)]
        own = next((at for at, seat in enumerate(seats, 1) if same(seat.name, name)), None)
        back = own if own in free and seats[own - 1].kind != OPEN else None
        unlike(name, [seat.name for seat in row.seats if seat.name and seat.seat not in free])
        unlike(name, [seat.name for at, seat in enumerate(seats, 1) if at != back])
        if own is not None and number not in (None, own):
            raise InvalidValue(f"Seat {own} is called {name!r}: sit down there, or take another name.")
        number = own if own is not None else number
        if number is None:
            number = min(free, key=lambda seat: seats[seat - 1].kind != OPEN, default=None)
        if number is None:
            raise none_free()
        if number not in free:
            raise _taken()
        return number

    def _is_free(self, row: TableRow, seat: SeatRow, now: Seat, playing: tuple[int, ...]) -> bool:
        if seat.seat in playing or seat.kind not in _OF_PEOPLE:  # occupied, even if it is not yet noted that they play
            return False
        persons = self._service.persons(row.game_id)
        if persons is not None and seat.seat in persons.asking:  # reserved until the host answers
            return False
        if seat.kind == EMPTY or self._commands.got_up(row.game_id, seat, now):
            return True
        status = self._service.status(row.game_id)
        if seat.taken_at is None or seat.given or not status.pausing:
            return False
        return _passed(max(seat.taken_at, self._paused_at(row, seat.since, status.count))) > KEPT

    def _paused_at(self, row: TableRow, after: int, upto: int) -> str:
        """Return when the last round ended: the time of its last event after event ``after``; "" if there is none."""
        game = game_of(row.kind)
        for told in reversed(self._service.with_secrets.part(row.game_id, after=after, upto=upto)):
            if not isinstance(told.event, TableEvent) and not isinstance(game.action_of(told.event), BetweenRounds):
                return told.record.recorded_at
        return ""

    def look_after_taken(self, game_id: str) -> None:
        """Free seats whose takers did not sit down in time, and note who has been dealt in.

        Called when a round begins, or while too few people can play.
        """
        if not any(seat.taken_at for seat in self._tables.get(game_id).seats):
            return
        playing, dealt = self._service.table(game_id).people, self._dealt_in(game_id)
        with self._tables.changing(game_id) as table:
            for seat in table.row.seats:
                if seat.taken_at is None:
                    continue
                if seat.seat in playing and seat.seat in dealt:
                    table.seat(replace(seat, taken_at=None))
                elif seat.seat not in playing and not seat.given and _passed(seat.taken_at) > KEPT:
                    table.seat(replace(seat, kind=EMPTY, taken_at=None))
        self._hub.news(game_id)

    def _dealt_in(self, game_id: str) -> set[int]:
        """Return the seats whose present holders were dealt in, as far as the last `RECENT` events show."""
        row, count = self._tables.get(game_id), self._service.status(game_id).count
        dealt, since = game_of(row.kind).dealt, {seat.seat: seat.since for seat in row.seats}
        found = set[int]()
        for told in self._service.with_secrets.part(game_id, after=max(0, count - RECENT), upto=count):
            seat = getattr(told.event, "seat", None)
            if type(told.event) in dealt and seat in since and told.record.seq > since[seat]:
                found.add(seat)
        return found


def _is_as_given(now: SeatRow, given: SeatRow) -> bool:
    """Return whether nobody has taken or been given a seat since; admission by the host makes no difference."""
    return (now.kind, now.token, now.link, now.taken_at) == (given.kind, given.token, given.link, given.taken_at)


def _passed(since: str) -> timedelta:
    return datetime.now(UTC) - datetime.fromisoformat(since)


def _taken() -> WrongTime:
    return WrongTime("seat_taken", "That seat is taken; sit at another, or watch.")


def none_free() -> WrongTime:
    """Return the error for a person who asks for any seat when none is free."""
    return WrongTime("seat_taken", "No seat is free; you can watch.")


def _closed() -> WrongTime:
    return WrongTime("over", "The table is closed.")
