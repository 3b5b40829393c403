"""A server on loopback, in a thread, and people at its tables."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.run import Server, listen
from pokersvc.server.settings import Limits, Settings
from pokersvc.service.opening import open_database
from tests import postgres
from tests.cli.program import Program

from .guests import Guest
from .routed import keep_routes

FAST = Limits(
    requests=Rate(1e6, 10**6),
    entries=Rate(1e6, 10**6),
    commands=Rate(1e6, 10**6),
    advice=Rate(1e6, 10**6),
    slow=Rate(1e6, 10**6),
    chat=Rate(1e6, 10**6),
    chat_of_address=Rate(1e6, 10**6),
    refused=Rate(1e6, 10**6),
    tables_of_address=10**6,
    making=1.0,
)
"""Limits that no test meets but those of limits."""
HURRIED = SimpleNamespace(**vars(asyncio) | {"sleep": lambda seconds: asyncio.sleep(seconds / 20)})
"""What uvicorn waits with: it looks ten times a second whether it is to end, and then waits a tenth of one."""


@contextmanager
def running(
    path: Path, *, limits: Limits = FAST, pace: float = 0.0, pause: float = 0.0, url: str | None = None
) -> Iterator[Guest]:
    """Serve a database in a file, and give a guest of the server."""
    with (
        open_database(path) as database,
        served(database, limits=limits, pace=pace, pause=pause, url=url, poll=0.02) as guest,
    ):
        yield guest


@contextmanager
def served(database: Database, **settings: Any) -> Iterator[Guest]:
    """Serve an open database with these settings, and give a guest of the server."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("uvicorn.server.asyncio", HURRIED)
        keep_routes(patch)
        server = Server(database, Settings(port=port, **settings), [listening])
        thread = Thread(target=server.serve_here)
        thread.start()
        try:
            with Guest(f"http://127.0.0.1:{port}") as guest:
                yield guest
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The program in an empty home, for who joins from a terminal, without advice, which would take long."""
    program = Program(tmp_path, {"POKERSVC_ADVICE": "no"})
    yield program
    program.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A server that the tests of a module share."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite") as guest:
        yield guest


@pytest.fixture(scope="module")
def server_of_postgres() -> Iterator[postgres.Server]:
    found = postgres.found()
    if isinstance(found, str):
        pytest.skip(found)
    yield found
    found.close()
