"""A PostgreSQL server for tests, if ``POKERSVC_TEST_POSTGRES_URL`` names one.

It names a database that exists, as a role that may make databases and roles: the tests make their own, and remove them.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

import psycopg
from sqlalchemy import URL
from sqlalchemy.engine import make_url

from pokersvc.eventlog.database import Database

VARIABLE = "POKERSVC_TEST_POSTGRES_URL"
SKIPPED = f"PostgreSQL is left out: {VARIABLE}"


class Server:
    """The server, and how databases are made on it."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self._spare: list[URL] = []
        self._databases = ExitStack()

    def run(self, statement: str, values: Sequence[Any] = (), *, database: str | None = None) -> list[Any]:
        """Run a statement as the role of the variable, and return its rows."""
        url = self.url if database is None else self.url.set(database=database)
        return run(url, statement, values=values)

    @contextmanager
    def empty(self, options: str = "") -> Iterator[URL]:
        """Make a database with nothing in it."""
        name = f"pokersvc_test_{uuid4().hex}"
        self.run(f"CREATE DATABASE {name} {options}")
        try:
            yield self.url.set(database=name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def migrated(self) -> Iterator[URL]:
        """Return a database at the newest schema without games; it is reused, which is faster than a new one."""
        url = self._spare.pop() if self._spare else self._made()
        yield url
        run(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",  # what a failed test left open
            "ALTER TABLE events DISABLE TRIGGER events_refuse_truncate",
            "TRUNCATE games, events, game_summaries, game_players, played_rounds, history_entries, tallies,"
            " ladder_deals, ladder_members, ladders RESTART IDENTITY",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_truncate",
        )
        self._spare.append(url)

    def _made(self) -> URL:
        url = self._databases.enter_context(self.empty())
        Database.for_upgrading(text(url)).close()
        return url

    @contextmanager
    def role(self) -> Iterator[str]:
        """Create a role that may only log in; at the end it must own nothing."""
        name = f"pokersvc_test_{uuid4().hex}"
        self.run(f"CREATE ROLE {name} LOGIN")
        try:
            yield name
        finally:
            self.run(f"DROP ROLE {name}")

    def close(self) -> None:
        self._databases.close()


def text(url: URL) -> str:
    """Return a URL as the program takes it, with its password."""
    return url.render_as_string(hide_password=False)


def run(url: URL, *statements: str, values: Sequence[Any] = ()) -> list[Any]:
    """Run SQL statements without pokersvc, the last one with values; return its rows."""
    with psycopg.connect(text(url.set(drivername="postgresql")), autocommit=True, connect_timeout=5) as connection:
        connection.execute("SET lock_timeout = '30s'")
        for statement in statements[:-1]:
            connection.execute(statement)
        cursor = connection.execute(statements[-1], values or None)
        return cursor.fetchall() if cursor.description else []


def found() -> Server | str:
    """Return the server, or the reason why there is none."""
    name = os.environ.get(VARIABLE)
    if not name:
        return f"{SKIPPED} is not set, such as to postgresql+psycopg://postgres@localhost/postgres"
    server = Server(make_url(name))
    try:
        server.run("SELECT 1")
    except psycopg.OperationalError as error:
        return f"{SKIPPED} cannot be reached: {str(error).splitlines()[0]}"
    return server
