"""Who sits where at a table, and with which token: exchanging links, admitting, renaming and moving people."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pokersvc.core.names import alike, unlike
from pokersvc.core.seats import HUMAN, check_name, open_seat
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import timestamp
from pokersvc.server.commands import joins
from pokersvc.server.errors import LinkUsed, NotAllowed, WrongTime, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.tables.access import Access, Admits, Talkers
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.tokens import digest_of, new_token


class People:
    """Changes who sits at a table, for the host and for guests; thread-safe."""

    def __init__(self, tables: TableStore, hub: Hub) -> None:
        self._tables, self._hub = tables, hub

    def exchange(self, game_id: str, number: int, link: str, fresh: str | None = None, name: str | None = None) -> str:
        """Exchange the token of a seat's link for a token of the asking device, and return it; works only once.

        ``fresh`` is the token that the device wants: with it, a device that missed the answer may ask again. ``name``
        is the person's name, which can be given before the game. Raise `LinkUsed` if another device was first.
        """
        token = fresh or new_token()
        with self._tables.changing(game_id) as table:
            seat = table.row.seat(number)
            if seat.link != digest_of(link):
                raise WrongToken
            if seat.token == digest_of(token):
                return token
            if seat.token is not None or seat.came_at is not None:
                raise LinkUsed(seat.came_at)
            if name is not None and table.row.status == "waiting" and name != seat.name:
                check_free(table.row, number, name)
                seat = replace(seat, name=check_name(name))
                table.seat(seat)
            table.hold(seat, digest_of(token), _now())
        self._hub.news(game_id)
        return token

    def rename(self, game_id: str, number: int, name: str, holder: bytes | None = None) -> None:
        """Name the person at a seat, before the game; raise `WrongToken` if the seat is no longer the holder's.

        ``holder`` is the digest of the token by which they were let in; None if the host asks.
        """
        with self._tables.changing(game_id) as table:
            table.require("waiting", "The game has started, so names stay as they are.")
            seat = table.row.seat(number)
            if holder is not None and seat.token != holder:
                raise WrongToken
            if seat.kind == EMPTY:
                raise WrongTime("seat_empty", f"Nobody sits at seat {number}, so there is nobody to rename.")
            if seat.name == name:
                return
            check_free(table.row, number, name)
            table.seat(replace(seat, name=check_name(name)))
        self._hub.news(game_id)

    def move(self, game_id: str, number: int, to: int) -> None:
        """Before the game, move the player at a seat to another seat, whose player, if any, takes the first one."""
        with self._tables.changing(game_id) as table:
            table.require("waiting", "The game has started, so everybody keeps their seat.")
            here, there = table.row.seat(number), table.row.seat(to)
            table.put([replace(there, seat=number), replace(here, seat=to)])
        self._hub.news(game_id)

    def admit(self, game_id: str, number: int) -> None:
        """Let in the person who took a seat; change nothing if they are in already."""
        with self._tables.changing(game_id) as table:
            seat = table.row.seat(number)
            if seat.kind != HUMAN:
                raise WrongTime("seat_empty", f"Nobody sits at seat {number}, so there is nobody to let in.")
            if seat.admitted:
                return
            table.seat(replace(seat, admitted=True))
        self._hub.news(game_id)

    def set_access(
        self,
        game_id: str,
        *,
        admits: Admits | None = None,
        delay: int | None = None,
        chat: Talkers | None = None,
        watchers_read: bool | None = None,
    ) -> None:
        """Change the host's decisions about people; if everybody is let in from now on, so are those who wait."""
        with self._tables.changing(game_id) as table:
            before = table.row.access
            access = Access(
                admits=before.admits if admits is None else admits,
                delay=before.delay if delay is None else delay,
                chat=before.chat if chat is None else chat,
                watchers_read=before.watchers_read if watchers_read is None else watchers_read,
            )
            if access != before:
                table.access(access)
            if access.admits == "all":
                for seat in table.row.seats:
                    if not seat.admitted:
                        table.seat(replace(seat, admitted=True))
        self._hub.news(game_id)

    def invite(self, game_id: str) -> str:
        """Make a new link for sitting down, which ends the earlier one; return its token."""
        token = new_token()
        with self._tables.changing(game_id) as table:
            if table.row.closed:
                raise WrongTime("over", "The table is closed.")
            table.invitation(digest_of(token))
        self._hub.news(game_id)
        return token


def newcomer(row: TableRow, number: int, name: str, token: str) -> SeatRow:
    """Return the seat of a person who has just sat down at a table with a token of their own."""
    return SeatRow(
        number,
        HUMAN,
        check_name(name),
        digest_of(token),
        came=True,
        came_at=_now(),
        admitted=row.access.admits == "all",
    )


def check_invited(row: TableRow, link: str | None) -> None:
    """Raise an error unless the table is public or ``link`` is still the token of its link for sitting down."""
    if link is not None and digest_of(link) != row.invitation:
        raise WrongToken
    if link is None and not row.public:
        raise NotAllowed("This table is private: only its link to sit down, and the links of its seats, lead to them.")


def sits_by(row: TableRow, token: str | None) -> SeatRow | None:
    """Return the seat that a person has taken with a token; None if they have taken none."""
    return next((seat for seat in row.seats if token is not None and seat.token == digest_of(token)), None)


def others(row: TableRow, but: int) -> Sequence[str]:
    """Return the names at a table, except at one seat."""
    return [seat.name for seat in row.seats if seat.name and seat.seat != but]


def check_free(row: TableRow, number: int, name: str) -> None:
    """Raise `InvalidValue` for a name that looks like another at the table."""
    unlike(name, others(row, number))
    check_not_open(row, number, name)


def check_not_open(row: TableRow, number: int, name: str) -> None:
    """Raise `InvalidValue` for a name like that of another empty seat, if people can come and go during the game."""
    for other in row.seats if joins(row) else ():
        called = open_seat(other.seat).name
        if other.seat != number and alike(name, called):
            raise InvalidValue(f"{called!r} is the name of seat {other.seat} while it is open; take another name.")


def _now() -> str:
    return timestamp(datetime.now(UTC))
