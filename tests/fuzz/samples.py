"""Valid files of every kind, which the generators damage."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import checkpoint, export
from pokersvc.evidence.keys import Signer
from pokersvc.games.draw_poker.house.houses import preset_names, preset_text
from pokersvc.service import Service
from pokersvc.tournament import Tournament
from pokersvc.tournament.play import Played
from pokersvc.tournament.results import Results
from tests.evidence.support import AT
from tests.tournament.support import planned

KEY = Ed25519PrivateKey.from_private_bytes(sha256(b"the key that signs what is fuzzed").digest())
MOST_EVENTS = 60
"""Longer games are cut to this many events, because errors are found as soon as they occur."""


@dataclass(frozen=True)
class Copy:
    """An export: its first line, and the lines of its events."""

    header: dict[str, Any]
    events: list[dict[str, Any]]


@cache
def copies() -> list[Copy]:
    """Return exports of every game, as everybody sees it."""
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        return [_copy(log, game_id, viewer) for game_id in _played(log) for viewer in (EVERYONE, 1, 2, AUDITOR)]


def _played(log: EventLog) -> list[str]:
    service = Service(log)
    minimum = tuple(Seat("minimum", name) for name in ("Ann", "Bob"))
    for game in map(game_of, game_kinds()):
        for house in [house.name for house in game.houses()] or [""]:
            game_id = f"{game.kind}-{house}" if house else game.kind
            seats = minimum if "minimum" in game.players else tuple(Seat("random", name) for name in ("Ann", "Bob"))
            setup = Setup(seats, EntropySource.from_text(game_id), 1, {"rules": house} if house else {})
            service.start(game.kind, _short(game, setup), game_id=game_id)
            while service.status(game_id).outcome is None:
                service.play_round(game_id)
    people = (Seat(HUMAN, "Ann"), Seat("minimum", "Zoë"))
    service.start("draw", Setup(people, EntropySource.from_text("running")), game_id="running")
    return [game_id for game_id, _ in log.games()]


def _short(game: Game, setup: Setup) -> Setup:
    """Return the setup of a game of one round, or of a game without rounds."""
    try:
        game.start(setup)
    except InvalidValue:
        return replace(setup, rounds=None)
    return setup


def _copy(log: EventLog, game_id: str, viewer: Any) -> Copy:
    file = BytesIO()
    export.write(file, log, game_id, viewer, force=True)
    header, *events = map(json.loads, file.getvalue().splitlines())
    return Copy(header, events[:MOST_EVENTS])


@cache
def checkpoint_file() -> list[dict[str, Any]]:
    """Return the lines of a checkpoint that is signed."""
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        _played(log)
        file = BytesIO()
        with log.snapshot() as snapshot:
            checkpoint.write(file, snapshot, created_at=AT, previous=bytes(32), signer=Signer(KEY))
    return [json.loads(line) for line in file.getvalue().splitlines()]


@cache
def keys() -> list[bytes]:
    """Return a private and a public key, as PEM."""
    return [
        KEY.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    ]


@cache
def houses() -> list[list[str]]:
    """Return the lines of the rules of every house."""
    return [preset_text(name).splitlines() for name in preset_names()]


@cache
def tournament() -> Tournament:
    return planned("random", "steady", deals=3)


@cache
def results(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a results file of that tournament."""
    path = folder / "results"
    with suppress(FileNotFoundError):
        path.unlink()
    with Results(path, tournament()) as kept:
        kept.add(
            Played(number, (number, -number), (1, 2), 1, ({"raised": 2}, {"timeout": 1, "illegal": 3}))
            for number in range(tournament().games)
        )
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def names() -> Iterator[str]:
    yield from ("bot.py:Bot", "a/b.py:B", "/dev/null.py:X", ".py:X", "bot.py:", "bot.py:1", "steady", "human")
