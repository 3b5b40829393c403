"""Calls from threads into the event loop, in batches: to wake the loop for each takes longer than most calls."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVarTuple

_Ts = TypeVarTuple("_Ts")


class Soon:
    """Calls functions in an event loop, in the order in which threads ask for it. The functions must not fail."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._asked: deque[Callable[[], object]] = deque()
        self._woken = False

    def call(self, function: Callable[[*_Ts], object], *arguments: *_Ts) -> None:
        """Call a function in the loop soon; may be called from any thread. It is never called if the loop is closed."""
        self._asked.append(lambda: function(*arguments))
        if not self._woken:  # otherwise the loop has yet to take the waiting calls, and takes this one too
            self._woken = True
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        self._woken = False
        while self._asked:
            self._asked.popleft()()
