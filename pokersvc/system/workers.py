"""Worker processes on this machine: they start cleanly, ignore Ctrl-C, and end with their parent."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

INTERRUPT: Final = {signal.SIGINT}


def usable_processors() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


@contextmanager
def workers(
    count: int, context: BaseContext, *, prepare: Callable[[], None] | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes; if the code that uses them fails or is interrupted, they end with it.

    ``prepare`` is what each of them does before its first work.
    """
    with interrupts_held():
        pool = _Pool(count, context, _prepare, (prepare,))
    try:
        yield pool
    except BaseException:  # also where a generator that uses them is not read to its end
        for process in list((pool._processes or {}).values()):  # no public way to stop what they do
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """A pool whose processes, which start when there is work for them, are born deaf to a Ctrl-C."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with interrupts_held():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold a Ctrl-C back until the end of the block, and from the processes that start in it for good.

    A terminal sends it to every process of its group. One that is still importing what it needs would end with a
    traceback, before it could be told to leave the Ctrl-C to its parent; it inherits what this thread blocks. The
    parent holds it too, in whichever thread it arrives: a process that is half started would print one as well.
    """
    with _answered_later():
        resource_tracker.ensure_running()  # now: it unblocks the signal when it starts
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPT)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _answered_later() -> Iterator[None]:
    answer = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(answer):
        yield  # no other thread is interrupted, and an ignored Ctrl-C stays one
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, answer)
        if came:
            signal.raise_signal(signal.SIGINT)


def _prepare(first: Callable[[], None] | None) -> None:
    """Prepare a process: a Ctrl-C is its parent's to answer, and it does not outlive its parent."""
    if first is not None:
        first()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
