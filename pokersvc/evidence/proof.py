"""Inclusion proofs: each proves that one game is in a checkpoint, without showing the others.

The format is documented in docs/checkpoints.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pokersvc.eventlog.merkle import HASH_BYTES, PathRefused, Tree, root_by
from pokersvc.eventlog.snapshot import AmbiguousGame, UnknownGame
from pokersvc.evidence.checkpoint import (
    Checkpoint,
    CheckpointEntry,
    CheckpointForged,
    entry_of,
    games_in,
    previous_root,
    read,
    sealed,
    unsealed,
)
from pokersvc.evidence.jsonl import Fields, InvalidFile, is_hex, line_of, lines_in, opened

FORMAT: Final = "pokersvc/proof/1"

_MOST_PATH: Final = 64  # hashes in a path: as many as the number of games has bits
_CANDIDATES: Final = 3


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof that one game is in a checkpoint."""

    checkpoint: Checkpoint
    """The checkpoint, without its games."""
    entry: CheckpointEntry
    """The game's entry in the checkpoint."""
    index: int
    """The game's index among the games of the checkpoint, from 0."""
    path: tuple[bytes, ...]
    """The hashes of the siblings on the way from the game's leaf up to the root, 32 bytes each."""


def prove(path: Path, text: str) -> Proof:
    """Make the inclusion proof for a game of a checkpoint, named by its ID or a unique prefix of it.

    Raises UnknownGame and AmbiguousGame; and InvalidFile and CheckpointForged, like reading the checkpoint.
    """
    index, entry = _found(path, text)
    tree = Tree(index)
    checkpoint = read(path, lambda other: tree.append(other.leaf))
    return Proof(checkpoint, entry, index, tree.path())


def _found(path: Path, text: str) -> tuple[int, CheckpointEntry]:
    found: list[tuple[int, CheckpointEntry]] = []
    more = False
    for index, entry in enumerate(games_in(path)):
        if entry.game_id == text:
            return index, entry
        if text and entry.game_id.startswith(text):
            more = len(found) == _CANDIDATES
            if not more:
                found.append((index, entry))
    if not found:
        raise UnknownGame(f"There is no game {text!r} in {path}.")
    if len(found) > 1:
        ids = ", ".join(entry.game_id for _, entry in found) + (", …" if more else "")
        raise AmbiguousGame(f"{text!r} could be any of several games ({ids}): write more of the ID.")
    return found[0]


def proof_line(proof: Proof) -> bytes:
    """Return a proof as the content of its file, which is one line."""
    checkpoint, entry = proof.checkpoint, proof.entry
    header = {
        "created_at": checkpoint.created_at,
        "previous": None if checkpoint.previous is None else checkpoint.previous.hex(),
    }
    return line_of(
        {
            "checkpoint": header | sealed(checkpoint),
            "count": entry.count,
            "format": FORMAT,
            "game": entry.game_id,
            "head": entry.head.hex(),
            "index": proof.index,
            "path": [beside.hex() for beside in proof.path],
        }
    )


def read_proof(path: Path) -> Proof:
    """Read an inclusion proof from a file and check that it leads to the root of its checkpoint.

    Raises InvalidFile if the file is not a proof, and CheckpointForged if it proves nothing.
    """
    with opened(path) as file:
        return read_proof_lines(lines_in(file, str(path)), str(path))


def read_proof_lines(lines: Iterator[Fields], name: str) -> Proof:
    """Read an inclusion proof from the lines of a file called ``name``; see `read_proof`."""
    line = next(lines, None)
    if line is None:
        raise InvalidFile(f"{name} is empty; it must be an inclusion proof.")
    line.constant("format", FORMAT)
    entry, index = entry_of(line), line.number("index", least=0)
    right = f"a list of at most {_MOST_PATH} hashes in lower-case hexadecimal"
    path = line.take("path", right, _is_path)
    within = Fields(line.take("checkpoint", "an object", lambda value: isinstance(value, dict)), line.where)
    line.end()
    checkpoint = unsealed(within, within.moment("created_at"), previous_root(within))
    within.end()
    if (more := next(lines, None)) is not None:
        raise InvalidFile(f"{more.where} comes after the end; a proof is one line.")
    proof = Proof(checkpoint, entry, index, tuple(map(bytes.fromhex, path)))
    try:
        root = root_by(proof.path, leaf=entry.leaf, index=index, size=checkpoint.games)
    except PathRefused as refused:
        raise CheckpointForged(f"{name} proves nothing: {refused}") from refused
    if root != checkpoint.root:
        raise CheckpointForged(
            f"{name} proves nothing: its path leads to the root {root.hex()}, not to {checkpoint.root.hex()}."
        )
    return proof


def _is_path(value: object) -> bool:
    return isinstance(value, list) and len(value) <= _MOST_PATH and all(is_hex(beside, HASH_BYTES) for beside in value)
