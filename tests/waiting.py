"""Waiting for what other threads and processes do."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Final

_PATIENCE: Final = 60.0
"""Seconds after which something will never be: machines are shared, and what takes a moment may take half a minute."""


def eventually(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    end = monotonic() + _PATIENCE
    while not holds():
        assert monotonic() < end, "it never comes"
        sleep(0.02)
