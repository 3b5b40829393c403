"""`pokersvc checkpoint`, `prove` and `keygen`: evidence about the whole log, kept outside its database."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import pokersvc
from pokersvc import evidence
from pokersvc.cli.arguments import JsonOption, OutputOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import EXIT_FINDINGS, output, print_json, wrapped
from pokersvc.errors import InvalidValue
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
    cut off or rewritten. With --previous it looks for such changes first,
    and if there are any, it writes nothing (exit code 3).

    Example: pokersvc checkpoint -o monday.jsonl --sign house.key
    """
    if as_json and output_ is None:
        raise InvalidValue("--json describes the file that was written; name one with -o.")
    signer = None if sign is None else pokersvc.Signer.read(sign)
    before = None if previous is None else pokersvc.read_checkpoint(previous).root
    moment = evidence.checkpoint.now()
    with databases.reading(context) as database, pokersvc.EventLog(database).snapshot() as snapshot:
        if previous is not None:
            _refuse_changes(previous, snapshot)
        with output(output_) as file:
            made = pokersvc.write_checkpoint(file, snapshot, created_at=moment, previous=before, signer=signer)
    if as_json:
        print_json(checkpoint_json(made))
    elif output_ is not None:
        print(wrapped(f"{output_}: {checkpoint_words(made)}."))


def _refuse_changes(previous: Path, snapshot: "pokersvc.Snapshot") -> None:

    changed = False
    for finding in evidence.checkpoint.compare(previous, snapshot):
        changed = True
        print(finding, file=sys.stderr)
    if changed:
        raise typer.Exit(EXIT_FINDINGS)


def checkpoint_words(made: "pokersvc.Checkpoint") -> str:
    """Describe a checkpoint without its games."""
    signed = "not signed" if made.signed is None else f"signed by {made.signed.key.hex()}"
    return f"the checkpoint of {counted(made.games, 'game')} of {made.created_at}, root {made.root.hex()}, {signed}"


def checkpoint_json(made: "pokersvc.Checkpoint") -> dict[str, object]:
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
    line = pokersvc.proof_line(pokersvc.prove(checkpoint_, game))
    with output(output_) as file:
        file.write(line)


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File for the private key; the public one is FILE.pub.")],
) -> None:
    """Create a key pair to sign checkpoints (Ed25519).

    Keep FILE secret; give FILE.pub to those who check.

    Example: pokersvc keygen house.key
    """
    print(wrapped(f"{file} and {file}.pub: the key {pokersvc.make_key(file).hex()}."))
