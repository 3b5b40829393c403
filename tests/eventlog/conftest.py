"""Fixtures for tests of the log: a database on SQLite and one on PostgreSQL, for the same tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from tests.postgres import Server

from .marked import with_a_killed_writer
from .support import File, OnServer, Place


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on every kind of database, unless it is about a file."""
    if "place" in metafunc.fixturenames:
        kinds = ["sqlite"] if "path" in metafunc.fixturenames else ["sqlite", "postgresql"]
        metafunc.parametrize("place", kinds, indirect=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Fixture: a database, with access that bypasses the log."""
    if request.param == "sqlite":
        yield File(tmp_path / "games.sqlite")
        return
    server: Server = request.getfixturevalue("server")
    with server.migrated() as url:
        yield OnServer(url)


@pytest.fixture
def database(place: Place) -> Iterator[Database]:
    with Database.for_writing(place.url) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture(scope="session")
def killed_writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database whose last twenty games are in its write-ahead log alone: its writer was killed."""
    folder = tmp_path_factory.mktemp("killed")
    with_a_killed_writer(folder)
    return folder
