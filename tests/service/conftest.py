"""A database in memory, its log, and a service on it."""

from collections.abc import Iterator

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture
def service(log: EventLog) -> Service:
    return Service(log)
