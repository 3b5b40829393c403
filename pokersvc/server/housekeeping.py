"""Tables that nobody plays at: not started in days, or with no choice in weeks. They end, so that others have room."""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from pokersvc.core.actions import IllegalAction
from pokersvc.core.table import TABLE_EVENTS
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.record import timestamp
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.errors import cause_of
from pokersvc.server.parts import Parts

_log: Final = logging.getLogger("pokersvc.server")
EVERY: Final = 600.0
"""Seconds between two looks at all tables."""
LAST: Final = 50
"""Among so many events the last choice is looked for; with none, it is older than the first of them."""
_AT_TABLE: Final = frozenset(event.__name__ for event in TABLE_EVENTS)
"""What may happen although nobody plays: a server that was started again, a host who hands on a link."""


class Housekeeping:
    """Ends the tables that nobody plays at; several servers of a database may do so at once."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self) -> None:
        """Look at all tables now and then, until cancelled."""
        while True:
            try:
                await self._parts.hub.call(self.look)
            except Exception as error:  # whatever it is, the next look may do
                _log.warning("Old tables could not be looked for (%s); it is tried again.", cause_of(error))
            await asyncio.sleep(EVERY)

    def look(self, now: datetime | None = None) -> None:
        """End what is too old at a moment."""
        now = now or datetime.now(UTC)
        parts = self._parts
        for forgotten in parts.tables.forget(timestamp(now - parts.settings.limits.unstarted)):
            parts.hub.news(forgotten)
        if not parts.settings.idle_days:
            return
        before = now - timedelta(days=parts.settings.idle_days)
        for table_id, _ in parts.tables.playing():
            with suppress(UnknownGame, IllegalAction, ConcurrentUpdate):  # it goes on, or waits for its players' shares
                count = parts.service.status(table_id).count
                if self._last_choice(table_id, count) < timestamp(before):
                    parts.commands.abandon(table_id, count)

    def _last_choice(self, table_id: str, count: int) -> str:
        """Return the moment of the last event of the game itself."""
        found = self._parts.service.with_secrets.part(table_id, after=max(0, count - LAST), upto=count)
        records = [record for record, _ in found]
        return next((one.recorded_at for one in reversed(records) if one.type not in _AT_TABLE), records[0].recorded_at)
