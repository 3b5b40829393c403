"""Authentication: every request for a seat or for the host is checked here."""

from dataclasses import dataclass

from starlette.requests import Request

from pokersvc.core.seats import HUMAN
from pokersvc.server.connections.rate_limits import Meter, address_of
from pokersvc.server.errors import TooMany, WrongToken
from pokersvc.server.settings import Limits
from pokersvc.server.tables.store import EMPTY, SeatRow, TableRow, TableStore
from pokersvc.server.tokens import opens
from pokersvc.server.viewpoint import Viewpoint

COOKIE = "pokersvc"


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A request from the holder of a seat's link."""

    table: TableRow
    seat: SeatRow

    @property
    def viewpoint(self) -> Viewpoint:
        """The point of view of the request."""
        return Viewpoint(self.seat.seat, self.seat.since)


class Authentication:
    """Checks tokens. Wrong ones are counted by address, so that nobody can try many."""

    def __init__(self, tables: TableStore, limits: Limits) -> None:
        self._tables = tables
        self._entries = Meter(limits.entries)

    def table(self, table_id: str) -> TableRow:
        """Return a table; everybody who knows its ID may watch it."""
        return self._tables.get(table_id)

    def seat(self, request: Request, table_id: str, number: int, token: str | None = None) -> SeatRequest:
        """Return a seat with its table; raise `WrongToken` unless the request has the token of that seat."""
        table = self._tables.get(table_id)
        seat = table.seat(number)
        if seat.kind not in (HUMAN, EMPTY) or not opens(token or token_of(request), seat.token):
            self._wrong(request)
        return SeatRequest(table, seat)

    def host(self, request: Request, table_id: str, token: str | None = None) -> TableRow:
        """Return a table; raise `WrongToken` unless the request has the token of the table's host."""
        table = self._tables.get(table_id)
        if not opens(token or token_of(request), table.host):
            self._wrong(request)
        return table

    def enter(self, request: Request) -> None:
        """Count a table made, a seat taken or a wrong token; raise `TooMany` if its address has had too many."""
        if wait := self._entries.wait(address_of(request)):
            raise TooMany(
                f"Too many tables and seats were asked for from your address: wait {int(wait) + 1} seconds.", wait
            )

    def _wrong(self, request: Request) -> None:
        self.enter(request)
        raise WrongToken


def token_of(request: Request) -> str | None:
    """Return the token of a request: its bearer token, or else its cookie; None if it has neither."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return request.cookies.get(COOKIE)
