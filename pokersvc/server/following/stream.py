"""A stream of server-sent events for one viewer of a table."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import nullcontext, suppress
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pokersvc.core.event import EVERYONE
from pokersvc.server.connections.places import spread
from pokersvc.server.connections.turns import Turnstile
from pokersvc.server.errors import TooMany
from pokersvc.server.following.channel import Channel
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.pushed_snapshots import SnapshotMaker
from pokersvc.server.following.wire import HEARTBEAT, OPEN, message
from pokersvc.server.metrics import Metrics
from pokersvc.server.running.presence import Presence
from pokersvc.server.settings import Limits
from pokersvc.server.tables.chat_lines import SHOWN, ChatLine, may_read
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.information import information
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.viewpoint import Viewpoint

HEADERS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",  # otherwise nginx would buffer the stream
}


LOOKS: Final = 1.0
"""Seconds between two checks for events that are old enough to be shown to watchers of a table with a delay."""


class Streams:
    """Counts the open streams."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self.limits, self.metrics = limits, metrics
        self._open: dict[str, int] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self.turnstile = Turnstile()
        """Lets only a few watchers at a time start receiving news, because a table may have any number of watchers."""

    def begin(self, address: str) -> None:
        """Count a new stream; raise `TooMany` if too many are open already."""
        if sum(self._open.values()) >= self.limits.streams:
            raise TooMany("The server has as many streams open as it can hold: try again later.")
        if self._open.get(address, 0) >= self.limits.streams_of_address:
            raise TooMany("Too many streams are open from your address: close some, then try again.")
        self._open[address] = self._open.get(address, 0) + 1
        self.metrics.streams.inc()

    def reader(self, receive: Receive) -> "asyncio.Task[None]":
        """Return a task that is done when the client disconnects or the server ends."""
        gone = asyncio.get_running_loop().create_task(_disconnected(receive))
        self._readers.add(gone)
        gone.add_done_callback(self._readers.discard)
        return gone

    def close(self) -> None:
        """End all streams properly, so that their readers may connect again."""
        for reader in self._readers:
            reader.cancel()

    def end(self, address: str) -> None:
        """Stop counting a stream that has ended."""
        self.metrics.streams.dec()
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class EventStream(Response):
    """The answer to a request for a stream; it ends when its reader leaves, stops reading, or may see no more.

    ``token`` is the digest of the token by which the reader was let in, and ``held`` is the seat with this token. If
    the seat gets another token but keeps its link and name, its holder has moved to another device; otherwise the link
    was replaced, or somebody else sits there.
    ``changes`` is the number of changes of the table when the reader was let in.
    With ``snapshots``, a reader who sees the game live is sent a snapshot after each part of the events.
    """

    def __init__(
        self,
        hub: Hub,
        streams: Streams,
        presence: Presence,
        game_id: str,
        viewpoint: Viewpoint,
        after: int,
        *,
        token: bytes | None,
        held: SeatRow | None = None,
        address: str,
        changes: int = 0,
        delay: Delay | None = None,
        seat: int | None = None,
        snapshots: SnapshotMaker | None = None,
    ) -> None:
        super().__init__()
        # No content-length: a stream has no known end.
        self.raw_headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        self._hub, self._streams, self._presence = hub, streams, presence
        self._table_id, self._viewpoint, self._after = game_id, viewpoint, after
        self._token, self._held, self._address, self._changes = token, held, address, changes
        self._delay = delay
        self._snapshots = snapshots
        self._shown = 0
        """The number of events in the last snapshot that was sent: the next one has the lines of those after it."""
        self._number = seat or (0 if viewpoint.viewer == EVERYONE else viewpoint.viewer)
        self._told_lines: tuple[ChatLine, ...] = ()
        self._told_connected: dict[int, bool] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come, until the stream ends."""
        self._streams.begin(self._address)
        gone = self._streams.reader(receive)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async with self._presence.at(self._table_id), self._hub.channel(self._table_id) as channel:
                with nullcontext() if self._token is None else channel.connected.at(self._number):
                    async for part in self._parts(channel, gone):
                        # A reader that takes nothing delays only this stream, and only until the timeout.
                        async with asyncio.timeout(spread(self._streams.limits.patience)):
                            await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            self._streams.metrics.dropped.inc()
        finally:
            gone.cancel()
            with suppress(asyncio.CancelledError):
                await gone
            self._streams.end(self._address)

    async def _parts(self, channel: Channel, gone: "asyncio.Task[None]") -> AsyncIterator[bytes]:
        after, told, seen, opened, whole = self._after, None, b"", False, True
        ticks = 0
        yield OPEN
        until = asyncio.get_running_loop().time() + self._streams.limits.stream_seconds
        while not gone.done() and channel.row.changes < self._changes:  # the channel is behind the reader's table
            changed = channel.changed
            channel.nudge()
            await self._wait(changed, gone)
        changed, connected = self._changed(channel), channel.connected.changed
        while not gone.done() and asyncio.get_running_loop().time() < until:
            if changed.done():
                changed = self._changed(channel)
            connected = channel.connected.changed
            known, row = None, channel.row
            if self._viewpoint.delayed and self._token is not None and not self._is_delayed(row):
                return  # the player is dealt in now; the next stream has their cards
            if self._is_delayed(row):
                known, row, whole = await self._hub.call(self._delayed.known, row, self._own)
            if (reason := self._ends(channel)) is not None:
                yield message("gone", _json({"code": reason}))
                return
            count = channel.count if known is None else min(known, channel.count)
            later = None if known is None else row.seats  # with a delay, seats change later than the row
            if (state := (row.changes, row.status, row.next_game, later)) != told:
                first, told, now = told is None, state, _json(information(row))
                # The client has just requested the table itself.
                knows = first and not after and count and row.status != "over"
                if now != seen and not knows:
                    yield message("table" if count else "lobby", now)
                seen = now
            if said := self._said(channel):
                yield message("chat", _json(said))
            if known is None and (now_connected := self._connected(channel)):
                yield message("connected", _json(now_connected))
            if self._token is None and after < count:
                await self._streams.turnstile.enter(self._address)
            part, after = await channel.part(self._viewpoint, after, known)
            if part:
                yield part
                if known is None and (snapshot := await self._snapshot(channel, after)):
                    yield snapshot
            elif channel.opened is not None and not opened and (known is None or whole):
                opened = True
                yield channel.opened
            elif known is not None:  # do not wake on new events, as that would reveal when they happen
                await asyncio.wait([gone], timeout=LOOKS)
                if (ticks := ticks + 1) * LOOKS >= self._streams.limits.heartbeat:
                    ticks = 0
                    yield HEARTBEAT
            elif after >= channel.count and not await self._wait(changed, gone, *self._soon(connected)):
                yield HEARTBEAT

    async def _snapshot(self, channel: Channel, after: int) -> bytes:
        """Return the message with the game's state, unless more events come first or the state may not be shown.

        The state may include events that the reader has not been sent. It is not sent before the channel has taken
        these events, because only then is it known whether the reader's link is still valid.
        """
        if self._snapshots is None or self._viewpoint.delayed or after < channel.count:
            return b""
        made = await channel.snapshot(self._viewpoint, self._shown, self._snapshots)
        if made.events > channel.count or self._ends(channel) is not None or self._is_delayed(channel.row):
            return b""
        self._shown = made.events
        return made.message

    @property
    def _own(self) -> int | None:
        return None if self._token is None else self._number

    @property
    def _delayed(self) -> Delay:
        assert self._delay is not None
        return self._delay

    def _is_delayed(self, row: TableRow) -> bool:
        seat = None if self._token is None else row.seat(self._number)
        return not row.shows_live(seat)

    def _said(self, channel: Channel) -> dict[str, object]:
        """Return the lines of chat not sent to the reader yet, and the sent lines that were deleted; else nothing."""
        row = channel.row
        seat = None if self._token is None else row.seat(self._number)
        now = channel.said if may_read(row, seat) else ()
        if now and self._is_delayed(row):
            now = self._delayed.said(row, now)
        if now == self._told_lines:
            return {}
        before = {line.number for line in self._told_lines}
        kept = {line.number for line in now}
        oldest = min(kept) if len(kept) == SHOWN else 0
        new = [line._asdict() for line in now if line.number not in before]
        gone = [number for number in before - kept if number >= oldest]
        self._told_lines = now
        return {"lines": new, "deleted": sorted(gone)} if new or gone else {}

    def _connected(self, channel: Channel) -> dict[str, object]:
        """Return which people at the table are connected, if the reader was last told otherwise; else nothing."""
        row = channel.row
        now = channel.connected.known(row, alone=self._hub.is_alone()) if row.status == "playing" else {}
        if now == self._told_connected:
            return {}
        self._told_connected = now
        return {"seats": [{"seat": seat, "connected": is_there} for seat, is_there in now.items()]}

    def _soon(self, connected: "asyncio.Future[None]") -> "tuple[asyncio.Future[None], ...]":
        """Return the futures that wake a seat when a person comes or goes; watchers learn of it with later news."""
        return () if self._token is None else (connected,)

    def _changed(self, channel: Channel) -> "asyncio.Future[None]":
        """Return a future that is done when there is news: for a seat at once, for watchers in turn."""
        return channel.changed if self._token is not None else channel.changed_in_turn()

    async def _wait(self, *for_any: "asyncio.Future[None]") -> bool:
        """Wait until one of these futures is done or the next heartbeat is due; return whether one is done."""
        heartbeat = self._streams.limits.heartbeat
        done, _ = await asyncio.wait(for_any, timeout=heartbeat, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)

    def _ends(self, channel: Channel) -> str | None:
        if self._token is not None:
            seat = channel.row.seat(self._number)
            if seat.token != self._token:
                if any(other.token == self._token for other in channel.row.seats):
                    return "other_seat"
                return "moved" if seat.token is not None and self._is_theirs(seat) else "link_replaced"
            self._held = seat
        return "table_closed" if channel.row.status == "over" and not channel.count else None

    def _is_theirs(self, seat: SeatRow) -> bool:
        """Return whether a seat with a new token still belongs to the person who held it at the last check."""
        held = self._held
        return held is not None and (held.kind, held.name, held.link) == (seat.kind, seat.name, seat.link)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _json(members: dict[str, object]) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()
