"""`pokersvc import`: hand histories of other sites, into the database."""

from pathlib import Path
from typing import Annotated

import typer

import pokersvc
from pokersvc import histories
from pokersvc.cli import database as databases
from pokersvc.cli import hands
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.output import EXIT_FINDINGS

MOST_PROCESSES = 64
COUNTED_AT_ONCE = 5_000
"""Hands after which those that were imported are put into the tallies."""


def import_(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER", help="What to read.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, and store nothing.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Store hands with findings too, marked as such.")] = False,
    processes: Annotated[
        int,
        typer.Option("--processes", min=1, max=MOST_PROCESSES, metavar="N", help="How many processes read."),
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Import hand histories of other sites.

    The format is found by looking: PokerStars, Full Tilt, OnGame, Boss, Merge,
    PHH and OHH. Each hand is checked as `pokersvc audit FILE` checks it, and
    becomes one game, however often it is imported. Exit code 3 if a hand has
    findings, which is then not stored, or cannot be read.

    Example: pokersvc import ~/histories --dry-run
    """
    told = hands.HandsTold(paths, as_json=as_json)
    with hands.progress(paths, told) as progress:
        checked = histories.checking.check(paths, processes=processes, events=not dry_run, progress=progress)
        if dry_run:
            hands.tell_checked(told, checked)
        else:
            with databases.writing(context) as database:
                databases.finish_migration(database)
                service = pokersvc.Service(pokersvc.EventLog(database))
                for number, one in enumerate(histories.importing.store(service, checked, keep=keep), 1):
                    told.hand(one.became.value, one.told, one.contradictions)
                    if number % COUNTED_AT_ONCE == 0:  # so that an import that is stopped leaves few to count
                        pokersvc.service.tallies.tally(database)
    told.end()
    if not told.clean:
        raise typer.Exit(EXIT_FINDINGS)
