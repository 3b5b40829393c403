"""Requests of the server's operator: health, readiness and metrics."""

import shutil
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from pokersvc.errors import PokersvcError, printable
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.server import metrics
from pokersvc.server.models.answers import Refusal
from pokersvc.server.parts import Parts
from pokersvc.server.refusals import refusal
from pokersvc.text import counted

ROOM: Final = 2**20
"""Bytes that must be free on the database's disk: enough for commands of several tables in one transaction."""
TRIED: Final = 1.0
"""Seconds for which the result of a test write is reused, so that frequent requests cause few writes."""


class Readiness:
    """Tests whether commands can be recorded: writes a row, deletes it again, and checks the free space on the disk."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lock = Lock()
        self._tried: float | None = None
        self._why: PokersvcError | None = None

    def why_not(self) -> PokersvcError | None:
        """Return the error that keeps commands from being recorded; None if they can be recorded."""
        # If the database is busy for seconds, requests in that time get the previous result.
        if self._lock.acquire(blocking=self._tried is None):
            try:
                if self._tried is None or monotonic() - self._tried >= TRIED:
                    self._why = self._try()
                    self._tried = monotonic()
            finally:
                self._lock.release()
        return self._why

    def _try(self) -> PokersvcError | None:
        try:
            self._parts.tables.try_writing()
        except PokersvcError as error:
            return error
        path = self._parts.database.path
        return None if path is None else _too_full(path)


def _too_full(path: Path) -> PokersvcError | None:
    free = shutil.disk_usage(path.parent).free
    if free >= ROOM:
        return None
    left, needed = counted(free, "byte"), counted(ROOM, "byte")
    return StorageFailed(f"The disk of the database has {left} left: free some, so that it has {needed} at least.")


def routes(parts: Parts) -> APIRouter:
    """Return the routes for operators."""
    router = APIRouter(tags=["operations"])
    readiness = Readiness(parts)

    @router.get("/healthz", responses={503: {"model": Refusal, "description": "The database does not answer."}})
    def healthz() -> dict[str, str]:
        """Tell whether the server and its database answer."""
        parts.tables.open_count()
        return {"status": "ok"}

    @router.get(
        "/readyz",
        response_model=dict[str, str],
        responses={503: {"model": Refusal, "description": "No command can be recorded; the message says why."}},
    )
    def readyz() -> dict[str, str] | Response:
        """Tell whether commands can be recorded."""
        if (why := readiness.why_not()) is None:
            return {"status": "ok"}
        return refusal(503, why.code, printable(why))

    @router.get("/metrics", include_in_schema=False)
    def told() -> Response:
        parts.metrics.followed.set(parts.hub.channels)
        return Response(parts.metrics.text(), media_type=metrics.CONTENT_TYPE)

    return router
