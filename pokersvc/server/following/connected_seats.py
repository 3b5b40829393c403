"""The seats of a followed table that have a stream open: reported to all who see the table live, and not stored."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pokersvc.core.seats import HUMAN
from pokersvc.server.tables.rows import TableRow

GRACE: Final = 6.0
"""Seconds without a stream after which a seat has lost the connection; reloading a page takes less."""
AT_FIRST: Final = 15.0
"""Seconds after which a seat that this server has not seen yet counts as lost: after an outage pages wait up to 8."""


class ConnectedSeats:
    """The seats of one table that have a stream open at this server, for use in the event loop only."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._open: Counter[int] = Counter()
        self._lost: set[int] = set()
        """Seats that had a stream, and have had none for `GRACE` seconds."""
        self._changed = self._loop.create_future()
        self._timers = {0: self._loop.call_later(AT_FIRST, self._look)}
        """Seat, or 0 for all seats not seen yet → the timer after which its connection counts as lost."""

    @property
    def changed(self) -> "asyncio.Future[None]":
        """A future that is done when a seat may have lost its connection or got it back."""
        return self._changed

    @contextmanager
    def at(self, seat: int) -> Iterator[None]:
        """Count a stream of a seat as open during the context."""
        waiting = self._timers.pop(seat, None)
        if waiting is not None:
            waiting.cancel()
        self._open[seat] += 1
        if self._open[seat] == 1 and waiting is None:  # otherwise nobody was told that the seat was gone
            self._tell()
        try:
            yield
        finally:
            self._open[seat] -= 1
            if not self._open[seat]:
                self._timers[seat] = self._loop.call_later(GRACE, self._lose, seat)

    def known(self, row: TableRow, *, alone: bool) -> dict[int, bool]:
        """Return whether each person's seat is connected, without the seats of which this server cannot know it.

        ``alone``: whether no other server can have streams of the table. A seat without a stream stays connected for
        `GRACE` seconds.
        """
        found = {}
        for seat in row.seats:
            if seat.kind != HUMAN or seat.token is None:
                continue
            if self._open[seat.seat] or seat.seat in self._timers:
                found[seat.seat] = True
            elif alone and (seat.seat in self._lost or 0 not in self._timers):
                found[seat.seat] = False
        return found

    def close(self) -> None:
        """Stop all timers, so that no more changes are reported."""
        for timer in self._timers.values():
            timer.cancel()

    def _lose(self, seat: int) -> None:
        del self._timers[seat]
        self._lost.add(seat)
        self._tell()

    def _look(self) -> None:
        del self._timers[0]
        self._tell()

    def _tell(self) -> None:
        before, self._changed = self._changed, self._loop.create_future()
        before.set_result(None)
