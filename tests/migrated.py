"""New SQLite databases are copies of the first one that the migrations made in this process.

Nearly every test makes a database, and to run all migrations takes as long as most tests.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

MADE = "SELECT name, sql FROM sqlite_master WHERE sql <> '' ORDER BY type <> 'table', rowid"


class Migrated:
    """Replaces the migrations: runs them for the first new database and for older ones, else copies the result."""

    def __init__(self, upgrade: Callable[[Connection], None]) -> None:
        self.by_migrations = upgrade
        self._statements: list[tuple[str, Sequence[Any]]] = []

    def __call__(self, connection: Connection) -> None:
        """Bring a database to the newest schema, inside its transaction."""
        is_new = connection.dialect.name == "sqlite" and not connection.exec_driver_sql(MADE).first()
        if is_new and self._statements:
            for statement, values in self._statements:
                connection.exec_driver_sql(statement, tuple(values))
            return
        self.by_migrations(connection)
        if is_new:
            self._statements = list(what_makes(connection))


def what_makes(connection: Connection) -> list[tuple[str, Sequence[Any]]]:
    """Return the SQL statements that create a copy of this database."""
    made = [(name, sql) for name, sql in connection.exec_driver_sql(MADE) if not name.startswith("sqlite_")]
    rows = [
        (f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row))
        for name, sql in made
        if sql.startswith("CREATE TABLE")
        for row in connection.exec_driver_sql(f"SELECT * FROM {name}")
    ]
    (application,) = connection.exec_driver_sql("PRAGMA application_id").one()
    return [*((sql, ()) for _, sql in made), *rows, (f"PRAGMA application_id = {application}", ())]
