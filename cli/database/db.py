"""`pokersvc db`: the database's schema, roles, backups, integrity check and read models."""

import sys
from contextlib import suppress
from typing import Annotated

import typer

import pokersvc
from pokersvc import eventlog, server
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import EXIT_FINDINGS, print_json, wrapped
from pokersvc.errors import InvalidValue, printable
from pokersvc.text import counted

app = typer.Typer(
    add_completion=False,
    help="Maintain the database.\n\nExample: pokersvc db backup copy.sqlite",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def upgrade(context: typer.Context) -> None:
    """Migrate the database to the current schema.

    A SQLite file is copied first.

    Example: pokersvc db upgrade
    """
    with suppress(pokersvc.DatabaseMissing), databases.reading(context, any_revision=True, warn=False) as database:
        if database.revision == eventlog.schema.head_revision() and pokersvc.service.opening.is_complete(database):
            databases.warn_of_losses(database)
            print(f"{database.label} uses schema {database.revision}.")
            return  # there is nothing to do, and no byte of the file changes
    with pokersvc.Database.for_upgrading(databases.chosen(context)) as database:
        databases.finish_migration(database)
        print(f"{database.label} uses schema {database.revision}.")


@app.command()
def current(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the database, its schema and the current schema.

    Example: pokersvc db current
    """
    with pokersvc.Database.for_reading(databases.chosen(context), any_revision=True) as database:
        newest, revision = eventlog.schema.head_revision(), database.revision
        on_server = database.on_server and revision == newest
        rights = eventlog.roles.rights(database, _beside_the_log()) if on_server else None
        if as_json:
            found = {"database": database.label, "newest": newest, "schema": revision}
            print_json(found | ({} if rights is None else {"role": rights.role, "append_only": not rights.excess}))
            return
        if revision == newest:
            print(f"{database.label} uses schema {revision}, the current one.")
        else:
            at = "has no schema yet" if revision is None else f"uses schema {revision}"
            print(f"{database.label} {at}; run `pokersvc db upgrade` to migrate it to {newest}.")
        if rights is not None:
            print(wrapped(_says(rights)))


@app.command()
def grant(
    context: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role of the server.")],
) -> None:
    """Let a role of a PostgreSQL server play.

    The role can read the log and add events, but not change them. Run this as
    the role that ran `pokersvc db upgrade`, and again after each upgrade.

    Example: pokersvc db grant table_server
    """
    address = eventlog.address.parse(databases.chosen(context))
    if address.url is None:
        raise InvalidValue(f"{address.label} is a file and has no roles: its permissions control who may write it.")
    with pokersvc.Database.for_writing(databases.chosen(context)) as database:
        eventlog.roles.grant(database, role, _beside_the_log())
        print(f"The role {role} may play on {database.label}: it can add events, but not change them.")


def _beside_the_log() -> list[str]:
    """Return the names of the tables that a playing role may change freely: read models, the server's, and ladders."""
    read_models = (*pokersvc.service.read_models.projections.READ_MODELS, pokersvc.service.read_models.tallies.tallies)
    return [
        table.name
        for table in (
            *read_models,
            *server.tables.schema.SERVER_TABLES,
            *pokersvc.tournament.ladder.schema.LADDER_TABLES,
        )
    ]


def _says(rights: "eventlog.roles.RoleRights") -> str:
    if not rights.excess:
        return f"The role {rights.role} cannot change events."
    return (
        f"The role {rights.role} {' and '.join(rights.excess)}: use another role, to which `pokersvc db grant ROLE` "
        "gives only what it needs."
    )


@app.command()
def backup(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file; existing files are not overwritten.")],
) -> None:
    """Copy the database to a new file while games are being played.

    The copy is consistent, and it is complete or not there at all.
    To restore, open it: pokersvc --db FILE games

    Example: pokersvc db backup copy.sqlite
    """
    made = eventlog.backup.back_up(databases.chosen(context), file)
    with databases.reading(context, any_revision=True):  # reading warns if events are lost
        pass
    print(f"{made.label} holds {counted(made.games, 'game')} with {counted(made.events, 'event')}.")


@app.command()
def check(
    context: typer.Context,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept the database as it is, although events are lost.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that the database is intact.

    The check covers its pages, its references, its schema with the triggers
    that protect the log, its read models, and that the newest events are there.
    It warns of files that others on this machine may read.

    Example: pokersvc db check
    """
    name = databases.chosen(context)
    if accept:
        if (address := eventlog.address.parse(name)).path is None:
            raise InvalidValue(f"{address.label} is on a server, which has no mark: there is nothing to accept.")
        with pokersvc.Database.for_reading(name, any_revision=True) as database:
            last = database.accept()
            print(f"{database.label} is accepted as it is: {_last_event(last)}.", file=sys.stderr if as_json else None)
    found: list[eventlog.check.Flaw] = []
    try:
        with pokersvc.Database.for_reading(name) as database:
            for warning in eventlog.check.warnings(database):
                print(wrapped(f"Warning: {printable(warning)}."), file=sys.stderr)
            found += eventlog.check.flaws(database)
            found += [eventlog.check.Flaw(*gap) for gap in pokersvc.service.read_models.history.gaps(database)]
    except pokersvc.DatabaseDamaged as error:  # so damaged that it cannot be queried any further
        found.append(eventlog.check.Flaw(f"what cannot be read: {error}".rstrip("."), "an intact database"))
    if as_json:
        print_json([flaw._asdict() for flaw in found])
    else:
        print("\n".join(map(str, found)) or f"{database.label} is intact.")
    if found:
        raise typer.Exit(EXIT_FINDINGS)


def _last_event(last: "eventlog.high_water_mark.Mark | None") -> str:
    return "it has no events" if last is None else f"its last event is number {last.position} of all"


@app.command()
def rebuild(context: typer.Context) -> None:
    """Rebuild the game list, histories and statistics from the events.

    Example: pokersvc db rebuild
    """
    with databases.reading(context, any_revision=True, warn=False):  # a missing database is not created here
        pass
    with databases.writing(context) as database:
        count = pokersvc.rebuild_lists(database)
        print(f"Read models of {counted(count, 'game')} were rebuilt from the events.")
