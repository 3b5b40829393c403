"""Addresses of databases: a SQLite file, SQLite in memory, or a database on a PostgreSQL server."""

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pokersvc.eventlog.errors import InvalidDatabase

_MEMORY = ":memory:"


class Address(NamedTuple):
    """A database's address: ``path`` for a SQLite file, ``url`` for PostgreSQL, neither for SQLite in memory."""

    label: str
    path: Path | None = None
    url: URL | None = None


def parse(text: str) -> Address:
    """Parse the value of ``--db``: a plain path, or a URL as SQLAlchemy writes it.

    >>> parse("games.sqlite").path, parse("sqlite:////tmp/games.sqlite").label
    (PosixPath('games.sqlite'), '/tmp/games.sqlite')
    >>> parse("postgresql+psycopg://me:password@host/games").label
    'postgresql+psycopg://me@host/games'

    Raises InvalidDatabase; its message never shows a URL's password.
    """
    if "://" not in text:
        return _file(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        scheme = text.partition("://")[0]
        raise InvalidDatabase(
            f"The database URL that starts with {scheme!r} cannot be read: write sqlite:///FILE, or "
            "postgresql+psycopg://USER@HOST/NAME."
        ) from error
    if url.get_backend_name() != "sqlite":
        return _server(url)
    if url.drivername not in {"sqlite", "sqlite+pysqlite"} or url.query or url.host:
        raise InvalidDatabase(
            f"{url.render_as_string()!r} cannot be used: write sqlite:///FILE, with three slashes before a "
            "relative path and four before an absolute one, and no options."
        )
    return _file(url.database or _MEMORY)


def _server(url: URL) -> Address:
    if "@" in f"{url.host}{url.database}":  # an @ would end the password too early, and its rest would be shown
        raise InvalidDatabase(f"The {url.drivername} URL has two @: write one that belongs to a password as %40.")
    # Options may hold passwords as well.
    shown = {name: value for name, value in url.query.items() if "pass" not in name and "secret" not in name}
    label = url.set(query=shown).render_as_string(hide_password=True).replace(":***@", "@", 1)
    if url.drivername not in {"postgresql", "postgresql+psycopg"}:
        raise InvalidDatabase(
            f"{label} is not supported: write sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME."
        )
    return Address(label, url=url.set(drivername="postgresql+psycopg"))


def _file(text: str) -> Address:
    if text == _MEMORY:
        return Address(_MEMORY)
    if not text or "\0" in text:
        raise InvalidDatabase(f"{text!r} is not a database: name a file or write a URL.")
    return Address(text, path=Path(text))
