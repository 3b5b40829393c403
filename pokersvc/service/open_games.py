"""The open games of a service; thread-safe: a thread takes one out, uses it alone, and puts it back."""

from bisect import insort
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from operator import attrgetter
from threading import Lock
from typing import Final

from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import ChainBroken
from pokersvc.eventlog.snapshot import Head, Snapshot, UnknownGame
from pokersvc.service.open_game import OpenGame
from pokersvc.system.eviction import Eviction
from pokersvc.system.memory import half_of_this_machine

MOST_COPIES: Final = 4
"""The maximum number of copies of one game that stay in memory, for threads that use the game at the same time."""


class OpenGames:
    """The games of a log, of which the most recently used stay in memory.

    Two threads never have the same `OpenGame`. A thread that changes one and fails drops it instead of putting it back,
    so a game here is always the result of recorded events; it may lack events that others have recorded since.
    """

    def __init__(self, log: EventLog, memory: int | None = None) -> None:
        self._log = log
        self._lock = Lock()
        self._idle: dict[str, list[OpenGame]] = {}
        """Game id → its copies, the newest last."""
        self._eviction: Eviction[str] = Eviction(half_of_this_machine() if memory is None else memory)
        """Evicts games once all copies exceed a limit in bytes; games that threads have taken out keep their place."""

    def __len__(self) -> int:
        """Return the number of copies in memory, without those that threads have taken out."""
        with self._lock:
            return sum(map(len, self._idle.values()))

    @property
    def bytes(self) -> int:
        """The bytes that the games in memory take, by `OpenGame.size`."""
        return self._eviction.bytes

    def take(self, game_id: str) -> OpenGame | None:
        """Remove a game's newest copy from memory and return it, for the caller alone; None if there is no copy."""
        with self._lock:
            idle = self._idle.get(game_id)
            return idle.pop() if idle else None

    def put(self, open_game: OpenGame) -> None:
        """Return a game to memory, where other threads find it. Its state must be the result of its recorded events."""
        with self._lock:
            idle = self._idle.setdefault(open_game.game_id, [])
            insort(idle, open_game, key=attrgetter("count"))
            del idle[:-MOST_COPIES]
            for game_id in self._eviction.used(open_game.game_id, sum([one.size for one in idle])):
                del self._idle[game_id]

    def current(self, game_id: str, known: int = 0) -> OpenGame:
        """Return an up-to-date copy of a game, for the caller alone; raise `UnknownGame` if there is no such game.

        The log is read in one transaction. If ``known`` is not 0, a copy in memory with at least the first ``known``
        events is returned without reading the log.
        """
        if known and (found := self.take(game_id)) is not None:
            if found.count >= known:
                return found
            self.put(found)
        with self._log.snapshot() as snapshot:
            head = _head(snapshot, game_id)
            open_game = self.take(game_id)
            if open_game is None or open_game.count <= head.count:
                return _brought_to(head, open_game, game_id, snapshot)
        # Another thread has recorded more since the snapshot, and has stored a newer game here.
        with self._log.snapshot() as snapshot:
            return _brought_to(_head(snapshot, game_id), open_game, game_id, snapshot)

    @contextmanager
    def held(self, game_id: str, known: int = 0) -> Iterator[OpenGame]:
        """Yield an up-to-date copy of a game for the context, to read but not to change; ``known`` as in `current`."""
        open_game = self.current(game_id, known)
        try:
            yield open_game
        finally:
            self.put(open_game)

    def load(self, game_id: str, *, upto: int | None = None) -> OpenGame:
        """Return a game read from its log: after all its events, or after the first ``upto``."""
        with self._log.snapshot() as snapshot:
            return _loaded(_head(snapshot, game_id), game_id, snapshot, upto)


def _head(snapshot: Snapshot, game_id: str) -> Head:
    head = snapshot.head(game_id)
    if head is None:
        raise UnknownGame(f"There is no game {game_id}.")
    return head


def _brought_to(head: Head, open_game: OpenGame | None, game_id: str, snapshot: Snapshot) -> OpenGame:
    """Return a game as a snapshot has it: the given copy brought up to date, or else a new copy read from the log."""
    if open_game is not None and (open_game.count, open_game.head) == (head.count, head.hash):
        return open_game
    if open_game is not None and open_game.count < head.count:
        with (
            suppress(ChainBroken),  # another log is there now; if it is broken, reading the new copy will raise
            closing(snapshot.read_after(game_id, head, count=open_game.count, last=open_game.head)) as records,
        ):
            open_game.follow(records)
            return open_game
    return _loaded(head, game_id, snapshot)


def _loaded(head: Head, game_id: str, snapshot: Snapshot, upto: int | None = None) -> OpenGame:
    with closing(snapshot.read(game_id, upto=upto)) as records:
        return OpenGame.of(game_id, head.kind, records)
