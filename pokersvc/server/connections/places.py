"""The places at a server: connections, requests under way and unread bytes, counted by address."""

from collections import Counter
from itertools import count
from typing import Final, NamedTuple

from pokersvc.server.metrics import Metrics
from pokersvc.server.settings import Limits

MOST_REFUSED: Final = 200
"""Most connections that are told at the same time why they have no place; others are closed without a word."""
FULL: Final = "The server has as many connections open as it can hold: try again later."
TOO_MANY: Final = "Too many connections are open from your address: close some, then try again."


_taken: Final = count()


def spread(seconds: float) -> float:
    """Return the seconds plus up to a tenth, which differs each time.

    What began at one moment would otherwise end at one, and delay everybody: a thousand connections take a second.
    """
    return seconds * (1 + next(_taken) % 64 / 640)


class NoPlace(NamedTuple):
    """The reason why a connection is not served."""

    status: int
    code: str
    message: str


class Places:
    """The places of one server, for its event loop alone.

    A rejected connection has no place: otherwise one address could keep others out by coming again and again.
    """

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits, self._metrics = limits, metrics
        self._taken = 0
        self._of_address: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self.refused = 0
        """Connections that are being told why they have no place."""

    def take(self, address: str | None) -> NoPlace | None:
        """Take a place for a connection, or return why there is none. A proxy's connections have no address here."""
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
        """Count bytes that wait for an address; return whether a connection has too many besides those of others."""
        others = self._unread[address]
        self._unread[address] += more
        return others > 0 and others + more > self._limits.unread_of_address

    def read(self, address: str, less: int) -> None:
        """Stop counting bytes that wait no more."""
        _less(self._unread, address, less)


def _less(counted: Counter[str], address: str, less: int) -> None:
    """Subtract from a count, and drop an address that has nothing left."""
    counted[address] -= less
    if counted[address] <= 0:
        del counted[address]
