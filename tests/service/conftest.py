"""A database in memory, its log, and a service on it; some tests take one of each kind that processes can share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from tests.postgres import Server, text


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def shared_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of each kind that several processes can open."""
    if request.param == "sqlite":
        yield str(tmp_path / "games.sqlite")
        return
    server: Server = request.getfixturevalue("server")
    with server.migrated() as url:
        yield text(url)


@pytest.fixture
def shared(shared_url: str) -> Iterator[Database]:
    with Database.for_writing(shared_url) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture
def service(log: EventLog) -> Service:
    return Service(log)
