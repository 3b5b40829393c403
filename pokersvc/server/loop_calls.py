"""Calls from threads into the event loop, many at a time: to wake the loop for each takes longer than most of them."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVarTuple

_Ts = TypeVarTuple("_Ts")


class Soon:
    """Has functions called in an event loop, in the order in which threads ask for it. They must not fail."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._asked: deque[Callable[[], object]] = deque()
        self._woken = False

    def call(self, function: Callable[[*_Ts], object], *arguments: *_Ts) -> None:
        """Have a function called soon, from any thread; never, where the loop is closed."""
        self._asked.append(lambda: function(*arguments))
        if not self._woken:  # else the loop has not begun to take what was asked for, and takes this too
            self._woken = True
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        self._woken = False
        while self._asked:
            self._asked.popleft()()
