"""Answers that take long: a client that asks for many of them does not delay people who play."""

from collections.abc import Callable
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from pokersvc.server.connections.rate_limits import Meter, Rate, address_of
from pokersvc.server.errors import TooMany

AT_ONCE: Final = 3
"""The number of answers that are made at the same time; others wait, without taking a thread from people who play."""
_T = TypeVar("_T")


class Slow:
    """Makes answers that take long, in a small number of threads."""

    def __init__(self, rate: Rate, what: str = "replays, files and audits", at_once: int = AT_ONCE) -> None:
        """Make answers of a kind (``what`` in words), at most a fixed number of them at the same time."""
        self._rate, self._what = Meter(rate), what
        self._threads = CapacityLimiter(at_once)

    async def answer(self, request: Request, make: Callable[[], _T]) -> _T:
        """Return an answer that a thread makes; raise `TooMany` if the address has asked for too many."""
        if wait := self._rate.wait(address_of(request)):
            raise TooMany(f"Your address asks for {self._what} too often: wait {int(wait) + 1} seconds.", wait)
        return await to_thread.run_sync(make, limiter=self._threads)
