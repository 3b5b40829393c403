"""What the tests of the log share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog


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
