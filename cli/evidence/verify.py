"""`pokersvc verify`: checks a file of evidence without a database, and prints what it proves."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, BinaryIO, NamedTuple

import typer

import pokersvc
from pokersvc import core, eventlog, evidence
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.evidence.checkpoint import checkpoint_json, checkpoint_words
from pokersvc.cli.output import EXIT_FINDINGS, NotChecked, finding_json, print_json, wrapped
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

MOST_FINDINGS = 1000
"""The number of findings after which the file is not read further: it might contain nothing else."""


class _Trusted(NamedTuple):
    """The values that the user trusts, by the option that names them."""

    head: bytes | None
    checkpoint: Path | None
    proof: Path | None
    root: bytes | None
    key: bytes | None
    previous: Path | None

    def refuse(self, what: str, *names: str) -> None:
        """Raise InvalidValue for an option that does not apply to this kind of file."""
        for name in names:
            if getattr(self, name) is not None:
                raise InvalidValue(f"--{name} does not apply to {what}.")


class _Verified(NamedTuple):
    """The result of a verification: what the file proves, in words and as JSON, or what is wrong with it."""

    words: str
    facts: dict[str, object]
    findings: "list[pokersvc.Finding]"
    unchecked: str | None = None
    """The reason why not everything in the file was checked; None if all was checked."""


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An export, a checkpoint or a proof; - is standard input.")
    ],
    head: Annotated[
        str | None, typer.Option("--head", metavar="HASH", help="Require the export to include this head.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="Require the export to match this checkpoint.")
    ] = None,
    proof: Annotated[
        Path | None, typer.Option("--proof", metavar="FILE", help="Require the export to match this proof.")
    ] = None,
    root: Annotated[
        str | None, typer.Option("--root", metavar="HASH", help="Require the checkpoint to have this root.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="PUB", help="Require the checkpoint to be signed by this key.")
    ] = None,
    previous: Annotated[
        Path | None, typer.Option("--previous", metavar="FILE", help="Require the checkpoint to follow this one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check an export, a checkpoint or a proof, without a database.

    It prints what the file proves, or what is wrong with it (exit
    code 3). Exit code 1: the game could not be checked.

    Example: pokersvc verify mine.jsonl --checkpoint monday.jsonl
    """
    trusted = _Trusted(
        None if head is None else _hash("head", head),
        checkpoint,
        proof,
        None if root is None else _hash("root", root),
        None if key is None else pokersvc.public_key(key),
        previous,
    )
    try:
        with _lines(file) as (lines, name):
            verified = _verified(lines, name, trusted)
    except pokersvc.CheckpointForged as forged:
        verified = _Verified(str(forged), {"forged": str(forged)}, [])
    wrong = bool(verified.findings) or "forged" in verified.facts
    if as_json:
        found = [finding_json(finding) for finding in verified.findings]
        whole = not wrong and verified.unchecked is None
        print_json({"verified": whole, **verified.facts, "findings": found})
    elif verified.findings:
        for problem in verified.findings if verified.unchecked is None else [verified.unchecked, *verified.findings]:
            print(wrapped(str(problem), "  "))
    else:
        print(wrapped(verified.words))
    if wrong:
        raise typer.Exit(EXIT_FINDINGS)
    if verified.unchecked is not None:
        raise NotChecked(verified.unchecked)


def _hash(option: str, text: str) -> bytes:

    if not evidence.jsonl.is_hex(text.lower(), eventlog.merkle.HASH_BYTES):
        raise InvalidValue(f"--{option} is {text!r}; a hash is {2 * eventlog.merkle.HASH_BYTES} hexadecimal digits.")
    return bytes.fromhex(text)


@contextmanager
def _lines(file: str) -> "Iterator[tuple[Iterator[evidence.jsonl.Fields], str]]":

    if file == "-":
        yield evidence.jsonl.lines_in(sys.stdin.buffer, "The input"), "The input"
        return
    binary: BinaryIO
    with evidence.jsonl.opened(Path(file)) as binary:
        yield evidence.jsonl.lines_in(binary, file), file


def _verified(lines: "Iterator[evidence.jsonl.Fields]", name: str, trusted: _Trusted) -> _Verified:

    first = next(lines, None)
    if first is None:
        raise pokersvc.InvalidFile(f"{name} is empty; it must be an export, a checkpoint or a proof.")
    lines, format_ = chain([first], lines), first.get("format")
    if format_ == evidence.export.FORMAT:
        return _export(lines, name, trusted)
    if format_ == evidence.checkpoint.FORMAT:
        trusted.refuse("a checkpoint", "head", "checkpoint", "proof")
        made = evidence.checkpoint.read_lines(lines, name)
        _check(made, trusted)
        return _Verified(f"{_capital(checkpoint_words(made))}.", {"checkpoint": checkpoint_json(made)}, [])
    if format_ == evidence.proof.FORMAT:
        trusted.refuse("a proof", "head", "checkpoint", "proof")
        shown = evidence.proof.read_proof_lines(lines, name)
        _check(shown.checkpoint, trusted)
        entry = shown.entry
        words = f"Game {entry.game_id} with {counted(entry.count, 'event')} and the head {entry.head.hex()} is in"
        facts = {"game": entry.game_id, "events": entry.count, "head": entry.head.hex()}
        return _Verified(
            f"{words} {checkpoint_words(shown.checkpoint)}.",
            {**facts, "checkpoint": checkpoint_json(shown.checkpoint)},
            [],
        )
    raise pokersvc.InvalidFile(
        f"{first.where} names no format that this pokersvc reads: an export, a checkpoint or a proof."
    )


