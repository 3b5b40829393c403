"""Chat at a table: who may say something, who may read it, and what the host deletes."""

from typing import Final

from pokersvc.core.event import EVERYONE
from pokersvc.eventlog.record import timestamp
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.connections.rate_limits import Meter
from pokersvc.server.errors import NotAllowed, TooMany, WrongTime, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.viewer_copies import ViewerCopies
from pokersvc.server.settings import Limits
from pokersvc.server.tables import chat_lines
from pokersvc.server.tables.changing import Changing
from pokersvc.server.tables.chat_lines import ChatLine, ChatStore, may_read
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.viewpoint import PUBLIC_VIEW
from pokersvc.service import Service

HOST: Final = 0
"""The seat in the lines of a host without a seat."""
HOST_NAME: Final = "Host"


class Chat:
    """The chat of all tables; thread-safe."""

    def __init__(
        self,
        tables: TableStore,
        lines: ChatStore,
        hub: Hub,
        service: Service,
        copies: ViewerCopies,
        delay: Delay,
        limits: Limits,
    ) -> None:
        self._tables, self._lines, self._hub, self._service, self._copies = tables, lines, hub, service, copies
        self._delay = delay
        self._of_seat, self._of_address = Meter(limits.chat), Meter(limits.chat_of_address)

    def say(self, door: SeatRequest, text: str, address: str) -> ChatLine:
        """Say a line at a table for a seat; raise an error if the seat may not talk now."""
        row, number = door.table, door.seat.seat
        self._within(row, number, address)
        holds = row.access.chat == "folded" and self._holds_cards(row, number)
        with self._tables.changing(row.game_id) as table:
            seat = table.row.seat(number)
            if seat.token != door.seat.token:  # the link was replaced after the request was authenticated
                raise WrongToken
            if not seat.admitted:
                raise NotAllowed("The host has not let you in yet; then you can talk.")
            _check_open(table.row)
            if table.row.access.chat == "folded" and holds:
                raise WrongTime("in_hand", "At this table nobody talks while they are in a hand: wait for its end.")
            line = self._add(table, number, seat.name or f"Player{number}", text)
        self._hub.news(row.game_id)
        return line

    def say_as_host(self, row: TableRow, text: str, address: str) -> ChatLine:
        """Say a line for the host."""
        self._within(row, HOST, address)
        with self._tables.changing(row.game_id) as table:
            _check_open(table.row)
            line = self._add(table, HOST, HOST_NAME, text)
        self._hub.news(row.game_id)
        return line

    def delete(self, row: TableRow, number: int | None = None) -> None:
        """Delete one line, or all lines, for the host; readers no longer see them from that moment."""
        with self._tables.changing(row.game_id) as table:
            chat_lines.remove(table, number)
            table.touch()
        self._hub.news(row.game_id)

    def read(self, row: TableRow, seat: SeatRow | None, after: int) -> tuple[ChatLine, ...]:
        """Return the lines that a seat or, without one, a watcher may read; raise `NotAllowed` if they may not."""
        if not may_read(row, seat):
            raise NotAllowed("At this table only seats read what is said; the host can change that.")
        lines = self._lines.lines(row, after)
        return lines if row.shows_live(seat) else self._delay.said(row, lines)

    def read_as_host(self, row: TableRow, after: int) -> tuple[ChatLine, ...]:
        """Return all lines, for the host."""
        return self._lines.lines(row, after)

    def _add(self, table: Changing, seat: int, name: str, text: str) -> ChatLine:
        line = chat_lines.add(table, seat, name, timestamp(self._service.now()), text)
        table.touch()
        return line

    def _within(self, row: TableRow, seat: int, address: str) -> None:
        if wait := self._of_seat.wait((row.table_id, seat)) or self._of_address.wait(address):
            raise TooMany(f"You say too much at once: wait {int(wait) + 1} seconds.", wait)

    def _holds_cards(self, row: TableRow, number: int) -> bool:
        """Return whether a seat is still in the round that is in progress."""
        if row.status != "playing":
            return False
        with self._copies.now(row.kind, row.game_id, PUBLIC_VIEW) as followed:
            state = followed.state
            if state.outcome is not None or state.pausing or not state.playing(number):
                return False
            seats = getattr(state.view(EVERYONE), "seats", ())
            standing = getattr(seats[number - 1], "standing", None) if len(seats) >= number else None
            return standing in (None, "in")


def _check_open(row: TableRow) -> None:
    if row.next_game is not None:
        raise WrongTime("not_last", "This game is over, and the table has gone on to another: go to that one.")
    if row.closed:
        raise WrongTime("table_closed", "The table is closed; nobody talks there any more.")
    if row.access.chat == "off":
        raise WrongTime("chat_off", "The host has switched the chat off.")
