"""Ends tables where nobody plays (not started for days, or without a choice for weeks), to make room for others."""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from pokersvc.core.actions import ForgoRound, IllegalAction
from pokersvc.core.registry import UnknownGameKind, game_of
from pokersvc.core.tables.table_events import ResumeTable
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.errors import cause_of
from pokersvc.server.parts import Parts
from pokersvc.server.tables.store import Begun
from pokersvc.service.read_models import tallies
from pokersvc.service.read_models.history import UNREADABLE

_log: Final = logging.getLogger("pokersvc.server")
EVERY: Final = 600.0
"""Seconds between two looks at all tables."""
IDLE_DAYS: Final = 30
"""Days without a choice after which a table between two games is closed if games themselves are never ended."""
LAST: Final = 50
"""The number of a game's last events that are searched for a choice; if none is found, the first of them counts."""


class Housekeeping:
    """Ends the tables where nobody plays; several servers of a database may do so at once."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._chosen: dict[str, str] = {}
        """Old game → the time of its last choice; its log is read again only when that time is too old."""

    async def run(self) -> None:
        """Check all tables from time to time, until cancelled."""
        while True:
            try:
                await self._parts.hub.call(self.look)
                await self._parts.hub.call(self.tally)
            except Exception as error:  # whatever the error, the next look may succeed
                _log.warning("Old tables could not be looked for (%s); it is tried again.", cause_of(error))
            await asyncio.sleep(EVERY)

    def tally(self) -> None:
        """Add the hands played to the tallies, so that statistics need not count them each time."""
        tallies.tally(self._parts.database)

    def look(self, now: datetime | None = None) -> None:
        """End all tables that, at ``now``, have gone unstarted or without a choice for too long."""
        now = now or datetime.now(UTC)
        parts = self._parts
        for forgotten in parts.tables.forget(timestamp(now - parts.settings.limits.unstarted)):
            parts.hub.news(forgotten)
        days = parts.settings.idle_days
        for closed in parts.tables.close_idle(timestamp(now - timedelta(days=days or IDLE_DAYS))):
            parts.hub.news(closed)
        parts.chat_lines.delete_ended(now)
        parts.shared_hands.delete_ended(now)
        if not days:
            return
        before = timestamp(now - timedelta(days=days))
        chosen: dict[str, str] = {}
        for table in parts.tables.begun_before(before):
            try:
                chosen[table.game_id] = self._last_choice(table, before)
                if chosen[table.game_id] < before:
                    with suppress(UnknownGame, IllegalAction, ConcurrentUpdate):  # the game goes on
                        self._end(table)
            except (*UNREADABLE, UnknownGameKind) as error:
                _log.warning("Table %s cannot be ended (%s); the others are.", table.game_id, cause_of(error))
        self._chosen = chosen

    def _end(self, begun: Begun) -> None:
        """End a game whose last choice is too old; no other game is loaded, because each may evict one from memory."""
        parts, game_id = self._parts, begun.game_id
        table = parts.service.table(game_id)
        if table.paused and table.shares is not None and table.shares.waiting:
            # A game cannot end while it waits for shares. After this, the game's runner records the shares as missed,
            # and the next look ends the game.
            parts.commands.at_table(game_id, ResumeTable())
        else:
            parts.commands.abandon(game_id, begun.count)

    def _last_choice(self, table: Begun, before: str) -> str:
        """Return the time of a seat's last choice; actions of the dealer and at the table do not count."""
        if (chosen := self._chosen.get(table.game_id, "")) >= before:
            return chosen
        action_of = game_of(table.kind).action_of
        after = max(0, table.count - LAST)
        found = self._parts.service.with_secrets.part(table.game_id, after=after, upto=table.count)
        choices = [record for record, event in found if not isinstance(action_of(event), ForgoRound | None)]
        return (choices[-1] if choices else found[0].record).recorded_at
