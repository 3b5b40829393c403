"""Events to record, and other processes to do it."""

import hashlib
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.high_water_mark import SUFFIX
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.server.tables.schema import SERVER_TABLES
from pokersvc.tournament.ladder.schema import LADDER_TABLES
from tests import postgres
from tests.forks import forks

PUBLIC = NewEvent("Raised", 1, '{"seat":1,"to":20}')
SECRET = NewEvent("HandDealt", 2, '{"cards":5,"seat":1}', '{"cards":["AS","10D"]}')
COMMAND = [PUBLIC, SECRET, PUBLIC]
AS_SCHEMA_0001 = (
    "DROP TABLE played_rounds",
    "DROP TABLE game_players",
    *map(
        "DROP TABLE {}".format,
        (*(table.name for table in (*LADDER_TABLES, *SERVER_TABLES)), "history_entries", "game_summaries", "tallies"),
    ),
    "UPDATE alembic_version SET version_num = '0001'",
)
"""Statements that make a database one of the first release, which had the log alone."""


def record(log: EventLog, game_id: str = "game", commands: int = 1) -> list[Record]:
    """Record a new game with commands of three events, the second with a secret."""
    records = []
    for number in range(commands):
        records += log.append(game_id, COMMAND, expected=3 * number, command_id=f"c{number}", kind="test")
    return records


def written(path: Path, commands: int = 2) -> Path:
    """Make a database with the game ``game`` in it, closed."""
    with Database.for_writing(str(path)) as database:
        record(EventLog(database), commands=commands)
    return path


def raw(path: Path, *statements: str, values: Sequence[Any] = ()) -> list[Any]:
    """Run SQL statements without pokersvc, the last one with values; return its rows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements[:-1]:
            connection.execute(statement)
        return connection.execute(statements[-1], values).fetchall()


def tamper(path: Path, statement: str, values: Sequence[Any] = ()) -> None:
    """Change data that triggers and constraints protect."""
    raw(
        path,
        "DROP TRIGGER IF EXISTS events_refuse_update",
        "DROP TRIGGER IF EXISTS events_refuse_delete",
        "PRAGMA ignore_check_constraints = ON",
        statement,
        values=values,
    )


class Place(ABC):
    """The address of a database; the methods bypass the log."""

    url: str

    @abstractmethod
    def raw(self, *statements: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run SQL statements without pokersvc, the last one with values; return its rows."""

    @abstractmethod
    def tamper(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Change data that triggers and constraints protect."""


class File(Place):
    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = str(path)

    def raw(self, *statements: str, values: Sequence[Any] = ()) -> list[Any]:
        return raw(self.path, *statements, values=values)

    def tamper(self, statement: str, values: Sequence[Any] = ()) -> None:
        tamper(self.path, statement, values)


class OnServer(Place):
    def __init__(self, url: URL) -> None:
        self._url = url
        self.url = postgres.text(url)

    def raw(self, *statements: str, values: Sequence[Any] = ()) -> list[Any]:
        return postgres.run(self._url, *(statement.replace("?", "%s") for statement in statements), values=values)

    def tamper(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Turn the triggers off for this one statement, because other tests use the database too."""
        switch = "ALTER TABLE events {} TRIGGER events_refuse_{}"
        changes = ("update", "delete")
        self.raw(*(switch.format("DISABLE", change) for change in changes), statement, values=values)
        self.raw(*(switch.format("ENABLE ALWAYS", change) for change in changes))


def state(folder: Path) -> dict[str, str]:
    """Return the files of a folder with the SHA-256 of each."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def names(folder: Path) -> list[str]:
    """Return the files of a folder without the marks, which lie beside whatever was written."""
    return [name for name in state(folder) if not name.endswith(SUFFIX)]


def command_line(code: str, *arguments: object) -> list[str]:
    """Return the command line that runs Python code in another process."""
    return [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]


def run(code: str, *arguments: object, unprivileged: bool = False) -> str:
    """Run Python code in another process, optionally without root's powers; return its output.

    The process is forked from one that has imported the log.
    """
    ended = forks().run("tests.eventlog.code:run", code, *arguments, powerless=unprivileged)
    assert ended.code == 0, ended.err
    return ended.out.strip()
