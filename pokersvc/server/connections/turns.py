"""Whose turn it is, where many wait for one thing: one address after the other, however many wait from each."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Final

from starlette.types import Scope

from pokersvc.server.connections.seats_first import Loop, soon

LONGEST: Final = 5.0
"""Seconds that are left to others after a piece of work, at most: a slow disk stops such work for no longer."""
AT_ONCE: Final = 2
"""Requests that begin before an event loop looks what else there is to do."""
MOST_READS: Final = 8
"""Reads of one request that come before others'; whoever sends it byte by byte is read as all others are."""
_PRECEDENCE: Final = "precedence"


class ByAddress:
    """Who waits, in the event loop; whoever's turn comes next is first."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def wait(self, address: str) -> asyncio.Future[None]:
        """Return what is done when the turn of an address has come."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(mine)
        return mine

    def next(self) -> bool:
        """Give the turn to the next address; tell whether somebody has it."""
        while self._waiting:
            address, mine = self._waiting.popitem(last=False)
            one = mine.popleft()
            if mine:
                self._waiting[address] = mine
            if not one.done():
                one.set_result(None)
                return True
        return False


class Turns:
    """Lets one piece of work after the other be done, in the event loop; each address has every turn once.

    After each as much time is left to others that it all takes no more than its share, but never above `LONGEST`.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._waiting = ByAddress()
        self._busy = False

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn of an address, and have it."""
        loop = asyncio.get_running_loop()
        if self._busy:
            mine = self._waiting.wait(address)
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
        self._busy = self._waiting.next()


class Turnstile:
    """Lets a few begin at a time, in the event loop, so that who goes on in it waits for those few at each step only.

    A thousand who begin at one moment would hold up everybody until each has made its first step, and then its second.
    """

    def __init__(self) -> None:
        self._waiting = ByAddress()
        self._begun = 0
        """How many have begun since the loop has looked what else there is to do."""

    async def enter(self, address: str) -> None:
        """Wait for a turn of an address, where somebody waits already or as many as may have begun."""
        if self._begun >= AT_ONCE or self._waiting:
            await self._waiting.wait(address)  # somebody has begun, so `_next` comes
            return
        if not self._begun:
            soon(self._next)
        self._begun += 1

    def _next(self) -> None:
        self._begun = 0
        while self._begun < AT_ONCE and self._waiting.next():
            self._begun += 1
        if self._begun:
            soon(self._next)


class Precedence:
    """What one connection has last been used for, as its requests know it."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self.plays = False
        """Whether the last request was a command of somebody who holds a seat."""
        self.answered = False
        """Whether the request under way is one."""
        self._reads = 0

    def read(self) -> None:
        """Note that something was read of the next request."""
        self._reads += 1
        if self.plays and self._reads >= MOST_READS:
            self._prefer(False)

    def while_carried_out(self) -> AbstractContextManager[None]:
        """Have others wait while the request under way is carried out, if it is one of somebody who plays."""
        loop = asyncio.get_running_loop()
        return loop.sockets.hold.by_command() if self.plays and isinstance(loop, Loop) else nullcontext()

    def note(self) -> None:
        """Note that a request was answered, and whether the next is read before others'."""
        plays, self.answered, self._reads = self.answered, False, 0
        if plays or self.plays:  # also where it was: a socket that was not read for a while is one of the others
            self._prefer(plays)

    def _prefer(self, plays: bool) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(loop, Loop):
            self.plays = plays
            loop.sockets.prefer(self._transport.get_extra_info("socket"), plays)

    @property
    def of_requests(self) -> dict[str, "Precedence"]:
        """What every request of the connection has in its state."""
        return {_PRECEDENCE: self}


def precedence_of(scope: Scope) -> Precedence | None:
    """Return whether a request's connection is read first; None where the server does not tell."""
    found: Precedence | None = scope.get("state", {}).get(_PRECEDENCE)
    return found
