"""Requests of the host about people: who sits where, who is let in, and which links they get."""

from fastapi import APIRouter, Request, Response

from pokersvc.server.api.addresses import EMPTY, NAMES_A_GAME, REFUSALS, SeatNumber, TableId
from pokersvc.server.api.host import PREFIX, host_of
from pokersvc.server.api.lobby import seat_path, sit_path
from pokersvc.server.models.answers import NewLink, TableInformation
from pokersvc.server.models.bodies import AccessBody, MoveBody, NameBody, ProgramBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.information import information
from pokersvc.server.tables.rows import TableRow


def routes(parts: Parts) -> APIRouter:
    """Return the routes for the host's decisions about people."""
    router = APIRouter(prefix=PREFIX, tags=["host"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    def came(request: Request, table: str) -> TableRow:
        return host_of(parts, request, table)

    @router.post("/seats/{seat}/program", status_code=204, responses=EMPTY)
    def put_program(table: TableId, seat: SeatNumber, asked: ProgramBody, request: Request) -> Response:
        """Put a bot on a seat that nobody has taken."""
        parts.opening.put_program(came(request, table).game_id, seat, asked.kind)
        return Response(status_code=204)

    @router.post("/seats/{seat}/remove", status_code=204, responses=EMPTY)
    def remove(table: TableId, seat: SeatNumber, request: Request) -> Response:
        """Remove the player from a seat: at once before the game and between two rounds, else after the round."""
        parts.opening.clear(came(request, table).game_id, seat)
        return Response(status_code=204)

    @router.post("/seats/{seat}/admit", status_code=204, responses=EMPTY)
    def admit(table: TableId, seat: SeatNumber, request: Request) -> Response:
        """Let in the person who took a seat."""
        parts.people.admit(came(request, table).game_id, seat)
        return Response(status_code=204)

    @router.post("/seats/{seat}/name", status_code=204, responses=EMPTY)
    def rename(table: TableId, seat: SeatNumber, asked: NameBody, request: Request) -> Response:
        """Rename the player at a seat, before the game."""
        parts.people.rename(came(request, table).game_id, seat, asked.name)
        return Response(status_code=204)

    @router.post("/seats/{seat}/move", status_code=204, responses=EMPTY)
    def move(table: TableId, seat: SeatNumber, asked: MoveBody, request: Request) -> Response:
        """Move the player at a seat to another seat before the game; a player at that seat moves to the first one."""
        parts.people.move(came(request, table).game_id, seat, asked.to)
        return Response(status_code=204)

    @router.post("/seats/{seat}/link", response_model=NewLink)
    def new_link(table: TableId, seat: SeatNumber, request: Request) -> dict[str, str]:
        """Make a new link for a person's seat; the old one, its device's token and its streams end."""
        row = came(request, table)
        token = parts.opening.new_link(row.game_id, seat)
        return {"link": parts.link(request, seat_path(row.table_id, seat, token))}

    @router.post("/access", status_code=204, responses=EMPTY)
    def set_access(table: TableId, asked: AccessBody, request: Request) -> Response:
        """Decide whether everybody is let in, what watchers see, and who may talk."""
        parts.people.set_access(came(request, table).game_id, **asked.model_dump(exclude_none=True))
        return Response(status_code=204)

    @router.get("/table", response_model=TableInformation)
    def show(table: TableId, request: Request) -> dict[str, object]:
        """Return a table and its game as they are now, even if watchers learn of them later."""
        return information(parts.authentication.host(request, table))

    @router.post("/invitation", response_model=NewLink)
    def invite(table: TableId, request: Request) -> dict[str, str]:
        """Make a new link for sitting down; the old link ends."""
        row = came(request, table)
        return {"link": parts.link(request, sit_path(row.table_id, parts.people.invite(row.game_id)))}

    return router
