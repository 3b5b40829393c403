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
    """Yield a pool of worker processes; terminate them if the block fails or is interrupted.

    Each process calls ``prepare`` before its first task.
    """
    with interrupts_held():
        pool = _Pool(count, context, _prepare, (prepare,))
    try:
        yield pool
    except BaseException:  # also if a generator that uses the workers is not exhausted
        for process in list((pool._processes or {}).values()):  # no public way to stop a running task
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """A pool whose processes start on demand, with Ctrl-C blocked from the beginning."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with interrupts_held():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Defer a Ctrl-C until the end of the block; processes that start in the block never receive one.

    A terminal sends Ctrl-C to every process of its group. A process that is still importing its modules would end with
    a traceback before it could be told to ignore the signal; but it inherits the signals that this thread blocks. The
    parent defers a Ctrl-C too, whichever thread receives it: otherwise a half-started process would print a traceback
    as well.
    """
    with _answered_later():
        resource_tracker.ensure_running()  # start the tracker now, because its start unblocks the signal
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPT)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _answered_later() -> Iterator[None]:
    answer = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(answer):
        yield  # only the main thread is interrupted, and an ignored Ctrl-C stays ignored
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
    """Prepare a worker: it ignores Ctrl-C, which its parent handles, and it ends with its parent."""
    if first is not None:
        first()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
