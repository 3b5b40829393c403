"""A wire to a TCP server that a test can cut and mend, for tests without an event loop."""

import asyncio
from collections.abc import Callable
from threading import Event, Thread
from typing import Self

from tests.browser.serving import Wire


class Cable:
    """A proxy on loopback to a server, in a thread of its own."""

    def __init__(self, host: str, port: int) -> None:
        self._wire = Wire(port, host)
        self._thread = Thread(target=lambda: asyncio.run(self._carry()))
        self._ready = Event()
        self.port = 0
        """Where it listens."""

    async def _carry(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        async with self._wire.on(0) as wire:
            self.port = wire.port
            self._ready.set()
            await self._ended.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(5)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)  # no more: the loop may be closed right after
        self._thread.join()

    def cut(self) -> None:
        """End all connections, and every new one."""
        self._do(self._wire.cut)

    def mend(self) -> None:
        """Carry again."""
        self._do(self._wire.mend)

    def _do(self, what: Callable[[], object]) -> None:
        done = Event()
        self._loop.call_soon_threadsafe(what)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(5)
