"""Snapshots that streams send after events, so that a page does not have to request them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from pokersvc.server.following.snapshot import snapshot_of
from pokersvc.server.following.viewer_copies import ViewerCopies
from pokersvc.server.following.wire import message
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.viewpoint import Viewpoint
from pokersvc.service import Service

SHARED_FOR: Final = 0.1
"""Seconds for which readers with the same point of view share a snapshot, which says at what time it was made."""


class PushedSnapshot(NamedTuple):
    """A snapshot as it is sent."""

    events: int
    """The number of events from which it was made."""
    message: bytes


SnapshotMaker = Callable[[TableRow, Viewpoint, int, int], PushedSnapshot]
"""Makes a snapshot of a table for a point of view. It has the lines of the events after the first number, and is made
from at least as many events as the second number says."""


class SharedSnapshots:
    """The last snapshots of one game, for use in the event loop only."""

    def __init__(self) -> None:
        self._made: dict[tuple[Viewpoint, int, int], tuple[float, asyncio.Task[PushedSnapshot]]] = {}

    async def get(
        self, viewpoint: Viewpoint, after: int, events: int, make: Callable[[], Awaitable[PushedSnapshot]]
    ) -> PushedSnapshot:
        """Return a snapshot after ``events`` events: one just made for another reader, or else a new one."""
        now, key = asyncio.get_running_loop().time(), (viewpoint, after, events)
        self._made = {one: made for one, made in self._made.items() if now <= made[0] + SHARED_FOR}
        if key not in self._made:
            self._made[key] = now, asyncio.ensure_future(_done(make))
        return await asyncio.shield(self._made[key][1])


async def _done(make: Callable[[], Awaitable[PushedSnapshot]]) -> PushedSnapshot:
    return await make()


def maker(service: Service, copies: ViewerCopies) -> SnapshotMaker:
    """Return the function that makes snapshots of games for their viewers."""

    def make(row: TableRow, viewpoint: Viewpoint, after: int, known: int) -> PushedSnapshot:
        with copies.now(row.kind, row.game_id, viewpoint, known=known) as followed:
            told = snapshot_of(row, followed, service, after)
            return PushedSnapshot(followed.count, message("snapshot", _json(told)))

    return make


def _json(told: dict[str, object]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
