"""The request of a person who has got up in a cash game and wants to sit at another seat."""

from fastapi import APIRouter, Request, Response

from pokersvc.server.api.addresses import NAMES_A_GAME, REFUSALS, SeatNumber, TableId
from pokersvc.server.api.cookies import set_cookie
from pokersvc.server.authentication import token_of
from pokersvc.server.models.answers import FollowedSeat
from pokersvc.server.models.bodies import ElsewhereBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.people import sits_by


def routes(parts: Parts) -> APIRouter:
    """Return the route."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["seat"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    @router.post("/seats/{seat}/elsewhere", response_model=FollowedSeat)
    def sit_elsewhere(
        table: TableId, seat: SeatNumber, asked: ElsewhereBody, request: Request, response: Response
    ) -> dict[str, int]:
        """Take another free seat of a running cash game in place of this one, if its holder does not sit here.

        The token moves to the new seat, and the former seat becomes free. The holder sits down at the new seat as the
        same person, under a new name.
        """
        taken, token = _elsewhere(parts, request, table, seat, asked)
        if "origin" in request.headers:
            set_cookie(parts, request, response, table, f"seats/{taken}", token)
        return {"seat": taken}

    return router


def _elsewhere(parts: Parts, request: Request, table: str, seat: int, asked: ElsewhereBody) -> tuple[int, str]:
    """Return the seat that a person takes in place of theirs, or took at an earlier request, and the person's token."""
    row, token = parts.authentication.table(request, table), token_of(request)
    if token is not None and (now := sits_by(row, token)) is not None and now.seat != seat:
        return now.seat, token
    opened = parts.authentication.seat(request, table, seat)
    parts.authentication.enter(request)
    parts.within(parts.sitting_rate, row.table_id, "guests")
    return parts.opening.change_seats(opened.table.game_id, opened.seat, asked.to, asked.name), token or ""
