"""Slow readers: limits on the data that waits in memory for them, and a way to close without waiting for them."""

import asyncio
import socket
import struct
from contextlib import suppress
from typing import Final, NamedTuple

from pokersvc.server.connections.places import Places
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.settings import Limits

SLOWEST: Final = 4096
"""The least number of bytes per second that a reader must take."""
_FORGET: Final = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which the system drops its own unsent data when a connection is closed."""


class Look(NamedTuple):
    """One check of a reader: its time, and the number of bytes not taken yet."""

    at: float
    left: int


class Untaken:
    """The data in this process that waits for the reader of one connection; data held by the system is not counted.

    asyncio has no time limit for this data, and `close` waits until all of it is taken. So a reader who takes a byte
    now and then could keep a connection, and the data that it asked for in memory, for as long as it likes.
    """

    def __init__(self, transport: asyncio.WriteTransport, limits: Limits, places: Places) -> None:
        self._transport, self._limits, self._places = transport, limits, places
        self._before: Look | None = None
        """The last check at which data was left; the reader's speed is measured from there."""
        self._counted: tuple[str, int] | None = None

    def is_much(self, client: object) -> None:
        """Add the waiting data to the total of the address that asked for it; called when a lot is waiting.

        If too much data already waits for that address, the connection is ended.
        """
        self.is_little()
        self._counted = address_of({"client": client}), self._transport.get_write_buffer_size()
        if self._places.unread(*self._counted):
            self.forget()

    def forget(self) -> None:
        """End the connection, and drop all that its reader has not taken."""
        with suppress(OSError):  # the connection is already lost
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _FORGET)
        self._transport.abort()

    def is_little(self) -> None:
        """Stop counting: the data was taken, or the connection is lost."""
        self._before = None
        if self._counted is not None:
            self._places.read(*self._counted)
            self._counted = None

    def answered(self) -> None:
        """Start measuring again, because the waiting data now belongs to another answer."""
        self._before = None

    def stands_still(self, now: float, *, waited_for: bool) -> bool:
        """Return whether the reader has taken too little since a check at least ``patience`` seconds ago.

        ``waited_for`` says that the connection cannot continue until its reader has taken the remaining data.
        """
        left = self._transport.get_write_buffer_size() if waited_for else 0
        if not left:
            self._before = None
        elif self._before is None:
            self._before = Look(now, left)
        elif now >= self._before.at + self._limits.patience:
            before, self._before = self._before, Look(now, left)
            return before.left - left < SLOWEST * (now - before.at)
        return False
