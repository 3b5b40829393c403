"""`pokersvc checkpoint`, `prove` and `keygen`: evidence of the whole log, kept outside its database."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pokersvc.cli import database as databases
from pokersvc.cli.arguments import JsonOption, OutputOption
from pokersvc.cli.output import EXIT_FINDINGS, output, print_json, wrapped
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.evidence.checkpoint import Checkpoint, compare, now, read, write
from pokersvc.evidence.keys import Signer, make
from pokersvc.evidence.proof import proof_line
from pokersvc.evidence.proof import prove as proof_of
from pokersvc.text import counted


def checkpoint(
    context: typer.Context,
    output_: OutputOption = None,
    previous: Annotated[
        Path | None,
        typer.Option("--previous", metavar="FILE", help="The checkpoint before; changes since are looked for."),
    ] = None,
    sign: Annotated[Path | None, typer.Option("--sign", metavar="KEY", help="Sign with a private key.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Save the current length and last hash of every game's log.

    Keep the file away from the database. `pokersvc audit` finds what
    was removed, cut off or rewritten since. With --previous nothing
    is written where that is found now (exit code 3).

    Example: pokersvc checkpoint -o monday.jsonl --sign house.key
    """
    if as_json and output_ is None:
        raise InvalidValue("--json tells of the file that was written; name one with -o.")
    signer = None if sign is None else Signer.read(sign)
    before = None if previous is None else read(previous).root
    moment = now()
    with databases.reading(context) as database, EventLog(database).snapshot() as snapshot:
        if previous is not None:
            _refuse_changes(previous, snapshot)
        with output(output_) as file:
            made = write(file, snapshot, created_at=moment, previous=before, signer=signer)
    if as_json:
        print_json(checkpoint_json(made))
    elif output_ is not None:
        print(wrapped(f"{output_}: {checkpoint_words(made)}."))


def _refuse_changes(previous: Path, snapshot: Snapshot) -> None:

    changed = False
    for finding in compare(previous, snapshot):
        changed = True
        print(finding, file=sys.stderr)
    if changed:
        raise typer.Exit(EXIT_FINDINGS)


def checkpoint_words(made: Checkpoint) -> str:
    """Return what a checkpoint says apart from its games."""
    signed = "not signed" if made.signed is None else f"signed by {made.signed.key.hex()}"
    return f"the checkpoint of {counted(made.games, 'game')} of {made.created_at}, root {made.root.hex()}, {signed}"


def checkpoint_json(made: Checkpoint) -> dict[str, Any]:
    """Return what a checkpoint says apart from its games, as JSON."""
    return {
        "created_at": made.created_at,
        "games": made.games,
        "root": made.root.hex(),
        "previous": None if made.previous is None else made.previous.hex(),
        "key": None if made.signed is None else made.signed.key.hex(),
    }


def prove(
    game: Annotated[str, typer.Argument(metavar="GAME", help="An id, or the beginning of one.")],
    checkpoint_: Annotated[Path, typer.Option("--checkpoint", metavar="FILE", help="The checkpoint.")],
    output_: OutputOption = None,
) -> None:
    """Prove that a game is in a checkpoint, without its other games.

    Neither this nor checking the proof needs a database.

    Example: pokersvc prove 6f1c --checkpoint monday.jsonl -o game.proof
    """
    line = proof_line(proof_of(checkpoint_, game))
    with output(output_) as file:
        file.write(line)


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The private key; FILE.pub will be the public one.")],
) -> None:
    """Make a pair of keys to sign checkpoints with (Ed25519).

    Keep FILE to yourself; give FILE.pub to whoever checks.
    """
    print(wrapped(f"{file} and {file}.pub: the key {make(file).hex()}."))
