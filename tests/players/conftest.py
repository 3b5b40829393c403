"""A database in memory and its log, and players with walls and without."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.players import Programs, Walls


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture(params=[True, False], ids=["trusted", "boxed"], scope="module")
def programs(request: pytest.FixtureRequest, folder: Path) -> Iterator[Programs]:
    """The players of a test module's ``folder``."""
    with Programs(2, folder, Walls(trusted=request.param)) as programs:
        yield programs
