"""Backups: a consistent copy of the database, made while others write."""

import os
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select

from pokersvc.errors import InvalidValue
from pokersvc.eventlog import sqlite
from pokersvc.eventlog.address import parse
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import InvalidDatabase, opening
from pokersvc.eventlog.tables import games


class InvalidBackup(InvalidValue):
    """No backup can be written to the file."""

    code = "invalid_backup"


class BackedUp(NamedTuple):
    """A backup: its file, and how many games and events it holds."""

    label: str
    games: int
    events: int


def back_up(url: str, file: str) -> BackedUp:
    """Copy the SQLite database at a URL or path to a new file, consistently and durably.

    The file can be opened like any other database; it is either complete or not there at all. Raises InvalidBackup if
    the file cannot be a backup, and the errors of pokersvc.eventlog.errors.
    """
    if parse(url).url is not None:
        raise InvalidDatabase(
            f"{parse(url).label} is on a server, which makes its own backups: run"
            " `pg_dump --format=custom --file=FILE` on it, and restore with `pg_restore`."
        )
    copy = _new_file(file)
    with Database.for_reading(url, any_revision=True) as database, database.read() as connection:
        held = (0, 0)
        if database.revision is not None:
            count, events = connection.execute(select(func.count(), func.total(games.c.count))).one()
            held = (count, int(events))
        with opening(file, undone="there is no backup"):
            if not sqlite.copy_to(connection, copy):
                raise _taken(file)
    return BackedUp(file, *held)


def _new_file(file: str) -> Path:
    label, copy, _ = parse(file)
    if copy is None:
        raise InvalidBackup(f"{label} is not a file to back up to: name a new file.")
    if not copy.parent.is_dir():
        raise InvalidBackup(f"{file} cannot be made: there is no folder {copy.parent}; make it, or name another.")
    if os.path.lexists(copy):
        raise _taken(file)
    if (left := sqlite.left_beside(copy)) is not None:
        raise InvalidBackup(
            f"{file} cannot be made: {left} is there, left by another database of that name; name another file."
        )
    return copy


def _taken(file: str) -> InvalidBackup:
    return InvalidBackup(f"{file} already exists, and a backup never overwrites a file: name a new file.")
