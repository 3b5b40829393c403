"""Requests of the host, who made the table."""

from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from pokersvc.core.tables.table_events import ChangeClock, PauseTable, ResumeTable
from pokersvc.server.api.addresses import EMPTY, NAMES_A_GAME, REFUSALS, SeatNumber, TableId
from pokersvc.server.api.cookies import traded
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.errors import WrongTime
from pokersvc.server.models.answers import NextGame
from pokersvc.server.models.bodies import ClockBody, PurchaseBody, StakesBody, TokenBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.rows import TableRow

PREFIX: Final = "/api/tables/{table}/host"


def host_of(parts: Parts, request: Request, table: str) -> TableRow:
    """Return the last game of the host's table; raise `WrongTime` if the request names an earlier one."""
    row = parts.authentication.host(request, table)
    parts.within(parts.command_rate, row.table_id, "host")
    if row.next_game is not None:
        raise WrongTime("not_last", "This game is over, and the table has gone on to another: go to that one.")
    return row


def routes(parts: Parts) -> APIRouter:
    """Return the routes for the host."""
    router = APIRouter(prefix=PREFIX, tags=["host"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    def came(request: Request, table: str) -> TableRow:
        return host_of(parts, request, table)

    @router.post("/session", status_code=204, responses=EMPTY)
    def trade(table: TableId, asked: TokenBody, request: Request) -> Response:
        """Trade the token of the host's link for a cookie."""
        row = parts.authentication.host(request, table, asked.token)
        return traded(parts, request, row, table, "host", asked.token)

    @router.get("/session", status_code=204, responses=EMPTY)
    def check(table: TableId, request: Request) -> Response:
        """Tell whether the request comes from the host."""
        parts.authentication.host(request, table)
        return Response(status_code=204)

    @router.post("/start", status_code=204, responses=EMPTY)
    def start(table: TableId, request: Request) -> Response:
        """Start the game."""
        parts.opening.start(came(request, table).game_id)
        return Response(status_code=204)

    @router.post("/pause", status_code=204, responses=EMPTY)
    def pause(table: TableId, request: Request) -> Response:
        """Pause the table for all."""
        parts.opening.at_table(came(request, table).game_id, PauseTable())
        return Response(status_code=204)

    @router.post("/resume", status_code=204, responses=EMPTY)
    def resume(table: TableId, request: Request) -> Response:
        """End the pause."""
        parts.opening.at_table(came(request, table).game_id, ResumeTable())
        return Response(status_code=204)

    @router.post("/next", status_code=204, responses=EMPTY)
    def begin_next_round(table: TableId, request: Request) -> Response:
        """Begin the next round now."""
        parts.opening.go_on(came(request, table).game_id)
        return Response(status_code=204)

    @router.post("/stakes", status_code=204, responses=EMPTY)
    def change_stakes(table: TableId, asked: StakesBody, request: Request) -> Response:
        """Change between two rounds the blinds, antes and bets, unless the start fixed them; everybody is notified."""
        parts.opening.change_stakes(came(request, table).game_id, asked.stakes)
        return Response(status_code=204)

    @router.post("/clock", status_code=204, responses=EMPTY)
    def change_clock(table: TableId, asked: ClockBody, request: Request) -> Response:
        """Change between two rounds the time for a choice, unless the start fixed it; everybody is notified."""
        parts.opening.at_table(came(request, table).game_id, ChangeClock(asked.seconds, asked.bank))
        return Response(status_code=204)

    @router.post("/seats/{seat}/purchase", status_code=204, responses=EMPTY)
    def answer_purchase(table: TableId, seat: SeatNumber, asked: PurchaseBody, request: Request) -> Response:
        """Admit or refuse, between two rounds, a seat's request to buy chips; everybody is notified."""
        parts.opening.answer_purchase(came(request, table).game_id, seat, admits=asked.admits)
        return Response(status_code=204)

    @router.post("/end", status_code=204, responses=EMPTY)
    def end(table: TableId, request: Request) -> Response:
        """End the game early; the table stays, and another game may begin."""
        parts.opening.end(came(request, table).game_id)
        return Response(status_code=204)

    @router.post("/again", response_model=NextGame)
    async def play_again(table: TableId, request: Request) -> Any:
        """Prepare the next game with the same people, once this one is over; start it unless a seat is empty.

        If there already is a next game, it is returned unchanged.
        """
        row = await to_thread.run_sync(parts.authentication.host, request, table)
        parts.authentication.enter(request)  # limited like a new table: it takes as much time and space
        async with parts.making.turn(address_of(request)):
            return {"table": row.table_id, "game": await to_thread.run_sync(parts.opening.again, row.game_id)}

    @router.post("/close", status_code=204, responses=EMPTY)
    def close(table: TableId, request: Request) -> Response:
        """Close the table, which ends its game; no other game begins at it."""
        parts.opening.close(came(request, table).game_id)
        return Response(status_code=204)

    return router
