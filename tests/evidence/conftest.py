"""Fixtures for the tests of evidence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database.for_writing(str(path)) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventLog]:
    """A log of two games, only to read: ``finished``, and ``running``, which waits for the person at seat 1."""
    with Database.for_writing(str(tmp_path_factory.mktemp("log") / "games.sqlite")) as opened:
        service = Service(EventLog(opened))
        programs = tuple(Seat("minimum", name) for name in ("Ann", "Bob"))
        service.start("draw", Setup(programs, EntropySource.from_text("finished"), 2), game_id="finished")
        while service.status("finished").outcome is None:
            service.play_round("finished")
        person = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"))
        service.start("draw", Setup(person, EntropySource.from_text("running")), game_id="running")
        yield EventLog(opened)
