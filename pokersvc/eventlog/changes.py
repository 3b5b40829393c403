"""A cheap check for commits that others have made to a database."""

import sqlite3
from contextlib import closing
from threading import Lock

from pokersvc.eventlog import sqlite
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import translated


class Changes:
    """Detects commits since the last call of `since_last`; close it, or use it as a context manager.

    For a SQLite file it opens a connection of its own and reads ``data_version``, which changes with every commit of
    another connection. For other databases it always reports a possible change.
    """

    def __init__(self, database: Database) -> None:
        self._label = database.label
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._version: int | None = None
        if database.path is not None:
            with translated(self._label):
                self._connection = sqlite.watching(database.path)

    def __enter__(self) -> "Changes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def since_last(self) -> bool:
        """Return whether anything may have been committed since the last call; True on the first call."""
        with self._lock, translated(self._label):
            if self._connection is None:
                return True
            with closing(self._connection.execute("PRAGMA data_version")) as found:
                version = int(found.fetchone()[0])
            before, self._version = self._version, version
            return version != before
