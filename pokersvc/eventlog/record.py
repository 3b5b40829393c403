"""The record that the log stores of an event, and the hash chain that links the events of a game.

The format is described for outsiders in docs/log.md, with test vectors.
"""

import re
import secrets
import struct
from collections.abc import Callable, Generator, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, TypeVar

from pokersvc.errors import PokersvcError
from pokersvc.text import counted

GENESIS = bytes(32)
SALT_BYTES = 16
ROW_BYTES = 400
"""Approximate bytes of an event in a database besides its texts: ids, moment, hash, salt and its index entries."""

# Every hash begins with one of these prefixes; copying its hashed state is faster than hashing the prefix again.
_EVENT_DOMAIN = sha256(b"pokersvc/event/1\0")
_SECRET_DOMAIN = sha256(b"pokersvc/secret/1\0")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_length = struct.Struct(">Q").pack
_seq_n = struct.Struct(">QQ").pack
_NO_DIGEST = _length(0)
_DIGEST_LENGTH = _length(32)


class NewEvent(NamedTuple):
    """An event before it is recorded: its texts are the exact canonical JSON that will be stored."""

    type: str
    version: int
    payload: str
    secret: str | None = None


class Record(NamedTuple):
    """An event as the log holds it: every column of the table except ``position``, in the table's order."""

    game_id: str
    seq: int
    """Its number in the game, from 1 without gaps."""
    type: str
    version: int
    """The version of the event type's schema with which the event was written."""
    recorded_at: str
    """The time of recording, in UTC: ``2026-01-31T12:00:00.000000Z``."""
    command_id: str
    """The ID of the command that recorded the event."""
    n: int
    """Its number in the command, from 1."""
    payload: str
    """The public part, as canonical JSON."""
    secret: str | None
    """The part that is not public, as canonical JSON; None if the event has no secret."""
    salt: bytes | None
    """The 16 random bytes that are hashed with the secret."""
    hash: bytes
    """The hash over the event and the previous event's hash, 32 bytes."""


class Withheld(bytes):
    """The digest of a secret, in place of the secret itself, which the copy of the log lacks."""


class SharedRecord(NamedTuple):
    """An event in a copy of the log that may lack secrets; its fields are those of `Record`."""

    game_id: str
    seq: int
    type: str
    version: int
    recorded_at: str
    command_id: str
    n: int
    payload: str
    secret: str | Withheld | None
    salt: bytes | None
    hash: bytes


AnyRecord = TypeVar("AnyRecord", Record, SharedRecord)


class ChainBroken(PokersvcError):
    """A game's records are not what was recorded: one was changed, removed, added or moved."""

    code = "chain_broken"

    def __init__(self, game_id: str, seq: int, found: str, expected: str) -> None:
        super().__init__(
            f"Game {game_id}, event {seq}: found {found} where there should be {expected}; "
            "the log was changed after it was written."
        )
        self.game_id = game_id
        self.seq = seq
        self.found = found
        self.expected = expected


Report = Callable[[ChainBroken, Record | None], None]
"""Called with each finding and its record; the record is None for a finding about the end of a game."""


def timestamp(moment: datetime) -> str:
    """Write an aware datetime as UTC with microseconds: ``2026-01-31T12:00:00.000000Z``.

    Raises ValueError for a naive datetime.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone: use datetime.now(UTC).")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def is_moment(text: object) -> bool:
    """Return whether a value is a text in the format of `timestamp`, with a date and a time that exist.

    >>> is_moment("2028-02-29T23:59:59.999999Z"), is_moment("2026-02-29T12:00:00.000000Z")
    (True, False)
    """
    if not isinstance(text, str) or not _MOMENT.fullmatch(text):
        return False
    try:
        return timestamp(datetime.fromisoformat(text)) == text
    except ValueError:
        return False


def stored_bytes(event: NewEvent | Record) -> int:
    """Return the approximate size of an event in a database, in bytes."""
    return ROW_BYTES + len(event.payload) + len(event.secret or "")  # canonical JSON is ASCII


def secret_digest(salt: bytes | None, secret: str | None) -> bytes:
    """Return the salted hash that commits to a secret, 32 bytes; empty for an event without a secret."""
    if salt is None or secret is None:
        return b""
    hashed = _SECRET_DOMAIN.copy()
    hashed.update(salt + secret.encode())
    return hashed.digest()


def digest_of(record: Record | SharedRecord) -> bytes:
    """Return the digest that commits to a record's secret, which may be withheld; empty if the event has no secret."""
    return record.secret if isinstance(record.secret, Withheld) else secret_digest(record.salt, record.secret)


def shared(record: Record, *, opened: bool) -> Record | SharedRecord:
    """Return a record to hand out: with its secret if ``opened``, else with the digest in place of the secret."""
    if opened or record.secret is None:
        return record
    return SharedRecord(*record[:8], Withheld(digest_of(record)), None, record.hash)


def event_hash(
    previous: bytes,
    *,
    seq: int,
    n: int,
    game_id: str,
    type: str,  # noqa: A002 - the column's name
    version: int,
    recorded_at: str,
    command_id: str,
    payload: str,
    digest: bytes,
) -> bytes:
    """Return the hash of one event, 32 bytes: over the previous event's hash and everything public."""
    command = _field(recorded_at) + _field(command_id)
    behind = _length(len(digest)) + digest
    return _linked(previous, seq, n, _field(game_id), _type_and_version(type, version), command, payload, behind)


