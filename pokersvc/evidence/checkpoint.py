"""Checkpoints: files outside the database that state the length and head of every game's log at one moment.

A chain cannot show by itself that its end or a whole game is gone, or that the whole chain was recomputed; a checkpoint
can.
The format is documented in docs/checkpoints.md, with test vectors.
"""

import struct
from collections.abc import Callable, Container, Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from pokersvc.core.randomness.ed25519 import KEY_BYTES, SIGNATURE_BYTES, is_signed, is_weak
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.merkle import HASH_BYTES, Tree
from pokersvc.eventlog.record import ChainBroken, shown, timestamp
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.evidence.findings import Finding
from pokersvc.evidence.jsonl import Fields, InvalidFile, is_hex, is_id, line_of, lines_in, opened
from pokersvc.evidence.keys import Signer
from pokersvc.text import counted

FORMAT: Final = "pokersvc/checkpoint/1"

_GAME_DOMAIN: Final = b"pokersvc/game/1\0"
_CHECKPOINT_DOMAIN: Final = b"pokersvc/checkpoint/1\0"

_u64 = struct.Struct(">Q").pack


class CheckpointForged(PokersvcError):
    """The checkpoint or proof contradicts itself, or the root, key or earlier checkpoint it is checked against."""

    code = "checkpoint_forged"


@dataclass(frozen=True, slots=True)
class CheckpointEntry:
    """The entry of one game in a checkpoint."""

    game_id: str
    count: int
    """The number of its events."""
    head: bytes
    """The hash of its last event, 32 bytes."""

    @property
    def leaf(self) -> bytes:
        """The bytes of the game's leaf in the Merkle tree."""
        return _GAME_DOMAIN + _field(self.game_id.encode()) + _u64(self.count) + self.head


class Signature(NamedTuple):
    """An Ed25519 signature, and the public key that it belongs to."""

    key: bytes
    """The public key, 32 bytes."""
    signature: bytes
    """The signature, 64 bytes."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The statement of a checkpoint, without its list of games."""

    created_at: str
    """A time before the games were read: everything recorded until then is included."""
    games: int
    """The number of games in it."""
    previous: bytes | None
    """The root of the previous checkpoint, if one was named."""
    root: bytes
    """The root of the Merkle tree over the games, in order of id."""
    signed: Signature | None = None
    """The signature; None if there is none. Reading a checkpoint checks the signature against the key in it."""

    @property
    def statement(self) -> bytes:
        """The bytes that are hashed and signed."""
        previous = b"" if self.previous is None else self.previous
        named = _field(self.created_at.encode()) + _field(previous)
        return _CHECKPOINT_DOMAIN + self.root + _u64(self.games) + named

    @property
    def hash(self) -> bytes:
        """The hash of the statement."""
        return sha256(self.statement).digest()


def write(
    file: BinaryIO,
    snapshot: Snapshot,
    *,
    created_at: datetime,
    previous: bytes | None = None,
    signer: Signer | None = None,
) -> Checkpoint:
    """Write the checkpoint of a log, one line per game, and return its statement.

    ``created_at`` has a time zone and is before the snapshot. ``previous`` is the root of the previous checkpoint, and
    ``signer`` signs this one. Raises ChainBroken if a game's last event is not the one that its head names.
    """
    moment = timestamp(created_at)
    header = {"created_at": moment, "format": FORMAT, "previous": None if previous is None else previous.hex()}
    file.write(line_of(header))
    tree = Tree()
    for entry in _stored(snapshot):
        tree.append(entry.leaf)
        file.write(line_of({"count": entry.count, "game": entry.game_id, "head": entry.head.hex()}))
    checkpoint = Checkpoint(moment, tree.size, previous, tree.root())
    if signer is not None:
        signed = Signature(signer.public, signer.sign(checkpoint.statement))
        checkpoint = Checkpoint(moment, tree.size, previous, tree.root(), signed)
    file.write(line_of(sealed(checkpoint)))
    return checkpoint


