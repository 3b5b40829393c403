"""Requests of watchers, which need no token."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from pokersvc.core.registry import history_words_of
from pokersvc.evidence.audit import audit
from pokersvc.server.api.addresses import EVENT_STREAM, EXPORT, NAMES_A_GAME, REFUSALS, After, Snapshots, TableId
from pokersvc.server.api.games import LastEventId, Viewing, position
from pokersvc.server.errors import WrongTime
from pokersvc.server.models.answers import AuditReport, History, Replayed, SnapshotAnswer
from pokersvc.server.models.bodies import MOST_SEQ
from pokersvc.server.parts import Parts
from pokersvc.server.tables.rows import TableRow
from pokersvc.service.read_models import history

Seq = Annotated[int, Query(ge=1, le=MOST_SEQ)]


def routes(parts: Parts) -> APIRouter:
    """Return the routes for watchers."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["watch"], responses=REFUSALS, dependencies=NAMES_A_GAME)

    def watched(request: Request, table: str) -> TableRow:
        return parts.watched(request, table)

    def viewing(request: Request, table: str) -> Viewing:
        return Viewing(parts, watched(request, table))

    @router.get("/watch/stream", responses=EVENT_STREAM)
    def stream(
        table: TableId,
        request: Request,
        after: After = 0,
        snapshots: Snapshots = False,
        last: str | None = LastEventId,
    ) -> Any:
        """Stream the game's events as everyone may know them."""
        return viewing(request, table).stream(request, position(after, last), snapshots=snapshots)

    @router.get("/watch/snapshot", responses={200: {"model": SnapshotAnswer}})
    def snapshot(table: TableId, request: Request, after: After = 0) -> Any:
        """Return the current state of the game as everyone may know it."""
        return viewing(request, table).snapshot(after)

    @router.get("/watch/replay", responses={200: {"model": Replayed}})
    async def replay(
        table: TableId, request: Request, begin: Annotated[Seq, Query(alias="from")] = 1, to: Seq | None = None
    ) -> Any:
        """Return steps of the game, at most 200 at once."""
        return await parts.slow.answer(request, lambda: viewing(request, table).replay(begin, to))

    @router.get("/watch/opened", responses={200: {"model": Replayed}})
    async def opened(
        table: TableId, request: Request, begin: Annotated[Seq, Query(alias="from")] = 1, to: Seq | None = None
    ) -> Any:
        """Return steps of a finished game with every hand shown, if its table opens its decks after the game."""
        return await parts.slow.answer(request, lambda: viewing(request, table).opened(begin, to))

    @router.get("/watch/export", responses=EXPORT)
    async def export(table: TableId, request: Request) -> Any:
        """Return the game's file for everyone, which `pokersvc verify` checks."""
        return await parts.slow.answer(request, lambda: viewing(request, table).export())

    @router.get("/history", response_model=History)
    async def show_history(table: TableId, request: Request) -> Any:
        """Return what happened in each round."""
        return await parts.slow.answer(request, lambda: told(request, table))

    def told(request: Request, table: str) -> dict[str, Any]:
        row = watched(request, table)
        parts.delay.require_whole(row)
        if parts.log.head(row.game_id) is None:
            raise WrongTime("not_started", "The game has not started yet.")
        summary, words = history.summary(parts.database, row.game_id), history_words_of(row.kind)
        entries = history.entries(parts.database, row.game_id)
        said = [{"number": one.number, "line": words.line(one), "details": words.details(one)} for one in entries]
        return {"title": summary.title, "result": summary.result, "history": said}

    @router.get("/audit", response_model=AuditReport)
    async def show_audit(table: TableId, request: Request) -> Any:
        """Audit a finished game, and return the findings without anything that is hidden."""
        return await parts.slow.answer(request, lambda: audited(request, table))

    def audited(request: Request, table: str) -> dict[str, Any]:
        row = watched(request, table)
        parts.delay.require_whole(row)
        game_id = row.game_id
        if parts.log.head(game_id) is None or parts.service.status(game_id).outcome is None:
            raise WrongTime("not_over", "The game is not over; a game in progress is not audited in public.")
        (found,) = audit(parts.database, [game_id])
        # A finding may quote what is hidden from this client: the operator gets it from `pokersvc audit`.
        findings = [{"seq": one.seq, "check": one.check, "message": one.without_secrets} for one in found.findings]
        return {"events": found.events, "passed": found.passed, "findings": findings}

    return router
