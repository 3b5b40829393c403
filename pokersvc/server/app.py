"""The ASGI application: all routes, and the background tasks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from pokersvc.core.version import __version__
from pokersvc.errors import PokersvcError, printable
from pokersvc.eventlog.changes import Changes
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.players import Programs
from pokersvc.server import metrics
from pokersvc.server.api import (
    chat,
    devices,
    elsewhere,
    host,
    host_people,
    ladders,
    lobby,
    operations,
    results,
    seat,
    shared_hands,
    watch,
)
from pokersvc.server.authentication import Authentication
from pokersvc.server.commands import Commands
from pokersvc.server.connections.guard import Guard
from pokersvc.server.connections.rate_limits import Meter
from pokersvc.server.connections.slow_answers import Slow
from pokersvc.server.connections.turns import Turns
from pokersvc.server.errors import UnknownTable
from pokersvc.server.fast_commands import FastCommands
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.stream import Streams
from pokersvc.server.following.viewer_copies import SHARE, ViewerCopies
from pokersvc.server.parts import Parts
from pokersvc.server.rankings import Rankings
from pokersvc.server.refusals import field_of, refusal, refusal_of
from pokersvc.server.running.presence import Presence
from pokersvc.server.running.runner import Runner
from pokersvc.server.settings import Settings
from pokersvc.server.static import Page
from pokersvc.server.tables.chat import Chat
from pokersvc.server.tables.chat_lines import ChatStore
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.housekeeping import Housekeeping
from pokersvc.server.tables.information import MOST_SEATS
from pokersvc.server.tables.makers import Makers
from pokersvc.server.tables.moves import Moves
from pokersvc.server.tables.opening import Opening
from pokersvc.server.tables.people import People
from pokersvc.server.tables.results import EveningResults
from pokersvc.server.tables.reviews import REVIEWS, Reviews
from pokersvc.server.tables.shared_hands import SharedHands
from pokersvc.server.tables.store import TableStore, unknown_table
from pokersvc.server.threads import Threads
from pokersvc.service import Service
from pokersvc.service.read_models.evening import Evenings

_READ: Final = ["GET", "HEAD"]
_SHELLS: Final = (
    "/", "/t/{table}/", "/t/{table}/seat/{seat}/", "/t/{table}/host/", "/t/{table}/sit/", "/t/{table}/move/",
    "/t/{table}/hand/", "/replay/{table}/", "/ladders/",
)  # fmt: skip


def application(parts: Parts, *, page: Path | None = None) -> Guard:
    """Return the application that serves the tables of a database."""
    app = FastAPI(
        title="pokersvc",
        version=__version__,
        summary="Tables of games whose every action is an immutable event that everybody can check.",
        docs_url=None,  # FastAPI's pages of docs load scripts from other hosts
        redoc_url=None,
        lifespan=_running(parts),
    )
    for room in (
        lobby,
        ladders,
        watch,
        devices,
        elsewhere,
        seat,
        results,
        host,
        host_people,
        chat,
        shared_hands,
        operations,
    ):
        app.include_router(room.routes(parts))
    _pages(app, Page(page))
    _refusals(app)
    return Guard(FastCommands(app, parts), parts.settings, parts.metrics, parts.streams)


def parts_of(
    database: Database, settings: Settings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Parts:
    """Return the objects that serve a database's tables, such as log and hub; the caller closes the database."""
    log, seen = EventLog(database), settings.memory // SHARE
    service = Service(
        log,
        clock,
        programs=Programs(walls=settings.walls),
        memory=settings.memory - seen,
        most_bytes=settings.limits.table_bytes or None,
    )
    tables, told = TableStore(database, settings.limits.open_tables), metrics.Metrics()
    lines, copies = ChatStore(database), ViewerCopies(service, seen)
    hub = Hub(service, tables, lines, Changes(database), settings.poll, database.notices())
    delay = Delay(database, tables, service)
    commands = Commands(service, tables, hub, told, settings.lease)
    return Parts(
        database=database,
        log=log,
        settings=settings,
        metrics=told,
        service=service,
        tables=tables,
        hub=hub,
        commands=commands,
        opening=Opening(service, tables, commands, hub, settings),
        authentication=Authentication(tables, settings.limits),
        chat=Chat(tables, lines, hub, service, copies, delay, settings.limits),
        chat_lines=lines,
        delay=delay,
        makers=Makers(tables, settings.limits.tables_of_address),
        making=Turns(settings.limits.making),
        viewer_copies=copies,
        streams=Streams(settings.limits, told),
        presence=Presence(tables, hub),
        results=EveningResults(tables, delay, Evenings(database), service),
        reviews=Reviews(service, delay),
        rankings=Rankings(database, settings.programs),
        command_rate=Meter(settings.limits.commands),
        advice_rate=Meter(settings.limits.advice),
        sitting_rate=Meter(settings.limits.sitting),
        people=People(tables, hub),
        moves=Moves(service, tables, commands, hub),
        shared_hands=SharedHands(database, tables, service, delay),
        slow=Slow(settings.limits.slow),
        reviewing=Slow(REVIEWS, "reviews", at_once=1),
        threads=Threads(settings.threads, "pokersvc-commands"),
        threads_of_others=Threads(settings.threads, "pokersvc-others"),
    )


def _running(parts: Parts) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = parts.settings.threads
        runner = Runner(parts)
        beside = [asyncio.create_task(one) for one in (parts.hub.run(), runner.run(), Housekeeping(parts).run())]
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            for task in beside:
                with suppress(asyncio.CancelledError):
                    await task
            parts.threads.close()
            parts.threads_of_others.close()
            parts.hub.close()

    return running


def _pages(app: FastAPI, page: Page) -> None:
    async def shell(request: Request) -> Response:
        return page.answer(request, "index.html") or _missing()

    @app.api_route("/worker.js", methods=_READ, include_in_schema=False)
    async def worker(request: Request) -> Response:  # a worker controls all pages only if its file is at the top
        return page.answer(request, "worker.js") or _missing()

    for path in _SHELLS:
        app.api_route(path, methods=_READ, include_in_schema=False)(shell)

    @app.api_route("/web/{name:path}", methods=_READ, include_in_schema=False)
    async def asset(request: Request, name: str) -> Response:
        if page.has(name):
            return page.answer(request, name) or _missing()
        # Looking for new files takes time, so a thread does it.
        return await anyio.to_thread.run_sync(page.answer, request, name) or _missing()


def _missing() -> Response:
    return refusal(404, "not_found", "There is nothing at this address.")


def _refusals(app: FastAPI) -> None:
    """Register handlers that answer errors with a code and a sentence that quotes no secret from the request."""

    @app.exception_handler(PokersvcError)
    async def refused(_: Request, error: PokersvcError) -> Response:
        return refusal_of(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["loc"] == ("path", "table"):
            return refusal_of(unknown_table())
        if first["loc"] == ("path", "seat"):
            return refusal_of(UnknownTable(f"There is no such seat: seats have numbers from 1 to {MOST_SEATS}."))
        where = ".".join(str(part) for part in first["loc"])
        more = {"field": field} if (field := field_of(first["loc"])) else {}
        return refusal(422, "invalid_request", printable(f"The request is wrong at {where}: {first['msg']}."), **more)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "bad_request")
        said = refusal(error.status_code, code, printable(error.detail).rstrip(".") + ".")
        said.headers.update(error.headers or {})
        return said
