"""Requests of a seat, authenticated by its cookie or by its token as a bearer token."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.server.api.addresses import (
    EVENT_STREAM,
    EXPORT,
    NAMES_A_GAME,
    REFUSALS,
    After,
    SeatNumber,
    Snapshots,
    TableId,
)
from pokersvc.server.api.commands import carried_out, check_started, shared
from pokersvc.server.api.games import LastEventId, Viewing, position
from pokersvc.server.api.watch import Seq
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.errors import NotAllowed
from pokersvc.server.models.answers import Advised, RecordedAnswer, Replayed, SnapshotAnswer, Stale, TableInformation
from pokersvc.server.models.bodies import BindingBody, CommandBody, ShareBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.information import information

_RECORDED: Final[dict[int | str, dict[str, object]]] = {
    200: {"model": RecordedAnswer},
    409: {"model": Stale, "description": "Someone else acted."},
}


def routes(parts: Parts) -> APIRouter:
    """Return the routes for a seat."""
    router = APIRouter(
        prefix="/api/tables/{table}/seats/{seat}", tags=["seat"], responses=REFUSALS, dependencies=NAMES_A_GAME
    )

    def door(request: Request, table: str, seat: int) -> SeatRequest:
        return parts.authentication.seat(request, table, seat)

    def viewing(request: Request, table: str, seat: int) -> Viewing:
        opened = door(request, table, seat)
        return Viewing(parts, opened.table, opened.seat)

    @router.get("/stream", responses=EVENT_STREAM)
    def stream(
        table: TableId,
        seat: SeatNumber,
        request: Request,
        after: After = 0,
        snapshots: Snapshots = False,
        last: str | None = LastEventId,
    ) -> Any:
        """Stream the game's events as this seat may know them."""
        return viewing(request, table, seat).stream(request, position(after, last), snapshots=snapshots)

    @router.get("/table", response_model=TableInformation)
    def show(table: TableId, seat: SeatNumber, request: Request) -> dict[str, object]:
        """Return a table and its game as this seat may know them now, even if watchers learn of them later."""
        opened = door(request, table, seat)
        live = opened.table.shows_live(opened.seat)
        return information(opened.table if live else parts.delay.shown(opened.table, seat))

    @router.get("/snapshot", responses={200: {"model": SnapshotAnswer}})
    def snapshot(table: TableId, seat: SeatNumber, request: Request, after: After = 0) -> Any:
        """Return the current state of the game, and the actions that this seat may choose."""
        return viewing(request, table, seat).snapshot(after)

    @router.get("/replay", responses={200: {"model": Replayed}})
    async def replay(
        table: TableId,
        seat: SeatNumber,
        request: Request,
        begin: Annotated[Seq, Query(alias="from")] = 1,
        to: Seq | None = None,
    ) -> Any:
        """Return steps of the game as this seat may know them, at most 200 at once."""
        return await parts.slow.answer(request, lambda: viewing(request, table, seat).replay(begin, to))

    @router.get("/export", responses=EXPORT)
    async def export(table: TableId, seat: SeatNumber, request: Request) -> Any:
        """Return this seat's file of the game, for `pokersvc verify`."""
        return await parts.slow.answer(request, lambda: viewing(request, table, seat).export())

    @router.post("/commands", responses=_RECORDED)
    def command(table: TableId, seat: SeatNumber, asked: CommandBody, request: Request) -> Any:
        """Carry out an action of this seat; a command that is sent again with the same ID is carried out once."""
        return carried_out(parts, request, table, seat, asked)

    @router.post("/binding", responses=_RECORDED)
    def binding(table: TableId, seat: SeatNumber, asked: BindingBody, request: Request) -> Response:
        """Bind this seat to a key and a chain of shares, at a table that shuffles together (docs/shares.md)."""
        renewal = None if asked.renewal is None else bytes.fromhex(asked.renewal)
        key, tip, signature = bytes.fromhex(asked.key), bytes.fromhex(asked.tip), bytes.fromhex(asked.signature)
        bind = BindSeat(seat=seat, key=key, tip=tip, length=asked.length, signature=signature, renewal=renewal)
        return shared(parts, request, table, seat, asked.id, bind)

    @router.post("/share", responses=_RECORDED)
    def share(table: TableId, seat: SeatNumber, asked: ShareBody, request: Request) -> Response:
        """Open the share of this seat for the round that awaits it (docs/shares.md)."""
        opening = OpenShare(seat=seat, share=bytes.fromhex(asked.share), signature=bytes.fromhex(asked.signature))
        return shared(parts, request, table, seat, asked.id, opening)

    @router.get("/advice", response_model=Advised)
    def advice(table: TableId, seat: SeatNumber, request: Request) -> Any:
        """Return advice on this seat's choice, if the table allows advice and the game has any."""
        opened = door(request, table, seat)
        if not opened.table.settings["advice"]:
            raise NotAllowed("At this table nobody is advised.")
        game_id = opened.table.game_id
        parts.within(parts.advice_rate, game_id, seat)
        check_started(parts, game_id)
        with parts.viewer_copies.now(opened.table.kind, game_id, opened.viewpoint) as followed:
            view, legal, words = followed.view(), followed.legal(), followed.game.words
        return {"lines": [] if legal is None else words.advise(view, legal) or []}

    return router
