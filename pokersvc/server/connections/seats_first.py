"""Precedence among connections: requests of people who play are read first, all others a few at a time.

An event loop handles everything that has come on any connection before it does anything else. So a thousand strangers
who send something at one moment would delay a command for as long as all of that takes.
"""

import asyncio
import socket
from collections import ChainMap, deque
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from selectors import EVENT_READ, BaseSelector, DefaultSelector, SelectorKey
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias, cast

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

AT_ONCE: Final = 4
"""The number of other connections that are handled before the loop checks again for people who play."""
LONGEST_HOLD: Final = 0.01
"""The longest time in seconds for which commands hold up others, which then get the same time for themselves."""
OFTEN: Final = 0.001
"""Seconds between two checks for a command under way."""
_Ready: TypeAlias = tuple[SelectorKey, int]


class Hold:
    """Makes other connections wait while a thread carries out a command of a person who plays.

    Such a thread releases the interpreter at every step of the database, and each time another thread holds it for
    milliseconds. So any other work in the loop makes a command take many times as long.
    """

    def __init__(self) -> None:
        self._commands = 0
        self._since = 0.0

    @contextmanager
    def by_command(self) -> Iterator[None]:
        """Return a context in which a command is carried out while other connections wait."""
        if not self._commands:
            self._since = monotonic()
        self._commands += 1
        try:
            yield
        finally:
            self._commands -= 1

    @property
    def left(self) -> float:
        """Seconds that other connections must still wait; 0 if no command is under way, and during their own time."""
        if not self._commands:
            return 0.0
        return max(0.0, LONGEST_HOLD - (monotonic() - self._since) % (2 * LONGEST_HOLD))


class SeatsFirst(BaseSelector):
    """A selector that returns all preferred sockets that are ready, and a few of the others in turn."""

    def __init__(self) -> None:
        self.hold = Hold()
        self._preferred, self._others = DefaultSelector(), DefaultSelector()
        self._waiting: deque[_Ready] = deque()
        """Other connections' sockets that were found ready and were not returned yet."""
        self._inner = self._others.register(cast(int, self._preferred), EVENT_READ)
        """The selector of preferred sockets, registered in that of the others, so that one wait serves all sockets."""

    def prefer(self, which: socket.socket, preferred: bool) -> None:
        """Move a registered socket to the preferred ones, or to the others."""
        to, of = (self._preferred, self._others) if preferred else (self._others, self._preferred)
        if (number := which.fileno()) >= 0 and number in of.get_map():  # negative if closed
            _move(of, to, of.get_key(number))

    def prefer_all(self) -> None:
        """Move all sockets that are registered so far to the preferred ones."""
        for key in [*self._others.get_map().values()]:
            if key is not self._inner:
                _move(self._others, self._preferred, key)

    def register(self, fileobj: "FileDescriptorLike", events: int, data: object = None) -> SelectorKey:
        """Register a socket as one of the others, not as a preferred one."""
        return self._others.register(fileobj, events, data)

    def unregister(self, fileobj: "FileDescriptorLike") -> SelectorKey:
        """Stop waiting for a socket."""
        return self._where(fileobj).unregister(fileobj)

    def modify(self, fileobj: "FileDescriptorLike", events: int, data: object = None) -> SelectorKey:
        """Wait for other events of a socket."""
        return self._where(fileobj).modify(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[_Ready]:
        """Return the ready sockets: all preferred ones, and the next few of the others."""
        found = self._preferred.select(0)
        if left := self.hold.left:
            return found or self._preferred.select(left if timeout is None else min(timeout, left))
        if not self._waiting:
            self._waiting.extend(self._others.select(0 if found else timeout))
            if not found:
                found = self._preferred.select(0)
        registered = self._others.get_map()
        for _ in range(min(AT_ONCE, len(self._waiting))):
            ready = key, _ = self._waiting.popleft()
            # Skip a socket that was closed or changed since; if it is ready, it is found again.
            if key is not self._inner and registered.get(key.fd) is key:
                found.append(ready)
        return found

    def close(self) -> None:
        """Close both of the system's selectors."""
        self._others.close()
        self._preferred.close()

    def get_map(self) -> "Mapping[FileDescriptorLike, SelectorKey]":
        """Return all registered sockets."""
        both = [self._preferred.get_map(), self._others.get_map()]
        return ChainMap(*cast("list[MutableMapping[FileDescriptorLike, SelectorKey]]", both))

    def _where(self, fileobj: "FileDescriptorLike") -> BaseSelector:
        return self._preferred if fileobj in self._preferred.get_map() else self._others


def _move(of: BaseSelector, to: BaseSelector, key: SelectorKey) -> None:
    of.unregister(key.fileobj)
    to.register(key.fileobj, key.events, key.data)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that reads from people at the tables before it reads from others."""

    def __init__(self) -> None:
        self.sockets = SeatsFirst()
        super().__init__(self.sockets)
        self.sockets.prefer_all()  # all sockets so far are those by which threads wake the loop


def soon(callback: Callable[[], object]) -> None:
    """Schedule a callback in the running event loop, but after commands of people who play."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, Loop) and loop.sockets.hold.left:
        loop.call_later(OFTEN, soon, callback)
    else:
        loop.call_soon(callback)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop for a server: a `Loop`, or asyncio's if a selector has no file descriptor of its own."""
    return Loop() if hasattr(DefaultSelector, "fileno") else asyncio.new_event_loop()
