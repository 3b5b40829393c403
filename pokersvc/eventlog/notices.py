"""Notices between the servers of one PostgreSQL database: each names a game with new events.

They are sent after the commit, in a transaction of their own, for all games that have news at that moment. NOTIFY takes
a lock of which the whole PostgreSQL server has only one, so commands that sent notices in their own transactions would
commit one after the other.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn
from uuid import uuid4

from sqlalchemy import Engine

if TYPE_CHECKING:
    from psycopg import AsyncConnection

CHANNEL: Final = "pokersvc"
AGAIN: Final = 0.5
"""Seconds between attempts to restore a lost connection."""
# A connection that was lost silently is detected within a minute.
_KEPT: Final[dict[str, Any]] = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3}


class Notices:
    """Sends notices to the other servers of a database and receives theirs. For one event loop."""

    def __init__(self, engine: Engine) -> None:
        _, self._arguments = engine.dialect.create_connect_args(engine.url)
        self._name = uuid4().hex
        """The name by which this server recognises its own notices."""
        self._new: dict[str, None] = {}
        self._waiting = asyncio.Event()
        self.hears = False
        """Whether the connection that receives other servers' notices is open."""

    def tell(self, game_id: str) -> None:
        """Queue a notice for the other servers that the game has something new; `run` sends it."""
        self._new[game_id] = None
        self._waiting.set()

    async def run(self, heard: Callable[[str], object], connected: Callable[[], object]) -> NoReturn:
        """Send and receive notices until cancelled.

        ``heard`` is called with each game that another server names, and ``connected`` whenever a connection is made:
        notices sent before that were missed.
        """
        from psycopg import Error

        while True:
            try:
                async with await self._connection() as hearing, await self._connection() as telling:
                    await hearing.execute(f"LISTEN {CHANNEL}")
                    self.hears = True
                    connected()
                    async with asyncio.TaskGroup() as both:
                        both.create_task(self._hear(hearing, heard))
                        both.create_task(self._tell(telling))
            except* Error:
                pass
            finally:
                self.hears = False
            await asyncio.sleep(AGAIN)

    async def _connection(self) -> "AsyncConnection[Any]":
        from psycopg import AsyncConnection

        return await AsyncConnection.connect(
            **_KEPT, **self._arguments, autocommit=True, application_name="pokersvc notices"
        )

    async def _hear(self, connection: "AsyncConnection[Any]", heard: Callable[[str], object]) -> None:
        async for notice in connection.notifies():
            name, _, game_id = notice.payload.partition(" ")
            if name != self._name:
                heard(game_id)

    async def _tell(self, connection: "AsyncConnection[Any]") -> None:
        while True:
            if not self._new:
                await self._waiting.wait()
            self._waiting.clear()
            told, self._new = self._new, {}
            texts = [f"{self._name} {game_id}" for game_id in told]
            try:
                await connection.execute("SELECT pg_notify(%s, new) FROM unnest(%s::text[]) new", (CHANNEL, texts))
            except BaseException:  # the notices are sent once there is a connection again
                self._new = told | self._new
                raise