def _stored(snapshot: Snapshot) -> Iterator[CheckpointEntry]:
    """Yield the games of a log in order of id, after checking the last event of each."""
    before = ""
    for game_id, head in snapshot.games():
        if not is_id(game_id) or game_id <= before:
            raise DatabaseDamaged(f"The game {game_id!r} comes after {before!r} in the table of games; IDs ascend.")
        before = game_id
        last = snapshot.stored_hash(game_id, head.count)
        if last is None:
            raise ChainBroken(
                game_id, snapshot.last_seq(game_id) + 1, "no event", f"an end after {counted(head.count, 'event')}"
            )
        if last[1] != head.hash or not isinstance(head.hash, bytes):
            raise ChainBroken(game_id, head.count, f"the head {shown(head.hash)}", shown(last[1]))
        yield CheckpointEntry(game_id, head.count, head.hash)


def read(path: Path, each: Callable[[CheckpointEntry], None] = lambda _: None) -> Checkpoint:
    """Read a checkpoint from a file and check all that can be checked without its database.

    ``each`` is called with every game, in order of id, before it is known whether the whole checkpoint is sound.
    Raises InvalidFile if the file is not a checkpoint, and CheckpointForged if its games, root, hash or signature do
    not belong together.
    """
    with opened(path) as file:
        return read_lines(lines_in(file, str(path)), str(path), each)


def read_lines(
    lines: Iterator[Fields], name: str, each: Callable[[CheckpointEntry], None] = lambda _: None
) -> Checkpoint:
    """Read a checkpoint from the lines of a file called ``name``; see `read`."""
    reading = _reading(lines, name)
    while True:
        try:
            each(next(reading))
        except StopIteration as done:
            checkpoint: Checkpoint = done.value
            return checkpoint


def games_in(path: Path) -> Generator[CheckpointEntry, None, Checkpoint]:
    """Yield the games of a checkpoint in order of id, without keeping them; its statement is checked at the end."""
    with opened(path) as file:
        return (yield from _reading(lines_in(file, str(path)), str(path)))


def _reading(lines: Iterator[Fields], name: str) -> Generator[CheckpointEntry, None, Checkpoint]:
    header = next(lines, None)
    if header is None:
        raise InvalidFile(f"{name} is empty; it must be a checkpoint.")
    header.constant("format", FORMAT)
    created_at = header.moment("created_at")
    previous = previous_root(header)
    header.end()
    tree = Tree()
    before = ""
    for line in lines:
        if line.has("game"):
            entry = entry_of(line)
            line.end()
            if entry.game_id <= before:
                raise InvalidFile(f"{line.where} names the game {entry.game_id} after {before}; IDs must ascend.")
            before = entry.game_id
            tree.append(entry.leaf)
            yield entry
            continue
        checkpoint = unsealed(line, created_at, previous)
        line.end()
        if (more := next(lines, None)) is not None:
            raise InvalidFile(f"{more.where} comes after the end; a checkpoint ends with its root.")
        if checkpoint.games != tree.size:
            raise CheckpointForged(f"{name} has {counted(tree.size, 'game')} and says that it has {checkpoint.games}.")
        if checkpoint.root != tree.root():
            raise CheckpointForged(
                f"{name} says that its root is {checkpoint.root.hex()}, and its games have {tree.root().hex()}."
            )
        return checkpoint
    raise InvalidFile(f"{name} is truncated; a checkpoint ends with its root.")


def entry_of(line: Fields) -> CheckpointEntry:
    """Read a game's entry from a line."""
    return CheckpointEntry(line.id("game"), line.number("count"), line.bytes("head", HASH_BYTES))


def previous_root(line: Fields) -> bytes | None:
    """Read the root of the previous checkpoint from a line; None if no previous checkpoint was named."""
    right = f"null or {HASH_BYTES} bytes in lower-case hexadecimal"
    found = line.take("previous", right, lambda value: value is None or is_hex(value, HASH_BYTES))
    return None if found is None else bytes.fromhex(found)


def sealed(checkpoint: Checkpoint) -> dict[str, object]:
    """Return the last line of a checkpoint as JSON members, with its hash and signature."""
    members: dict[str, object] = {
        "games": checkpoint.games,
        "hash": checkpoint.hash.hex(),
        "root": checkpoint.root.hex(),
    }
    if checkpoint.signed is not None:
        members |= {"key": checkpoint.signed.key.hex(), "signature": checkpoint.signed.signature.hex()}
    return members


