"""A process's claim to a game that it plays; the claim ends when the process ends, even by a crash."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog import postgres
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import opening, translated
from pokersvc.system.files import beside, opened_beside

SUFFIX: Final = ".lock"


class GameBeingPlayed(PokersvcError):
    """Another process or thread holds the claim to the game."""

    code = "game_being_played"


@dataclass(slots=True)
class _Held:
    """The games of one database that this process has claimed, and the open lock file (-1 for a database in memory)."""

    descriptor: int = -1
    games: set[str] = field(default_factory=set)


# POSIX locks belong to the process, and closing any descriptor of a file drops all that the process holds on it.
# So each lock file has one descriptor, closed with the last claim in that file, and this table holds the claims inside
# the process. (Linux's open-file-description locks would stay with a forked child after its parent's death.)
_held: dict[object, _Held] = {}
_lock = Lock()


class _Session:
    """The connection that is shared by all claims to games of a database on a server; closed when no claim is left.

    The server refuses claims that another session of this process holds, as it does for other processes.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._games: set[str] = set()
        self._open = ExitStack()
        self._connection: Connection | None = None

    def take(self, database: Database, game_id: str) -> None:
        """Take a game's lock, or raise `GameBeingPlayed`."""
        with self._lock, translated(database.label):
            if game_id in self._games:
                raise GameBeingPlayed(f"Game {game_id} is already being played in this process.")
            try:
                if not self._locked(database, game_id):
                    raise GameBeingPlayed(f"Game {game_id} is being played by another process: wait until it ends.")
                self._games.add(game_id)
            finally:
                self._close_unused()

    def release(self, game_id: str) -> None:
        """Release a game's lock."""
        with self._lock:
            self._games.discard(game_id)
            if self._connection is not None:
                postgres.unlock_game(self._connection, game_id)
            self._close_unused()

    def _locked(self, database: Database, game_id: str) -> bool:
        try:
            return postgres.lock_game(self._connected(database), game_id)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        self._close()  # the server was restarted: take the other locks again, unless somebody else has them now
        for held in self._games:
            postgres.lock_game(self._connected(database), held)
        return postgres.lock_game(self._connected(database), game_id)

    def _connected(self, database: Database) -> Connection:
        if self._connection is None:
            self._connection = self._open.enter_context(database.session())
        return self._connection

    def _close_unused(self) -> None:
        if not self._games:
            self._close()

    def _close(self) -> None:
        self._connection = None
        self._open.close()


_sessions: WeakKeyDictionary[Database, _Session] = WeakKeyDictionary()


@contextmanager
def claim(database: Database, game_id: str) -> Iterator[None]:
    """Claim a game until the context ends; raise GameBeingPlayed if another process or thread holds the claim.

    For a file, the lock is on a byte of ``<database>.lock``, chosen by the game's id; on a server it belongs to a
    session that all claims of an open database share. No clean-up is needed: the locks of a process end with the
    process. For a database in memory, claims hold only within the process.
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
    with _lock:
        session = _sessions.setdefault(database, _Session())
    session.take(database, game_id)
    try:
        yield
    finally:
        session.release(game_id)


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
    # 56 bits: below the largest offset of a file, and wide enough that no two games collide.
    return int.from_bytes(sha256(game_id.encode()).digest()[:7])


def _close_unused(key: object, held: _Held) -> None:
    if not held.games:
        del _held[key]
        if held.descriptor >= 0:
            os.close(held.descriptor)
