"""Requests for chat at a table, from seats, from watchers, and from the host."""

from fastapi import APIRouter, Request, Response

from pokersvc.core.tables.signs import SIGNS
from pokersvc.server.api.addresses import EMPTY, NAMES_A_GAME, REFUSALS, After, SeatNumber, TableId
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.models.answers import ChatAnswer, SaidAnswer
from pokersvc.server.models.bodies import LineBody, SayBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.chat_lines import ChatLine
from pokersvc.server.tables.chat_text import UnfitText, said
from pokersvc.server.tables.rows import TableRow


def routes(parts: Parts) -> APIRouter:
    """Return the routes for chat."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["chat"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    def host(request: Request, table: str) -> TableRow:
        row = parts.authentication.host(request, table)
        parts.within(parts.command_rate, row.table_id, "host")
        return row

    @router.post("/seats/{seat}/say", response_model=SaidAnswer)
    def say(table: TableId, seat: SeatNumber, asked: SayBody, request: Request) -> dict[str, object]:
        """Say a line or a sign at the table; a line has at most 200 characters and no links."""
        opened = parts.authentication.seat(request, table, seat)
        return parts.chat.say(opened, line_of(asked), address_of(request))._asdict()

    @router.post("/host/say", response_model=SaidAnswer)
    def say_as_host(table: TableId, asked: SayBody, request: Request) -> dict[str, object]:
        """Say a line or a sign as the host."""
        return parts.chat.say_as_host(host(request, table), line_of(asked), address_of(request))._asdict()

    @router.get("/seats/{seat}/chat", response_model=ChatAnswer)
    def read(table: TableId, seat: SeatNumber, request: Request, after: After = 0) -> dict[str, object]:
        """Return the last lines of chat, at most 100."""
        opened = parts.authentication.seat(request, table, seat)
        return answer(parts.chat.read(opened.table, opened.seat, after))

    @router.get("/watch/chat", response_model=ChatAnswer)
    def watch(table: TableId, request: Request, after: After = 0) -> dict[str, object]:
        """Return the last lines of chat, at most 100, if the host lets watchers read them."""
        return answer(parts.chat.read(parts.watched(request, table), None, after))

    @router.get("/host/chat", response_model=ChatAnswer)
    def read_as_host(table: TableId, request: Request, after: After = 0) -> dict[str, object]:
        """Return the last lines of chat, at most 100."""
        return answer(parts.chat.read_as_host(parts.authentication.host(request, table), after))

    @router.post("/host/chat/clear", status_code=204, responses=EMPTY)
    def clear(table: TableId, request: Request) -> Response:
        """Delete all lines of chat at once."""
        parts.chat.delete(host(request, table))
        return Response(status_code=204)

    @router.post("/host/chat/delete", status_code=204, responses=EMPTY)
    def delete(table: TableId, asked: LineBody, request: Request) -> Response:
        """Delete one line, at once."""
        parts.chat.delete(host(request, table), asked.number)
        return Response(status_code=204)

    return router


def line_of(asked: SayBody) -> str:
    """Return the line or the sign in a request; raise `UnfitText` if it cannot be said."""
    if (asked.text is None) == (asked.sign is None):
        raise UnfitText("Say either a 'text' or a 'sign'.")
    return SIGNS[asked.sign] if asked.sign is not None else said(asked.text or "")


def answer(lines: tuple[ChatLine, ...]) -> dict[str, object]:
    """Return the answer with these lines."""
    return {"lines": [line._asdict() for line in lines]}
