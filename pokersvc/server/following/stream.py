"""A stream of server-sent events for one viewer of a table."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pokersvc.server.connections.places import spread
from pokersvc.server.connections.turns import Turnstile
from pokersvc.server.errors import TooMany
from pokersvc.server.following.channel import Channel
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.wire import HEARTBEAT, OPEN, message
from pokersvc.server.metrics import Metrics
from pokersvc.server.running.presence import Presence
from pokersvc.server.settings import Limits
from pokersvc.server.tables.information import information
from pokersvc.server.viewpoint import Viewpoint

HEADERS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",  # nginx would wait for more
}


class Streams:
    """Counts the open streams."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self.limits, self.metrics = limits, metrics
        self._open: dict[str, int] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self.turnstile = Turnstile()
        """Lets only a few watchers at a time begin to be sent news: a table may have any number of them."""

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
        """End all streams in order; their readers may come again."""
        for reader in self._readers:
            reader.cancel()

    def end(self, address: str) -> None:
        """Stop counting a stream that has ended."""
        self.metrics.streams.dec()
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class EventStream(Response):
    """The answer to a request for a stream; it ends when its reader goes, stops reading, or may see no more.

    ``token`` is the digest of the token by which the reader was let in: if the seat has another, its link was replaced.
    ``changes`` is how often the table had been changed by then.
    """

    def __init__(
        self,
        hub: Hub,
        streams: Streams,
        presence: Presence,
        table_id: str,
        viewpoint: Viewpoint,
        after: int,
        *,
        token: bytes | None,
        address: str,
        changes: int = 0,
    ) -> None:
        super().__init__()
        self.raw_headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]  # and no length
        self._hub, self._streams, self._presence = hub, streams, presence
        self._table_id, self._viewpoint, self._after = table_id, viewpoint, after
        self._token, self._address, self._changes = token, address, changes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come, until the stream ends."""
        self._streams.begin(self._address)
        gone = self._streams.reader(receive)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async with self._presence.at(self._table_id), self._hub.channel(self._table_id) as channel:
                async for part in self._parts(channel, gone):
                    # A reader who takes nothing delays only this stream, and not for long.
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
        after, told, opened = self._after, -1, False
        yield OPEN
        until = asyncio.get_running_loop().time() + self._streams.limits.stream_seconds
        while not gone.done() and channel.row.changes < self._changes:  # the channel is behind the reader's table
            changed = channel.changed
            channel.nudge()
            await self._wait(changed, gone)
        changed = self._changed(channel)
        while not gone.done() and asyncio.get_running_loop().time() < until:
            if changed.done():
                changed = self._changed(channel)
            row = channel.row
            if (reason := self._ends(channel)) is not None:
                yield message("gone", _json({"code": reason}))
                return
            if row.changes != told and not channel.count:
                told = row.changes
                yield message("lobby", _json(information(row)))
            if self._token is None and after < channel.count:
                await self._streams.turnstile.enter(self._address)
            part, after = await channel.part(self._viewpoint, after)
            if part:
                yield part
            elif channel.opened is not None and not opened:
                opened = True
                yield channel.opened
            elif after >= channel.count and not await self._wait(changed, gone):
                yield HEARTBEAT

    def _changed(self, channel: Channel) -> "asyncio.Future[None]":
        """Return a future that is done when there is something new: at once for a seat, in turn for watchers."""
        return channel.changed if self._token is not None else channel.changed_in_turn()

    async def _wait(self, *for_any: "asyncio.Future[None]") -> bool:
        """Wait until one of these futures is done or the next heartbeat is due; return whether one is done."""
        heartbeat = self._streams.limits.heartbeat
        done, _ = await asyncio.wait(for_any, timeout=heartbeat, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)

    def _ends(self, channel: Channel) -> str | None:
        if self._token is not None and channel.row.seat(int(self._viewpoint.viewer)).token != self._token:
            return "link_replaced"
        return "table_closed" if channel.row.status == "over" and not channel.count else None


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _json(members: dict[str, object]) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()
