"""Games as a server would stream them: real ones, played by programs, as a viewer gets their events."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, may_see
from pokersvc.core.registry import game_of
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, digest_of, shared
from pokersvc.service import Service
from tests.clock import ticking

Streamed = dict[str, Any]
"""The JSON object of an event, as in a stream."""


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Derive IDs, salts and fresh seeds from a number, so that games are the same each time."""
    random = Random(seed)
    with (
        patch("secrets.token_bytes", random.randbytes),
        patch("pokersvc.service.command.uuid4", lambda: UUID(bytes=random.randbytes(16), version=4)),
        patch("pokersvc.service.importing.uuid4", lambda: UUID(bytes=random.randbytes(16), version=4)),
    ):
        yield


def play(path: Path, game_id: str, kind: str, setup: Setup) -> list[Record]:
    """Play a game of bots to its end, and return its log."""
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log, clock=ticking())
        service.start(kind, setup, game_id=game_id)
        while service.status(game_id).outcome is None:
            service.play_round(game_id)
        with log.snapshot() as snapshot:
            return list(snapshot.read(game_id))


def streamed(records: list[Record], kind: str, viewer: Viewer) -> list[Streamed]:
    """Return the events as streamed to a viewer."""
    decode = game_of(kind).codec.decode
    return [
        _object(record, opened=may_see(decode(record.type, record.version, record.payload, None), viewer))
        for record in records
    ]


def _object(record: Record, *, opened: bool) -> Streamed:
    told = shared(record, opened=opened)
    event: Streamed = {
        "seq": told.seq,
        "type": told.type,
        "version": told.version,
        "recorded_at": told.recorded_at,
        "command_id": told.command_id,
        "n": told.n,
        "payload": told.payload,
    }
    if told.salt is not None:
        event |= {"secret": told.secret, "salt": told.salt.hex()}
    elif digest := digest_of(told):
        event["digest"] = digest.hex()
    return event | {"hash": told.hash.hex()}


def opened(records: list[Record], kind: str) -> list[Streamed]:
    """Return the dealer's secrets that a table publishes at the end."""
    decode = game_of(kind).codec.decode
    found = []
    for record in records:
        if record.secret is None or record.salt is None:
            continue
        event = decode(record.type, record.version, record.payload, None)
        seat = getattr(event, "seat", None)
        if not may_see(event, EVERYONE) and may_see(event, AUDITOR) and (seat is None or not may_see(event, seat)):
            found.append({"seq": record.seq, "secret": record.secret, "salt": record.salt.hex()})
    return found


def fingerprint(text: str) -> int:
    """Return a number that follows from a text, the same in every process."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
