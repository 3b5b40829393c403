"""Presence at tables: people and watchers at any server of the database. A table of bots rests without them.

If people are at a table that another server runs, a server reports this by counting the table as changed. The other
server learns of it as it learns of any change. The clocks of two machines are never compared.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Lock
from time import monotonic
from typing import Final

from pokersvc.errors import PokersvcError
from pokersvc.server.following.hub import Hub
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.store import TableStore

REST: Final = 60.0
"""Seconds without any person after which a table may rest."""
EVERY: Final = 20.0
"""Seconds between two reports to other servers that somebody is at the tables that they run."""


class Presence:
    """Knows which tables have people or watchers; thread-safe."""

    def __init__(self, tables: TableStore, hub: Hub, now: Callable[[], float] = monotonic) -> None:
        self._tables, self._hub, self.now = tables, hub, now
        self._lock = Lock()
        self._streams: dict[str, int] = {}
        self._last: dict[str, float] = {}
        """Table → when somebody was last seen there by this server."""
        self._untold: set[str] = set()
        """Tables at which somebody has been since the last report to other servers."""
        self._told = now()
        self._changes: dict[str, tuple[int, float]] = {}
        """Table that runs here → its number of changes (with visits at other servers), and when that last changed."""
        self._mine: frozenset[str] = frozenset()

    @asynccontextmanager
    async def at(self, game_id: str) -> AsyncIterator[None]:
        """Note that somebody is at a table during the context."""
        await self._hub.call(self.visit, game_id)
        with self._lock:
            self._streams[game_id] = self._streams.get(game_id, 0) + 1
        try:
            yield
        finally:
            with self._lock:
                self._seen(game_id)
                self._streams[game_id] -= 1
                if not self._streams[game_id]:
                    del self._streams[game_id]

    def visit(self, game_id: str) -> None:
        """Note that a person has opened a table, and wake the table if it may be resting."""
        with self._lock:
            last = self._last.get(game_id)
            was_here = game_id in self._streams or (last is not None and self.now() - last < EVERY)
            self._seen(game_id)
            mine = game_id in self._mine
        if was_here:
            return
        with suppress(PokersvcError):  # if this fails, the next sign of life will do
            if not mine:
                if self._tables.get(game_id).status != "playing":
                    return
                self._tables.attend([game_id])
            self._hub.news(game_id)

    def attended(self, row: TableRow) -> bool:
        """Return whether anybody, through any server, was at a table of this server within the last minute.

        A table that has just been taken over counts as attended: nobody knows who was there before.
        """
        with self._lock:
            now = self.now()
            changes, at = self._changes.get(row.game_id, (-1, now))
            if row.changes != changes:
                at = now
                self._changes[row.game_id] = row.changes, now
            return row.game_id in self._streams or now - max(at, self._last.get(row.game_id, at)) < REST

    def tell(self, playing: Sequence[tuple[str, str | None]], server_id: str) -> None:
        """From time to time, tell other servers that somebody is at tables that they run."""
        with self._lock:
            now = self.now()
            self._mine = frozenset(table for table, runner in playing if runner == server_id)
            self._last = {table: at for table, at in self._last.items() if now - at < REST}
            self._changes = {table: seen for table, seen in self._changes.items() if table in self._mine}
            if now - self._told < EVERY:
                return
            self._told, here, self._untold = now, self._untold.union(self._streams), set()
        others = [table for table, runner in playing if runner != server_id and table in here]
        if others:
            self._tables.attend(others)
            for table in others:
                self._hub.news(table)

    def _seen(self, game_id: str) -> None:
        self._last[game_id] = self.now()
        self._untold.add(game_id)
