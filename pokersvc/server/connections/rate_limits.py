"""Rate limits: how often an address or a seat may ask for something."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network
from threading import Lock
from typing import Final

from starlette.requests import Request
from starlette.types import Scope

MOST_ADDRESS: Final = 64
"""The most characters of a non-IPv6 address that are kept, because a proxy may send any text."""
MOST_KEYS: Final = 20_000
"""The maximum number of keys in memory; with one more, the least recently used key is evicted."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: the requests per second, and the number of requests that may come at once after a rest."""

    a_second: float
    at_once: int


def address_of(request: Request | Scope) -> str:
    """Return the address that a request came from, as reported by the server or by a proxy that it trusts.

    Of an IPv6 address, only the first 64 bits count, because one holder has all addresses with that prefix.

    >>> address_of({"client": ("2001:db8::1:2", 443)}), address_of({"client": ("192.0.2.1", 443)})
    ('2001:db8::/64', '192.0.2.1')
    """
    client = request.get("client")
    return _network(str(client[0]) if client else "")


@lru_cache(maxsize=4096)
def _network(said: str) -> str:
    try:
        address = IPv6Address(said.partition("%")[0])
    except ValueError:
        return said[:MOST_ADDRESS]
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, 64), strict=False))


class Meter:
    """A rate limiter with a token bucket for each key, in bounded memory."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._lock = Lock()
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """Key → the number of requests it has left, and the time of that count."""

    def wait(self, key: Hashable, cost: float = 1.0) -> float:
        """Count a request and return 0; or count nothing and return the seconds after which it would be allowed.

        >>> meter = Meter(Rate(2, 1), now=lambda: 0.0)
        >>> meter.wait("Ann"), meter.wait("Ann"), meter.wait("Bob")
        (0.0, 0.5, 0.0)
        """
        with self._lock:
            left = self._left_of(key)
            missing = cost - left
            if missing <= 0:
                left -= cost
            self._note(key, left)
            return 0.0 if missing <= 0 else missing / self._rate.a_second

    def turn(self, key: Hashable, longest: float) -> float:
        """Count a request that cannot be refused; return the seconds until its turn comes, at most ``longest``.

        >>> meter = Meter(Rate(2, 1), now=lambda: 0.0)
        >>> [meter.turn("Ann", 0.75) for _ in range(3)]
        [0.0, 0.5, 0.75]
        """
        with self._lock:
            left = max(self._left_of(key) - 1.0, -longest * self._rate.a_second)
            self._note(key, left)
            return max(0.0, -left / self._rate.a_second)

    def _left_of(self, key: Hashable) -> float:
        most = float(self._rate.at_once)
        left, at = self._left.get(key, (most, 0.0))
        return min(most, left + (self._now() - at) * self._rate.a_second)

    def _note(self, key: Hashable, left: float) -> None:
        self._left[key] = left, self._now()
        self._left.move_to_end(key)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