def unsealed(line: Fields, created_at: str, previous: bytes | None) -> Checkpoint:
    """Read the last line of a checkpoint; raise CheckpointForged unless its hash and signature fit the statement."""
    games, root = line.number("games", least=0), line.bytes("root", HASH_BYTES)
    stated = line.bytes("hash", HASH_BYTES)
    signed = None
    if line.has("key") or line.has("signature"):
        signed = Signature(line.bytes("key", KEY_BYTES), line.bytes("signature", SIGNATURE_BYTES))
    checkpoint = Checkpoint(created_at, games, previous, root, signed)
    if stated != checkpoint.hash:
        raise CheckpointForged(
            f"{line.where} gives the hash {stated.hex()}, but its checkpoint has the hash {checkpoint.hash.hex()}."
        )
    if signed is not None and is_weak(signed.key):
        raise CheckpointForged(
            f"{line.where} is signed by the key {signed.key.hex()}, which belongs to no private key."
        )
    if signed is not None and not is_signed(checkpoint.statement, signed.signature, signed.key):
        raise CheckpointForged(f"{line.where} has a signature that was not made by the key {signed.key.hex()}.")
    return checkpoint


def check_signature(checkpoint: Checkpoint, key: bytes) -> None:
    """Raise CheckpointForged unless a checkpoint is signed by this key; `read` has checked the signature itself."""
    if checkpoint.signed is None:
        raise CheckpointForged(f"The checkpoint of {checkpoint.created_at} is not signed.")
    if checkpoint.signed.key != key:
        raise CheckpointForged(
            f"The checkpoint of {checkpoint.created_at} is signed by the key {checkpoint.signed.key.hex()},"
            f" not by {key.hex()}."
        )


def check_previous(checkpoint: Checkpoint, previous: Checkpoint) -> None:
    """Raise CheckpointForged unless a checkpoint names the checkpoint ``previous`` as the one before."""
    if checkpoint.previous != previous.root:
        named = "none" if checkpoint.previous is None else f"the root {checkpoint.previous.hex()}"
        raise CheckpointForged(
            f"The checkpoint of {checkpoint.created_at} names {named} as the one before it, but the checkpoint of"
            f" {previous.created_at} has the root {previous.root.hex()}."
        )


def check_root(checkpoint: Checkpoint, root: bytes) -> None:
    """Raise CheckpointForged unless a checkpoint has this root."""
    if checkpoint.root != root:
        raise CheckpointForged(
            f"The checkpoint of {checkpoint.created_at} has the root {checkpoint.root.hex()}, not {root.hex()}."
        )


def compare(path: Path, snapshot: Snapshot, *, only: Container[object] | None = None) -> Iterator[Finding]:
    """Yield a finding for each game that was removed, cut off or rewritten since a checkpoint.

    In each game it compares the last event that the checkpoint includes: this event's hash commits to all events
    before it. The chain up to there is checked elsewhere. ``only`` names the games to compare. Raises the errors of
    `read`, before any finding.
    """
    since = f"the checkpoint of {read(path).created_at}"
    for entry in games_in(path):
        if only is not None and entry.game_id not in only:
            continue
        if (finding := _changed(entry, snapshot, since)) is not None:
            yield finding


def _changed(entry: CheckpointEntry, snapshot: Snapshot, since: str) -> Finding | None:
    game_id, count, head = entry.game_id, entry.count, entry.head
    last = snapshot.stored_hash(game_id, count)
    if last is None:
        events = snapshot.last_seq(game_id)
        expected = f"{counted(count, 'event')}, as in {since}"
        if not events:
            return Finding(game_id, None, None, "checkpoint", "no such game", f"one of {expected}")
        if events < count:
            ended = f"the end after {counted(events, 'event')}"
            return Finding(game_id, events + 1, None, "checkpoint", ended, expected)
        return Finding(game_id, count, None, "checkpoint", "no event", f"the last of {expected}")
    if last[1] != head:
        expected = f"{head.hex()}, as in {since} (this event or one before it was rewritten)"
        return Finding(game_id, count, last[0], "checkpoint", f"the hash {shown(last[1])}", expected)
    if snapshot.head(game_id) is None:
        expected = f"one of {counted(count, 'event')}, as in {since}"
        return Finding(game_id, None, None, "checkpoint", "no such game in the table of games", expected)
    return None


def now() -> datetime:
    """Return the current time, to date a checkpoint; call it before the log is read."""
    return datetime.now(UTC)


def _field(content: bytes) -> bytes:
    return _u64(len(content)) + content
