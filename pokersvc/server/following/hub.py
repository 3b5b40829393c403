"""The hub passes news of tables to their followers: its own process's at once, that of others by reports or polls.

A stream has no queue. It knows how far it has come, and takes what follows from the last events, which all streams of a
game share, or from the log. So a reader who is slow or gone costs no memory except that of its connection.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar, TypeVarTuple

from pokersvc.eventlog.changes import Changes
from pokersvc.eventlog.notices import Notices
from pokersvc.server.errors import cause_of
from pokersvc.server.following.channel import Channel, Latest
from pokersvc.server.following.pushed_snapshots import PushedSnapshot, SnapshotMaker
from pokersvc.server.following.wire import Wired, message, wired
from pokersvc.server.tables.chat_lines import ChatLine, ChatStore
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.server.threads import Soon, Threads
from pokersvc.server.viewpoint import Viewpoint
from pokersvc.service import Service
from pokersvc.service.committed import Committed

THREADS: Final = 4
"""Threads that read the database for streams."""
ON_ITS_WAY: Final = 0.02
"""Seconds to wait before reading events that a poll found: a command of this process may deliver them meanwhile."""
RARELY: Final = 5.0
"""Seconds between two polls if other servers report their changes; polls still find the changes of other programs."""

_log = logging.getLogger("pokersvc.server")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class Hub:
    """The channels of all tables that are followed in this process.

    Its methods are for the event loop, except `news`, `started` and `committed`, which any thread may call.
    """

    def __init__(
        self,
        service: Service,
        tables: TableStore,
        chat: ChatStore,
        changes: Changes,
        poll: float,
        notices: Notices | None = None,
    ) -> None:
        self._service, self._tables, self._changes, self._poll = service, tables, changes, poll
        self._chat = chat
        self._notices = notices
        self._channels: dict[str, Channel] = {}
        self._soon: Soon | None = None
        self.on_start: Callable[[], object] = lambda: None
        """Called when this process has started a game."""
        self.is_alone: Callable[[], bool] = lambda: True
        """Returns whether all other servers of the database are known to be dead; others may have streams too."""
        self._look_now = asyncio.Event()
        self._threads = Threads(THREADS, "pokersvc-hub")

    @property
    def channels(self) -> int:
        """The number of tables that are followed."""
        return len(self._channels)

    @property
    def runs(self) -> bool:
        """Whether the server is running and not yet ending."""
        return self._soon is not None

    def news(self, game_id: str) -> None:
        """Report that a table has changed, without an event of its game."""
        self._call_soon(self._told, game_id)

    def started(self, game_id: str) -> None:
        """Report that the game of a table has started."""
        self._call_soon(self.on_start)
        self.news(game_id)

    def committed(self, news: Committed) -> None:
        """Pass the events that a command of this process has recorded to those who follow the table."""
        followed = news.game_id in self._channels
        events = [wired(one) for one in news.events] if followed else []
        self._call_soon(self._take, news.game_id, events, Latest(news.status, news.table))

    @asynccontextmanager
    async def channel(self, game_id: str) -> AsyncIterator[Channel]:
        """Yield the channel of a table, which stays as long as anybody uses it."""
        channel = self._channels.get(game_id)
        if channel is None:
            channel = Channel(self, game_id)
            await channel.load()
            channel = self._channels.setdefault(game_id, channel)
            channel.nudge()  # look for events recorded since the channel was read
        channel.users += 1
        try:
            yield channel
        finally:
            channel.users -= 1
            if not channel.users and self._channels.get(game_id) is channel:
                del self._channels[game_id]
            if not channel.users:
                channel.connected.close()

    async def run(self) -> None:
        """Pass on changes that other processes make, by their reports or by polls, until cancelled."""
        self._soon = Soon(asyncio.get_running_loop())
        self._service.with_secrets.on_committed = self.committed
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
        """Close the channels, the threads and the connection for polls."""
        self._soon = self._service.with_secrets.on_committed = None
        for channel in self._channels.values():
            channel.close()
        self._changes.close()
        self._threads.close()

    def _call_soon(self, function: Callable[[*_Ts], object], *arguments: *_Ts) -> None:
        """Call a function in the event loop, unless the server is ending."""
        if (soon := self._soon) is not None:
            soon.call(function, *arguments)

    async def call(self, function: Callable[[*_Ts], _T], *arguments: *_Ts) -> _T:
        """Call a blocking function in a thread."""
        return await self._threads.call(function, *arguments)

    async def read(self, game_id: str, after: int, upto: int) -> list[Wired]:
        """Return the events of a game after number ``after``, up to number ``upto``."""
        return await self.call(self._read, game_id, after, upto)

    async def look(self, game_id: str) -> tuple[TableRow, int]:
        """Return a table and its game's number of events, read in one transaction, so that both are equally recent."""
        return await self.call(self._tables.look, game_id)

    async def said(self, row: TableRow) -> tuple[ChatLine, ...]:
        """Return the last lines of chat at a table, oldest first."""
        return await self.call(self._chat.lines, row)

    async def opened(self, game_id: str) -> bytes | None:
        """Return the message that shows the dealer's secrets, such as seeds, to everybody; None if they stay hidden."""
        return await self.call(self._opened, game_id)

    async def snapshot(
        self, make: SnapshotMaker, row: TableRow, viewpoint: Viewpoint, after: int, known: int
    ) -> PushedSnapshot:
        """Return a snapshot made in a thread, of at least the first ``known`` events."""
        return await self.call(make, row, viewpoint, after, known)

    def _opened(self, game_id: str) -> bytes | None:
        found = self._service.opened(game_id)
        said = [{"seq": one.seq, "secret": one.secret, "salt": one.salt.hex()} for one in found]
        return message("opened", json.dumps(said, separators=(",", ":")).encode()) if said else None

    def _read(self, game_id: str, after: int, upto: int) -> list[Wired]:
        return [wired(one) for one in self._service.with_secrets.part(game_id, after=after, upto=upto)]

    def _take(self, game_id: str, events: list[Wired], latest: Latest) -> None:
        if (channel := self._channels.get(game_id)) is not None:
            if events:
                channel.take(events, latest)
            else:  # nobody followed the table when they were recorded
                channel.nudge()
        self._tell(game_id)

    def _told(self, game_id: str) -> None:
        self._nudge(game_id)
        self._tell(game_id)

    def _tell(self, game_id: str) -> None:
        if self._notices is not None:
            self._notices.tell(game_id)

    def _nudge(self, game_id: str) -> None:
        if (channel := self._channels.get(game_id)) is not None:
            channel.nudge()

    async def _compare(self) -> None:
        marks = await self.call(self._tables.marks, list(self._channels))
        if self._behind(marks):
            await asyncio.sleep(ON_ITS_WAY)
            for channel in self._behind(marks):
                channel.nudge()

    def _behind(self, marks: Mapping[str, tuple[int, int]]) -> list[Channel]:
        """Return the channels that lack changes or events that a poll found in the database."""
        found = []
        for game_id, (changes, count) in marks.items():
            channel = self._channels.get(game_id)
            if channel is not None and (channel.row.changes != changes or channel.count < count):
                found.append(channel)
        return found
