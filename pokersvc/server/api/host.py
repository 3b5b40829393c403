"""Requests of the host, who made the table."""

from typing import Any

from fastapi import APIRouter, Request, Response

from pokersvc.core.tables.table_events import PauseTable, ResumeTable
from pokersvc.server.api.addresses import EMPTY, REFUSALS, SeatNumber, TableId
from pokersvc.server.api.cookies import set_cookie
from pokersvc.server.api.lobby import seat_path
from pokersvc.server.models.answers import NewLink
from pokersvc.server.models.bodies import ProgramBody, TokenBody
from pokersvc.server.parts import Parts


def routes(parts: Parts) -> APIRouter:
    """Return the routes for the host."""
    router = APIRouter(prefix="/api/tables/{table}/host", tags=["host"], responses=REFUSALS)

    def came(request: Request, table: str) -> None:
        parts.authentication.host(request, table)
        parts.within(parts.command_rate, table, "host")

    @router.post("/session", status_code=204, responses=EMPTY)
    def trade(table: TableId, asked: TokenBody, request: Request) -> Response:
        """Trade the token of the host's link for a cookie."""
        parts.authentication.host(request, table, asked.token)
        return set_cookie(parts, request, f"/api/tables/{table}/host", asked.token)

    @router.get("/session", status_code=204, responses=EMPTY)
    def check(table: TableId, request: Request) -> Response:
        """Tell whether the request comes from the host."""
        parts.authentication.host(request, table)
        return Response(status_code=204)

    @router.post("/start", status_code=204, responses=EMPTY)
    def start(table: TableId, request: Request) -> Response:
        """Start the game."""
        came(request, table)
        parts.opening.start(table)
        return Response(status_code=204)

    @router.post("/seats/{seat}/program", status_code=204, responses=EMPTY)
    def put_program(table: TableId, seat: SeatNumber, asked: ProgramBody, request: Request) -> Response:
        """Put a bot on a seat that nobody has taken."""
        came(request, table)
        parts.opening.put_program(table, seat, asked.kind)
        return Response(status_code=204)

    @router.post("/seats/{seat}/remove", status_code=204, responses=EMPTY)
    def remove(table: TableId, seat: SeatNumber, request: Request) -> Response:
        """Remove the player from a seat, before the game or between two rounds."""
        came(request, table)
        parts.opening.clear(table, seat)
        return Response(status_code=204)

    @router.post("/seats/{seat}/link", response_model=NewLink)
    def new_link(table: TableId, seat: SeatNumber, request: Request) -> Any:
        """Make a new link for a person's seat; the old one and its streams end."""
        came(request, table)
        return {"link": parts.link(request, seat_path(table, seat, parts.opening.new_link(table, seat)))}

    @router.post("/pause", status_code=204, responses=EMPTY)
    def pause(table: TableId, request: Request) -> Response:
        """Pause the table for all."""
        came(request, table)
        parts.opening.at_table(table, PauseTable())
        return Response(status_code=204)

    @router.post("/resume", status_code=204, responses=EMPTY)
    def resume(table: TableId, request: Request) -> Response:
        """End the pause."""
        came(request, table)
        parts.opening.at_table(table, ResumeTable())
        return Response(status_code=204)

    @router.post("/next", status_code=204, responses=EMPTY)
    def begin_next_round(table: TableId, request: Request) -> Response:
        """Begin the next round now."""
        came(request, table)
        parts.opening.go_on(table)
        return Response(status_code=204)

    @router.post("/close", status_code=204, responses=EMPTY)
    def close(table: TableId, request: Request) -> Response:
        """Close the table; that ends its game."""
        came(request, table)
        parts.opening.close(table)
        return Response(status_code=204)

    return router
