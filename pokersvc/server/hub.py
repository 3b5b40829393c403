"""What is new at the tables: from this process at once, from others as they tell; and the streams that wait for it.

A stream has no queue. It knows how far it has come, and takes what follows from the last events, which all streams of a
game share, or from the log. So a reader who is slow or gone costs no memory but that of its connection.
"""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar, TypeVarTuple

from pokersvc.eventlog.changes import Changes
from pokersvc.eventlog.notices import Notices
from pokersvc.server.errors import cause_of
from pokersvc.server.eyes import Eyes
from pokersvc.server.store import TableRow, TableStore
from pokersvc.server.wire import Wired, message, wired
from pokersvc.service import Service

RECENT: Final = 256
"""Events of a game that its streams share."""
SHARED: Final = 32
"""Parts that streams of a game share until its next event: those who follow it are at the same place."""
THREADS: Final = 4
"""In which the database is read for streams."""
PART: Final = 250
"""Events that a stream is sent at once."""

RARELY: Final = 5.0
"""Seconds between two polls where other servers tell of what they do; other programs do not."""

_log = logging.getLogger("pokersvc.server")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class Channel:
    """One table that somebody follows, in the event loop alone."""

    def __init__(self, hub: "Hub", table_id: str) -> None:
        self._hub = hub
        self.table_id = table_id
        self.users = 0
        self.row: TableRow
        self.count = 0
        """How many events are known here."""
        self.opened: bytes | None = None
        """The dealer's secrets as they are sent, once the game is over and where the table opens them."""
        self._recent: deque[Wired] = deque(maxlen=RECENT)
        self._shared: dict[tuple[Eyes, int], tuple[bytes, int]] = {}
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._refreshing: asyncio.Task[None] | None = None
        self._again = False

    @property
    def changed(self) -> "asyncio.Future[None]":
        """What is done when there is something new, for everybody who waits."""
        return self._changed

    def nudge(self) -> None:
        """Look for what is new, soon."""
        self._again = True
        if self._refreshing is None and self._hub.runs:
            self._refreshing = asyncio.get_running_loop().create_task(self._refresh())

    def close(self) -> None:
        """Look for nothing any more."""
        if self._refreshing is not None:
            self._refreshing.cancel()

    async def part(self, eyes: Eyes, after: int) -> tuple[bytes, int]:
        """Return what a stream is sent next, and how far that goes; nothing where there is nothing new."""
        if after >= self.count:
            return b"", after
        if (shared := self._shared.get((eyes, after))) is not None:
            return shared
        upto = min(self.count, after + PART)
        if self._recent and after + 1 >= self._recent[0].seq:
            found = [one for one in self._recent if after < one.seq <= upto]
        else:
            found = await self._hub.read(self.table_id, after, upto)
        part = b"".join(message("record", one.to(eyes), one.seq) for one in found), upto
        if upto == self.count and len(self._shared) < SHARED:
            self._shared[eyes, after] = part
        return part

    async def load(self) -> None:
        """Read the table, and how far its game is."""
        self.row, self.count = await self._hub.call(self._hub.look, self.table_id)

    async def _refresh(self) -> None:
        try:
            while self._again:
                self._again = False
                await self._take_news()
                self._wake()
        except Exception as error:
            _log.warning("Table %s could not be read (%s); it is tried again.", self.table_id, cause_of(error))
        finally:
            self._refreshing = None

    async def _take_news(self) -> None:
        row, count = await self._hub.call(self._hub.look, self.table_id)
        self.row = row  # before the events, so that no link that was replaced is sent what came after
        while self.count < count:
            upto = min(count, self.count + PART)
            found = await self._hub.read(self.table_id, self.count, upto)
            self._recent.extend(found)
            self._shared.clear()
            self.count = upto
        if row.status == "over" and row.settings["opens_seeds"] and self.opened is None and self.count:
            self.opened = await self._hub.call(self._hub.opened, self.table_id)

    def _wake(self) -> None:
        before, self._changed = self._changed, asyncio.get_running_loop().create_future()
        before.set_result(None)


