"""Requests for the results of all games of a table together (an evening), and for the review of a seat."""

from fastapi import APIRouter, Request

from pokersvc.server.api.addresses import NAMES_A_GAME, REFUSALS, SeatNumber, TableId
from pokersvc.server.models.results import EveningAnswer
from pokersvc.server.models.review import ReviewAnswer
from pokersvc.server.parts import Parts


def routes(parts: Parts) -> APIRouter:
    """Return the routes for the results of a table's games."""
    router = APIRouter(prefix="/api/tables/{table}", responses=REFUSALS, dependencies=NAMES_A_GAME)

    @router.get("/results", response_model=EveningAnswer, tags=["watch"])
    async def show_results(table: TableId, request: Request) -> dict[str, object]:
        """Return everybody's results over the games of a table, as everyone may know them."""
        return await parts.slow.answer(request, lambda: parts.results.told(parts.watched(request, table), None))

    @router.get("/seats/{seat}/results", response_model=EveningAnswer, tags=["seat"])
    async def show_own_results(table: TableId, seat: SeatNumber, request: Request) -> dict[str, object]:
        """Return everybody's results over the games of a table, with this seat's own figures."""

        def told() -> dict[str, object]:
            opened = parts.authentication.seat(request, table, seat)
            return parts.results.told(opened.table, opened.seat)

        return await parts.slow.answer(request, told)

    @router.get("/seats/{seat}/review", response_model=ReviewAnswer, tags=["seat"])
    async def show_review(table: TableId, seat: SeatNumber, request: Request) -> dict[str, object]:
        """Return the costs of this seat's choices in a finished game, and what a good program would have done."""

        def made() -> dict[str, object]:
            opened = parts.authentication.seat(request, table, seat)
            return parts.reviews.told(opened.table, opened.seat)

        return await parts.reviewing.answer(request, made)

    return router
