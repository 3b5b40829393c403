"""Tables with their games and seats, as they are stored: a value for each, and the columns of a row."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row

from pokersvc.core.seats import HUMAN
from pokersvc.server.errors import UnknownTable
from pokersvc.server.tables.access import AT_FIRST, Access

EMPTY = "empty"
"""The kind of a seat that waits for somebody."""
Status = Literal["waiting", "playing", "over"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a table."""

    seat: int
    kind: str
    """`EMPTY`, ``human``, or the kind of a bot."""
    name: str | None = None
    token: bytes | None = None
    """The digest of the token of the person who sits there; None if nobody has one."""
    since: int = 0
    """The number of the last event before the current link, which shows no secrets of events up to this number."""
    came: bool = False
    """Whether a person has opened the link."""
    taken_at: str | None = None
    """When the seat of a running game was taken by, or given to, somebody who has yet to be dealt in; else None."""
    carried: int | None = None
    """What the player brings from the table's previous game, such as chips of a cash game; None if nothing."""
    link: bytes | None = None
    """The digest of the token in the seat's own link, which is exchanged once for ``token``; None without a link."""
    came_at: str | None = None
    """When its player came, by a link or from another device, to the device that has the seat; None if unknown."""
    admitted: bool = True
    """Whether the host has let its player in; until then they see what watchers see."""
    removed: bool = False
    """Whether the host has asked, in a round, that its player be removed once the round is over."""
    person: int | None = None
    """The number of its player at the table, if they took this seat in mid-game and had another before; else None."""

    @property
    def given(self) -> bool:
        """Whether the seat's player came, or will come, by the seat's own link."""
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
        """Return whether a viewer sees the game live: without a delay everybody, else only admitted players.

        People who took or were given a seat of a running game, but were not dealt in yet, see what watchers see; so do
        people who have got up.
        """
        return not self.access.delay or (
            seat is not None and seat.admitted and seat.kind == HUMAN and seat.taken_at is None
        )

    @property
    def empty(self) -> list[int]:
        """The seats that wait for a person."""
        return [seat.seat for seat in self.seats if seat.kind == EMPTY]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat.seat for seat in self.seats if seat.kind == HUMAN)


def _digest(stored: bytes | None) -> bytes | None:
    return None if stored is None else bytes(stored)


def table_of(row: Row[Any], seats: Sequence[SeatRow]) -> TableRow:
    """Return a table with one of its games, given a row of both and the game's seats."""
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


def seat_of(row: Row[Any]) -> SeatRow:
    """Return a seat from its row."""
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


def seat_values(game_id: str, seat: SeatRow) -> dict[str, Any]:
    """Return the columns of a game's seat, by name."""
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
