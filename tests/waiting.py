"""Waiting for other threads and processes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic, sleep
from typing import Final

_PATIENCE: Final = 60.0
"""Seconds after which a test stops waiting; long, because shared machines may be slow."""
_TICK: Final = 0.01


def eventually(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    end = monotonic() + _PATIENCE
    while not holds():
        assert monotonic() < end, "it never comes"
        sleep(0.02)


@contextmanager
def own_time() -> Iterator[Callable[[], float]]:
    """Return a clock in seconds that leaves out delays by other work on this machine.

    A thread that wakes again and again notes how late it comes: so late is whoever else waits for a processor.
    """
    late, over = 0.0, Event()

    def note() -> None:
        nonlocal late
        before = monotonic()
        while not over.wait(_TICK):
            now = monotonic()
            late, before = late + max(0.0, now - before - 2 * _TICK), now

    noting = Thread(target=note)
    noting.start()
    try:
        yield lambda: monotonic() - late
    finally:
        over.set()
        noting.join()
