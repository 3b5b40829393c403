"""Requests of guests: listing games and tables, making a table, sitting down."""

from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from pokersvc.server.api.addresses import REFUSALS, GameId, TableId
from pokersvc.server.api.cookies import set_cookie
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.models.answers import Lobby, MadeTable, OfferedGames, TableInformation, TakenSeat
from pokersvc.server.models.bodies import NewTable, Sit
from pokersvc.server.parts import Parts
from pokersvc.server.tables.information import games, information
from pokersvc.server.tables.opening import Made

LISTED = 200
"""The most tables, or games of a table, in a list; the newest are listed."""


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
        return {"tables": [information(row) for row in parts.delay.lobby(LISTED)]}

    @router.get("/replays", response_model=Lobby)
    def list_replays() -> Any:
        """Return the public tables whose games are over, the newest first."""
        return {"tables": [information(row) for row in parts.delay.finished(LISTED)]}

    @router.post("/tables", response_model=MadeTable, status_code=201)
    async def make_table(asked: NewTable, request: Request) -> Any:
        """Make a table, and return the links of its host and of its seats."""
        parts.authentication.enter(request)
        async with parts.making.turn(address := address_of(request)):
            made = await to_thread.run_sync(make, asked, address)
        table = made.table.table_id
        seats = {str(seat): parts.link(request, seat_path(table, seat, token)) for seat, token in made.seats.items()}
        host = parts.link(request, f"/t/{table}/host/#{made.host}")
        invitation = parts.link(request, sit_path(table, made.invitation))
        return {"table": table, "game": made.table.game_id, "host": host, "invitation": invitation, "seats": seats}

    @router.get("/tables/{table}", response_model=TableInformation)
    def show_table(table: TableId, request: Request, game: GameId = None) -> Any:
        """Return what everybody may know of a table with one of its games: the named game, or else the last one."""
        return information(parts.delay.shown(parts.watched(request, table)))

    @router.get("/tables/{table}/games", response_model=Lobby)
    def list_games_of_table(table: TableId, request: Request) -> Any:
        """Return the games of a table, the last one first; if there are very many, only the last ones."""
        row = parts.authentication.table(request, table)
        return {"tables": [information(one) for one in parts.delay.told(parts.tables.games(row.table_id, LISTED))]}

    @router.post("/tables/{table}/sit", response_model=TakenSeat, status_code=201)
    def sit_down(table: TableId, asked: Sit, request: Request, response: Response) -> Any:
        """Take an empty seat, at a public table or by a link to sit down; the last seat taken starts a public game.

        While a cash game runs, any free seat may be taken; its holder sits down with chips between two rounds.
        """
        parts.authentication.enter(request)
        row = parts.authentication.invited(request, table, asked.token)
        parts.within(parts.sitting_rate, row.table_id, "guests")
        taken = parts.opening.sit(row.game_id, asked.name, asked.seat, asked.token, asked.fresh)
        # The request comes from a page, which keeps the token in a cookie that no script can read.
        if "origin" in request.headers:
            set_cookie(parts, request, response, row.table_id, f"seats/{taken.seat}", taken.token)
        return {"seat": taken.seat, "link": parts.link(request, seat_path(row.table_id, taken.seat, taken.token))}

    return router


def sit_path(table: str, token: str) -> str:
    """Return the address of the page on which people sit down, by the ID of a table."""
    return f"/t/{table}/sit/#{token}"


def seat_path(table: str, seat: int, token: str) -> str:
    """Return the address of a seat's page, by the ID of its table or game.

    The token is in the fragment, which browsers do not send to servers.
    """
    return f"/t/{table}/seat/{seat}/#{token}"
