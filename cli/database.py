"""Which database a command means, and how it is opened."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from pokersvc.errors import InvalidValue

if TYPE_CHECKING:
    from pokersvc.eventlog.database import Database

FILE_NAME = "pokerdb.sqlite"


def chosen(context: typer.Context) -> str:
    """Return the database that --db or the environment names, or the file in the user's data folder."""
    from platformdirs import user_data_path

    if context.obj is None:
        return str(user_data_path("pokersvc", appauthor=False) / FILE_NAME)
    if not context.obj:
        raise InvalidValue("The database has an empty name; give --db a file or a URL.")
    return str(context.obj)


@contextmanager
def reading(context: typer.Context) -> Iterator["Database"]:
    """Open the database to read it, and nothing else."""
    from pokersvc.eventlog.database import Database

    with Database.for_reading(chosen(context)) as database:
        yield database


@contextmanager
def writing(context: typer.Context) -> Iterator["Database"]:
    """Open the database to write it: make it where there is none, migrate an older file."""
    from pokersvc.eventlog.database import Database

    with Database.for_writing(chosen(context)) as database:
        finish_migration(database)
        yield database


def finish_migration(database: "Database") -> None:
    """Make the read models anew after a migration, and say that there was one."""
    if database.migrated_from is None:
        return
    from pokersvc.history import rebuild

    rebuild(database)
    print(
        f"The schema of {database.label} was {database.migrated_from} and is now {database.revision};"
        " a copy of the file as it was lies beside it.",
        file=sys.stderr,
    )
