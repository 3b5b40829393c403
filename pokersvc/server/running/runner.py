"""The runner: makes bots choose and rounds begin; each table is run by one server only."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Final, NamedTuple
from uuid import uuid4

from pokersvc.core.actions import IllegalAction
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.errors import cause_of
from pokersvc.server.following.channel import Latest
from pokersvc.server.parts import Parts
from pokersvc.server.running.next_step import Next, may_rest, next_step
from pokersvc.server.running.share_waits import ShareWaits
from pokersvc.server.tables.rows import TableRow
from pokersvc.service.errors import NothingToDo

BEAT: Final = 1.0
"""Seconds between two signs of life of a server."""
THINKING: Final = 2
"""The number of bots, over all tables, that choose at the same time; others wait."""
_log: Final = logging.getLogger("pokersvc.server")


class Beat(NamedTuple):
    """A sign of life of a server."""

    number: int
    seen: float
    """When this server first saw the beat, by its own clock."""
    goes_on: bool
    """Whether this server saw an earlier beat, too: a single beat may be the last one of a dead server."""


class Leases:
    """The tables that this server runs. A server whose beat does not change for the length of a lease is dead."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.server_id = str(uuid4())
        self._seen: dict[str, Beat] = {}
        """Server → its last beat."""

    def renew(self) -> set[str]:
        """Give a sign of life, take over tables that nobody runs, and return the tables that are this server's."""
        tables = self._parts.tables
        playing = tables.playing()
        if not playing:
            return set()
        now = monotonic()
        beats = tables.beat(self.server_id)
        for server, beat in beats.items():
            before = self._seen.get(server)
            if before is None or before.number != beat:
                self._seen[server] = Beat(beat, now, goes_on=before is not None)
        mine = {table for table, runner in playing if runner == self.server_id}
        orphans: dict[str | None, list[str]] = {}
        for table, runner in playing:
            if runner is None or (runner != self.server_id and self._is_dead(runner, beats, now)):
                orphans.setdefault(runner, []).append(table)
        for runner, orphaned in orphans.items():
            mine.update(tables.claim(orphaned, self.server_id, runner))
        self._parts.presence.tell(playing, self.server_id)
        return mine

    def release(self) -> None:
        """Give up all tables."""
        self._parts.tables.release(self.server_id)

    def lives(self, runner: str | None) -> bool:
        """Return whether a server is known to live: this one, or one whose beat has changed within the last lease."""
        if runner == self.server_id:
            return True
        beat = self._seen.get(runner or "")
        return beat is not None and beat.goes_on and monotonic() - beat.seen <= self._parts.settings.lease

    def is_alone(self) -> bool:
        """Return whether every other server of the database is known to be dead."""
        until = monotonic() - self._parts.settings.lease
        return all(beat.seen < until for server, beat in self._seen.copy().items() if server != self.server_id)

    def _is_dead(self, server: str, beats: dict[str, int], now: float) -> bool:
        if server not in beats:
            return True
        return now - self._seen[server].seen > self._parts.settings.lease


class Runner:
    """Runs the tables of this server, each in a task of its own."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._leases = Leases(parts)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._started = asyncio.Event()
        self._thinking = ThreadPoolExecutor(THINKING, "pokersvc-bots")

    async def run(self) -> None:
        """Take tables and run them, until cancelled."""
        self._parts.hub.on_start = self._started.set
        self._parts.hub.is_alone = self._leases.is_alone
        self._parts.commands.is_alive = self._leases.lives
        try:
            while True:
                try:
                    self._adjust(await self._parts.hub.call(self._leases.renew))
                except Exception as error:  # whatever the error, bots and clocks must go on
                    _log.warning("Tables could not be looked for (%s); it is tried again.", cause_of(error))
                self._started.clear()
                with suppress(TimeoutError):  # a table that has just been started is run at once
                    await asyncio.wait_for(self._started.wait(), BEAT)
        finally:
            self._adjust(())
            self._thinking.shutdown(wait=False, cancel_futures=True)
            with suppress(PokersvcError):
                self._leases.release()

    def _adjust(self, mine: Iterable[str]) -> None:
        """Begin to run new tables, and stop running those that are no longer this server's."""
        wanted = set(mine)
        for table in [table for table, task in self._tasks.items() if table not in wanted or task.done()]:
            self._tasks.pop(table).cancel()
        for table in wanted - self._tasks.keys():
            self._tasks[table] = asyncio.create_task(self._run(table))
        self._parts.metrics.run.set(len(self._tasks))

    async def _run(self, game_id: str) -> None:
        hub = self._parts.hub
        async with hub.channel(game_id) as channel:
            await hub.call(self._parts.commands.restart_clock, game_id)
            waits = ShareWaits()
            while channel.row.status == "playing":
                changed = channel.changed
                try:
                    if (latest := channel.latest) is None:
                        latest = await hub.call(self._latest, game_id, channel.count)
                    next_ = self._next(channel.row, latest, waits)
                    if not await _happens(changed, None if next_ is None else next_.seconds) and next_ is not None:
                        await (self._think(next_.do) if next_.thinks else hub.call(next_.do))
                except (ConcurrentUpdate, IllegalAction, NothingToDo):
                    await _happens(changed, BEAT)  # somebody else was first, or all sit out
                except Exception as error:
                    _log.warning("Table %s does not go on (%s); it is tried again.", game_id, cause_of(error))
                    await asyncio.sleep(BEAT)

    async def _think(self, do: Callable[[], None]) -> None:
        """Let a bot choose, in threads that streams and clocks do not need, because some bots take seconds."""
        await asyncio.get_running_loop().run_in_executor(self._thinking, do)

    def _next(self, row: TableRow, latest: Latest, waits: ShareWaits) -> Next | None:
        """Return the next step at a table; None for a table that rests until a person comes."""
        commands, settings = self._parts.commands, self._parts.settings
        if may_rest(latest.status, latest.table) and not self._parts.presence.attended(row):
            return None
        over = latest.status.outcome is not None
        asked = [seat for seat in row.seats if seat.removed]
        if (latest.status.pausing and asked) or (over and any(seat.token or seat.link for seat in asked)):
            return Next(0, partial(self._parts.opening.remove_asked, row, over=over))
        now = self._parts.service.now()
        return next_step(latest.status, latest.table, now, commands, settings, row.game_id, waits)

    def _latest(self, game_id: str, known: int) -> Latest:
        """Return a game's current state, in a thread; first start the game if its server was killed before doing so."""
        parts = self._parts
        try:
            status = parts.service.status(game_id, known=known)
        except UnknownGame:  # the server that started it was killed in between
            parts.commands.start_once(parts.tables.get(game_id))
            status = parts.service.status(game_id)
        return Latest(status, parts.service.table(game_id, known=known))


async def _happens(changed: "asyncio.Future[None]", seconds: float | None) -> bool:
    """Wait for a change, for at most ``seconds`` if given; return whether there was one."""
    done, _ = await asyncio.wait({changed}, timeout=seconds)
    return bool(done)
