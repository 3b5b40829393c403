"""How a program opens a database of games."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from pokersvc.eventlog.database import Database
from pokersvc.service.history import NotRebuilt, is_complete, rebuild


def open_database(url: str | Path, *, read_only: bool = False) -> Database:
    """Open a database by the path of its file or by URL; close it, or use it as a context manager.

    A SQLite file that is missing is made, for its owner alone; an older one is migrated, after a copy beside it, and
    its read models are rebuilt. ``":memory:"`` is gone once closed. A database on a server must exist
    with the current schema (``pokersvc db upgrade``). ``read_only`` makes, changes and migrates nothing.

    Raises `InvalidDatabase` for a text that names no database, `DatabaseMissing`, `NotADatabase`, `SchemaTooOld` or
    `SchemaTooNew` for what is there instead, `DatabaseReadOnly`, `DatabaseUnreadable`, `DatabaseUnreachable` or
    `DatabaseBusy` where it cannot be used, and `EventsLost` where events that were recorded are missing: all of them
    are a `PokersvcError`.

    >>> with open_database(":memory:") as database:
    ...     database.label
    ':memory:'
    """
    if read_only:
        return Database.for_reading(str(url))
    database = Database.for_writing(str(url))
    try:
        complete_lists(database)
    except BaseException:
        database.close()
        raise
    return database


FILLED: Final = "0006"
"""From this revision on, migrations fill what they add of what is there, as millions of games take long to replay."""


def complete_lists(database: Database) -> bool:
    """Make lists and histories again after a migration, also one that was interrupted before it came to that.

    Return whether that was needed. A game that cannot be replayed stops nobody: who opens it is told.
    """
    of_old = database.migrated_from is not None and database.migrated_from < FILLED
    if not of_old and is_complete(database):
        return False
    with suppress(NotRebuilt):
        rebuild(database)
    return True
