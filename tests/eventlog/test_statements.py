"""The statements of an append suit drivers that count parameters and drivers that name them."""

from pathlib import Path

import pytest
from sqlalchemy.dialects import sqlite

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog

from .support import record


@pytest.mark.parametrize("paramstyle", ["qmark", "named"])
def test_appending_works_by_position_and_by_name(
    database: Database, path: Path, monkeypatch: pytest.MonkeyPatch, paramstyle: str
) -> None:
    monkeypatch.setattr(Database, "dialect", sqlite.dialect(paramstyle=paramstyle))
    log = EventLog(database)
    records = record(log, commands=2)
    assert list(log.read("game")) == records
