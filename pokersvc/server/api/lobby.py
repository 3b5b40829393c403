"""Requests of guests: listing games and tables, making a table, sitting down."""

from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request

from pokersvc.server.api.addresses import REFUSALS, TableId
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.models.answers import Lobby, MadeTable, OfferedGames, TableInformation, TakenSeat
from pokersvc.server.models.bodies import NewTable, Sit
from pokersvc.server.parts import Parts
from pokersvc.server.tables.information import games, information
from pokersvc.server.tables.opening import Made

LISTED = 200
"""The most tables in a list; the newest are listed."""


def routes(parts: Parts) -> APIRouter:
    """Return the routes for guests."""
    router = APIRouter(prefix="/api", tags=["lobby"], responses=REFUSALS)

    def make(asked: NewTable, address: str) -> Made:
        parts.makers.check(address, asked.weight)
        made = parts.opening.make(asked)
        parts.makers.note(address, made.table.table_id)
        return made

    @router.get("/games", response_model=OfferedGames)
    def list_games() -> Any:
        """Return the kinds of games, their houses and options, and the bots that play them."""
        return {"games": games(parts.settings.programs)}

    @router.get("/tables", response_model=Lobby)
    def list_tables() -> Any:
        """Return the public tables that one can join or watch, the newest first."""
        return {"tables": [information(row) for row in parts.tables.lobby(LISTED)]}

    @router.get("/replays", response_model=Lobby)
    def list_replays() -> Any:
        """Return the public tables whose games are over, the newest first."""
        return {"tables": [information(row) for row in parts.tables.finished(LISTED)]}

    @router.post("/tables", response_model=MadeTable, status_code=201)
    async def make_table(asked: NewTable, request: Request) -> Any:
        """Make a table, and return the links of its host and of its seats."""
        parts.authentication.enter(request)
        async with parts.making.turn(address := address_of(request)):
            made = await to_thread.run_sync(make, asked, address)
        table = made.table.table_id
        seats = {str(seat): parts.link(request, seat_path(table, seat, token)) for seat, token in made.seats.items()}
        return {"table": table, "host": parts.link(request, f"/t/{table}/host/#{made.host}"), "seats": seats}

    @router.get("/tables/{table}", response_model=TableInformation)
    def show_table(table: TableId) -> Any:
        """Return what everybody may know of a table."""
        return information(parts.authentication.table(table))

    @router.post("/tables/{table}/sit", response_model=TakenSeat, status_code=201)
    def sit_down(table: TableId, asked: Sit, request: Request) -> Any:
        """Take an empty seat of a public table; the game starts if it was the last empty seat.

        While a cash game runs, the link is that of a free seat; its holder sits down with chips between two rounds.
        """
        parts.authentication.enter(request)
        taken = parts.opening.sit(table, asked.name, asked.seat)
        return {"seat": taken.seat, "link": parts.link(request, seat_path(table, taken.seat, taken.token))}

    return router


def seat_path(table: str, seat: int, token: str) -> str:
    """Return the address of a seat's page; the token is in the fragment, which browsers do not send to servers."""
    return f"/t/{table}/seat/{seat}/#{token}"
