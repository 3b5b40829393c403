"""What servers of one PostgreSQL database tell each other: which games have something new.

It is told after the commit, in a transaction of its own, for all that is new at that moment. NOTIFY takes a lock that
the whole PostgreSQL server has once; commands that told in their own transactions would commit one after the other.
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
"""Seconds after which a connection that was lost is tried again."""
# A connection that is gone without a word is found out within a minute.
_KEPT: Final[dict[str, Any]] = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3}


class Notices:
    """Tells the other servers of a database what is new here, and hears of what is new there. For one event loop."""

    def __init__(self, engine: Engine) -> None:
        _, self._arguments = engine.dialect.create_connect_args(engine.url)
        self._name = uuid4().hex
        """By which this server knows what it has told itself."""
        self._new: dict[str, None] = {}
        self._waiting = asyncio.Event()
        self.hears = False
        """Whether what others tell is heard now."""

    def tell(self, game_id: str) -> None:
        """Tell the others, soon, that there is something new."""
        self._new[game_id] = None
        self._waiting.set()

    async def run(self, heard: Callable[[str], object], connected: Callable[[], object]) -> NoReturn:
        """Tell and hear until cancelled.

        ``heard`` is called with a game that another server has told of, and ``connected`` after each connecting: what
        was told before that, nobody heard.
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
            except BaseException:  # they are told after the next connecting
                self._new = told | self._new
                raise
