"""`pokersvc db`: the database's schema and its read models."""

from contextlib import suppress
from typing import Annotated

import typer

from cli import database as databases

app = typer.Typer(
    help="Look after the database.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def upgrade(context: typer.Context) -> None:
    """Bring the database to this program's schema.

    A SQLite file is copied beside itself first.
    """
    from pokersvc.eventlog.database import Database
    from pokersvc.eventlog.errors import DatabaseMissing
    from pokersvc.eventlog.schema import head_revision
    from pokersvc.history import is_whole

    with suppress(DatabaseMissing), databases.reading(context, any_revision=True) as database:
        if database.revision == head_revision() and is_whole(database):
            print(f"{database.label} is at schema {database.revision}.")
            return  # with nothing to do, not a byte of the file changes
    with Database.for_upgrading(databases.chosen(context)) as database:
        databases.finish_migration(database)
        print(f"{database.label} is at schema {database.revision}.")


@app.command()
def current(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the database, its schema and this program's."""
    from cli.output import print_json
    from pokersvc.eventlog import schema
    from pokersvc.eventlog.database import Database

    with Database.for_reading(databases.chosen(context), any_revision=True) as database:
        newest = schema.head_revision()
        if as_json:
            print_json({"database": database.label, "newest": newest, "schema": database.revision})
        elif database.revision == newest:
            print(f"{database.label} is at schema {database.revision}, the newest.")
        else:
            print(f"{database.label} is at schema {database.revision}; run `pokersvc db upgrade` for {newest}.")


@app.command()
def rebuild(context: typer.Context) -> None:
    """Make lists and histories again from the events."""
    from pokersvc import history

    with databases.reading(context, any_revision=True):  # a database that is missing is not made here
        pass
    with databases.writing(context) as database:
        count = history.rebuild(database)
        print(f"Read models of {count} game{'' if count == 1 else 's'} were made again from the events.")
