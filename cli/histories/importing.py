"""`pokersvc import`: hand histories of other sites, into the database."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

import pokersvc
from pokersvc import histories
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.histories import hands
from pokersvc.cli.output import EXIT_FINDINGS, Interrupted

COUNTED_AT_ONCE = 5_000
"""The number of imported hands that are added to the tallies at once."""


class ImportStopped(pokersvc.PokersvcError):
    """The import stopped at this point; the sentence says why. What was stored stays."""

    code = "import_stopped"


def import_(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER", help="Files or folders of hand histories.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen to the hands; store nothing.")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Store hands with findings too, marked as such.")] = False,
    processes: hands.ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import hand histories of other sites.

    The format is detected: PokerStars, Full Tilt, OnGame, Boss, Merge, PHH or
    OHH. Each hand is checked as `pokersvc audit FILE` checks it, and becomes
    one game, however often it is imported. A hand with findings is not stored.
    Exit code 3 if a hand has findings or cannot be read. --dry-run compares
    hands with the stored ones too, and stores nothing.

    Example: pokersvc import ~/histories --dry-run
    """
    told = hands.HandsReport(paths, as_json=as_json, said=hands.FORESEEN if dry_run else hands.IMPORTED)
    processes = processes or histories.checking.fitting_processes(paths)
    try:
        with told.telling(), hands.progress(paths, told) as progress:
            checked = histories.checking.check(paths, processes=processes, progress=progress)
            if dry_run:
                with databases.reading_if_there(context) as database:
                    log = None if database is None else pokersvc.EventLog(database)
                    hands.tell(told, histories.dry_run.foreseen(log, checked, keep=keep))
            else:
                _store(context, told, checked, keep=keep)
    except (KeyboardInterrupt, pokersvc.PokersvcError) as error:
        if dry_run:
            raise
        raise _stopped(error, told) from None
    told.end()
    if dry_run and not as_json:
        print("Dry run: nothing was stored.")
    if not told.clean:
        raise typer.Exit(EXIT_FINDINGS)


def _store(
    context: typer.Context,
    told: hands.HandsReport,
    checked: "Iterable[histories.checking.CheckedHand | histories.reading.Unread]",
    *,
    keep: bool,
) -> None:
    with databases.writing(context) as database:
        databases.finish_migration(database)
        service = pokersvc.Service(pokersvc.EventLog(database))
        for number, one in enumerate(histories.importing.store(service, checked, keep=keep), 1):
            told.hand(one.became.value, one.told, one.contradictions)
            if number % COUNTED_AT_ONCE == 0:  # so that few hands are left to count if the import is interrupted
                pokersvc.service.read_models.tallies.tally(database)


def _stopped(error: "KeyboardInterrupt | pokersvc.PokersvcError", told: hands.HandsReport) -> BaseException:
    """Return the error for an import that stops; if any hands were reported as stored, it says that they stay.

    Its message has no number: a hand that is reported twice is stored once, and a transaction may be recorded before
    any of its hands is reported.
    """
    if not told.stored:
        return error
    kept = "what was stored stays, and the same command continues"
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(f"Interrupted; {kept}.")
    return ImportStopped(f"{str(error).rstrip('.')}; {kept}.")
