"""Threads for blocking calls, and calls from threads into the event loop, batched so that it is woken less often."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar, TypeVarTuple

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class Soon:
    """Calls functions in an event loop, in the order of the threads' requests. The functions must not fail."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._asked: deque[Callable[[], object]] = deque()
        self._woken = False

    def call(self, function: Callable[[*_Ts], object], *arguments: *_Ts) -> None:
        """Call a function in the loop soon; may be called from any thread. It is never called if the loop is closed."""
        self._asked.append(lambda: function(*arguments))
        if not self._woken:  # if it was woken, the loop will take this call with the waiting ones
            self._woken = True
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        self._woken = False
        while self._asked:
            self._asked.popleft()()


class Ending(RuntimeError):
    """Raised when the server is ending and begins nothing more."""


class _Task(NamedTuple):
    run: Callable[[], object]
    answer: "asyncio.Future[Any]"


_END: Final = None


class Threads:
    """A pool of threads for one event loop; they start with the first task."""

    def __init__(self, number: int, name: str) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        # Daemon threads do not delay the end of the process. A command is recorded completely or not at all, wherever
        # its thread ends.
        self._threads = [Thread(target=self._work, name=f"{name}-{n}", daemon=True) for n in range(1, number + 1)]
        self._soon: Soon | None = None
        self._closed = False

    async def call(self, function: Callable[[*_Ts], _T], *arguments: *_Ts) -> _T:
        """Call a function in one of the threads, and return its result."""
        if self._closed:
            raise Ending("The server is ending, and its threads take nothing more.")
        loop = asyncio.get_running_loop()
        if self._soon is None:
            self._soon = Soon(loop)
            for thread in self._threads:
                thread.start()
        answer: asyncio.Future[_T] = loop.create_future()
        self._tasks.put(_Task(lambda: function(*arguments), answer))
        return await answer

    def close(self) -> None:
        """End the threads; tasks that have not begun are cancelled."""
        self._closed = True
        while True:
            try:
                task = self._tasks.get_nowait()
            except Empty:
                break
            if task is not _END:
                task.answer.cancel()
        for _ in self._threads:
            self._tasks.put(_END)

    def _work(self) -> None:
        assert self._soon is not None
        while (task := self._tasks.get()) is not _END:
            try:
                result = task.run()
            except BaseException as error:
                self._soon.call(_fail, task.answer, error)
            else:
                self._soon.call(_answer, task.answer, result)
            del task


def _answer(answer: "asyncio.Future[Any]", result: object) -> None:
    if not answer.done():  # otherwise nobody waits for it any more
        answer.set_result(result)


def _fail(answer: "asyncio.Future[Any]", error: BaseException) -> None:
    if not answer.done():
        answer.set_exception(error)
