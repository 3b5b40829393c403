"""Whose requests are read first: those of people who play, and of all others a few at a time.

An event loop handles whatever has come on any connection before it does anything else. So a thousand strangers who
send something at one moment would hold up a command for as long as all that they sent takes.
"""

import asyncio
import socket
from collections import ChainMap, deque
from collections.abc import Mapping, MutableMapping
from selectors import EVENT_READ, BaseSelector, DefaultSelector, SelectorKey
from typing import TYPE_CHECKING, Final, TypeAlias, cast

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

AT_ONCE: Final = 4
"""Connections of others that are handled before the loop looks again who plays."""
_Ready: TypeAlias = tuple[SelectorKey, int]


class SeatsFirst(BaseSelector):
    """Waits for sockets; of those that are ready it returns all preferred ones, and a few of the others in turn."""

    def __init__(self) -> None:
        self._preferred, self._others = DefaultSelector(), DefaultSelector()
        self._waiting: deque[_Ready] = deque()
        """Others that were ready when they were looked at last."""
        self._inner = self._others.register(cast(int, self._preferred), EVENT_READ)
        """By which whoever waits for the others wakes for a preferred one."""

    def prefer(self, which: socket.socket, preferred: bool) -> None:
        """Have a socket that is registered among the preferred ones, or among the others."""
        to, of = (self._preferred, self._others) if preferred else (self._others, self._preferred)
        if which.fileno() in of.get_map():
            key = of.unregister(which)
            to.register(key.fileobj, key.events, key.data)

    def register(self, fileobj: "FileDescriptorLike", events: int, data: object = None) -> SelectorKey:
        """Wait for a socket, as one of the others."""
        return self._others.register(fileobj, events, data)

    def unregister(self, fileobj: "FileDescriptorLike") -> SelectorKey:
        """Wait for a socket no more."""
        return self._where(fileobj).unregister(fileobj)

    def modify(self, fileobj: "FileDescriptorLike", events: int, data: object = None) -> SelectorKey:
        """Wait for other events of a socket."""
        return self._where(fileobj).modify(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[_Ready]:
        """Return what is ready: all preferred sockets, and the next of the others."""
        found = self._preferred.select(0)
        if not self._waiting:
            self._waiting.extend(self._others.select(0 if found else timeout))
            if not found:
                found = self._preferred.select(0)
        registered = self._others.get_map()
        for _ in range(min(AT_ONCE, len(self._waiting))):
            ready = key, _ = self._waiting.popleft()
            # What has been closed or changed since is ready no more, or is found again.
            if key is not self._inner and registered.get(key.fileobj) is key:
                found.append(ready)
        return found

    def close(self) -> None:
        """Let go of the system's own lists."""
        self._others.close()
        self._preferred.close()

    def get_map(self) -> "Mapping[FileDescriptorLike, SelectorKey]":
        """Return what is waited for."""
        both = [self._preferred.get_map(), self._others.get_map()]
        return ChainMap(*cast("list[MutableMapping[FileDescriptorLike, SelectorKey]]", both))

    def _where(self, fileobj: "FileDescriptorLike") -> BaseSelector:
        return self._preferred if fileobj in self._preferred.get_map() else self._others


class Loop(asyncio.SelectorEventLoop):
    """An event loop that reads what people at the tables send before what others do."""

    def __init__(self) -> None:
        self.sockets = SeatsFirst()
        super().__init__(self.sockets)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop for a server; systems that can only list sockets have their own."""
    return Loop() if hasattr(DefaultSelector, "fileno") else asyncio.new_event_loop()