def _linked(
    previous: bytes, seq: int, n: int, game: bytes, type_: bytes, command: bytes, payload: str, digest: bytes
) -> bytes:
    """Return an event's hash; game, type, command and digest are given as bytes, each preceded by its length."""
    text = payload.encode()
    hashed = _EVENT_DOMAIN.copy()
    hashed.update(b"".join((previous, _seq_n(seq, n), game, type_, command, _length(len(text)), text, digest)))
    return hashed.digest()


def chain(
    game_id: str,
    events: Sequence[NewEvent],
    *,
    count: int,
    head: bytes,
    recorded_at: str,
    command_id: str,
) -> list[Record]:
    """Make the records of one command, which follow a game's first ``count`` events; secrets get fresh salts.

    The hashes are those of event_hash; the parts that a command's events share are encoded once.
    """
    game = _field(game_id)
    command = _field(recorded_at) + _field(command_id)
    records = []
    for n, (type_, version, payload, secret) in enumerate(events, 1):
        seq = count + n
        salt = None
        digest = _NO_DIGEST
        if secret is not None:
            salt = secrets.token_bytes(SALT_BYTES)
            digest = _DIGEST_LENGTH + secret_digest(salt, secret)
        head = _linked(head, seq, n, game, _type_and_version(type_, version), command, payload, digest)
        records.append(Record(game_id, seq, type_, version, recorded_at, command_id, n, payload, secret, salt, head))
    return records


def verify(
    records: Iterable[AnyRecord],
    *,
    game_id: str,
    count: int = 0,
    head: bytes = GENESIS,
    report: Callable[[ChainBroken, AnyRecord | None], None] | None = None,
) -> Generator[AnyRecord, None, tuple[int, bytes]]:
    """Check a game's records one by one and yield each; raise ChainBroken at the first bad record.

    Returns the number and the hash of the last event.

    The records follow the game's first ``count`` events, whose last hash is ``head``. The checks cover the game, the
    numbers (``seq`` dense, ``n`` from 1 within each command), the salts' lengths and the hashes. Events that are
    missing at the end can be detected only with the game's count.

    With ``report`` nothing is raised: each bad record is reported, and the check continues after it from the
    number and the hash that the record itself has.
    """
    game = _field(game_id)
    seq = count
    n = 0
    recorded_at: str | None = None
    command_id: str | None = None
    command = b""
    for record in records:
        seq += 1
        of_game, number, type_, version, at, by_command, in_command, payload, secret, salt, stored = record
        try:
            if number != seq or of_game != game_id:
                raise ChainBroken(game_id, seq, f"event {number} of game {of_game}", f"event {seq} of game {game_id}")
            if by_command == command_id and at == recorded_at:
                n += 1
            else:
                n = n + 1 if by_command == command_id else 1
                recorded_at, command_id = at, by_command
                command = _field(recorded_at) + _field(command_id)
            if in_command != n:
                raise ChainBroken(game_id, seq, f"n = {in_command!r}", f"n = {n}")
            if secret is None and salt is None:
                digest = _NO_DIGEST
            elif isinstance(secret, Withheld):
                digest = _length(len(secret)) + secret
            elif secret is None or salt is None or len(salt) != SALT_BYTES:
                # Otherwise bytes could move between salt and secret without changing the digest.
                found = "no salt" if salt is None else f"a salt of {counted(len(salt), 'byte')}"
                found += " and no secret" if secret is None else " beside a secret"
                raise ChainBroken(game_id, seq, found, "a secret with a salt of 16 bytes, or neither")
            else:
                digest = _DIGEST_LENGTH + secret_digest(salt, secret)
            head = _linked(head, seq, n, game, _type_and_version(type_, version), command, payload, digest)
            if stored != head:
                raise ChainBroken(game_id, seq, f"the hash {shown(stored)}", head.hex())
        except (AttributeError, TypeError, UnicodeEncodeError, ChainBroken) as error:
            broken = error if isinstance(error, ChainBroken) else _not_as_written(game_id, seq, error)
            if report is None:
                raise broken from broken.__cause__
            report(broken, record)
            seq = number if type(number) is int else seq
            n = in_command if type(in_command) is int else n
            head = stored if type(stored) is bytes and len(stored) == len(GENESIS) else head
            recorded_at, command_id = None, by_command  # so that the shared parts are encoded again
        yield record
    return seq, head


def _not_as_written(game_id: str, seq: int, error: Exception) -> ChainBroken:
    # A database may hold anything in any column: a blob for a text, a text for a number, bytes that are not UTF-8.
    if isinstance(error, UnicodeEncodeError):
        broken = ChainBroken(game_id, seq, "a text that is not UTF-8", "the text that was recorded")
    else:
        broken = ChainBroken(game_id, seq, "a value of another type", "texts, numbers and bytes")
    broken.__cause__ = error
    return broken


def _field(text: str) -> bytes:
    encoded = text.encode()
    return _length(len(encoded)) + encoded


@lru_cache(maxsize=1024, typed=True)
def _type_and_version(type_: str, version: int) -> bytes:
    return _field(type_) + _field(str(version))


def shown(stored: object) -> str:
    """Format the value of a bytes column for a sentence: bytes in hexadecimal, anything else as Python writes it.

    >>> shown(b"AZ"), shown("text")
    ('415a', "'text'")
    """
    return stored.hex() if isinstance(stored, bytes) else repr(stored)
