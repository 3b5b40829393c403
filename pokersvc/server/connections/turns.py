"""Round robin by address: addresses take turns, even if many requests of one address wait."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Final

from starlette.types import Scope

from pokersvc.server.connections.seats_first import Loop, soon

LONGEST: Final = 5.0
"""The longest pause in seconds after a piece of work, even if a slow disk delayed the work."""
AT_ONCE: Final = 2
"""The maximum number of requests that begin before the event loop does anything else."""
MOST_READS: Final = 8
"""The number of reads after which a request loses its precedence: a client could send it byte by byte."""
_PRECEDENCE: Final = "precedence"


class ByAddress:
    """A queue of waiting tasks of the event loop, in which addresses take turns."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def wait(self, address: str) -> asyncio.Future[None]:
        """Return a future that is done when an address's turn has come."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(mine)
        return mine

    def next(self) -> bool:
        """Give the turn to the next address that waits; return False if nobody waits."""
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
    """Lets pieces of work run one after another in the event loop; addresses take turns.

    After each piece there is a pause of at most `LONGEST`, so that all pieces together take no more than their share of
    the time.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._waiting = ByAddress()
        self._busy = False

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the address's turn, and keep the turn during the context."""
        loop = asyncio.get_running_loop()
        if self._busy:
            mine = self._waiting.wait(address)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()  # the turn had come: pass it on
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
    """Lets requests begin a few at a time, in the event loop, so that no step of a request waits for many others.

    A thousand requests at one moment would delay everybody until each has made its first step, and then its second.
    """

    def __init__(self) -> None:
        self._waiting = ByAddress()
        self._begun = 0
        """The number of requests that began since the loop last did other work."""

    async def enter(self, address: str) -> None:
        """Return at once if nobody waits and fewer than `AT_ONCE` have just begun; else wait for the address's turn."""
        if self._begun >= AT_ONCE or self._waiting:
            await self._waiting.wait(address)  # others have begun, so `_next` will be called
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
    """Decides whether a connection is read before others: only if its last request was a player's command."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self.plays = False
        """Whether the last request was a command of somebody who holds a seat."""
        self.answered = False
        """Whether the current request was answered as a command of somebody who holds a seat."""
        self._reads = 0

    def read(self) -> None:
        """Count a read of the next request; after too many, the connection loses its precedence."""
        self._reads += 1
        if self.plays and self._reads >= MOST_READS:
            self._prefer(False)

    def while_carried_out(self) -> AbstractContextManager[None]:
        """Return a context in which other connections wait, if this connection belongs to a person who plays."""
        loop = asyncio.get_running_loop()
        return loop.sockets.hold.by_command() if self.plays and isinstance(loop, Loop) else nullcontext()

    def note(self) -> None:
        """Note that a request was answered, and decide whether the next is read before others'."""
        plays, self.answered, self._reads = self.answered, False, 0
        # Prefer the socket again even if it is preferred: one that was not read for a while has lost its preference.
        if plays or self.plays:
            self._prefer(plays)

    def _prefer(self, plays: bool) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(loop, Loop):
            self.plays = plays
            loop.sockets.prefer(self._transport.get_extra_info("socket"), plays)

    @property
    def of_requests(self) -> dict[str, "Precedence"]:
        """The entry for the state of each request of the connection, by which `precedence_of` finds this object."""
        return {_PRECEDENCE: self}


def precedence_of(scope: Scope) -> Precedence | None:
    """Return the precedence of a request's connection; None if the server keeps none."""
    found: Precedence | None = scope.get("state", {}).get(_PRECEDENCE)
    return found
