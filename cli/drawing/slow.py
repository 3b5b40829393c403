"""What a person sees while an operation takes long: it appears after a moment, and is removed at the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import Final

DELAY: Final = 0.5
"""The number of seconds after which the display appears."""


@contextmanager
def shown_if_slow(show: Callable[[], None], clear: Callable[[], None]) -> Iterator[None]:
    """Call ``show`` if the block takes longer than `DELAY`; then call ``clear`` at its end, even if it fails.

    Another thread calls ``show``, but only while the block runs: so only one of the two threads uses the terminal at
    a time, provided that the block does not use it.
    """
    lock = Lock()
    over = shown = False

    def due() -> None:
        nonlocal shown
        with lock:
            if not over:
                shown = True
                with suppress(Exception):  # the next drawing fails in the same way, where that is reported
                    show()

    timer = Timer(DELAY, due)
    timer.daemon = True  # so that it does not delay the end of the program
    try:
        timer.start()
        yield
    finally:
        timer.cancel()
        with lock:
            over = True
        if shown:
            clear()
