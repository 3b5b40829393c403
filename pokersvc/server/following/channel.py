"""Channels: each keeps the last events of a followed table for its streams and runner, and wakes those who wait.

Commands of this process deliver their events (`Channel.take`), so that nobody reads them again. The database is read
for what others have recorded, and when the table itself may have changed. Then the table is read before the events,
so that nobody with a replaced link is sent anything that came later.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from pokersvc.core.tables.table_event import TableEvent
from pokersvc.server.connections.seats_first import soon
from pokersvc.server.errors import cause_of
from pokersvc.server.following.connected_seats import ConnectedSeats
from pokersvc.server.following.pushed_snapshots import PushedSnapshot, SharedSnapshots, SnapshotMaker
from pokersvc.server.following.wire import Wired, message
from pokersvc.server.tables.chat_lines import ChatLine
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.threads import Ending
from pokersvc.server.viewpoint import Viewpoint
from pokersvc.service import Status, TableStatus

RECENT: Final = 256
"""The number of a game's last events that are kept for all its streams."""
SHARED: Final = 32
"""The number of encoded parts that the streams of a game share until its next event: most need the same part."""
PART: Final = 250
"""The most events in one part of a stream."""
WOKEN_AT_ONCE: Final = 4
"""The number of watchers that are woken for news before the event loop does anything else."""

_log = logging.getLogger("pokersvc.server")


class Latest(NamedTuple):
    """The state of a game after the last known event, for the runner of its table."""

    status: Status
    table: TableStatus


class Reading(Protocol):
    """The interface by which channels read the database; each call sees the database at one moment."""

    @property
    def runs(self) -> bool:
        """Whether the server is running and not yet ending."""

    async def look(self, game_id: str) -> tuple[TableRow, int]:
        """Return a table and its game's number of events, read in one transaction, so that both are equally recent."""

    async def read(self, game_id: str, after: int, upto: int) -> list[Wired]:
        """Return the events of a game after number ``after``, up to number ``upto``."""

    async def said(self, row: TableRow) -> tuple[ChatLine, ...]:
        """Return the last lines of chat at a table, oldest first."""

    async def opened(self, game_id: str) -> bytes | None:
        """Return the message that shows the dealer's secrets, such as seeds, to everybody; None if they stay hidden."""

    async def snapshot(
        self, make: SnapshotMaker, row: TableRow, viewpoint: Viewpoint, after: int, known: int
    ) -> PushedSnapshot:
        """Return a snapshot made in a thread, of at least the first ``known`` events."""


