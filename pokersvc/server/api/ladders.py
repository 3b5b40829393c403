"""Requests for the ladders on which bots are rated."""

from fastapi import APIRouter

from pokersvc.server.api.addresses import REFUSALS
from pokersvc.server.models.ladders import LaddersAnswer
from pokersvc.server.parts import Parts


def routes(parts: Parts) -> APIRouter:
    """Return the route for ladders."""
    router = APIRouter(prefix="/api", tags=["lobby"], responses=REFUSALS)

    @router.get("/ladders", response_model=LaddersAnswer)
    def list_ladders() -> dict[str, object]:
        """Return all ladders, with the ratings of bots."""
        return {"ladders": parts.rankings.told()}

    return router
