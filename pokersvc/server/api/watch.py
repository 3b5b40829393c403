"""Requests of those who watch, which need no token."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from pokersvc.core.registry import history_words_of
from pokersvc.evidence.audit import audit
from pokersvc.server.api.addresses import EVENT_STREAM, EXPORT, MOST_SEQ, REFUSALS, After, TableId
from pokersvc.server.api.games import LastEventId, Viewing, position
from pokersvc.server.errors import WrongTime
from pokersvc.server.models.answers import AuditReport, History, Replayed, SnapshotAnswer
from pokersvc.server.parts import Parts
from pokersvc.service.read_models import history

Seq = Annotated[int, Query(ge=1, le=MOST_SEQ)]


def routes(parts: Parts) -> APIRouter:
    """Return the routes for those who watch."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["watch"], responses=REFUSALS)

    def viewing(table: str) -> Viewing:
        return Viewing(parts, parts.authentication.table(table))

    @router.get("/watch/stream", responses=EVENT_STREAM)
    def stream(table: TableId, request: Request, after: After = 0, last: str | None = LastEventId) -> Any:
        """Stream the game's events as everyone may know them."""
        return viewing(table).stream(request, position(after, last))

    @router.get("/watch/snapshot", responses={200: {"model": SnapshotAnswer}})
    def snapshot(table: TableId, after: After = 0) -> Any:
        """Return the current state of the game as everyone may know it."""
        return viewing(table).snapshot(after)

    @router.get("/watch/replay", responses={200: {"model": Replayed}})
    async def replay(
        table: TableId, request: Request, begin: Annotated[Seq, Query(alias="from")] = 1, to: Seq | None = None
    ) -> Any:
        """Return steps of the game, at most 200 at once."""
        return await parts.slow.answer(request, lambda: viewing(table).replay(begin, to))

    @router.get("/watch/opened", responses={200: {"model": Replayed}})
    def opened(table: TableId, begin: Annotated[Seq, Query(alias="from")] = 1, to: Seq | None = None) -> Any:
        """Return steps of a finished game with every hand shown, if its table opens its decks after the game."""
        return viewing(table).opened(begin, to)

    @router.get("/watch/export", responses=EXPORT)
    async def export(table: TableId, request: Request) -> Any:
        """Return the file of the game that everyone may have, for `pokersvc verify`."""
        return await parts.slow.answer(request, lambda: viewing(table).export())

    @router.get("/history", response_model=History)
    async def show_history(table: TableId, request: Request) -> Any:
        """Return what happened in each round."""
        return await parts.slow.answer(request, lambda: told(table))

    def told(table: str) -> dict[str, Any]:
        row = parts.authentication.table(table)
        if parts.log.head(table) is None:
            raise WrongTime("not_started", "The game has not started yet.")
        summary, words = history.summary(parts.database, table), history_words_of(row.kind)
        entries = history.entries(parts.database, table)
        said = [{"number": one.number, "line": words.line(one), "details": words.details(one)} for one in entries]
        return {"title": summary.title, "result": summary.result, "history": said}

    @router.get("/audit", response_model=AuditReport)
    async def show_audit(table: TableId, request: Request) -> Any:
        """Audit a finished game, and return the findings without anything that is hidden."""
        return await parts.slow.answer(request, lambda: audited(table))

    def audited(table: str) -> dict[str, Any]:
        parts.authentication.table(table)
        if parts.log.head(table) is None or parts.service.status(table).outcome is None:
            raise WrongTime("not_over", "The game is not over; a game in progress is not audited in public.")
        (found,) = audit(parts.database, [table])
        # A finding may quote what is hidden from this client: the operator gets it from `pokersvc audit`.
        findings = [{"seq": one.seq, "check": one.check, "message": one.without_secrets} for one in found.findings]
        return {"events": found.events, "passed": found.passed, "findings": findings}

    return router