class Channel:
    """One followed table, for use in the event loop only."""

    def __init__(self, reading: Reading, game_id: str) -> None:
        self._reading = reading
        self.game_id = game_id
        self.users = 0
        self.row: TableRow
        self.connected = ConnectedSeats()
        """Which people at the seats have a stream open."""
        self.count = 0
        """The number of events that this server knows."""
        self.opened: bytes | None = None
        """The message that shows the dealer's secrets to everybody; None during the game, or if they stay hidden."""
        self.said: tuple[ChatLine, ...] = ()
        """The last lines of chat at the table."""
        self._said_at = 0
        """The number of the table's changes when the chat was last read: every line is counted as a change."""
        self._latest: Latest | None = None
        self._recent: deque[Wired] = deque(maxlen=RECENT)
        self._ahead: dict[int, Wired] = {}
        """Event number → an event that a command delivered before all earlier events were known."""
        self._shared: dict[tuple[Viewpoint, int], tuple[bytes, int]] = {}
        self._snapshots = SharedSnapshots()
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._in_turn: list[asyncio.Future[None]] = []
        """Futures that watchers wait for; each is shared by a few of them."""
        self._waiting = 0
        """The number of watchers that share the last of these futures."""
        self._woken: deque[asyncio.Future[None]] = deque()
        """Futures of watchers who have yet to be woken for news."""
        self._refreshing: asyncio.Task[None] | None = None
        self._again = False
        """Whether the database may have news."""

    @property
    def changed(self) -> "asyncio.Future[None]":
        """A future that is done when there is news; everybody who waits shares it."""
        return self._changed

    def changed_in_turn(self) -> "asyncio.Future[None]":
        """Return a future that is done some time after there is news: watchers are woken a few at a time.

        A watcher that waits again before the future is done waits for the same one.
        """
        if not self._in_turn or self._waiting == WOKEN_AT_ONCE:
            self._in_turn.append(asyncio.get_running_loop().create_future())
            self._waiting = 0
        self._waiting += 1
        return self._in_turn[-1]

    @property
    def latest(self) -> Latest | None:
        """The game's current state; None if no command of this process has delivered it."""
        latest = self._latest
        return latest if latest is not None and latest.status.count == self.count else None

    def take(self, events: Sequence[Wired], latest: Latest) -> None:
        """Take the events that a command of this process recorded; commands may deliver theirs in any order."""
        if events[-1].seq <= self.count:
            return
        if self._latest is None or self._latest.status.count < latest.status.count:
            self._latest = latest
        follows = self.count and events[0].seq == self.count + 1
        if follows and not self._again and self._refreshing is None and not _of_the_table(events):
            self._append(events, events[-1].seq)
            self._wake()
            return
        if len(self._ahead) > RECENT:
            self._ahead.clear()
        self._ahead.update((one.seq, one) for one in events)
        self.nudge()

    def nudge(self) -> None:
        """Soon look for news in the database."""
        self._again = True
        if self._refreshing is None and self._reading.runs:
            self._refreshing = asyncio.get_running_loop().create_task(self._refresh())

    def close(self) -> None:
        """Stop looking for news."""
        self.connected.close()
        if self._refreshing is not None:
            self._refreshing.cancel()

    async def part(self, viewpoint: Viewpoint, after: int, known: int | None = None) -> tuple[bytes, int]:
        """Return the next part for a stream, and the number of the part's last event; without news the part is empty.

        ``known`` is the number of events that the reader may know; None if they see the game live.
        """
        last = self.count if known is None else min(self.count, known)
        if after >= last:
            return b"", after
        if known is None and (shared := self._shared.get((viewpoint, after))) is not None:
            return shared
        upto = min(last, after + PART)
        if self._recent and after + 1 >= self._recent[0].seq:
            found = [one for one in self._recent if after < one.seq <= upto]
        else:
            found = await self._reading.read(self.game_id, after, upto)
        part = b"".join(message("record", one.to(viewpoint), one.seq) for one in found), upto
        if known is None and upto == self.count and len(self._shared) < SHARED:
            self._shared[viewpoint, after] = part
        return part

    async def snapshot(self, viewpoint: Viewpoint, after: int, make: SnapshotMaker) -> PushedSnapshot:
        """Return the state of the game for a point of view, with the lines of the events after number ``after``."""
        return await self._snapshots.get(
            viewpoint, after, self.count, lambda: self._reading.snapshot(make, self.row, viewpoint, after, self.count)
        )

    async def load(self) -> None:
        """Read the table, and the number of its game's events."""
        self.row, self.count = await self._reading.look(self.game_id)

    async def _refresh(self) -> None:
        try:
            while self._again:
                self._again = False
                await self._take_news()
                self._wake()
        except Ending:
            pass  # nobody follows the table any more
        except Exception as error:
            self._again = True  # take no event until the table has been read
            _log.warning("Table %s could not be read (%s); it is tried again.", self.game_id, cause_of(error))
        finally:
            self._refreshing = None

    async def _take_news(self) -> None:
        row, count = await self._reading.look(self.game_id)
        self.row = row  # read the table before the events, so that a replaced link is sent no later event
        if row.changes != self._said_at:
            self.said, self._said_at = await self._reading.said(row), row.changes
        while self.count < count:
            found = self._brought(count)
            upto = self.count + len(found)
            if not found:
                upto = min(count, self.count + PART)
                found = await self._reading.read(self.game_id, self.count, upto)
            self._append(found, upto)
        self._ahead = {seq: one for seq, one in self._ahead.items() if seq > self.count}
        if row.status == "over" and row.settings["opens_seeds"] and self.opened is None and self.count:
            self.opened = await self._reading.opened(self.game_id)

    def _brought(self, count: int) -> list[Wired]:
        """Return the next events that commands have already delivered, up to event ``count``."""
        found: list[Wired] = []
        while (seq := self.count + len(found) + 1) <= count and (one := self._ahead.get(seq)) is not None:
            found.append(one)
        return found

    def _append(self, events: Sequence[Wired], upto: int) -> None:
        self._recent.extend(events)
        self._shared.clear()
        self.count = upto

    def _wake(self) -> None:
        before, self._changed = self._changed, asyncio.get_running_loop().create_future()
        before.set_result(None)
        if not self._woken and self._in_turn:
            soon(self._wake_next)
        self._woken.extend(self._in_turn)
        self._in_turn.clear()

    def _wake_next(self) -> None:
        self._woken.popleft().set_result(None)
        if self._woken:
            soon(self._wake_next)


def _of_the_table(events: Sequence[Wired]) -> bool:
    """Return whether an event concerns the table itself, such as a seat's new link; its row may have changed."""
    return any(isinstance(one.event, TableEvent) for one in events)
