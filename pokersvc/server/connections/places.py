"""The limited places for connections at a server; connections and unread bytes are counted by address."""

from collections import Counter
from itertools import count
from typing import Final, NamedTuple

from pokersvc.server.metrics import Metrics
from pokersvc.server.settings import Limits

MOST_REFUSED: Final = 200
"""The maximum number of refused connections that are sent the reason at one time; others are closed without it."""
FULL: Final = "The server has as many connections open as it can hold: try again later."
TOO_MANY: Final = "Too many connections are open from your address: close some, then try again."


_taken: Final = count()


def spread(seconds: float) -> float:
    """Return the seconds plus up to a tenth of them, a different share each time, so that waits end at different times.

    Otherwise, connections that began at the same moment would also end at the same moment, and delay everybody: it
    takes a second to end a thousand of them.
    """
    return seconds * (1 + next(_taken) % 64 / 640)


class NoPlace(NamedTuple):
    """The reason why a connection is not served."""

    status: int
    code: str
    message: str


class Places:
    """The places for connections at one server, for use in its event loop only.

    A rejected connection has no place: otherwise one address could keep others out by connecting again and again.
    """

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits, self._metrics = limits, metrics
        self._taken = 0
        self._of_address: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self.refused = 0
        """The number of connections to which the reason for a refusal is being sent."""

    def take(self, address: str | None) -> NoPlace | None:
        """Take a place for a connection, or return why there is none; the address is None for a proxy's connection."""
        if self._taken >= self._limits.connections:
            return NoPlace(503, "full", FULL)
        if address is not None:
            if self._of_address[address] >= self._limits.connections_of_address:
                return NoPlace(429, "too_many", TOO_MANY)
            self._of_address[address] += 1
        self._taken += 1
        self._metrics.connections.set(self._taken)
        return None

    def leave(self, address: str | None) -> None:
        """Free a place that was taken."""
        self._taken -= 1
        self._metrics.connections.set(self._taken)
        if address is not None:
            _less(self._of_address, address, 1)

    def unread(self, address: str, more: int) -> bool:
        """Add unread bytes to an address's total; return whether the total of several connections exceeds the limit."""
        others = self._unread[address]
        self._unread[address] += more
        return others > 0 and others + more > self._limits.unread_of_address

    def read(self, address: str, less: int) -> None:
        """Subtract bytes that were read or dropped from the unread bytes of an address."""
        _less(self._unread, address, less)


def _less(counted: Counter[str], address: str, less: int) -> None:
    """Subtract from a count, and drop an address that has nothing left."""
    counted[address] -= less
    if counted[address] <= 0:
        del counted[address]
