"""A clock that advances by itself, so that recorded times are the same in each run."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

FIRST: Final = datetime(2026, 1, 31, 12, tzinfo=UTC)
_STEP: Final = timedelta(milliseconds=1250)


def ticking() -> Callable[[], datetime]:
    """Return a clock that starts at `FIRST` and advances by one step at each call."""
    ticks = count()
    return lambda: FIRST + _STEP * next(ticks)
