"""The database that a command uses: finding it and opening it."""

import logging
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer
from platformdirs import user_data_path

import pokersvc
from pokersvc import eventlog
from pokersvc.cli.database.chosen import Chosen
from pokersvc.errors import InvalidValue, printable

# Errors are reported in one sentence: a Ctrl-C while a connection closes must not show a traceback.
logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())

FILE_NAME = "pokerdb.sqlite"
PROGRAM = "pokersvc"


def chosen(context: typer.Context) -> str:
    """Return the database that --db or the environment names, or else the path of one in the user's data folder."""
    asked: Chosen = context.obj
    if asked.name is None:
        return str(user_data_path("pokersvc", appauthor=False) / FILE_NAME)
    if not asked.name:
        raise InvalidValue("The name of the database is empty; give --db a file or a URL.")

    address = eventlog.address.parse(asked.name)
    if address.path is None and address.url is None:
        raise InvalidValue(
            f"{address.label} cannot be used: it would be lost when the program ends; give --db a file, or sqlite:///FILE."
        )
    return asked.name


def program(context: typer.Context, database: "pokersvc.Database") -> str:
    """Return the program's name, with --db if it was given; a command line for the same database starts with it."""
    asked: Chosen = context.obj
    return f"{called()} --db {shlex.quote(database.label)}" if asked.by_option else called()


def called() -> str:
    """Return the name by which the shell finds this program; if the shell does not find it, the program's path."""
    called = Path(sys.argv[0])
    found = shutil.which(PROGRAM)
    if called.name != PROGRAM or (found is not None and Path(found).resolve() == called.resolve()):
        return PROGRAM
    return shlex.quote(os.path.relpath(called))


@contextmanager
def reading(context: typer.Context, *, any_revision: bool = False, warn: bool = True) -> Iterator["pokersvc.Database"]:
    """Open the database read-only; if ``warn``, call `warn_of_losses`."""
    with pokersvc.Database.for_reading(chosen(context), any_revision=any_revision) as database:
        if warn:
            warn_of_losses(database)
        yield database


@contextmanager
def reading_if_there(context: typer.Context) -> Iterator["pokersvc.Database | None"]:
    """Open the database read-only, with any schema; yield None if there is no log yet."""
    try:
        database = pokersvc.Database.for_reading(chosen(context), any_revision=True)
    except pokersvc.DatabaseMissing:
        yield None
        return
    with database:
        warn_of_losses(database)
        yield None if database.revision is None else database


def warn_of_losses(database: "pokersvc.Database") -> None:
    """Warn on standard error if events are lost; the remaining events can still be read."""
    try:
        with suppress(pokersvc.DatabaseDamaged):  # the command itself will run into this
            database.refuse_losses()
    except pokersvc.EventsLost as lost:
        print(f"Warning: {printable(lost)}", file=sys.stderr)


@contextmanager
def writing(context: typer.Context) -> Iterator["pokersvc.Database"]:
    """Open the database for writing; create a missing file, and migrate an older schema.

    At the end, the hands played are added to the tallies, so that statistics need not count them each time.
    """
    with pokersvc.open_database(chosen(context)) as database:
        say_migration(database)
        yield database
        pokersvc.service.read_models.tallies.tally(database)


def finish_migration(database: "pokersvc.Database") -> None:
    """Rebuild the read models after a migration, including one that was interrupted before this step."""
    if pokersvc.service.opening.complete_lists(database):
        say_migration(database)


def say_migration(database: "pokersvc.Database") -> None:
    """Report a migration of the database on standard error, if there was one."""
    if database.migrated_from is not None:
        kept = "" if database.path is None else "; a copy of the old file is beside it"
        print(
            f"{database.label} was migrated from schema {database.migrated_from} to {database.revision}{kept}.",
            file=sys.stderr,
        )
