"""A database in memory and its log."""

from collections.abc import Iterator

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)
