"""The statements of an append suit drivers that count parameters and drivers that name them."""

import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.statements import Statements

from .support import record


@pytest.mark.parametrize("paramstyle", ["qmark", "named"])
def test_appending_works_by_position_and_by_name(
    database: Database, monkeypatch: pytest.MonkeyPatch, paramstyle: str
) -> None:
    monkeypatch.setattr(Database, "dialect", sqlite.dialect(paramstyle=paramstyle))
    log = EventLog(database)
    records = record(log, commands=2)
    assert list(log.read("game")) == records


def test_the_statements_can_be_written_for_postgresql() -> None:
    Statements(make_url("postgresql+psycopg://").get_dialect()())