def _check(made: "pokersvc.Checkpoint", trusted: _Trusted) -> None:

    if trusted.root is not None:
        evidence.checkpoint.check_root(made, trusted.root)
    if trusted.key is not None:
        pokersvc.check_signature(made, trusted.key)
    if trusted.previous is not None:
        evidence.checkpoint.check_previous(made, pokersvc.read_checkpoint(trusted.previous))


def _export(lines: "Iterator[evidence.jsonl.Fields]", name: str, trusted: _Trusted) -> _Verified:

    verification = evidence.verification.Verification(lines, name)
    known = verification.known
    if trusted.head is not None:
        known.append(_known_head(trusted.head))
    made: list[pokersvc.Checkpoint] = []
    for known_at, covering in _checkpoints(verification.export.game_id, trusted):
        known.append(known_at)
        made.append(covering)
    if not made:
        trusted.refuse("an export without --checkpoint or --proof", "root", "key", "previous")
    findings = list(islice(verification.findings(), MOST_FINDINGS))
    return _Verified(
        _export_words(verification, made), _export_json(verification, made), findings, _unchecked(verification)
    )


def _unchecked(verification: "evidence.verification.Verification") -> str | None:
    if verification.fault is not None:
        return f"{verification.fault}."
    if not verification.known_kind:
        export = verification.export
        why = core.registry.why_unusable(export.kind)
        reason = str(why) if isinstance(why, pokersvc.UnusableGame) else f"this pokersvc does not know {export.kind!r}."
        return f"Game {export.game_id}: only its chain was checked; {reason[0].lower()}{reason[1:]}"
    return None


def _known_head(head: bytes) -> "pokersvc.Known":

    return pokersvc.Known(head, f"the head {head.hex()}")


def _checkpoints(game_id: str, trusted: _Trusted) -> "Iterator[tuple[pokersvc.Known, pokersvc.Checkpoint]]":
    """Yield the head of a game stated by each trusted file (checkpoint or proof), with the file's checkpoint."""
    found: list[tuple[Path, pokersvc.Checkpoint, pokersvc.CheckpointEntry]] = []
    if trusted.checkpoint is not None:
        games: list[pokersvc.CheckpointEntry] = []
        made = pokersvc.read_checkpoint(
            trusted.checkpoint, lambda game: games.append(game) if game.game_id == game_id else None
        )
        if not games:
            raise InvalidValue(f"{trusted.checkpoint} does not have the game {game_id}; the game may be newer.")
        found.append((trusted.checkpoint, made, games[0]))
    if trusted.proof is not None:
        proof = pokersvc.read_proof(trusted.proof)
        if proof.entry.game_id != game_id:
            raise InvalidValue(f"{trusted.proof} is about the game {proof.entry.game_id}, not {game_id}.")
        found.append((trusted.proof, proof.checkpoint, proof.entry))
    for path, made, entry in found:
        _check(made, trusted)
        yield pokersvc.Known(entry.head, f"as in {path}", "checkpoint", entry.count), made


def _export_words(verification: "evidence.verification.Verification", made: "list[pokersvc.Checkpoint]") -> str:
    export = verification.export
    whose = {"everyone": "everyone's", "auditor": "an auditor's"}.get(
        str(export.viewer), f"seat {verification.place}'s"
    )
    words = [
        f"Game {export.game_id}: {counted(export.count, 'event')}, head {export.head.hex()}",
        f"its short form is {evidence.spoken_head.spoken(export.head)}",
        ("over" if verification.over else "not over") if verification.checked else "not checked",
        f"{whose} export, {verification.shown} of {counted(verification.secrets, 'secret')} opened",
        *(f"it has {known.whence} at event {seq}" for known, seq in verification.met.items() if known.count is None),
        *(f"up to event {seq} {known.whence}" for known, seq in verification.met.items() if known.count is not None),
    ]
    signed = {checkpoint.signed.key.hex() for checkpoint in made if checkpoint.signed is not None}
    said = "; ".join([*words, *(f"signed by {key}" for key in sorted(signed))]) + "."
    return " ".join([said, *filter(None, (verification.shuffled, verification.unopened))])


def _export_json(
    verification: "evidence.verification.Verification", made: "list[pokersvc.Checkpoint]"
) -> dict[str, object]:
    export = verification.export
    return {
        "game": export.game_id,
        "kind": export.kind,
        "as": export.viewer,
        "events": export.count,
        "head": export.head.hex(),
        "spoken": evidence.spoken_head.spoken(export.head),
        "over": verification.over,
        "checked": verification.checked,
        "fault": None if verification.fault is None else finding_json(verification.fault),
        "secrets": verification.secrets,
        "opened": verification.shown,
        "shuffle": verification.shuffled,
        "unopened": verification.unopened,
        "known": [{"head": known.head.hex(), "seq": seq} for known, seq in verification.met.items()],
        "checkpoints": [checkpoint_json(checkpoint) for checkpoint in made],
    }


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
