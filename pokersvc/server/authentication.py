"""Authentication: every request for a seat or for the host is checked here."""

from dataclasses import dataclass

from starlette.requests import Request

from pokersvc.core.seats import HUMAN
from pokersvc.server.connections.rate_limits import Meter, address_of
from pokersvc.server.errors import LinkNotExchanged, NotAllowed, TooMany, WrongToken
from pokersvc.server.settings import Limits
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.tokens import opens
from pokersvc.server.viewpoint import Viewpoint

COOKIE = "pokersvc"
PRIVATE = "This table is private: only its link to sit down, and the links of its seats, lead to them."
GAME = "game"
"""The query parameter that names a game of the table."""


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
    """Checks tokens, and counts wrong tokens by address, so that nobody can try many."""

    def __init__(self, tables: TableStore, limits: Limits) -> None:
        self._tables = tables
        self._entries = Meter(limits.entries)

    def table(self, request: Request, address: str) -> TableRow:
        """Return the game that a request is about, with its table; anybody who knows the address may watch it.

        ``address`` is the ID of a table or of one of its games; the parameter `GAME` names another game of the table.
        """
        return self._tables.find(address, request.query_params.get(GAME))

    def seat(self, request: Request, address: str, number: int, token: str | None = None) -> SeatRequest:
        """Return a seat of a game; raise `WrongToken` unless the request has the token of that seat."""
        table = self.table(request, address)
        seat = table.seat(number)
        token = token or token_of(request)
        if seat.kind not in (HUMAN, EMPTY) or not opens(token, seat.token):
            if opens(token, seat.link) and seat.token is None:
                raise LinkNotExchanged
            self._wrong(request)
        return SeatRequest(table, seat)

    def linked(self, request: Request, address: str, number: int, token: str | None) -> TableRow | None:
        """Return a game if a token is that of the seat's link in this game, used or not; None for any other token."""
        table = self.table(request, address)
        return table if opens(token, table.seat(number).link) else None

    def invited(self, request: Request, address: str, token: str | None) -> TableRow:
        """Return a game whose table the sender may join: a public table, or any table with the token of its link."""
        table = self.table(request, address)
        if token is not None and not opens(token, table.invitation):
            self._wrong(request)
        if token is None and not table.public:
            raise NotAllowed(PRIVATE)
        return table

    def host(self, request: Request, address: str, token: str | None = None) -> TableRow:
        """Return a game with its table; raise `WrongToken` unless the request has the token of the table's host."""
        table = self.table(request, address)
        if not opens(token or token_of(request), table.host):
            self._wrong(request)
        return table

    def enter(self, request: Request) -> None:
        """Count a new table, a taken seat or a wrong token; raise `TooMany` if the address has had too many."""
        if wait := self._entries.wait(address_of(request)):
            raise TooMany(
                f"Too many tables and seats were asked for from your address: wait {int(wait) + 1} seconds.", wait
            )

    def _wrong(self, request: Request) -> None:
        self.enter(request)
        raise WrongToken


def token_of(request: Request) -> str | None:
    """Return the token of a request: its bearer token, or else its cookie; None if it has neither."""
    token = bearer_of(request)
    return request.cookies.get(COOKIE) if token is None else token


def bearer_of(request: Request) -> str | None:
    """Return the bearer token of a request; None if it has none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
