"""`pokersvc checkpoint`, `prove` and `keygen`: evidence about the whole log, kept outside its database."""

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
        typer.Option("--previous", metavar="FILE", help="The last checkpoint; look for changes since then."),
    ] = None,
    sign: Annotated[Path | None, typer.Option("--sign", metavar="KEY", help="Sign with this private key.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Save the current length and head of every game's log.

    A head is the latest hash of a game. Keep the file away from the
    database: `pokersvc audit --checkpoint` then finds what was removed,
    cut off or rewritten. With --previous, if that is found now, nothing
    is written (exit code 3).

    Example: pokersvc checkpoint -o monday.jsonl --sign house.key
    """
    if as_json and output_ is None:
        raise InvalidValue("--json describes the file that was written; name one with -o.")
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
    """Describe a checkpoint without its games."""
    signed = "not signed" if made.signed is None else f"signed by {made.signed.key.hex()}"
    return f"the checkpoint of {counted(made.games, 'game')} of {made.created_at}, root {made.root.hex()}, {signed}"


def checkpoint_json(made: Checkpoint) -> dict[str, Any]:
    """Describe a checkpoint without its games, as JSON."""
    return {
        "created_at": made.created_at,
        "games": made.games,
        "root": made.root.hex(),
        "previous": None if made.previous is None else made.previous.hex(),
        "key": None if made.signed is None else made.signed.key.hex(),
    }


def prove(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game ID, or a unique prefix of one.")],
    checkpoint_: Annotated[Path, typer.Option("--checkpoint", metavar="FILE", help="The checkpoint.")],
    output_: OutputOption = None,
) -> None:
    """Prove that a game is included in a checkpoint, without showing the others.

    Neither making nor checking the proof needs a database.

    Example: pokersvc prove 6f1c --checkpoint monday.jsonl -o game.proof
    """
    line = proof_line(proof_of(checkpoint_, game))
    with output(output_) as file:
        file.write(line)


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File for the private key; the public one is FILE.pub.")],
) -> None:
    """Create a key pair to sign checkpoints (Ed25519).

    Keep FILE secret; give FILE.pub to those who check.
    """
    print(wrapped(f"{file} and {file}.pub: the key {make(file).hex()}."))