class Hub:
    """All channels of a process. Its methods are for the event loop, but for `news`, which any thread may call."""

    def __init__(
        self, service: Service, tables: TableStore, changes: Changes, poll: float, notices: Notices | None = None
    ) -> None:
        self._service, self._tables, self._changes, self._poll = service, tables, changes, poll
        self._notices = notices
        self._channels: dict[str, Channel] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.on_start: Callable[[], object] = lambda: None
        """Called where this process has started a game."""
        self._look_now = asyncio.Event()
        self._threads = ThreadPoolExecutor(THREADS, "pokersvc-hub")

    @property
    def channels(self) -> int:
        """How many tables are followed."""
        return len(self._channels)

    @property
    def runs(self) -> bool:
        """Whether the server is not ending."""
        return self._loop is not None

    def news(self, table_id: str) -> None:
        """Tell that a table has changed, or that its game has new events."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._told, table_id)

    def started(self, table_id: str) -> None:
        """Tell that the game of a table has started."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.on_start)
        self.news(table_id)

    @asynccontextmanager
    async def channel(self, table_id: str) -> AsyncIterator[Channel]:
        """Give the channel of a table; it stays while somebody has it."""
        channel = self._channels.get(table_id)
        if channel is None:
            channel = Channel(self, table_id)
            await channel.load()
            channel = self._channels.setdefault(table_id, channel)
            channel.nudge()  # for what happened since it was read
        channel.users += 1
        try:
            yield channel
        finally:
            channel.users -= 1
            if not channel.users and self._channels.get(table_id) is channel:
                del self._channels[table_id]

    async def run(self) -> None:
        """Hear of what other processes do, or poll for it, until cancelled."""
        self._loop = asyncio.get_running_loop()
        listening = None
        if self._notices is not None:
            listening = asyncio.create_task(self._notices.run(self._nudge, self._look_now.set))
        try:
            await self._watch()
        finally:
            if listening is not None:
                listening.cancel()

    async def _watch(self) -> None:
        while True:
            hears = self._notices is not None and self._notices.hears
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look_now.wait(), max(self._poll, RARELY) if hears else self._poll)
            self._look_now.clear()
            try:
                changed = bool(self._channels) and await self.call(self._changes.since_last)
                if changed:
                    await self._compare()
            except Exception as error:
                _log.warning("The database could not be polled (%s); it is tried again.", cause_of(error))

    def close(self) -> None:
        """Let go of what is open."""
        self._loop = None
        for channel in self._channels.values():
            channel.close()
        self._changes.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def call(self, function: Callable[[*_Ts], _T], *arguments: *_Ts) -> _T:
        """Call what blocks in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def read(self, table_id: str, after: int, upto: int) -> list[Wired]:
        """Return events of a game."""
        return await self.call(self._read, table_id, after, upto)

    def look(self, table_id: str) -> tuple[TableRow, int]:
        """Return a table, and how many events its game has: the links are never older than those."""
        return self._tables.look(table_id)

    def opened(self, table_id: str) -> bytes | None:
        """Return the dealer's secrets as they are sent; None where they stay closed."""
        found = self._service.opened(table_id)
        said = [{"seq": one.seq, "secret": one.secret, "salt": one.salt.hex()} for one in found]
        return message("opened", json.dumps(said, separators=(",", ":")).encode()) if said else None

    def _read(self, table_id: str, after: int, upto: int) -> list[Wired]:
        return [wired(one) for one in self._service.with_secrets.part(table_id, after=after, upto=upto)]

    def _told(self, table_id: str) -> None:
        self._nudge(table_id)
        if self._notices is not None:
            self._notices.tell(table_id)

    def _nudge(self, table_id: str) -> None:
        if (channel := self._channels.get(table_id)) is not None:
            channel.nudge()

    async def _compare(self) -> None:
        known = list(self._channels)
        marks = await self.call(self._tables.marks, known)
        for table_id, (changes, count) in marks.items():
            channel = self._channels.get(table_id)
            if channel is not None and (channel.row.changes, channel.count) != (changes, count):
                channel.nudge()
