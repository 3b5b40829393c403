"""Work that anybody may ask for and that others wait for: one address after the other, for a share of the time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

LONGEST: Final = 5.0
"""Seconds that are left to others after a piece of work, at most: a slow disk stops such work for no longer."""


class Turns:
    """Lets one piece of work after the other be done, in the event loop; each address has every turn once.

    After each as much time is left to others that it all takes no more than its share, but never above `LONGEST`.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Who waits, by address; whoever's turn comes next is first."""
        self._busy = False

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn of an address, and have it."""
        loop = asyncio.get_running_loop()
        if self._busy:
            mine = loop.create_future()
            self._waiting.setdefault(address, deque()).append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()  # the turn had come
                raise
        self._busy = True
        begun = loop.time()
        try:
            yield
        finally:
            took = loop.time() - begun
            loop.call_later(min(LONGEST, took / self._share - took), self._next)

    def _next(self) -> None:
        """Give the turn to the next address."""
        while self._waiting:
            address, mine = self._waiting.popitem(last=False)
            one = mine.popleft()
            if mine:
                self._waiting[address] = mine
            if not one.done():
                one.set_result(None)
                return
        self._busy = False
