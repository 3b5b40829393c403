"""Requests of a device that takes a seat, by the seat's link or by a code from the device that had the seat before."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from pokersvc.server.api.addresses import EMPTY, NAMES_A_GAME, REFUSALS, SeatNumber, TableId
from pokersvc.server.api.cookies import set_cookie, traded
from pokersvc.server.authentication import token_of
from pokersvc.server.errors import LinkUsed, WrongToken
from pokersvc.server.models.answers import DeviceToken, FollowedSeat, MoveCode, MovedHere
from pokersvc.server.models.bodies import CodeBody, SessionBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.moves import HOST
from pokersvc.server.tables.people import sits_by


def routes(parts: Parts) -> APIRouter:
    """Return the routes for devices."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["seat"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    @router.post("/seats/{seat}/session", status_code=204, responses={**EMPTY, 200: {"model": DeviceToken}})
    def exchange(table: TableId, seat: SeatNumber, asked: SessionBody, request: Request) -> Response:
        """Exchange the token of the seat's link, once, for a token of this device, as a cookie for this seat alone.

        A device that has the seat may send its own token, or none, to get a cookie again. Before the game, a person
        may give a name.
        """
        row, token = parts.authentication.linked(request, table, seat, asked.token), asked.token
        if row is not None and asked.token is not None:
            try:
                token = parts.people.exchange(row.game_id, seat, asked.token, asked.fresh, asked.name)
            except LinkUsed:
                parts.authentication.enter(request)
                raise
        else:
            opened = parts.authentication.seat(request, table, seat, asked.token)
            row = opened.table
            if asked.name is not None and row.status == "waiting":
                parts.within(parts.command_rate, row.game_id, seat)
                parts.people.rename(row.game_id, seat, asked.name, opened.seat.token)
        if asked.bearer and token is not None:
            return JSONResponse({"token": token})
        return traded(parts, request, row, table, f"seats/{seat}", token)

    @router.post("/seats/{seat}/follow", response_model=FollowedSeat)
    def follow(table: TableId, seat: SeatNumber, request: Request, response: Response) -> dict[str, int]:
        """Tell a person the seat to which the host moved them before the game, and set that seat's cookie."""
        row, token = parts.authentication.table(request, table), token_of(request)
        if (now := sits_by(row, token)) is None or token is None:
            parts.authentication.seat(request, table, seat)  # raises the refusal, and counts the attempt
            raise WrongToken
        set_cookie(parts, request, response, table, f"seats/{now.seat}", token)
        return {"seat": now.seat}

    @router.get("/seats/{seat}/session", status_code=204, responses=EMPTY)
    def check(table: TableId, seat: SeatNumber, request: Request) -> Response:
        """Tell whether the request comes from the device that holds this seat."""
        parts.authentication.seat(request, table, seat)
        return Response(status_code=204)

    @router.post("/seats/{seat}/code")
    def code(table: TableId, seat: SeatNumber, request: Request) -> MoveCode:
        """Make a code that moves this seat to another device once, within five minutes; an earlier code ends."""
        opened = parts.authentication.seat(request, table, seat)
        parts.within(parts.command_rate, opened.table.game_id, seat)
        made = parts.moves.code(opened.table, opened.seat.token)
        return MoveCode(code=made.code, expires_at=made.expires_at)

    @router.post("/host/code")
    def code_of_host(table: TableId, request: Request) -> MoveCode:
        """Make a code that moves the host's rights to another device."""
        row = parts.authentication.host(request, table)
        parts.within(parts.command_rate, row.table_id, "host")
        made = parts.moves.code(row, row.host)
        return MoveCode(code=made.code, expires_at=made.expires_at)

    @router.post("/move", responses={200: {"model": MovedHere}})
    def move(table: TableId, asked: CodeBody, request: Request) -> Response:
        """Move a seat, or the host's rights, to this device by a code; the device that made the code loses them."""
        parts.authentication.enter(request)
        row = parts.authentication.table(request, table)
        moved = parts.moves.move(row, asked.code, asked.fresh, asked.seat)
        found = {"table": moved.address, "seat": moved.seat}
        if asked.bearer:
            return JSONResponse({**found, "token": moved.token})
        answer = JSONResponse(found)
        door = "host" if moved.seat == HOST else f"seats/{moved.seat}"
        set_cookie(parts, request, answer, moved.address, door, moved.token)
        return answer

    return router
