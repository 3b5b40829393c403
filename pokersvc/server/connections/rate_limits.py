"""Rates: how often an address or a seat may ask for something."""

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
"""Characters of an address that is none, which a proxy said."""
MOST_KEYS: Final = 20_000
"""Who asked last is remembered; with more, whoever was quiet for longest is forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second, and so many at once after a rest."""

    a_second: float
    at_once: int


def address_of(request: Request | Scope) -> str:
    """Return where a request came from, as the server or a proxy that it trusts says.

    Of an address of IPv6 the first 64 bits: whoever has one has all that begin so.

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
    """Counts what each key asked for (a token bucket each), in bounded memory."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._lock = Lock()
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """Key → what it may still ask for, and when that was counted."""

    def wait(self, key: Hashable, cost: float = 1.0) -> float:
        """Count a request, and return 0; or count nothing and return the seconds after which it would be allowed.

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
        """Count what cannot be refused, and return the seconds until its turn comes, the longest at most.

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
