"""The claim 'this process plays this game now', which ends when its process ends, for whatever reason."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from pokersvc.errors import PokersvcError
from pokersvc.eventlog import postgres
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import opening, translated
from pokersvc.system.files import beside, opened_beside

SUFFIX: Final = ".lock"


class GameBeingPlayed(PokersvcError):
    """Another process or thread holds the claim."""

    code = "game_being_played"


@dataclass(slots=True)
class _Held:
    """What this process holds of one database: the games, and the open lock file (-1: in memory)."""

    descriptor: int = -1
    games: set[str] = field(default_factory=set)


# POSIX locks belong to the process, and closing any descriptor of a file drops all that the process holds on it.
# So there is one descriptor for each lock file, closed with its last claim, and this table for claims inside
# the process. (Linux's open-file-description locks would stay with a forked child after its parent's death.)
_held: dict[object, _Held] = {}
_lock = Lock()


@contextmanager
def claim(database: Database, game_id: str) -> Iterator[None]:
    """Hold a game while the context lasts; raise GameBeingPlayed if another process or thread does.

    Beside a file, the lock is a byte of ``<database>.lock``, chosen by the game's id; on a server it is one of a
    session. It needs no clean-up: the locks of a process end with it. Of a database in memory, claims hold
    within the process.
    """
    if database.on_server:
        with _claimed_on_server(database, game_id):
            yield
        return
    key: object = database if database.path is None else beside(database.path, SUFFIX)
    with opening(database.label):
        _take(key, database.path, game_id)
    try:
        yield
    finally:
        _release(key, game_id)


@contextmanager
def _claimed_on_server(database: Database, game_id: str) -> Iterator[None]:
    with ExitStack() as holding:
        with translated(database.label):  # and not what goes wrong in the game itself
            connection = holding.enter_context(database.session())
            held = holding.enter_context(postgres.game_locked(connection, game_id))
        if not held:
            raise GameBeingPlayed(f"Game {game_id} is being played by another process: wait until it ends.")
        yield


def _take(key: object, path: Path | None, game_id: str) -> None:
    with _lock:
        held = _held.get(key)
        if held is None:
            held = _Held()
            if path is not None:
                held.descriptor = opened_beside(path, SUFFIX)
            _held[key] = held
        try:
            if game_id in held.games:
                raise GameBeingPlayed(f"Game {game_id} is already being played in this process.")
            if held.descriptor >= 0:
                _lock_byte(held.descriptor, game_id)
            held.games.add(game_id)
        finally:
            _close_unused(key, held)


def _release(key: object, game_id: str) -> None:
    with _lock:
        held = _held[key]
        held.games.discard(game_id)
        if held.descriptor >= 0 and held.games:
            fcntl.lockf(held.descriptor, fcntl.LOCK_UN, 1, _offset(game_id))
        _close_unused(key, held)


def _lock_byte(descriptor: int, game_id: str) -> None:
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _offset(game_id))
    except BlockingIOError as error:
        raise GameBeingPlayed(f"Game {game_id} is being played by another process: wait until it ends.") from error


def _offset(game_id: str) -> int:
    # 56 bits: below the largest offset of a file, and wide enough that no two games meet.
    return int.from_bytes(sha256(game_id.encode()).digest()[:7])


def _close_unused(key: object, held: _Held) -> None:
    if not held.games:
        del _held[key]
        if held.descriptor >= 0:
            os.close(held.descriptor)
